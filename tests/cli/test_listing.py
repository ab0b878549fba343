"""`downset models` and `downset properties`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from downset.report.json_report import schema

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import FakeEngine, FakeTheorem, Program


def test_models_are_one_line_each(run: Program) -> None:
    result = run("models")
    assert (result.code, result.err) == (0, "")
    assert result.out == "one/1.0  a design\ntwo      another\n"


def test_properties_are_one_line_each(run: Program) -> None:
    assert run("properties").out == (
        "no-escalation  A callee never gains.\nask-preserved  A callee never gains.\n"
    )


def test_a_property_in_full(run: Program) -> None:
    assert run("properties", "ask-preserved").out == (
        "ask-preserved\n\n"
        "  A callee never gains.\n"
        "  Not even later.\n\n"
        "  formula   E_s = deny => E_c = deny\n"
        "  asked by  issue 1\n"
        "  events    spawn, resume\n"
    )


def test_theorems(run: Program, engine: FakeEngine, theorem: FakeTheorem) -> None:
    result = run("properties", "--theorems")
    assert result.code == 0
    assert result.out == (
        "the meet  proved\n\n  Exactly one function will do.\n\n  19683 functions tried\n"
    )
    engine.proofs.append(theorem)
    result = run("properties", "--theorems")
    assert result.code == 1
    assert "\n\nthe meet  violated\n" in result.out


def test_only_theorems_are_certified_here(run: Program, tmp_path: Path) -> None:
    result = run("properties", "--certificate", str(tmp_path / "new"))
    assert result.code == 2
    assert "`--certificate` goes with `--theorems`" in result.err


def test_theorems_are_not_about_one_property(run: Program) -> None:
    result = run("properties", "ask-preserved", "--theorems")
    assert result.code == 2
    assert result.err.startswith("error[usage]: `--theorems` goes with")


@pytest.mark.parametrize("option", ["--extra", "--properties-file"])
def test_more_properties_from_a_file(run: Program, engine: FakeEngine, option: str) -> None:
    assert run("properties", option, "mine.py").code == 0
    assert [file.name for file in engine.files] == ["mine.py"]


@pytest.mark.parametrize(
    "args",
    [["models"], ["properties"], ["properties", "no-escalation"], ["properties", "--theorems"]],
)
def test_json(run: Program, args: list[str]) -> None:
    result = run(*args, "--format", "json")
    Draft202012Validator(schema()).validate(json.loads(result.out))


def test_an_unknown_property_gets_a_suggestion(run: Program) -> None:
    result = run("properties", "no-escalaton")
    assert (result.code, result.out) == (2, "")
    assert result.err == (
        "error[unknown-property]: unknown property `no-escalaton`\n"
        "  help: did you mean `no-escalation`? `downset properties` lists them\n"
    )
