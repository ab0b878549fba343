"""`downset diff` on designs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from downset.report.json_report import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.check.conftest import Program

OLD, NEW = "opencode/1.17.2", "opencode/1.18.2"


def test_a_model_against_itself(run: Program) -> None:
    result = run("diff", NEW, NEW)
    assert result.code == 0
    assert result.out.startswith(f"{NEW} -> {NEW}: equivalent\n")


def test_the_direction_decides_the_exit_code(run: Program) -> None:
    one, two = "pawwork/1132", "pawwork/maint-v1"
    stricter, looser = (run("diff", *pair, "--no-new-access") for pair in ((one, two), (two, one)))
    assert (stricter.code, looser.code) == (0, 1)
    assert f"{one} -> {two}: stricter" in stricter.out
    assert run("diff", one, two, "--exit-zero").code == 0


def test_as_json(run: Program) -> None:
    result = run("diff", OLD, NEW, "--format", "json")
    Draft202012Validator(schema()).validate(json.loads(result.out))
    found = json.loads(result.out)["comparison"]
    assert (found["relation"], found["equivalent"]) == ("incomparable", False)
    one = next(r for r in result.results if r["gate"] == "dispatch")
    assert one["direction"] == "loss"
    assert one["new"]["because"] == "depth 0 is at the limit"  # type: ignore[index]
    assert [event["kind"] for event in one["new_events"]] == ["open"]  # type: ignore[attr-defined]


def test_as_markdown(run: Program) -> None:
    result = run("diff", OLD, NEW, "--format", "markdown")
    assert "| open | incomparable | stricter | stricter | stricter |" in result.out


def test_a_file_of_the_users_own(run: Program, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "from downset.modelling import EMPTY, Design\n\n\n"
        "class Mine(Design):\n"
        '    id = "mine/none"\n\n'
        "    def spawn(self, caller, callee, config):\n"
        "        return EMPTY\n",
        encoding="utf-8",
    )
    assert "equivalent" in run("diff", "baseline/independent", file).out


@pytest.mark.parametrize(
    ("args", "error"),
    [
        (("opencode/9.9", NEW), "error[unknown-model]: unknown model `opencode/9.9`"),
        ((OLD, NEW, "--release", "1.18.2"), "error[usage]: a design is a release already"),
        (("no/such", "no/other"), "error[no-file]"),
    ],
)
def test_wrong_arguments(run: Program, args: tuple[str, ...], error: str) -> None:
    result = run("diff", *args)
    assert result.code == 2
    assert error in result.err


def test_a_design_and_a_configuration(run: Program, project: Callable[..., Path]) -> None:
    folder = project({})
    result = run("diff", folder, NEW)
    assert "a design and a configuration cannot be compared" in result.err
    markdown = run("diff", folder, folder, "--format", "markdown")
    assert "configurations are compared as text or JSON" in markdown.err
