"""The pytest plugin and the assertions, in a project of somebody else."""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings

from downset import strategies
from downset.config.project import resolve
from downset.config.releases import release
from downset.errors import InputError
from downset.testing import assert_decides, assert_no_new_access, assert_proved

if TYPE_CHECKING:
    from pathlib import Path

RO = {"agent": {"ro": {"permission": {"edit": "deny"}}}}
SCENARIO = """
id: mine/1
source: a test
summary: a reviewer edits nothing
config:
  agent:
    ro: {permission: {edit: deny}}
events:
  - {event: open, session: s1, agent: ro}
questions:
  - {session: s1, permission: edit, pattern: a, expect: {opencode/1.18.2: deny}}
"""


def outcome(folder: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *arguments]
    done = subprocess.run(  # noqa: S603 -- a fixed command
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_a_scenario_is_a_test(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(SCENARIO, encoding="utf-8")
    (tmp_path / "other.yaml").write_text("a: 1", encoding="utf-8")
    code, out = outcome(tmp_path)
    assert (code, "1 passed" in out) == (0, True)
    file.write_text(SCENARIO.replace("1.18.2: deny", "1.18.2: allow"), encoding="utf-8")
    code, out = outcome(tmp_path)
    assert code == 1
    assert "expected allow, got deny" in out
    assert "Traceback" not in out
    file.write_text(SCENARIO.replace("agent: ro}", "agent: [}"), encoding="utf-8")
    code, out = outcome(tmp_path)
    assert code == 1
    assert "mine.yaml:9:" in out


def test_a_weak_design_fails_with_its_story(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(
        "from downset.testing import assert_proved\n\n"
        "def test_it():\n    assert_proved('baseline/independent', 'no-escalation')\n",
        encoding="utf-8",
    )
    code, out = outcome(tmp_path)
    assert code == 1
    assert "what happens" in out
    assert "testing.py" not in out


def test_nothing_heavy_is_imported_by_the_plugin() -> None:
    code = "import sys, downset.pytest_plugin, downset.testing; print('z3' in sys.modules)"
    done = subprocess.run(  # noqa: S603 -- a fixed command
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout == "False\n"


def test_assert_decides() -> None:
    assert_decides(RO, ["ro"], "edit", "a", "deny", release="1.18.2")
    with pytest.raises(AssertionError, match="expected allow"):
        assert_decides(RO, ["ro"], "edit", "a", "allow")


def test_assert_no_new_access(tmp_path: Path) -> None:
    (tmp_path / "opencode.json").write_text('{"permission": {"edit": "deny"}}', encoding="utf-8")
    assert_no_new_access({}, tmp_path)
    with pytest.raises(AssertionError, match="gain  build: edit"):
        assert_no_new_access(tmp_path, {})


def test_assert_proved() -> None:
    with pytest.raises(AssertionError, match="what happens"):
        assert_proved("baseline/independent", "no-escalation")
    with pytest.raises(InputError, match="unknown property"):
        assert_proved("baseline/independent", "no-such")


@settings(max_examples=30)
@given(strategies.configurations())
def test_the_strategy_makes_configurations(config: dict[str, object]) -> None:
    assert resolve(config, release("1.18.2")).agents
