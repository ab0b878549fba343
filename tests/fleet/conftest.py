"""Some dozens of small projects, one in ten of which cannot be read."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

ACTIONS = ("allow", "ask", "deny")


def write_projects(folder: Path, count: int) -> list[Path]:
    """Projects of different kinds, the same whenever they are written."""
    made = []
    for number in range(count):
        path = folder / f"app-{number:03}"
        path.mkdir(parents=True)
        agents = {
            f"agent-{i}": {
                "permission": {"edit": {"*": ACTIONS[i % 3], "src/*": ACTIONS[number % 3]}}
            }
            for i in range(1 + number % 3)
        }
        text = json.dumps({"agent": agents}) if number % 10 else '{"agent": '
        (path / "opencode.json").write_text(text, encoding="utf-8")
        made.append(path)
    return made


@pytest.fixture
def projects(tmp_path: Path) -> list[Path]:
    return write_projects(tmp_path / "projects", 12)
