"""What docs/ci.md says to run does what it says; the action and the hooks are in step with it."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from downset.cli import downset, main

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "ci.md").read_text(encoding="utf-8")
COMMANDS = [
    shlex.split(line.split("#")[0])[1:] for line in re.findall(r"(?m)^\$ (downset .*)$", PAGE)
]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    (tmp_path / "opencode.json").write_text('{"permission": {"edit": "ask"}}', encoding="utf-8")
    model = ROOT / "models" / "baseline" / "full_inheritance.py"
    (tmp_path / "my_design.py").write_text(model.read_text(encoding="utf-8"), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_the_commands_run(command: list[str], project: Path) -> None:
    if command[:2] == ["baseline", "check"]:
        assert main(["baseline", "write", "my_design.py", "--property", "todo-guard"]) == 0
    if command[:2] == ["baseline", "write"]:
        command = [*command, "--property", "todo-guard"]
    assert main(command) in {0, 1}
    if "-o" in command:
        assert (project / command[command.index("-o") + 1]).stat().st_size


def test_the_tests_of_the_page_pass() -> None:
    code = re.search(r"```python test_permissions\.py\n(.*?)```", PAGE, re.DOTALL)
    assert code is not None
    names: dict[str, object] = {}
    exec(code[1], names)  # noqa: S102 -- the page's own example
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 3
    for test in tests:
        test()  # type: ignore[operator]


def test_the_action_takes_no_input_into_a_script() -> None:
    action = YAML(typ="safe").load((ROOT / "action.yml").read_text(encoding="utf-8"))
    steps = [step for step in action["runs"]["steps"] if "run" in step]
    assert steps
    for step in steps:
        assert step["shell"] == "bash"
        assert "${{" not in step["run"]


def test_the_hooks_run_commands_that_exist() -> None:
    hooks = YAML(typ="safe").load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    for hook in hooks:
        program, command, *_ = hook["entry"].split()
        assert program == "downset"
        assert command in downset.commands
        assert hook["pass_filenames"] is False
