"""Nobody sees a traceback unasked, and every failure has its exit code."""

from __future__ import annotations

import pickle
import subprocess
import sys
from typing import TYPE_CHECKING

import click
import pytest

from downset.cli import main
from downset.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.cli.conftest import FakeEngine, Program


def test_bad_input_in_a_model(run: Program) -> None:
    result = run("prove", "bad.py")
    assert (result.code, result.out) == (2, "")
    assert result.err == "bad.py:3:7: error[model-syntax]: invalid syntax\n"


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["prove"], "error[usage]: missing argument `MODEL...`\n  help: see `downset prove"),
        (["prov"], "error[usage]: no such command `prov`"),
        (["prove", "m", "--nope"], "error[usage]: no such option"),
        (["matrix", "--jobs", "0"], "error[usage]: invalid value for `--jobs`"),
        (["prove", "m", "--timeout", "0"], "error[usage]: invalid value for `--timeout`"),
        (["models", "--format", "markdown"], "error[usage]: invalid value for `--format`"),
    ],
)
def test_usage_errors(run: Program, args: list[str], message: str) -> None:
    result = run(*args)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(message)


def test_no_command_shows_the_help(run: Program) -> None:
    result = run()
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("Usage: downset")


@pytest.mark.parametrize("fault", [ValueError("odd\nnews"), SystemExit(0), RecursionError("deep")])
def test_an_internal_error(run: Program, engine: FakeEngine, fault: BaseException) -> None:
    engine.fault = fault
    result = run("prove", "m")
    assert result.code == 2
    first, second = result.err.splitlines()
    assert first == f"error[internal]: {type(fault).__name__}: {' '.join(str(fault).split())}"
    assert "issue tracker" in second
    assert "Traceback" in run("--debug", "prove", "m").err


@pytest.mark.parametrize(
    ("fault", "code"), [(KeyboardInterrupt(), 130), (click.Abort(), 130)], ids=["^C", "abort"]
)
def test_interrupts(run: Program, engine: FakeEngine, fault: BaseException, code: int) -> None:
    engine.fault = fault
    result = run("prove", "m")
    assert (result.code, result.err) == (code, "")


@pytest.mark.parametrize("command", [[], ["models"], ["properties"], ["prove"], ["matrix"]])
def test_every_help_has_an_example(run: Program, command: list[str]) -> None:
    result = run(*command, "--help")
    assert result.code == 0
    assert "Example" in result.out


@pytest.mark.parametrize("command", [[], ["prove"]])
def test_help_warns_that_models_are_code(run: Program, command: list[str]) -> None:
    text = " ".join(run(*command, "--help").out.split())
    assert "a model file is Python code, and it is executed" in text


def test_version() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "downset", "--version"], capture_output=True, text=True, check=True
    )
    assert done.stdout == "downset 0.1.0\n"


def test_a_closed_pipe_is_no_error() -> None:
    program = "import sys; from downset.cli import main; sys.exit(main(['--help']))"
    with subprocess.Popen(  # noqa: S603 -- this interpreter, on the line above
        [sys.executable, "-c", f"import time; time.sleep(.2); {program}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141


def test_an_error_survives_the_way_from_a_worker() -> None:
    error = InputError("no", id="x", file="m.py", line=1, column=2, help="do")
    assert pickle.loads(pickle.dumps(error)).format() == error.format()  # noqa: S301


def test_the_program_runs_without_settings(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "-o", str(tmp_path)]) == 2
    assert "cannot-write" in capsys.readouterr().err
