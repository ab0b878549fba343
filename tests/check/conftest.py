"""Small configurations on disk, and the program to look at them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str

    @property
    def results(self) -> list[dict[str, object]]:
        """The results of a JSON report."""
        found: list[dict[str, object]] = json.loads(self.out)["results"]
        return found

    @property
    def ids(self) -> set[object]:
        return {found["id"] for found in self.results}


@dataclass(frozen=True)
class Program:
    """Runs `downset` in this process."""

    capture: pytest.CaptureFixture[str]

    def __call__(self, *args: str | Path) -> Result:
        code = main([str(arg) for arg in args])
        captured = self.capture.readouterr()
        return Result(code, captured.out, captured.err)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(capsys)


@pytest.fixture
def project(tmp_path: Path) -> Callable[..., Path]:
    """Write a configuration, and Markdown agents, into a new directory."""

    def write(config: Mapping[str, object], name: str = "app", **agents: str) -> Path:
        folder = tmp_path / name
        folder.mkdir()
        (folder / "opencode.json").write_text(json.dumps(config, indent=2), encoding="utf-8")
        for agent, text in agents.items():
            file = folder / ".opencode" / "agent" / f"{agent}.md"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        return folder

    return write


@pytest.fixture(scope="session")
def shared() -> Path:
    """The recorded cases, which are kept beside the repository."""
    folder = ROOT.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip(f"the recorded cases are not at {folder}")
    return folder
