"""Recorded reports: what each field of a check means, and that none is skipped in silence."""

from __future__ import annotations

from typing import Any

import pytest

from downset.errors import InputError
from downset.scenarios.bugs import bug_results
from downset.scenarios.fields import Fields

AGENTS = {
    "auditor": {"mode": "subagent", "permission": {"edit": "deny", "task": "allow"}},
    "leaf": {"mode": "subagent", "permission": {"task": "deny", "todowrite": "deny"}},
}
AGENTS["auditor"]["permission"]["todowrite"] = "deny"  # type: ignore[index]


def got(check: dict[str, Any], **case: object) -> object:
    whole = {"id": "x", "checks": [{"expect": None, **check}], "config": {}, **case}
    return bug_results(Fields(whole, "x.json"))[0].got


def edit(release: str, *chain: str, **more: object) -> dict[str, Any]:
    asked = {"semantics": f"opencode@{release}", "chain": list(chain)}
    return {**asked, "permission": "edit", "pattern": "src/a.ts", **more}


@pytest.mark.parametrize(
    ("release", "answer"),
    [("1.1.16", "allow"), ("1.14.49", "allow"), ("1.17.0", "deny"), ("1.17.2", "allow")],
)
def test_plan_dispatches_general(release: str, answer: str) -> None:
    assert got(edit(release, "plan", "general")) == answer


@pytest.mark.parametrize(("persisted", "answer"), [(True, "deny"), (False, "allow")])
def test_a_stored_row_may_name_nobody(persisted: bool, answer: str) -> None:  # noqa: FBT001 -- a parameter
    check = edit("1.14.49", "build", "auditor", "leaf", agent_persisted=persisted)
    assert got(check, config={"agent": AGENTS}) == answer


def test_root_session_of_the_check_beats_that_of_the_case() -> None:
    rules = [["edit", "*", "deny"]]
    assert got(edit("1.18.2", "build"), root_session=rules) == "deny"
    assert got(edit("1.18.2", "build", root_session=[]), root_session=rules) == "allow"


def test_approvals_beat_denies_in_v1_only() -> None:
    asked = {"permission": "edit", "pattern": "a", "approved": [["edit", "*"]]}
    rules = [["edit", "*", "deny"]]
    for semantics, answer in [("opencode@1.17.2", "allow"), ("opencode@2.0", "deny")]:
        assert got({"semantics": semantics, "rules": rules, **asked}) == answer


def test_resume_keeps_the_rules_of_the_first_agent() -> None:
    resume = {"created_by_chain": ["build", "general"], "resumed_as": "planner"}
    config = {"agent": {"planner": {"permission": {"task": "allow"}}}}
    asked = {"permission": "task", "pattern": "explore", "resume": resume}
    assert got({"semantics": "opencode@1.18.2", **asked}, config=config) == "deny"
    assert got({"semantics": "opencode@1.14.49", **asked}, config=config) == "allow"


@pytest.mark.parametrize(
    ("how", "answer"),
    [
        ({}, "deny"),
        ({"os": "win32"}, "allow"),
        ({"os": "win32", "slash_normalised": False}, "deny"),
    ],
)
def test_windows(how: dict[str, Any], answer: str) -> None:
    check = {"semantics": "rules", "rules": [["edit", "*", "deny"], ["edit", "docs/*", "allow"]]}
    assert got({**check, "permission": "edit", "pattern": "Docs\\a.md", **how}) == answer


def test_keys_with_a_star_first() -> None:
    config = {"permission": {"bash": "allow", "*": "deny"}}
    check = {**edit("1.18.2", "build"), "permission": "bash"}
    assert got(check, config=config) == "deny"
    assert got({**check, "top_keys_sorted": True}, config=config) == "allow"


def test_tools_are_looked_up_under_their_alias_and_permissions_are_not() -> None:
    rules = [["*", "*", "allow"], ["edit", "*", "deny"]]
    check = {"semantics": "rules", "rules": rules}
    assert got({**check, "visible_tool": "write"}) is False
    assert got({**check, "permission": "write", "pattern": "a"}) == "allow"


@pytest.mark.parametrize(
    ("check", "reason"),
    [
        ({"semantics": "kilo@1.0", "chain": ["build"]}, "semantics `kilo@1.0`"),
        ({"semantics": "opencode@9.9.9", "chain": ["build"]}, "semantics `opencode@9.9.9`"),
        ({"chain": ["build"]}, "semantics ``"),
        ({"semantics": "rules", "chain": ["build"]}, "without a list of rules"),
        ({"semantics": "rules", "moon": "full"}, "field `moon`"),
        (
            {"semantics": "opencode@1.18.2", "chain": ["a"], "config": {"permission": 3}},
            "configuration: ",
        ),
    ],
)
def test_what_is_not_known_is_never_skipped(check: dict[str, Any], reason: str) -> None:
    whole = {"id": "x", "config": {}, "checks": [{"permission": "edit", "expect": "deny", **check}]}
    (found,) = bug_results(Fields(whole, "x.json"))
    assert found.ok is False
    assert str(found.got).startswith("unsupported: ")
    assert reason in str(found.got)


def test_a_report_without_checks() -> None:
    (found,) = bug_results(Fields({"id": "x", "steps": [], "summary": "s"}, "x.json"))
    assert (found.check, found.ok) == (None, None)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        (edit("1.18.2"), "`chain` is not a list of names"),
        (edit("1.18.2", "build", root_session=[["edit"]]), "not a rule"),
        (edit("1.18.2", "build", root_session="x"), "not a list of rules"),
        (edit("1.18.2", "build", agent_persisted=1), "`agent_persisted` is not true or false"),
        ({"semantics": "opencode@1.18.2", "chain": ["build"]}, "`permission` is not a text"),
        ({"semantics": "rules", "rules": [], "permission": "a", "config": 3, "os": 3}, "`os`"),
    ],
)
def test_a_check_that_cannot_be_read_names_its_place(check: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match="check 0") as error:
        got(check)
    assert message in error.value.message
    assert error.value.file == "x.json"
