"""What was seen of systems beyond opencode and PawWork, one test for each promise."""

from __future__ import annotations

import pytest
from tests.answers import status, story

from downset.catalogue import load_model
from downset.design.sessions import Query
from downset.language.concrete import Assignment, Concrete
from downset.language.rules import DENY, Rule
from downset.scenarios.stage import Cast, Scene, Stage

CLAUDE = ("claude-code/2.1.197", "claude-code/2.1.328")


@pytest.mark.parametrize("model", CLAUDE)
def test_a_lead_without_a_tool_dispatches_one_that_has_it(model: str) -> None:
    found = story(model, "agent-deny-inherited")
    assert [d.outcome == "deny" for d in found.decisions] == [True, False]
    assert found.decisions[0].rule is not None


def test_the_switch_for_bypass_is_obeyed_since_it_was_mended() -> None:
    before, after = (status(model, "managed-wins") for model in CLAUDE)
    assert (before, after) == ("violated", "proved")
    assert "switched off" in str(story(CLAUDE[0], "managed-wins").config)


def test_a_plan_session_is_wider_after_a_restart() -> None:
    found = story("claude-code/2.1.328", "restart-safe")
    modes = [event.changed[0].mode for event in found.events]
    assert modes[0] == "plan"
    assert modes[-1] != "plan"


def test_an_allow_rule_pierces_plan_and_not_its_ban_on_edits() -> None:
    stage = Stage(load_model(CLAUDE[1]), scene=Scene(load_model(CLAUDE[1])))
    planner = stage.opened("lead", mode="plan")
    reading, edit = Concrete(Assignment(), stage.design.matcher), Query.of("Edit", "a")
    assert reading.decision(stage.design.decide(planner, edit)) is DENY


def test_codex_copies_the_policy_whatever_the_role_says() -> None:
    assert status("codex/0.171", "no-escalation") == "proved"
    assert status("codex/0.171", "mode-monotone") == "proved"
    assert [a.mode for a in story("codex/0.171", "own-restriction-kept").agents if a.mode]


def test_one_bad_priority_opens_what_a_file_denied() -> None:
    found = story("gemini-cli/0.61", "fail-closed")
    assert next(d.outcome for d in found.decisions) == "deny"
    assert found.shared


def test_an_always_stands_above_a_deny_by_its_priority() -> None:
    found = story("gemini-cli/0.61", "approval-bounded")
    with_it = [d for d in found.decisions if "with approvals" in d.role]
    assert [d.rule.priority for d in with_it if d.rule] == [4950]


def test_a_trusted_folder_widens() -> None:
    found = story("qwen-code/0.15", "mode-monotone")
    assert found.decisions[0].outcome != found.decisions[1].outcome


def test_the_repair_carries_rules_and_no_modes() -> None:
    rows = ("session-deny-inherited", "agent-deny-inherited", "no-escalation", "mode-monotone")
    before = [status("agentscope-java/before-2477", row) for row in rows]
    after = [status("agentscope-java/after-2477", row) for row in rows]
    assert before == ["violated"] * 4
    assert after == ["proved", "proved", "violated", "violated"]


def test_a_model_decides_on_real_rules_without_a_solver() -> None:
    design = load_model("deepagents/0.7")
    rules = (Rule("read", "/secrets/**", DENY),)
    stage = Stage(design, scene=Scene(design, {"lead": Cast(rules)}))
    reading = Concrete(Assignment(), design.matcher)
    asked = Query.of("read", "/secrets/a")
    assert reading.decision(design.decide(stage.opened("lead"), asked)) is DENY
