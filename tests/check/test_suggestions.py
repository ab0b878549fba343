"""`--suggest` and `--fix`: edits that were tried, and touch nothing else."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator
from tests.check.test_lints import IDS, page

from downset.report.json_report import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.check.conftest import Program

EDITED = {
    "no-escalation",
    "recursion",
    "ask-preserved",
    "dead-deny",
    "dead-rule",
    "repeated-rule",
    "dangling-target",
    "never-matches",
    "literal-for-prefix",
    "inert-key",
    "no-base-rule",
    "guard-lifted",
    "root-missed",
    "env-exposed",
    "shell-open",
    "shell-writes",
    "header-dropped",
}
"""Findings whose smallest example can be mended by an edit; for the others a reason is given."""

CONFIG = """{
  // who may do what
  "permission": {
    "bash": {
      "rm *": "deny", // never
      "*": "allow",
      "git push": "deny", /* no */
    },
  },
  "provider": {"x": {"options": {"apiKey": "{env:KEY}"}}},
}
"""


def written(folder: Path, name: str) -> tuple[Path, str]:
    about = page(name)
    for path, content in about.example.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    return folder, f"opencode@{about.release}"


@pytest.mark.parametrize("name", IDS)
def test_the_example_of_a_finding(name: str, tmp_path: Path, run: Program) -> None:
    folder, release = written(tmp_path, name)
    result = run("check", folder, "--release", release, "--suggest", "--format", "json")
    Draft202012Validator(schema()).validate(json.loads(result.out))
    before = next(one for one in result.results if one["id"] == name)
    suggestion = before["suggestion"]
    assert isinstance(suggestion, dict)
    assert bool(suggestion["patch"]) == (name in EDITED), suggestion["summary"]
    assert suggestion["summary"]
    if suggestion["patch"]:
        command = ["patch", "-p0", "-d", "/"]
        subprocess.run(  # noqa: S603 -- a fixed command
            command, input=suggestion["patch"], text=True, check=True
        )
        after = run("check", folder, "--release", release, "--format", "json")
        assert before["fingerprint"] not in [one["fingerprint"] for one in after.results]


def test_fix_keeps_the_rest_of_the_file(run: Program, tmp_path: Path) -> None:
    file = tmp_path / "opencode.jsonc"
    file.write_bytes(b"\xef\xbb\xbf" + CONFIG.replace("\n", "\r\n").encode())
    assert run("check", tmp_path, "--fix").code == 0
    expected = CONFIG.replace(
        """      "rm *": "deny", // never
      "*": "allow",
      "git push": "deny", /* no */
""",
        """      "*": "allow",
      "rm *": "deny", // never
      "git push *": "deny", /* no */
""",
    )
    assert file.read_bytes() == b"\xef\xbb\xbf" + expected.replace("\n", "\r\n").encode()
    run("check", tmp_path, "--fix")
    assert file.read_bytes() == b"\xef\xbb\xbf" + expected.replace("\n", "\r\n").encode()


TWO_DENIES = {"permission": {"bash": {"rm *": "deny", "sudo *": "deny", "*": "allow"}}}


def test_dead_denies_are_moved_and_not_removed(run: Program, project: Callable[..., Path]) -> None:
    folder = project(TWO_DENIES)
    assert run("check", folder, "--fix").code == 0
    new = json.loads((folder / "opencode.json").read_text(encoding="utf-8"))["permission"]["bash"]
    assert list(new) == ["*", "rm *", "sudo *"]


def test_dead_denies_of_a_list_are_moved_too(run: Program, project: Callable[..., Path]) -> None:
    rules = [("rm *", "deny"), ("sudo *", "deny"), ("*", "allow")]
    items = [{"action": "shell", "resource": what, "effect": how} for what, how in rules]
    folder = project({"permissions": items})
    run("check", folder, "--fix")
    new = json.loads((folder / "opencode.json").read_text(encoding="utf-8"))["permissions"]
    assert new[0]["resource"] == "*"
    assert {rule["resource"] for rule in new[1:]} == {"rm *", "sudo *"}


def test_what_is_waived_is_neither_mended_nor_in_the_way(
    run: Program, project: Callable[..., Path], tmp_path: Path
) -> None:
    folder = project(TWO_DENIES | {"agent": {"ro": {"permission": {"edit": "deny"}}}})
    waivers = tmp_path / "waivers.json"
    waiver = {"id": "no-escalation", "reason": "known", "until": "2999-01-01", "subject": "ro"}
    waivers.write_text(json.dumps([waiver]), encoding="utf-8")
    run("check", folder, "--fix", "--waivers", waivers)
    new = json.loads((folder / "opencode.json").read_text(encoding="utf-8"))
    assert next(iter(new["permission"]["bash"])) == "*"
    assert "task" not in new["agent"]["ro"]["permission"]


def test_fix_writes_nothing_outside_of_the_project(run: Program, tmp_path: Path) -> None:
    outside = tmp_path / "outside.json"
    outside.write_text(CONFIG, encoding="utf-8")
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "opencode.json").symlink_to(outside)
    result = run("check", folder, "--fix", "--allow-outside")
    assert result.code == 2
    assert "error[outside]" in result.err
    assert outside.read_text(encoding="utf-8") == CONFIG


def test_a_patch_shows_no_secret(run: Program, project: Callable[..., Path]) -> None:
    config = {
        "permission": {"edit": {"**/secret.txt": "deny"}},
        "provider": {"x": {"options": {"apiKey": "sk-123"}}},
    }
    out = run("check", project(config), "--suggest").out
    assert "sk-123" not in out
    assert "suggested edit" in out


def test_agents_that_start_each_other(run: Program, project: Callable[..., Path]) -> None:
    start = {"permission": {"task": {"*": "deny", "b": "allow"}}}
    folder = project({"agent": {"a": start, "b": {"permission": {"task": {"a": "allow"}}}}})
    result = run("check", folder, "--release", "opencode@1.17.2", "--fix", "--format", "json")
    assert "recursion" not in result.ids


def test_the_second_engine_s_list(run: Program, project: Callable[..., Path]) -> None:
    rules = [("shell", "rm *", "deny"), ("shell", "*", "allow")]
    keys = ("action", "resource", "effect")
    folder = project({"permissions": [dict(zip(keys, rule, strict=True)) for rule in rules]})
    run("check", folder, "--fix")
    new = json.loads((folder / "opencode.json").read_text(encoding="utf-8"))["permissions"]
    assert [rule["resource"] for rule in new] == ["*", "rm *"]
