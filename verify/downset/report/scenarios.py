"""What became of recorded stories, as text, JSON and Markdown.

>>> print(scenarios_text([]), end="")
0 checks agree
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Protocol

from downset.report.json_report import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


class CheckResult(Protocol):
    """One check, as far as reports look into it."""

    @property
    def id(self) -> str:
        """The scenario."""

    @property
    def check(self) -> int | None:
        """Which of its checks; `None` if it has none."""

    @property
    def expect(self) -> object:
        """The answer it must give."""

    @property
    def got(self) -> object:
        """The answer it gave."""

    @property
    def about(self) -> str:
        """What was asked."""

    @property
    def model(self) -> str:
        """Of which model or release."""

    @property
    def file(self) -> str:
        """Where it stands."""

    @property
    def ok(self) -> bool | None:
        """Whether the answers agree."""


def scenarios_json(results: Sequence[CheckResult]) -> str:
    """All results; of the schema `downset/1`."""
    return document("scenarios", [result(found) for found in results])


def result(found: CheckResult) -> Mapping[str, object]:
    """One result as an element of `results`."""
    return {
        "id": found.id,
        "check": found.check,
        "expect": found.expect,
        "got": found.got,
        "ok": found.ok,
        "about": found.about,
        "model": found.model,
        "file": found.file,
    }


def scenarios_text(results: Sequence[CheckResult]) -> str:
    """Every mismatch, then how many checks agree."""
    blocks = [_mismatch(found) for found in results if found.ok is False]
    return "".join(f"{block}\n\n" for block in blocks) + summary(results) + "\n"


def _mismatch(found: CheckResult) -> str:
    return (
        f"✗ {found.id} check {found.check}: {found.about} ({found.model})\n"
        f"    expected  {_shown(found.expect)}\n"
        f"    got       {_shown(found.got)}\n"
        f"    in        {found.file}"
    )


def summary(results: Sequence[CheckResult]) -> str:
    """How many checks agree, do not, and how many scenarios have none."""
    agreeing = sum(found.ok is True for found in results)
    differing = sum(found.ok is False for found in results)
    without = sum(found.ok is None for found in results)
    parts = [f"{agreeing} check{'' if agreeing == 1 else 's'} agree{'s' if agreeing == 1 else ''}"]
    parts += [f"{differing} do not"] if differing else []
    parts += [f"{without} without checks"] if without else []
    return ", ".join(parts)


def scenarios_markdown(results: Sequence[CheckResult]) -> str:
    """A table with one row for each scenario, and one for each mismatch."""
    rows = ["| scenario | checks | agree |", "|---|--:|:-:|", *_rows(results)]
    wrong = [found for found in results if found.ok is False]
    if wrong:
        rows += ["", "| mismatch | asked | of | expected | got |", "|---|---|---|---|---|"]
        rows += [_row(_cells(found)) for found in wrong]
    return "\n".join([*rows, "", summary(results)]) + "\n"


def _rows(results: Sequence[CheckResult]) -> Iterator[str]:
    for name in dict.fromkeys(found.id for found in results):
        own = [found for found in results if found.id == name]
        count = sum(found.check is not None for found in own)
        sign = "–" if not count else "✗" if any(found.ok is False for found in own) else "✓"
        yield _row((name, str(count), sign))


def _cells(found: CheckResult) -> tuple[str, ...]:
    where = f"{found.id} {found.check}"
    return where, found.about, found.model, _shown(found.expect), _shown(found.got)


def _row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return "| " + " | ".join(escaped) + " |"


def _shown(answer: object) -> str:
    return answer if isinstance(answer, str) else json.dumps(answer)
