"""`downset prove`: what is asked of the engine, and the exit code."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from downset.verdicts import Status

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import FakeEngine, Program

PAIR = ("m", "no-escalation")


def test_every_property_of_every_model_is_asked(run: Program, engine: FakeEngine) -> None:
    result = run("prove", "m", "n", "m")
    assert [pair[:2] for pair in engine.asked] == [
        ("m", "no-escalation"),
        ("m", "ask-preserved"),
        ("n", "no-escalation"),
        ("n", "ask-preserved"),
    ]
    assert result.out.endswith("4 verdicts: 4 proved\n")


def test_options_reach_the_engine(run: Program, engine: FakeEngine) -> None:
    args = ["--property", "no-escalation", "--events", "spawn, resume", "--timeout", "2.5"]
    run("prove", "m", *args, "--properties-file", "mine.py")
    assert engine.asked == [("m", "no-escalation", ("spawn", "resume"), 2.5)]
    assert engine.files[0].name == "mine.py"


@pytest.mark.parametrize(
    ("status", "code"),
    [
        (Status.PROVED, 0),
        (Status.NOT_APPLICABLE, 0),
        (Status.VIOLATED, 1),
        (Status.BOUNDED, 3),
        (Status.UNKNOWN, 3),
        (Status.VACUOUS, 4),
    ],
)
def test_exit_codes(run: Program, engine: FakeEngine, status: Status, code: int) -> None:
    engine.answers[PAIR] = status
    assert run("prove", "m").code == code
    assert run("prove", "m", "--format", "json").code == code
    assert run("prove", "m", "--exit-zero").code == 0


def test_the_worst_exit_code_wins(run: Program, engine: FakeEngine) -> None:
    engine.answers = {PAIR: Status.UNKNOWN, ("n", "no-escalation"): Status.VACUOUS}
    assert run("prove", "m", "n").code == 4
    engine.answers["n", "ask-preserved"] = Status.VIOLATED
    assert run("prove", "m", "n").code == 1


def test_json(run: Program) -> None:
    result = run("prove", "m", "--property", "ask-preserved", "--format", "json")
    loaded = json.loads(result.out)
    assert (loaded["schema"], loaded["command"]) == ("downset/1", "prove")
    assert [item["property"] for item in loaded["results"]] == ["ask-preserved"]


def test_an_unknown_event(run: Program) -> None:
    result = run("prove", "m", "--events", "spwan")
    assert result.code == 2
    assert result.err == (
        "error[unknown-event]: unknown event `spwan`\n"
        "  help: did you mean `spawn`? known: resume, spawn\n"
    )


def test_an_unknown_property_is_not_excused(run: Program) -> None:
    assert run("prove", "m", "--property", "nope", "--exit-zero").code == 2


def test_output_to_a_file(run: Program, tmp_path: Path) -> None:
    file = tmp_path / "out.json"
    file.write_text("old")
    result = run("prove", "m", "--format", "json", "-o", str(file))
    assert (result.code, result.out, result.err) == (0, "", "")
    assert json.loads(file.read_text())["command"] == "prove"
    assert list(tmp_path.iterdir()) == [file]
