r"""YAML as the program's reader takes it (js-yaml 3, safe schema), every value with its place.

The events of ruamel.yaml are put together here: nothing is constructed but mappings, lists and
plain values, no tag runs anything, and references to anchors cannot grow without bounds.

>>> tree = compose("mode: all\nhidden: yes\nsteps: 0x10", lambda line: line + 1, "a.md")
>>> {key: node.value for key, node in tree.entries.items()}, str(tree["steps"].key)
({'mode': 'all', 'hidden': 'yes', 'steps': 16}, 'a.md:3:1')
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    CollectionEndEvent,
    DocumentStartEvent,
    MappingStartEvent,
    ScalarEvent,
    SequenceStartEvent,
)

from downset.config.nodes import MAX_DEPTH, NOWHERE, Node, Place

if TYPE_CHECKING:
    from ruamel.yaml.events import (
        Event,
        NodeEvent,
    )

    from downset.config.nodes import Scalar

MAX_NODES: Final = 20_000
LineOf = Callable[[int], int]


class SyntaxProblem(Exception):
    """The text is not YAML; `place` is where that shows."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.message = message
        self.place = place


def compose(text: str, line_of: LineOf, file: str) -> Node:
    """The value in a text; `line_of` turns a line of it, from 0, into a line of the file."""
    composer = _Composer(line_of, file)
    try:
        for event in YAML(typ="safe", pure=True).parse(text):
            composer.take(event)
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = composer.place(mark.line, mark.column) if mark else Place(file, line_of(0))
        problem = getattr(error, "problem", None) or "not valid YAML"
        raise SyntaxProblem(str(problem), place) from error
    return composer.root or Node(None, Place(file, line_of(0), 1))


@dataclass
class _Open:
    place: Place
    key: Place
    is_mapping: bool
    anchor: str | None
    entries: dict[str, Node] = field(default_factory=dict)
    inherited: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    size: int = 1
    name: str | None = None
    name_place: Place = NOWHERE

    def node(self) -> Node:
        value = self.inherited | self.entries if self.is_mapping else tuple(self.items)
        return Node(value, self.place, self.key)


class _Composer:
    def __init__(self, line_of: LineOf, file: str) -> None:
        self._line_of = line_of
        self._file = file
        self._open: list[_Open] = []
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._documents = 0
        self.root: Node | None = None

    def place(self, line: int, column: int) -> Place:
        return Place(self._file, self._line_of(line), column + 1)

    def take(self, event: Event) -> None:
        place = self.place(event.start_mark.line, event.start_mark.column)
        if isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise SyntaxProblem("more than one document", place)
        elif isinstance(event, CollectionEndEvent):
            self._close()
        elif isinstance(event, AliasEvent):
            self._alias(event, place)
        elif isinstance(event, ScalarEvent):
            self._add(Node(_scalar(event, place), place, self._key()), 1, event.anchor)
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            self._start(event, place)

    def _start(self, event: NodeEvent, place: Place) -> None:
        if len(self._open) >= MAX_DEPTH:
            raise place.error(f"nested more than {MAX_DEPTH} deep", id="too-deep")
        is_mapping = isinstance(event, MappingStartEvent)
        if _tag(event) not in {"", "!", _CORE + ("map" if is_mapping else "seq")}:
            raise SyntaxProblem(f"unknown tag {_tag(event)}", place)
        self._open.append(_Open(place, self._key(), is_mapping, event.anchor))

    def _close(self) -> None:
        top = self._open.pop()
        self._add(top.node(), top.size, top.anchor)

    def _alias(self, event: AliasEvent, place: Place) -> None:
        if event.anchor not in self._anchors:
            raise SyntaxProblem(f"unidentified alias `{event.anchor}`", place)
        node, size = self._anchors[event.anchor]
        self._add(Node(node.value, node.place, self._key()), size, None)

    def _key(self) -> Place:
        top = self._open[-1] if self._open else None
        return top.name_place if top and top.is_mapping and top.name is not None else NOWHERE

    def _add(self, node: Node, size: int, anchor: str | None) -> None:
        if anchor is not None:
            self._anchors[anchor] = (node, size)
        if not self._open:
            self.root = node
            return
        top = self._open[-1]
        top.size += size
        if top.size > MAX_NODES:
            raise node.place.error(
                f"more than {MAX_NODES} values, with all references to anchors", id="too-large"
            )
        if not top.is_mapping:
            top.items.append(node)
        elif top.name is None:
            top.name, top.name_place = _key_text(node), node.place
        else:
            self._entry(top, top.name, node)
            top.name = None

    def _entry(self, top: _Open, name: str, node: Node) -> None:
        if name == "<<":
            for part in (node, *node.items):
                top.inherited = dict(part.entries) | top.inherited
        elif name in top.entries:
            raise SyntaxProblem(f"duplicated mapping key `{name}`", top.name_place)
        elif name != "__proto__":  # JavaScript makes no entry of it
            top.entries[name] = node


def _tag(event: NodeEvent) -> str:
    return str(getattr(event, "tag", None) or "")


def _key_text(node: Node) -> str:
    """A key as JavaScript makes a text of it."""
    return "[object Object]" if node.is_mapping else js_text(node)


def js_text(node: Node) -> str:
    """A value as JavaScript makes a text of it.

    >>> [js_text(Node(value)) for value in (True, None, 1.0, "x", (Node("a"), Node(2)))]
    ['true', 'null', '1', 'x', 'a,2']
    """
    value = node.value
    if isinstance(value, str):
        return value
    if isinstance(value, tuple):
        return ",".join(map(js_text, value))
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return {None: "null", True: "true", False: "false"}.get(value, str(value))  # type: ignore[arg-type]


def _scalar(event: ScalarEvent, place: Place) -> Scalar:
    text, tag = str(event.value), _tag(event)
    if tag in {"!", _CORE + "str"} or (not tag and event.style is not None):
        return text
    value = _plain(text)
    if tag and (not tag.startswith(_CORE) or not isinstance(value, _TYPES.get(tag, ()))):
        raise SyntaxProblem(f"unknown tag or bad value for {tag}", place)
    return value


def _plain(text: str) -> Scalar:
    """A value without quotes: only these spellings are not text."""
    if text in {"", "~", "null", "Null", "NULL"}:
        return None
    if text in {"true", "True", "TRUE", "false", "False", "FALSE"}:
        return text.lower() == "true"
    if found := _INTEGER.fullmatch(text):
        base = {"b": 2, "x": 16, "o": 8, "d": 10}[found.lastgroup or "d"]
        return int(text.replace("_", ""), base) if len(text) <= _MAX_DIGITS else float("inf")
    if _FLOAT.fullmatch(text):
        return float(text.replace("_", ""))
    return float("nan") if _OTHER_NUMBER.fullmatch(text) else text


_CORE: Final = "tag:yaml.org,2002:"
_MAX_DIGITS: Final = 300
_TYPES: Final[dict[str, tuple[type, ...]]] = {
    _CORE + "null": (type(None),),
    _CORE + "bool": (bool,),
    _CORE + "int": (int,),
    _CORE + "float": (float, int),
}
_INTEGER: Final = re.compile(
    r"(?P<b>[-+]?0b[01][01_]*)|(?P<x>[-+]?0x[0-9a-fA-F][0-9a-fA-F_]*)|(?P<o>[-+]?0[0-7][0-7_]*)"
    r"|(?P<d>[-+]?(?:0|[1-9][0-9_]*))",
    re.ASCII,
)
_FLOAT: Final = re.compile(
    r"[-+]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+]?[0-9]+)?",
    re.ASCII,
)
# dates, numbers in base 60, infinities: nothing that a configuration could use
_OTHER_NUMBER: Final = re.compile(
    r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt \t].*)?|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?"
    r"|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)",
    re.ASCII,
)
