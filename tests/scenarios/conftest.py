"""Scenario files to run, and the recorded cases where they are at hand."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[2]
Run = "Callable[..., tuple[int, str, str]]"


@pytest.fixture(scope="session")
def cases() -> Path:
    """The recorded cases, which are kept beside the repository."""
    folder = ROOT.parent / "shared" / "cases"
    if not (folder / "bugs").is_dir():
        pytest.skip(f"the recorded cases are not at {folder}")
    return folder


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., tuple[int, str, str]]:
    """Run the program in this process: exit code, output, errors."""

    def invoke(*args: object) -> tuple[int, str, str]:
        code = main([str(arg) for arg in args])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return invoke


@pytest.fixture
def written(tmp_path: Path) -> Callable[..., Path]:
    """Write a scenario file."""

    def write(text: str, name: str = "story.yaml") -> Path:
        file = tmp_path / name
        file.write_text(text, encoding="utf-8")
        return file

    return write
