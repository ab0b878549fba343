"""Tables and quantities in Markdown.

>>> seconds(0.00042), seconds(1.234), ratio(12.34), ratio(None)
('0.42 ms', '1.23 s', '12x', '–')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    r"""A table.

    >>> print(markdown_table(("a", "b"), [["1", "x|y"]]), end="")
    | a | b |
    |---|---|
    | 1 | x\|y |
    """
    lines = [head, ["---"] * len(head), *rows]
    text = ["| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines]
    text[1] = "|" + "---|" * len(head)
    return "\n".join(text) + "\n"


def seconds(number: float) -> str:
    """A time in a unit that suits it."""
    if number < 1:
        return f"{number * 1000:.2g} ms" if number < 0.1 else f"{number * 1000:.0f} ms"  # noqa: PLR2004
    return f"{number:.3g} s" if number < 1000 else f"{number:.0f} s"  # noqa: PLR2004


def size(number: float) -> str:
    """Bytes in MiB.

    >>> size(3 << 20)
    '3 MiB'
    """
    return f"{number / (1 << 20):.0f} MiB" if number else "–"


def ratio(number: float | None) -> str:
    """How many times longer."""
    return "–" if number is None else f"{number:.2g}x" if number < 100 else f"{number:.0f}x"  # noqa: PLR2004
