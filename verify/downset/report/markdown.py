"""The matrix as a Markdown table, for a README or the summary of a CI run.

>>> from downset.verdicts import Scope, Status, Verdict
>>> print(matrix_markdown([Verdict("opencode/2.0", "p", Status.PROVED, Scope())]), end="")
| property | opencode<br>2.0 |
|---|:-:|
| `p` | ✓ |
<BLANKLINE>
✓ proved · ✗ violated · ~ bounded · ∅ vacuous · – not-applicable · ? unknown
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from downset.report.matrix import Grid
from downset.report.words import SYMBOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from downset.verdicts import Verdict


def matrix_markdown(verdicts: Sequence[Verdict]) -> str:
    """All verdicts as a table and a line that says what the signs mean."""
    grid = Grid.of(verdicts)
    rows = [
        _row(["property", *(_heading(model) for model in grid.models)]),
        "|---|" + ":-:|" * len(grid.models),
        *(
            _row([f"`{_cell(prop)}`", *(grid.symbol(model, prop) for model in grid.models)])
            for prop in grid.properties
        ),
    ]
    signs = " · ".join(f"{symbol} {status.value}" for status, symbol in SYMBOLS.items())
    return "\n".join([*rows, "", signs]) + "\n"


def _heading(model: str) -> str:
    """A model's id, broken after the name of the system so that columns stay narrow."""
    return "<br>".join(_cell(html.escape(part)) for part in model.split("/", 1))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"
