r"""The entries of a document and the parts of its text that they take up, for edits of the text.

>>> text = '{"edit": "deny", // no\n "bash": {"*": "ask"}}'
>>> bash = json_entries(text).entries[1]
>>> text[bash.start : bash.end], [entry.name for entry in bash.entries]
('"bash": {"*": "ask"}', ['*'])
>>> header_entries("---\nmode: all\npermission:\n  edit: deny\n---\n").entries[1].entries[0].name
'edit'
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import pairwise, takewhile
from typing import TYPE_CHECKING

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from downset.config import jsonc
from downset.config.texts import Text
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ruamel.yaml.events import Event

    from downset.config.jsonc import Token

_FENCE = "---"


@dataclass(frozen=True)
class Entry:
    """A key with its value, or an item of a list: from `start` to `end`, the value from `value`.

    `is_block` says that the entries inside are lines of their own, as YAML permits; else they
    stand between brackets.
    """

    name: str | None
    start: int
    value: int
    end: int
    entries: tuple[Entry, ...] = ()
    is_mapping: bool = False
    is_list: bool = False
    is_block: bool = False

    def get(self, name: str) -> Entry | None:
        """The entry with a key; of several the last, which is the one that counts."""
        return next((entry for entry in reversed(self.entries) if entry.name == name), None)

    def inside(self, step: int | str) -> Entry | None:
        """The entry with a key, or with a number in a list."""
        if isinstance(step, str):
            return self.get(step)
        return self.entries[step] if step < len(self.entries) else None

    def steps_to(self, offset: int) -> tuple[int | str, ...]:
        """The keys, in lists the numbers, that lead to the entry at an offset."""
        path = self.path_to(offset)
        return tuple(
            below.name if below.name is not None else above.entries.index(below)
            for above, below in pairwise(path)
        )

    def path_to(self, offset: int) -> tuple[Entry, ...]:
        """From this entry to the innermost that starts at an offset; empty if there is none."""
        for entry in self.entries:
            if entry.start <= offset < max(entry.end, entry.start + 1):
                inner = entry.path_to(offset)
                if inner:
                    return (self, *inner)
                return (self, entry) if entry.start == offset else ()
        return ()


def json_entries(text: str) -> Entry | None:
    """The value of a document in JSON with comments; `None` if it is not one."""
    document = Text("", text)
    try:
        jsonc.parse(document, jsonc.Findings())
    except InputError:
        return None
    found = takewhile(lambda token: token.kind != "end", jsonc.tokens(document))
    return _Json(text, tuple(found)).value(None, 0)[0]


@dataclass(frozen=True)
class _Json:
    """Reads the tokens of a document that is known to be right."""

    text: str
    tokens: Sequence[Token]

    def value(self, name: str | None, at: int, start: int | None = None) -> tuple[Entry, int]:
        """The value that begins with a token, and the number of the token behind it."""
        token = self.tokens[at]
        start = token.start if start is None else start
        if token.kind not in {"{", "["}:
            return Entry(name, start, token.start, token.end), at + 1
        entries, place = [], at + 1
        while self.tokens[place].kind not in {"}", "]"}:
            if self.tokens[place].kind == ",":
                place += 1
                continue
            entry, place = self._entry(place, is_item=token.kind == "[")
            entries.append(entry)
        whole = Entry(
            name,
            start,
            token.start,
            self.tokens[place].end,
            tuple(entries),
            is_mapping=token.kind == "{",
            is_list=token.kind == "[",
        )
        return whole, place + 1

    def _entry(self, at: int, *, is_item: bool) -> tuple[Entry, int]:
        if is_item:
            return self.value(None, at)
        key = self.tokens[at]
        name = jsonc.parse(Text("", self.text[key.start : key.end]), jsonc.Findings()).text
        return self.value(name, at + 2, key.start)


def header_entries(text: str) -> Entry | None:
    """The header of a Markdown file; `None` if it has none that is a mapping in YAML."""
    if not text.startswith(_FENCE) or text[3:4] == "-":
        return None
    end = text.find("\n" + _FENCE, len(_FENCE))
    header = text[len(_FENCE) : end if end >= 0 else len(text)]
    builder = _Builder(len(_FENCE))
    try:
        for event in YAML(typ="safe", pure=True).parse(header):
            builder.take(event)
    except (YAMLError, _Unsuitable):
        return None
    return builder.root if builder.root is not None and builder.root.is_mapping else None


class _Unsuitable(Exception):
    """A header whose parts cannot be told apart by their places, as with references."""


@dataclass
class _Open:
    entry: Entry
    entries: list[Entry] = field(default_factory=list)
    key: tuple[str, int] | None = None


class _Builder:
    def __init__(self, shift: int) -> None:
        self._shift = shift
        self._open: list[_Open] = []
        self.root: Entry | None = None

    def take(self, event: Event) -> None:
        if isinstance(event, AliasEvent):
            raise _Unsuitable
        start, end = (self._shift + mark.index for mark in (event.start_mark, event.end_mark))
        if isinstance(event, ScalarEvent):
            self._scalar(str(event.value), start, end)
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            is_mapping = isinstance(event, MappingStartEvent)
            self._open.append(
                _Open(
                    replace(
                        self._named(start, end),
                        is_mapping=is_mapping,
                        is_list=not is_mapping,
                        is_block=not event.flow_style,
                    )
                )
            )
        elif isinstance(event, CollectionEndEvent):
            self._close(end)

    def _scalar(self, text: str, start: int, end: int) -> None:
        top = self._open[-1] if self._open else None
        if top is not None and top.entry.is_mapping and top.key is None:
            top.key = (text, start)
        else:
            self._add(self._named(start, end))

    def _named(self, start: int, end: int) -> Entry:
        top = self._open[-1] if self._open else None
        name, first = top.key if top is not None and top.key is not None else (None, start)
        return Entry(name, first, start, end)

    def _close(self, end: int) -> None:
        top = self._open.pop()
        if top.entry.is_block and top.entries:
            end = top.entries[-1].end
        self._add(replace(top.entry, end=end, entries=tuple(top.entries)))

    def _add(self, entry: Entry) -> None:
        if not self._open:
            self.root = entry
            return
        self._open[-1].entries.append(entry)
        self._open[-1].key = None
