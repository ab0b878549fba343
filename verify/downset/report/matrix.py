"""The table of all verdicts: one row for each property, one numbered column for each model.

>>> from downset.verdicts import Scope, Status, Verdict
>>> print(matrix_text([Verdict("m", "p", Status.PROVED, Scope())]), end="")
     1
p    ✓
<BLANKLINE>
 1 m
<BLANKLINE>
✓ proved  ✗ violated  ~ bounded  ∅ vacuous  – not-applicable  ? unknown
1 verdict: 1 proved
"""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from itertools import product, zip_longest
from typing import TYPE_CHECKING, Final

from downset.report.words import SYMBOLS, tally
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from downset.verdicts import Verdict

WIDTH: Final = 100
UNDETERMINED: Final = frozenset({Status.BOUNDED, Status.UNKNOWN, Status.VACUOUS})


@dataclass(frozen=True)
class Grid:
    """Verdicts by model and property, both in the order in which they first appear."""

    models: tuple[str, ...]
    properties: tuple[str, ...]
    cells: Mapping[tuple[str, str], Verdict]

    @classmethod
    def of(cls, verdicts: Sequence[Verdict]) -> Grid:
        """Arrange verdicts.

        >>> from downset.verdicts import Scope, Verdict
        >>> grid = Grid.of([Verdict("m", "p", Status.VACUOUS, Scope())])
        >>> grid.symbol("m", "p"), grid.symbol("m", "q")
        ('∅', ' ')
        """
        return cls(
            models=tuple(dict.fromkeys(verdict.model for verdict in verdicts)),
            properties=tuple(dict.fromkeys(verdict.property for verdict in verdicts)),
            cells={(verdict.model, verdict.property): verdict for verdict in verdicts},
        )

    def symbol(self, model: str, prop: str) -> str:
        """The sign for a pair; a space if it was not asked."""
        verdict = self.cells.get((model, prop))
        return " " if verdict is None else SYMBOLS[verdict.status]


def matrix_text(verdicts: Sequence[Verdict]) -> str:
    """The table, who the columns are, what the signs mean, and why anything is undetermined."""
    grid = Grid.of(verdicts)
    parts = [_table(grid), _columns(grid), _legend(verdicts), *_notes(grid)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def legend() -> str:
    """What the signs mean.

    >>> legend()
    '✓ proved  ✗ violated  ~ bounded  ∅ vacuous  – not-applicable  ? unknown'
    """
    return "  ".join(f"{symbol} {status.value}" for status, symbol in SYMBOLS.items())


def _table(grid: Grid) -> Iterator[str]:
    width = max(map(len, grid.properties), default=0) + 2
    yield _row("", [str(number) for number, _ in enumerate(grid.models, start=1)], width)
    for prop in grid.properties:
        yield _row(prop, [grid.symbol(model, prop) for model in grid.models], width)


def _row(name: str, cells: Sequence[str], width: int) -> str:
    return (f"{name:{width}}" + "".join(f"{cell:>3}" for cell in cells)).rstrip()


def _columns(grid: Grid) -> Iterator[str]:
    """The numbered models, in two halves beside each other."""
    names = [f"{number:2} {model}" for number, model in enumerate(grid.models, start=1)]
    half = (len(names) + 1) // 2
    width = max(map(len, names), default=0) + 3
    for left, right in zip_longest(names[:half], names[half:], fillvalue=""):
        yield f"{left:{width}}{right}".rstrip()


def _legend(verdicts: Sequence[Verdict]) -> list[str]:
    return [legend(), tally(verdicts)]


def _notes(grid: Grid) -> list[list[str]]:
    """One paragraph for all that is neither proved nor violated, if there is any."""
    groups: dict[tuple[str, Status, str], list[str]] = {}
    for prop, (number, model) in product(grid.properties, enumerate(grid.models, start=1)):
        verdict = grid.cells.get((model, prop))
        if verdict is not None and verdict.status in UNDETERMINED:
            groups.setdefault((prop, verdict.status, verdict.reason), []).append(str(number))
    notes = [
        line
        for (prop, status, reason), numbers in groups.items()
        for line in _note(f"{status.value}: {prop} of {', '.join(numbers)}", reason)
    ]
    return [notes] if notes else []


def _note(what: str, reason: str) -> list[str]:
    return textwrap.wrap(f"{what}: {reason or 'no reason given'}", WIDTH, subsequent_indent="  ")
