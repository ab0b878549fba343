r"""Edits of a configuration's text that leave everything else as it is: comments, order, spaces.

>>> document = Document.of("a.json", '{\n  "bash": {"*": "ask"}, // all\n  "edit": "deny"\n}\n')
>>> print(document.inserted(document.path(2, 3), "read", {"*": "ask"}), end="")
{
  "bash": {"*": "ask"}, // all
  "read": {"*": "ask"},
  "edit": "deny"
}
>>> print(document.moved(document.path(2, 3), document.path(3, 3)), end="")
{
  "edit": "deny",
  "bash": {"*": "ask"} // all
}
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any, Final

from downset.config.entries import Entry, header_entries, json_entries

Path = tuple[Entry, ...]
"""From the root of a document to one of its entries."""
Steps = tuple[int | str, ...]
"""The keys, in lists the numbers, that lead from the root to an entry."""


Value = str | dict[str, Any] | list[dict[str, str]]


class NotEditable(Exception):
    """The text is written in a way that this module does not edit."""


@dataclass(frozen=True)
class Document:
    """A text with its entries."""

    file: str
    text: str = field(repr=False)
    root: Entry = field(repr=False)

    @staticmethod
    def of(file: str, text: str) -> Document:
        """A document of the kind that its name says. Raises `NotEditable`."""
        root = header_entries(text) if file.endswith(".md") else json_entries(text)
        if root is None:
            raise NotEditable
        return Document(file, text, root)

    @property
    def is_yaml(self) -> bool:
        """Whether this is a header of a Markdown file."""
        return self.file.endswith(".md")

    def steps(self, line: int | None, column: int | None) -> Steps:
        """The keys that lead to the entry that starts at a place. Raises `NotEditable`."""
        starts = [0, *(found.end() for found in re.finditer("\n", self.text))]
        if line is None or column is None or line > len(starts):
            raise NotEditable
        found = self.root.steps_to(starts[line - 1] + column - 1)
        if not found:
            raise NotEditable
        return found

    def follow(self, steps: Steps) -> Path:
        """The path that keys, in lists numbers, lead along. Raises `NotEditable`."""
        path: Path = (self.root,)
        for step in steps:
            inside = path[-1].entries
            found = (
                path[-1].get(step)
                if isinstance(step, str)
                else inside[step]
                if step < len(inside)
                else None
            )
            if found is None:
                raise NotEditable
            path = (*path, found)
        return path

    def path(self, line: int | None, column: int | None) -> Path:
        """The path to the entry that starts at a place. Raises `NotEditable`."""
        return self.follow(self.steps(line, column))

    # --- edits ---

    def renamed(self, path: Path, key: str) -> str:
        """With another key in place of an entry's."""
        entry = path[-1]
        found = _KEY.match(self.text, entry.start)
        end = found.end() if found else entry.start
        return _spliced(self.text, [(entry.start, end, self._scalar(key))])

    def replaced(self, path: Path, value: Value) -> str:
        """With another value in place of an entry's."""
        entry = path[-1]
        if entry.is_block:
            raise NotEditable
        return _spliced(self.text, [(entry.value, entry.end, self._value(value))])

    def inserted(self, behind: Path, key: str | None, value: Value) -> str:
        """With a new entry behind another; one without a key in a list."""
        return _spliced(self.text, self._behind(behind, self._entry(key, value)))

    def inserted_in(self, path: Path, key: str | None, value: Value) -> str:
        """With a new entry at the end of a mapping or list."""
        entry = path[-1]
        if entry.entries:
            return self.inserted((*path, entry.entries[-1]), key, value)
        return self._only(entry, self._entry(key, value))

    def inserted_first(self, path: Path, key: str, value: Value) -> str:
        """With a new entry at the start of a mapping."""
        entry, new = path[-1], self._entry(key, value)
        if not entry.entries:
            return self._only(entry, new)
        first = entry.entries[0].start
        lead = self._lead(first)
        if not lead.isspace() and lead:
            if entry.is_block:
                raise NotEditable
            return _spliced(self.text, [(first, first, new + ", ")])
        end = "" if entry.is_block else ","
        return _spliced(self.text, [(first, first, f"{new}{end}{self._newline}{lead}")])

    def removed(self, path: Path) -> str:
        """Without an entry; without the one around it if nothing else is in that."""
        while len(path[-2].entries) == 1 and len(path) > (_ROOT if path[-2].is_block else _NESTED):
            path = path[:-1]
        return _spliced(self.text, self._without(path))

    def moved(self, path: Path, behind: Path) -> str:
        """With an entry moved behind another of the same mapping or list."""
        entry, parent = path[-1], path[-2]
        new = self.text[entry.start : entry.end]
        if parent.is_block and "\n" in new:
            raise NotEditable
        comment = self._comment(entry) if self._is_line(entry, parent) else ""
        return _spliced(self.text, [*self._without(path), *self._behind(behind, new, comment)])

    # --- how it is done ---

    def _behind(self, path: Path, new: str, comment: str = "") -> list[_Splice]:
        sibling, parent = path[-1], path[-2]
        lead = self._lead(sibling.start)
        if parent.is_block:
            if lead.strip() not in {"", "-"}:
                raise NotEditable
            at = self._line_end(sibling.end)
            return [(at, at, f"{self._newline}{lead}{new}{comment}")]
        comma = self._comma(sibling, parent)
        if lead and not lead.isspace():
            return self._inline(sibling, comma, new)
        end = sibling.end if comma is None else comma
        at = self._line_end(end) if _BLANK.fullmatch(self._rest(end)) else end
        if comment and at == end and self._rest(end).strip():
            raise NotEditable
        line = f"{self._newline}{lead}{new}"
        if comma is not None:
            return [(at, at, f"{line},{comment}")]
        return [(sibling.end, sibling.end, ","), (at, at, line + comment)]

    @staticmethod
    def _inline(sibling: Entry, comma: int | None, new: str) -> list[_Splice]:
        if comma is None:
            return [(sibling.end, sibling.end, f", {new}")]
        return [(comma, comma, f" {new},")]

    def _only(self, entry: Entry, new: str) -> str:
        """The one entry of what was empty."""
        inside = self.text[entry.value + 1 : entry.end - 1]
        if entry.is_block or inside.strip():
            raise NotEditable
        return _spliced(self.text, [(entry.value + 1, entry.end - 1, f" {new} ")])

    def _without(self, path: Path) -> list[_Splice]:
        entry, parent = path[-1], path[-2]
        comma = None if parent.is_block else self._comma(entry, parent)
        end = entry.end if comma is None else comma
        lead, whole = self._lead(entry.start), self._is_line(entry, parent)
        if parent.is_block and not (whole and lead.strip() in {"", "-"}):
            raise NotEditable
        before = self._comma_before(entry, parent) if comma is None else []
        if whole:
            start = entry.start - len(lead)
            newline = self.text.find("\n", end)
            return [*before, (start, newline + 1 if newline >= 0 else len(self.text), "")]
        if comma is not None:
            space = len(self._rest(end)) - len(self._rest(end).lstrip(" "))
            return [(entry.start, end + space, "")]
        start = before[0][0] if before else entry.start
        return [(start, end, "")]

    def _is_line(self, entry: Entry, parent: Entry) -> bool:
        """Whether nothing but the entry, its comma and a comment is on its lines."""
        comma = None if parent.is_block else self._comma(entry, parent)
        lead = self._lead(entry.start)
        alone = not lead or lead.isspace() or parent.is_block
        return alone and bool(_BLANK.fullmatch(self._rest(entry.end if comma is None else comma)))

    def _comma(self, entry: Entry, parent: Entry) -> int | None:
        """Behind the comma that follows an entry."""
        after = self.text[entry.end : parent.end]
        found = re.match(r"(?>\s+|//[^\r\n]*|/\*(?s:.*?)\*/|#[^\r\n]*)*+,", after)
        return entry.end + found.end() if found else None

    def _comma_before(self, entry: Entry, parent: Entry) -> list[_Splice]:
        """The comma behind the entry before the last, which then has none behind it."""
        if parent.is_block or parent.entries[0] is entry:
            return []
        comma = self._comma(parent.entries[parent.entries.index(entry) - 1], parent)
        return [(comma - 1, comma, "")] if comma is not None else []

    def _comment(self, entry: Entry) -> str:
        rest = self._rest(entry.end).removeprefix(",").rstrip()
        return f" {rest.strip()}" if rest.strip() and _BLANK.fullmatch(rest) else ""

    def _lead(self, offset: int) -> str:
        """What stands before an offset on its line."""
        return self.text[self.text.rfind("\n", 0, offset) + 1 : offset]

    def _rest(self, offset: int) -> str:
        """What stands behind an offset on its line."""
        return self.text[offset : self._line_end(offset)]

    def _line_end(self, offset: int) -> int:
        end = self.text.find("\n", offset)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[offset:end].endswith("\r") else end

    @property
    def _newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"

    def _entry(self, key: str | None, value: Value) -> str:
        return self._value(value) if key is None else f"{self._scalar(key)}: {self._value(value)}"

    def _value(self, value: Value) -> str:
        return self._scalar(value) if isinstance(value, str) else _json(value)

    def _scalar(self, text: str) -> str:
        is_plain = self.is_yaml and _PLAIN.fullmatch(text) and text.lower() not in _WORDS
        return text if is_plain else _json(text)


_Splice = tuple[int, int, str]
_ROOT: Final = 2
_NESTED: Final = 3
_KEY: Final = re.compile(r""""(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^:\n]+?(?=[ \t]*:(?:\s|$))""")
_BLANK: Final = re.compile(r"\s*(?://.*|/\*(?:(?!\*/).)*\*/\s*|#.*)?")
_PLAIN: Final = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_WORDS: Final = frozenset({"true", "false", "null", "yes", "no", "on", "off", "y", "n"})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _spliced(text: str, parts: list[_Splice]) -> str:
    """A text with parts replaced, which must not overlap."""
    pieces, position = [], 0
    for start, end, new in sorted(parts, key=lambda part: part[:2]):
        if start < position:
            raise NotEditable
        pieces += [text[position:start], new]
        position = end
    return "".join([*pieces, text[position:]])
