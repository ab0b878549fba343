"""Values of a configuration that remember where they were written.

>>> node = of({"permission": {"bash": "ask"}})
>>> node["permission"]["bash"].value
'ask'
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

Scalar = str | int | float | bool | None
MAX_DEPTH: Final = 100
_INDEX = re.compile(r"0|[1-9]\d{0,9}")
_LARGEST_INDEX: Final = 2**32 - 2


@dataclass(frozen=True, slots=True)
class Place:
    """Where something was written: a file, and a line and column from 1.

    >>> str(Place("opencode.json", 3, 5)), str(Place("OPENCODE_PERMISSION"))
    ('opencode.json:3:5', 'OPENCODE_PERMISSION')
    """

    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)

    def error(self, message: str, *, id: str, help: str | None = None) -> InputError:  # noqa: A002 -- the words of the printed line
        """An error at this place."""
        return InputError(
            message, id=id, help=help, file=self.file, line=self.line, column=self.column
        )


NOWHERE: Final = Place()


@dataclass(frozen=True)
class Node:
    """A value, where it is, and where its key is.

    `hidden` is the real text of a value into which the environment or another file was
    substituted. `value` then has the text as written, `{env:NAME}` and all, so that nothing
    secret can be printed.
    """

    value: Scalar | Mapping[str, Node] | tuple[Node, ...]
    place: Place = NOWHERE
    key: Place = NOWHERE
    hidden: str | None = field(default=None, repr=False, compare=False)

    @property
    def entries(self) -> Mapping[str, Node]:
        """The entries of a mapping; none for anything else."""
        return self.value if isinstance(self.value, Mapping) else {}

    @property
    def is_mapping(self) -> bool:
        """Whether this is a mapping."""
        return isinstance(self.value, Mapping)

    @property
    def items(self) -> tuple[Node, ...]:
        """The items of a list; none for anything else."""
        return self.value if isinstance(self.value, tuple) else ()

    @property
    def text(self) -> str | None:
        """The text as the program reads it, or `None` if it is no text. Never print this."""
        if self.hidden is not None:
            return self.hidden
        return self.value if isinstance(self.value, str) else None

    def __getitem__(self, key: str) -> Node:
        return self.entries[key]

    def get(self, key: str) -> Node | None:
        """The entry with this key, if there is one."""
        return self.entries.get(key)

    def where(self) -> Place:
        """The place of the key if there is one, else of the value."""
        return self.place if self.key == NOWHERE else self.key

    def ordered(self) -> Iterator[tuple[str, Node]]:
        """The entries as JavaScript lists them: keys that are array indices first, by size.

        >>> [key for key, _ in of({"b": 1, "10": 1, "2": 1, "01": 1}).ordered()]
        ['2', '10', 'b', '01']
        """
        indices = sorted((int(key), key) for key in self.entries if is_index(key))
        yield from ((key, self.entries[key]) for _, key in indices)
        yield from ((key, node) for key, node in self.entries.items() if not is_index(key))

    def with_entry(self, key: str, node: Node) -> Node:
        """This mapping with one entry set; an old one keeps its position."""
        return replace(self, value={**self.entries, key: node})

    def without(self, *keys: str) -> Node:
        """This mapping without some keys."""
        return replace(self, value={k: n for k, n in self.entries.items() if k not in keys})


EMPTY: Final = Node({})


def is_index(key: str) -> bool:
    """Whether JavaScript takes this key of an object for an array index."""
    return _INDEX.fullmatch(key) is not None and int(key) <= _LARGEST_INDEX


def of(value: object, place: Place = NOWHERE, depth: int = 0) -> Node:
    """A node for a plain value as JSON or YAML readers give it, all of it at one place.

    >>> of([1, {"a": None}]).items[1].entries
    {'a': Node(value=None, place=Place(file=None, line=None, column=None), key=Place(...))}
    >>> of({1, 2})
    Traceback (most recent call last):
    downset.errors.InputError: a set is not a value of a configuration
    """
    if depth > MAX_DEPTH:
        raise place.error(f"nested more than {MAX_DEPTH} deep", id="too-deep")
    if isinstance(value, Mapping):
        return Node({str(k): of(v, place, depth + 1) for k, v in value.items()}, place)
    if isinstance(value, str | bool | int | float) or value is None:
        return Node(value, place)
    if isinstance(value, Sequence):
        return Node(tuple(of(item, place, depth + 1) for item in value), place)
    name = type(value).__name__
    raise place.error(f"a {name} is not a value of a configuration", id="bad-value")


def merged(first: Node, second: Node) -> Node:
    """Both, deeply: a key keeps its first position, and the second's value replaces the first's.

    opencode.md 1.9: text and mapping replace each other wholly, and lists are not joined.

    >>> both = merged(of({"bash": "allow", "edit": {"a": "ask"}}), of({"edit": "deny", "*": "ask"}))
    >>> {key: node.value for key, node in both.entries.items()}
    {'bash': 'allow', 'edit': 'deny', '*': 'ask'}
    """
    if not (first.is_mapping and second.is_mapping):
        return second
    entries = dict(first.entries)
    for key, node in second.entries.items():
        entries[key] = merged(entries[key], node) if key in entries else node
    return replace(second, value=entries)
