"""`downset matrix` and its comparison with verdicts typed by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from downset.commands import matrix as command
from downset.commands.expected import load_expected, models_folder
from downset.errors import InputError
from downset.verdicts import Status

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import FakeEngine, Program

ONE = """\
model: one/1.0
verdicts:
  no-escalation: proved
  ask-preserved: {expect: violated, because: the default is ask}
"""
TWO = "model: two\nverdicts: {no-escalation: vacuous, ask-preserved: proved}\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The fake models' expectations."""
    models = tmp_path / "models"
    (models / "one").mkdir(parents=True)
    (models / "one" / "1_0.expected.yaml").write_text(ONE)
    (models / "two.expected.yaml").write_text(TWO)
    monkeypatch.setattr(command, "models_folder", lambda: models)
    return models


@pytest.fixture
def as_expected(engine: FakeEngine) -> None:
    engine.answers["one/1.0", "ask-preserved"] = Status.VIOLATED
    engine.answers["two", "no-escalation"] = Status.VACUOUS


def test_the_table(run: Program, engine: FakeEngine) -> None:
    engine.answers["two", "ask-preserved"] = Status.VIOLATED
    result = run("matrix", "--jobs", "1")
    assert result.code == 1
    assert result.out.startswith(
        "                 1  2\nno-escalation    ✓  ✓\nask-preserved    ✓  ✗\n"
    )


def test_some_models_and_properties(run: Program, engine: FakeEngine) -> None:
    assert run("matrix", "--model", "m", "--property", "ask-preserved").code == 0
    assert [pair[:2] for pair in engine.asked] == [("m", "ask-preserved")]


def test_formats(run: Program) -> None:
    args = ["matrix", "--jobs", "1", "--format"]
    assert json.loads(run(*args, "json").out)["command"] == "matrix"
    assert run(*args, "markdown").out.startswith("| property | one<br>1.0 | two |\n")


def test_exit_zero(run: Program, engine: FakeEngine) -> None:
    engine.answers["two", "ask-preserved"] = Status.VIOLATED
    assert run("matrix", "--jobs", "1", "--exit-zero").code == 0


@pytest.mark.usefixtures("folder", "as_expected")
def test_expected_verdicts_make_success(run: Program) -> None:
    result = run("matrix", "--jobs", "1", "--check-expected")
    assert result.code == 0
    assert result.err == "4 verdicts: all as expected\n"


@pytest.mark.usefixtures("folder", "as_expected")
def test_a_difference_is_shown_with_its_line(run: Program, engine: FakeEngine) -> None:
    engine.answers["one/1.0", "ask-preserved"] = Status.UNKNOWN
    result = run("matrix", "--jobs", "1", "--check-expected")
    assert result.code == 1
    assert result.err == (
        "models/one/1_0.expected.yaml:4: error[expected]: `one/1.0` `ask-preserved`: "
        "got `unknown`, expected `violated`\n"
        "  because: the default is ask\n"
        "4 verdicts: 1 not as expected\n"
    )
    assert "expected" not in result.out


@pytest.mark.usefixtures("as_expected")
def test_a_verdict_that_nobody_expects(run: Program, folder: Path) -> None:
    (folder / "two.expected.yaml").write_text("model: two\nverdicts: {ask-preserved: proved}\n")
    result = run("matrix", "--jobs", "1", "--check-expected")
    assert result.code == 1
    assert "`two` `no-escalation`: got `vacuous`, nothing is expected" in result.err


@pytest.mark.usefixtures("as_expected")
def test_an_expectation_about_nothing(run: Program, folder: Path) -> None:
    (folder / "three.expected.yaml").write_text("model: three\nverdicts: {no-escalation: proved}")
    (folder / "two.expected.yaml").write_text(
        "model: two\nverdicts:\n  no-escalation: vacuous\n  ask-preserved: proved\n  typo: proved\n"
    )
    result = run("matrix", "--jobs", "1", "--check-expected")
    assert result.code == 1
    assert "three.expected.yaml:2: error[expected]: no model `three`" in result.err
    assert "two.expected.yaml:5: error[expected]: no property `typo`" in result.err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- 1\n", "x.expected.yaml: error[expected-file]: is not a mapping"),
        ("model: m\n", "error[expected-file]: needs `model`"),
        ("model: m\nverdicts:\n  p: maybe\n", "x.expected.yaml:3: error[expected-file]: `maybe`"),
        ("model: m\nmodel: n\n", "x.expected.yaml:2: error[expected-file]: found duplicate key"),
        ("model: [\n", "x.expected.yaml:2: error[expected-file]: "),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "x.expected.yaml").write_text(text)
    with pytest.raises(InputError) as caught:
        load_expected(tmp_path)
    assert message in caught.value.format()


def test_the_models_are_found() -> None:
    assert models_folder().name == "models"
