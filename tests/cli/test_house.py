"""What the project says of itself agrees with what it is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from downset import __version__
from downset.report.words import SYMBOLS

ROOT = Path(__file__).parents[2]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_version_is_the_same_everywhere() -> None:
    assert tomllib.loads(text("pyproject.toml"))["project"]["version"] == __version__
    assert __version__ in text("CHANGELOG.md")


def test_the_readme_explains_every_verdict() -> None:
    for status, symbol in SYMBOLS.items():
        row = rf"\| `{status.value}` \| {re.escape(symbol)} \| .* \| {status.exit_code} \|"
        assert re.search(row, text("README.md"))


def test_constraints_cover_every_dependency() -> None:
    project = tomllib.loads(text("pyproject.toml"))["project"]
    pinned = {line.split("==")[0].lower() for line in text("constraints.txt").splitlines()}
    wanted = project["dependencies"] + project["optional-dependencies"]["dev"]
    assert {re.split(r"[=<>]", entry)[0] for entry in wanted} <= pinned


def test_the_solver_is_pinned() -> None:
    pinned = "z3-solver==5.4.1.0"
    assert pinned in tomllib.loads(text("pyproject.toml"))["project"]["dependencies"]
    assert pinned in text("constraints.txt").splitlines()
