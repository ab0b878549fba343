"""PawWork's expectations: what each kind of entry asks."""

from __future__ import annotations

from typing import Any

import pytest

from downset.scenarios.conformance import conformance_results
from downset.scenarios.fields import Fields
from downset.scenarios.pawwork import Pawwork, from_block


def got(kind: str, **given: Any) -> Any:  # noqa: ANN401 -- JSON
    entry = Fields({"id": "x", "kind": kind, "input": given, "expect": None}, "x.json")
    return conformance_results([entry])[0].got


def rule(permission: str, pattern: str, action: str) -> dict[str, str]:
    return {"permission": permission, "pattern": pattern, "action": action}


def test_match() -> None:
    assert got("match", value="git", pattern="git *") is True
    assert got("match", value="gitk", pattern="git *") is False


def test_evaluate_puts_the_session_behind_the_agent() -> None:
    own, session = [rule("edit", "*", "allow")], [rule("edit", "a", "deny")]
    asked = {"permission": "edit", "pattern": "a"}
    assert got("evaluate", ruleset=own, **asked) == "allow"
    assert got("evaluate", agentRuleset=own, sessionRuleset=session, **asked) == "deny"


def test_tools_with_two_keys_are_hidden_by_both_alone() -> None:
    tools = ["browser_click", "opencli_run", "write"]
    one = [rule("browser", "*", "deny"), rule("opencli_read", "*", "deny")]
    both = [*one, rule("opencli_write", "*", "deny"), rule("edit", "*", "deny")]
    assert got("gate1", tools=tools, ruleset=one) == {"hidden": ["browser_click"]}
    assert got("gate1", tools=tools, ruleset=both) == {"hidden": tools}


def test_one_denied_pattern_denies_the_call() -> None:
    rules = [rule("bash", "*", "ask"), rule("bash", "rm *", "deny")]
    assert set(got("ask", permission="bash", patterns=["ls", "rm x"], ruleset=rules).values()) == {
        "deny"
    }
    assert set(got("ask", permission="bash", patterns=[], ruleset=rules).values()) == {"allow"}


def test_a_configured_deny_beats_approvals_later() -> None:
    rules, approved = [rule("edit", "*", "deny")], [rule("edit", "*", "allow")]
    asked = {"permission": "edit", "patterns": ["a"], "ruleset": rules, "approved": approved}
    assert got("ask", **asked) == {"at_7a4473c90": "allow", "from_e3595b705": "deny"}


def test_rebuild_keeps_what_the_map_cannot_say() -> None:
    kept = rule("edit", "/secret/**", "deny")
    given = {"session": [kept, rule("edit", "*", "deny")], "tools": {"edit": True}}
    added = rule("edit", "*", "allow")
    assert got("rebuild", **given, createdByAgentTool=True) == [kept, added]
    assert got("rebuild", **given, createdByAgentTool=False) == [added]


def test_dispatch_with_a_tool_for_users_only() -> None:
    given = {"caller": "build", "sub": "general", "permission": "bash", "pattern": "ls"}
    config = {"experimental": {"primary_tools": ["bash"]}}
    found = got("dispatch", config=config, parentSession=[], **given)
    assert (found["caller"], found["subAlone"]) == ("allow", "allow")
    assert (found["childBefore"], found["childAfter"]) == ("deny", "deny")
    assert (found["childHiddenBefore"], found["childHiddenAfter"]) == (True, True)


def test_an_unknown_caller_has_no_rules() -> None:
    given = {"caller": "gone", "sub": "general", "permission": "edit", "pattern": "a"}
    found = got("dispatch", config={}, parentSession=[], **given)
    assert (found["caller"], found["childAfter"]) == ("ask", "allow")


def test_configuration() -> None:
    assert [str(r) for r in from_block({"task": "deny", "agent": "allow"})] == ["agent * allow"]
    assert [str(r) for r in from_block({"bash": "ask", "mcp_*": {"~/x": "deny"}})] == [
        "mcp_* /home/dev/x deny",
        "bash * ask",
    ]
    listed = got("fromConfig", config={"edit": "ask"})
    assert listed == [rule("edit", "*", "ask")]


def test_the_helper_directories_give_way_to_an_exact_deny() -> None:
    config = {"permission": {"external_directory": {"/TRUNC/*": "deny"}}}
    last = Pawwork.of(config).cast("build").rules[-2:]
    assert [str(r) for r in last] == [
        "external_directory /TRUNC/* deny",
        "external_directory /TMP/* allow",
    ]


@pytest.mark.parametrize(
    ("kind", "given", "reason"),
    [
        ("dance", {}, "kind `dance`"),
        ("fromConfig", {"config": {"edit": "maybe"}}, "maybe"),
        ("match", {"value": 3}, "`pattern` is not a text"),
    ],
)
def test_what_is_not_known_is_never_skipped(kind: str, given: dict[str, Any], reason: str) -> None:
    found = got(kind, **given)
    assert found.startswith("unsupported: ")
    assert reason in found or "`value`" in found
