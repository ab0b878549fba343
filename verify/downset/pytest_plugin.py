"""The pytest plugin: scenario files are tests; a wrong answer is told without a traceback.

`pytest scenarios/` collects every YAML file that has the form of a scenario. Nothing of the prover
is imported before a scenario runs.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from downset.scenarios.results import Result

SUFFIXES: Final = (".yaml", ".yml")
MOST_BYTES: Final = 1 << 20
_PARTS: Final = (re.compile(rb"(?m)^events:"), re.compile(rb"(?m)^questions:"))


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Take files that are scenarios."""
    if file_path.suffix in SUFFIXES and _is_scenario(file_path):
        collector: pytest.Collector = ScenarioFile.from_parent(parent, path=file_path)
        return collector
    return None


def _is_scenario(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            head = file.read(MOST_BYTES)
    except OSError:
        return False
    return all(part.search(head) for part in _PARTS)


class ScenarioFile(pytest.File):
    """A scenario: a test for each question and each design that must answer it."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for the whole file; its questions share their events."""
        yield ScenarioItem.from_parent(self, name="answers")


class ScenarioItem(pytest.Item):
    """All questions of a scenario."""

    def runtest(self) -> None:
        """Run the scenario. Raises `WrongAnswers` if an answer is not the expected one."""
        from downset.scenarios.running import results  # noqa: PLC0415 -- only when a test runs

        found = results(self.path)
        wrong = [result for result in found if result.ok is False]
        if wrong:
            raise WrongAnswers(wrong)

    def repr_failure(  # type: ignore[override]
        self, excinfo: pytest.ExceptionInfo[BaseException]
    ) -> object:
        """Tell what is wrong, without a traceback for what a person got wrong."""
        from downset.errors import InputError  # noqa: PLC0415 -- only when a test fails

        if isinstance(excinfo.value, InputError):
            return excinfo.value.format()
        if isinstance(excinfo.value, WrongAnswers):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> tuple[Path, None, str]:
        """Say where it is."""
        return self.path, None, f"scenario: {self.path.name}"


class WrongAnswers(Exception):
    """Some questions were not answered as expected."""

    def __init__(self, wrong: list[Result]) -> None:
        super().__init__("\n".join(_line(result) for result in wrong))


def _line(result: Result) -> str:
    return (
        f"{result.id}, check {result.check} of {result.model}: {result.about}: "
        f"expected {result.expect}, got {result.got}"
    )
