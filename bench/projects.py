"""Made-up projects, the same whenever they are made: one very large, and very many small ones."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING, Any, Final

from bench.questions import glob

if TYPE_CHECKING:
    from pathlib import Path

ACTIONS: Final = ("allow", "ask", "deny")
KEYS: Final = ("edit", "bash", "read", "external_directory", "task", "skill")
BROKEN: Final = 97
"""One project in so many is cut off in the middle."""


def block(random: Random, rules: int) -> dict[str, Any]:
    """The permission block of an agent with so many rules."""
    found: dict[str, dict[str, str]] = {}
    for _ in range(rules):
        key = random.choice(KEYS)
        found.setdefault(key, {})[glob(random)] = random.choice(ACTIONS)
    return found


def large(folder: Path, agents: int, rules: int) -> Path:
    """One project with so many agents and so many rules in all."""
    random = Random(f"large {agents} {rules}")
    made = {
        f"agent-{number:03}": {
            "description": f"agent {number}",
            "mode": random.choice(("primary", "subagent", "all")),
            "permission": block(random, rules // agents),
        }
        for number in range(agents)
    }
    config = {"permission": {"edit": {"*": "ask"}}, "agent": made}
    folder.mkdir(parents=True)
    (folder / "opencode.json").write_text(json.dumps(config, indent=1), encoding="utf-8")
    return folder


def many(folder: Path, count: int) -> list[Path]:
    """So many small projects, a few of them broken."""
    return [small(folder / f"project-{number:05}", number) for number in range(count)]


def small(folder: Path, number: int) -> Path:
    """One of many projects."""
    random = Random(f"small {number}")
    agents = {
        f"agent-{i}": {
            "description": f"agent {i}",
            "mode": random.choice(("primary", "subagent", "all")),
            "permission": block(random, random.randrange(1, 8)),
        }
        for i in range(random.randrange(1, 5))
    }
    text = json.dumps({"permission": {"edit": random.choice(ACTIONS)}, "agent": agents}, indent=1)
    folder.mkdir(parents=True)
    cut = len(text) // 2 if number % BROKEN == BROKEN - 1 else len(text)
    (folder / "opencode.json").write_text(text[:cut], encoding="utf-8")
    return folder
