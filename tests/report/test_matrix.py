"""The table, for the terminal and for Markdown."""

from __future__ import annotations

from itertools import cycle, product
from typing import TYPE_CHECKING

import pytest

from downset.report.markdown import matrix_markdown
from downset.report.matrix import matrix_text
from downset.verdicts import Scope, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Callable


@pytest.fixture
def verdicts() -> list[Verdict]:
    """As many as the real matrix has, of every status."""
    models = [f"opencode/1.{number}.{number}" for number in range(13)] + ["reference/ceiling"]
    properties = [f"property-{'x' * (number % 15)}{number}" for number in range(25)]
    statuses = cycle(Status)
    return [
        Verdict(model, prop, next(statuses), Scope(), reason="a reason")
        for model, prop in product(models, properties)
    ]


def test_the_table_fits_a_terminal(
    verdicts: list[Verdict], golden: Callable[[str, str], None]
) -> None:
    text = matrix_text(verdicts)
    assert max(map(len, text.splitlines())) <= 100
    golden("matrix.txt", text)


def test_markdown(verdicts: list[Verdict], golden: Callable[[str, str], None]) -> None:
    golden("matrix.md", matrix_markdown(verdicts))


def test_only_what_is_undetermined_is_explained(verdicts: list[Verdict]) -> None:
    text = matrix_text(verdicts)
    assert "unknown: property-15 of 3, 9: a reason" in text
    assert "violated: " not in text
    proved = [verdict for verdict in verdicts if verdict.status is Status.PROVED]
    assert "a reason" not in matrix_text(proved)


def test_a_pair_that_was_not_asked_is_blank() -> None:
    pairs = [("m", "p"), ("n", "q")]
    some = [Verdict(model, prop, Status.PROVED, Scope()) for model, prop in pairs]
    assert matrix_text(some).splitlines()[1:3] == ["p    ✓", "q       ✓"]


def test_no_verdicts_make_an_empty_table() -> None:
    assert "0 verdicts: nothing asked" in matrix_text([])
    assert matrix_markdown([]).startswith("| property |\n")


def test_markdown_does_not_break_on_names() -> None:
    table = matrix_markdown([Verdict("./a|<b>.py", "p|q", Status.PROVED, Scope())])
    assert r"| .<br>a\|&lt;b&gt;.py |" in table
    assert r"| `p\|q` | ✓ |" in table
