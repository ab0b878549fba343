"""What the project promised to show of the models, one test for each promise."""

from __future__ import annotations

import pytest
from tests.answers import MODELS, PROPERTIES, kinds, rule_count, status, story
from tests.worlds import World

from downset.catalogue import load_model
from downset.design.sessions import Query, Tool
from downset.language.rules import ALLOW, DENY, Rule
from downset.prove.theorems import theorems


def test_independent_sessions_escalate_in_two_events_and_lose_nothing() -> None:
    found = story("baseline/independent", "no-escalation")
    assert kinds(found) == ["open", "spawn"]
    assert status("baseline/independent", "no-lost-grant") == "proved"
    assert status("baseline/independent", "own-restriction-kept") == "proved"


def test_full_inheritance_never_escalates_and_overrides_the_callee() -> None:
    model = "baseline/full-inheritance"
    assert status(model, "no-escalation") == "proved"
    assert status(model, "own-restriction-kept") == "violated"
    asked = story(model, "ask-preserved")
    assert [d.rule for d in asked.decisions if d.outcome == "ask"] == [None], "a default ask counts"


@pytest.mark.parametrize(
    "prop",
    [
        "agent-deny-inherited",
        "resume-safe",
        "ask-preserved",
        "approval-bounded",
        "fork-safe",
        "dispatch-gated",
        "targets-respected",
        "own-hidden-kept",
    ],
)
def test_1172_is_refuted_with_a_story(prop: str) -> None:
    found = story("opencode/1.17.2", prop)
    assert found.events
    assert found.conclusion.startswith("So it is not true that")


def test_1172_carries_what_a_session_denies() -> None:
    assert status("opencode/1.17.2", "session-deny-inherited") == "proved"


@pytest.mark.parametrize("prop", ["session-deny-inherited", "rebuild-stable"])
def test_11446_loses_the_inheritance_at_the_first_prompt(prop: str) -> None:
    found = story("opencode/1.14.46", prop)
    assert kinds(found)[:3] == ["open", "spawn", "prompt"]
    spawned, prompted = found.events[1].changed[0], found.events[2].changed[0]
    denies = [rule for rule in spawned.rules if rule.action == "deny"]
    assert set(denies) - set(prompted.rules), "nothing is lost at the prompt"


def test_10224_has_two_gates_that_disagree() -> None:
    found = story("opencode/1.0.224", "gates-agree")
    outcomes = {decision.outcome for decision in found.decisions}
    assert "hidden" in outcomes
    assert outcomes & {"ask", "allow"}


def test_20_bounds_approvals() -> None:
    assert status("opencode/2.0", "approval-bounded") == "proved"


@pytest.mark.parametrize("model", ["opencode/1.17.0", "opencode/1.17.2", "opencode/1.18.2"])
def test_primary_tools_are_not_reserved_from_1170_on(model: str) -> None:
    assert status(model, "primary-tools-reserved") == "violated"


def test_a_primary_write_is_denied_under_a_key_that_no_gate_reads() -> None:
    world = World(load_model("opencode/1.17.2"), (Rule("write", "*", DENY),))
    _, child = world.chain([(), (Rule("edit", "*", ALLOW),)], ())
    assert world.decides(child, Query.of("write", "*")) is DENY
    assert not world.hides(child, world.tool("write"))
    assert world.decides(child, Query(world.tool("write").key, Query.of("", "a").resource)) is ALLOW


def test_the_removal_of_duplicates_can_drop_the_deny_of_a_primary_question() -> None:
    world = World(load_model("opencode/1.17.2"), (Rule("question", "*", DENY),))
    stored = (Rule("question", "*", DENY), Rule("question", "x", DENY))
    _, plain = world.chain([(), ()], ())
    _, child = world.chain([(), ()], stored)
    assert world.hides(plain, Tool.of("question"))
    assert not world.hides(child, Tool.of("question"))


@pytest.mark.parametrize("prop", PROPERTIES[:25])
def test_the_reference_satisfies_every_row(prop: str) -> None:
    assert status("reference/ceiling", prop) == "proved"


def test_every_theorem_is_proved() -> None:
    found = {theorem.title: theorem for theorem in theorems()}
    assert set(found) >= {"two layers", "no use", "the meet", "flat lists"}
    assert all(theorem.holds and theorem.statement and theorem.detail for theorem in found.values())


def test_the_catalogue_is_complete() -> None:
    releases = [
        "1.0.224",
        "1.1.16",
        "1.3.3",
        "1.14.31",
        "1.14.46",
        "1.14.49",
        "1.17.0",
        "1.17.2",
        "1.18.2",
        "2.0",
    ]
    wanted = {f"opencode/{release}" for release in releases}
    wanted |= {f"baseline/{name}" for name in ("full-inheritance", "independent", "deny-only")}
    assert wanted | {"reference/ceiling"} <= set(MODELS)
    assert PROPERTIES[24] == "rebuild-stable-user"
    assert rule_count(story("baseline/independent", "no-escalation")) >= 1
