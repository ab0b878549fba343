"""The program of one release, or a skip with the reason; and a stand-in that is always there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.cli import main
from downset.config.releases import release
from downset.program.installing import default_cache
from downset.program.outcomes import Unavailable
from downset.program.replaying import Program

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

RELEASE = "opencode@1.18.34"
FAKE = Path(__file__).parent / "fake.py"
SOURCES = Path(__file__).parents[2] / "verify"


@pytest.fixture(scope="session")
def running() -> Iterator[Program]:
    """A server of the program, for all tests of one worker."""
    program = Program(release(RELEASE), default_cache())
    try:
        program.__enter__()
    except Unavailable as why:
        pytest.skip(f"{RELEASE} cannot be run here: {why.reason}")
    try:
        yield program
    finally:
        program.__exit__()


@pytest.fixture
def fake(tmp_path: Path) -> Callable[[str], Path]:
    """A stand-in for the program that behaves as said."""

    def make(mode: str) -> Path:
        file = tmp_path / f"opencode-{mode}"
        file.write_text(
            f'#!/bin/sh\nPYTHONPATH="{SOURCES}" exec "{sys.executable}" "{FAKE}" {mode} "$@"\n',
            encoding="utf-8",
        )
        file.chmod(0o755)
        return file

    return make


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the command line in this process: exit code, output, errors."""

    def invoke(*args: object) -> tuple[int, str, str]:
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return invoke
