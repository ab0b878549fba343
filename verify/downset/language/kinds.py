"""Which texts a tool can ask about: paths, commands, addresses, names, or a few known ones.

A rule that matches no such text never decides anything, and a witness must be one of them. Kinds
are small automata over UTF-16 units, so that the search in `lazy.py` can walk them beside globs.

>>> COMMAND.contains("git log"), COMMAND.contains("a | b"), COMMAND.contains("grep 'a | b' x")
(True, False, True)
>>> FOLDER.contains("/tmp/*"), FOLDER.contains("/tmp")
(True, False)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from downset.language.matching import to_units

if TYPE_CHECKING:
    from collections.abc import Mapping

Step = Callable[[int, str], int]
DEAD: Final = -1


@dataclass(frozen=True, eq=False)
class Kind:
    """Texts of one kind: those that `step` leads from state 0 to one of `final`, but for `never`.

    `choices` replaces all that where the texts are known one by one. `needs` are the units
    without which a text of this kind does not go on from a state. `helpers` are units that make
    others legal (quotes); they are worth reading only if a glob awaits one of `helped`.
    `never` are globs of texts that are not asked about. `prefer` are texts that people know.

    >>> kind = names("build", "plan")
    >>> kind.contains("plan"), kind.contains("other")
    (True, False)
    """

    name: str
    step: Step = lambda _state, _unit: 1
    final: frozenset[int] = frozenset({1})
    needs: Mapping[int, str] = field(default_factory=dict)
    helpers: str = ""
    helped: str = ""
    choices: tuple[str, ...] | None = None
    never: tuple[str, ...] = ()
    prefer: tuple[str, ...] = ()

    def contains(self, text: str) -> bool:
        """Whether a text is of this kind, `never` left out."""
        if self.choices is not None:
            return text in self.choices
        state = 0
        for unit in to_units(text):
            state = self.step(state, unit)
            if state == DEAD:
                return False
        return state in self.final


def names(*choices: str) -> Kind:
    """The kind that has just these texts."""
    return Kind("name", choices=choices)


def excluding(kind: Kind, *never: str) -> Kind:
    """A kind without the texts that some globs match."""
    return replace(kind, never=(*kind.never, *never))


# States of a path: 0 nothing yet, 1 inside a part, 2 behind a slash, 3 the part `.`, 4 the part
# `..` at the start, 5 behind a slash after such parts, 6 a `.` at the start, 7 the part `..`.
# For each what follows a slash, a dot, anything else.
_RELATIVE: Final = {
    0: (DEAD, 6, 1),
    1: (2, 1, 1),
    2: (DEAD, 3, 1),
    3: (DEAD, 7, 1),
    4: (5, 1, 1),
    5: (DEAD, 6, 1),
    6: (DEAD, 4, 1),
    7: (DEAD, 1, 1),
}
_ABSOLUTE: Final = {**_RELATIVE, 0: (2, DEAD, DEAD)}
_STARRED: Final = 8
"""Behind a star that is a whole part."""


def _relative(state: int, unit: str) -> int:
    """A path without a leading slash, as programs write it: no empty part, no `.`, `..` first."""
    slash, dot, other = _RELATIVE[state]
    return slash if unit in "/\\" else dot if unit == "." else other


def _absolute(state: int, unit: str) -> int:
    """A path from the root; without parts `.` and `..`."""
    slash, dot, other = _ABSOLUTE[state]
    return slash if unit in "/\\" else dot if unit == "." else other


def _folder(state: int, unit: str) -> int:
    """An absolute path, then a slash and a star."""
    reached = _absolute(1 if state == _STARRED else state, unit)
    behind_slash = _ABSOLUTE[1][0]
    return _STARRED if state == behind_slash and unit == "*" else reached


_SEPARATORS: Final = "|&;\n`()"
_OPENED: Final = {"'": 3, '"': 4}
_CLOSES: Final = {3: "'", 4: '"'}


def _command(state: int, unit: str) -> int:
    """One simple command: separators only inside quotes, no space at either end.

    States: 0 nothing yet, 1 text, 2 behind a space, 3 in single quotes, 4 in double quotes.
    """
    if state in _CLOSES:
        return 1 if unit == _CLOSES[state] else state
    if unit in _OPENED:
        return _OPENED[unit]
    if unit in _SEPARATORS:
        return DEAD
    if unit == " ":
        return 2 if state else DEAD
    return DEAD if unit == "#" and not state else 1


_SCHEME: Final[tuple[Mapping[str, int], ...]] = (
    {"h": 1},
    {"t": 2},
    {"t": 3},
    {"p": 4},
    {"s": 5, ":": 6},
    {":": 6},
    {"/": 7, "\\": 7},
    {"/": 8, "\\": 8},
)


def _address(state: int, unit: str) -> int:
    """`http://` or `https://` and at least one more unit, none of them a space."""
    if state < len(_SCHEME):
        return _SCHEME[state].get(unit.lower(), DEAD)
    return DEAD if unit.isspace() else len(_SCHEME) + 1


def _name(_state: int, unit: str) -> int:
    return 1 if unit.isascii() and (unit.isalnum() or unit in "_-") else DEAD


_PATHS: Final = ("src/app.ts", "README.md", "docs/guide.md", ".env", "package.json")
TEXT: Final = Kind("text", prefer=("TODO", "src/*"))
PATH: Final = Kind("path", _relative, frozenset({1}), prefer=_PATHS)
OUTER_PATH: Final = Kind(
    "absolute path",
    _absolute,
    frozenset({1}),
    needs={0: "/"},
    prefer=("/home/dev/app/src/app.ts",),
)
FOLDER: Final = Kind(
    "folder",
    _folder,
    frozenset({8}),
    needs={0: "/", 1: "/", 2: "*", 3: "*", 7: "/"},
    prefer=("/etc/*", "/home/dev/other/*", "/srv/data/*"),
)
COMMAND: Final = Kind(
    "command",
    _command,
    frozenset({1}),
    helpers="'",
    helped=_SEPARATORS,
    never=("cd", "cd *"),
    prefer=("rm -rf build", "git push origin main", "npm test", "curl https://example.com", "ls"),
)
ADDRESS: Final = Kind(
    "address",
    _address,
    frozenset({9}),
    needs={0: "h", 1: "t", 2: "t", 3: "p", 4: ":", 5: ":", 6: "/", 7: "/"},
    prefer=("https://example.com/",),
)
NAME: Final = Kind("name", _name, frozenset({1}))
STAR: Final = names("*")
