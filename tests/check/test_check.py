"""`downset check` and `downset explain`, as a user runs them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from downset.report.json_report import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.check.conftest import Program

REVIEWER = {"agent": {"reviewer": {"mode": "primary", "permission": {"edit": "deny"}}}}


def test_a_deny_that_general_gets_around(run: Program, project: Callable[..., Path]) -> None:
    folder = project(REVIEWER)
    result = run("check", folder, "--format", "json")
    assert result.code == 1
    Draft202012Validator(schema()).validate(json.loads(result.out))
    found = result.results[0]
    assert (found["id"], found["severity"]) == ("no-escalation", "error")
    assert found["chain"] == ["reviewer", "build"]
    assert found["witness"] == {"permission": "edit", "pattern": "src/app.ts"}
    deciding = found["deciding"]
    assert isinstance(deciding, dict)
    assert deciding["ancestor"]["rule"]["place"] == {
        "file": str(folder / "opencode.json"),
        "line": 6,
        "column": 9,
    }
    assert deciding["descendant"]["rule"]["layer"] == "defaults"


def test_the_text_tells_chain_request_and_rules(run: Program, project: Callable[..., Path]) -> None:
    folder = project(REVIEWER)
    text = run("check", folder).out
    assert "error[no-escalation]: what `reviewer` denies" in text
    assert "  chain    reviewer -> build\n" in text
    assert "  request  edit src/app.ts\n" in text
    assert f"by `edit * deny`  ({folder}/opencode.json:6:9, agent's own block)" in text


def test_the_programs_own_design_is_one_note(run: Program, project: Callable[..., Path]) -> None:
    result = run("check", project({}), "--format", "json", "--fail-on", "warning")
    assert result.code == 0
    assert {found["severity"] for found in result.results} == {"note"}
    assert [found["chain"] for found in result.results if found["id"] == "no-escalation"] == [
        ["plan", "build"]
    ]


def test_denying_task_is_enough(run: Program, project: Callable[..., Path]) -> None:
    config = {"agent": {"reviewer": {"permission": {"edit": "deny", "task": "deny"}}}}
    assert run("check", project(config)).code == 0


def test_a_chain_of_two_dispatches(run: Program, project: Callable[..., Path]) -> None:
    config = {
        "subagent_depth": 2,
        "agent": {
            "boss": {
                "mode": "primary",
                "permission": {"edit": "deny", "task": {"*": "deny", "mid": "allow"}},
            },
            "mid": {
                "mode": "subagent",
                "permission": {"edit": "deny", "task": {"*": "deny", "low": "allow"}},
            },
            "low": {"mode": "subagent"},
        },
    }
    folder = project(config)
    found = run("check", folder, "--format", "json").results
    severities = [
        one["severity"]
        for one in found
        if (one["id"], one["chain"]) == ("no-escalation", ["boss", "mid", "low"])
    ]
    assert severities == ["error"]
    del config["subagent_depth"]
    shallow = run("check", project(config, "shallow"), "--format", "json")
    assert all(one["chain"] != ["boss", "mid", "low"] for one in shallow.results)


def test_an_ask_that_is_lost(run: Program, project: Callable[..., Path]) -> None:
    config = {"agent": {"careful": {"mode": "primary", "permission": {"bash": "ask"}}}}
    result = run("check", project(config), "--format", "json")
    found = [one for one in result.results if one["id"] == "ask-preserved"]
    assert (found[0]["severity"], found[0]["chain"]) == ("warning", ["careful", "build"])


@pytest.mark.parametrize(
    ("release", "lost"), [("1.17.0", True), ("1.18.2", False), ("1.3.3", False)]
)
def test_a_grant_that_is_lost(
    run: Program, project: Callable[..., Path], release: str, *, lost: bool
) -> None:
    """1.17.0 carries an agent's edit denies to children, without the exceptions to them."""
    config = {
        "agent": {
            "boss": {
                "mode": "primary",
                "permission": {"edit": {"*": "deny", "docs/*": "allow"}},
            }
        }
    }
    result = run("check", project(config), "--format", "json", "--release", release)
    assert ("no-lost-grant" in result.ids) == lost


@pytest.mark.parametrize(("release", "endless"), [("1.17.2", True), ("1.18.2", False)])
def test_recursion(
    run: Program, project: Callable[..., Path], release: str, *, endless: bool
) -> None:
    config = {"permission": {"task": {"*": "allow"}}}
    result = run("check", project(config), "--format", "json", "--release", release)
    assert ("recursion" in result.ids) == endless


def test_an_approval_that_lifts_a_deny(run: Program, project: Callable[..., Path]) -> None:
    config = {"permission": {"bash": {"*": "ask", "git push --force*": "deny"}}}
    found = run("check", project(config), "--format", "json").results
    one = next(one for one in found if one["id"] == "approval-bounded")
    assert "`git push *`, asked about in `build`" in str(one["details"])
    second = run("check", project(config, "other"), "--format", "json", "--release", "2.0")
    assert "approval-bounded" not in second.ids


def test_waivers(run: Program, project: Callable[..., Path], tmp_path: Path) -> None:
    folder = project(REVIEWER)
    file = tmp_path / "waivers.yaml"
    file.write_text("- {id: no-escalation, subject: reviewer, reason: known, until: 2999-01-01}\n")
    waived = run("check", folder, "--waivers", file)
    assert (waived.code, "1 waived" in waived.out) == (0, True)
    file.write_text("- {id: no-escalation, subject: reviewer, reason: known, until: 2020-01-01}\n")
    expired = run("check", folder, "--waivers", file)
    assert (expired.code, "warning[waiver-expired]" in expired.out) == (1, True)
    file.write_text("- {id: dead-rule, reason: known, until: 2999-01-01}\n")
    assert "warning[waiver-unmatched]" in run("check", folder, "--waivers", file).out


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- {id: x, reason: y}", "a waiver needs `until`"),
        ("- {id: x, reason: y, until: soon}", "`soon` is not a day"),
        ("- {id: x, why: y}", "unknown field `why`"),
        ("id: x", "a file of waivers is a list"),
        ("- [", "not valid YAML"),
    ],
)
def test_bad_waivers(
    run: Program, project: Callable[..., Path], tmp_path: Path, text: str, message: str
) -> None:
    file = tmp_path / "waivers.yaml"
    file.write_text(text)
    result = run("check", project({}), "--waivers", file)
    assert (result.code, result.out) == (2, "")
    assert message in result.err


def test_explain(run: Program, project: Callable[..., Path]) -> None:
    folder = project({"permission": {"edit": "ask"}})
    args = ["--chain", "plan,general", "--permission", "edit", "--pattern", "src/app.ts"]
    text = run("explain", folder, *args).out
    assert f"ask  by `edit * ask`  ({folder}/opencode.json:3:5, project configuration)" in text
    assert "overrode `edit * deny`  (built-in agent)" in text
    assert "started: deny  by `task general deny`" in text
    result = run("explain", folder, *args, "--format", "json")
    Draft202012Validator(schema()).validate(json.loads(result.out))
    assert result.results[0]["decision"] == "ask"


def test_explain_an_unknown_agent(run: Program, project: Callable[..., Path]) -> None:
    result = run("explain", project({}), "--chain", "x", "--permission", "edit", "--pattern", "a")
    assert result.code == 2
    assert result.err.startswith("error[unknown-agent]: unknown agent `x`")


def test_verbose_lists_the_files(run: Program, project: Callable[..., Path]) -> None:
    folder = project({}, a="---\nmode: subagent\n---\n")
    text = run("check", folder, "-v").out
    assert f"  1. {folder}/opencode.json (project configuration)\n" in text
    assert f"  2. {folder}/.opencode/agent/a.md" in text


def test_two_runs_say_the_same(run: Program, project: Callable[..., Path]) -> None:
    folder = project(REVIEWER)
    assert run("check", folder, "-v").out == run("check", folder, "-v").out


def test_every_real_configuration(run: Program, shared: Path) -> None:
    """None crashes; each is checked, or refused with a place and a reason."""
    for meta in sorted((shared / "configs").glob("*/META.json")):
        root = meta.parent / json.loads(meta.read_text(encoding="utf-8"))["config_root"]
        result = run("check", root, "--format", "json")
        assert result.code in {0, 1, 2}, root
        assert "internal" not in result.err, root
        if result.code != 2:
            Draft202012Validator(schema()).validate(json.loads(result.out))
