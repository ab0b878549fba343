"""The ways in which a verdict comes about: induction, reachability, bounds, vacuity, events."""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import strategies
from tests.answers import kinds
from tests.worlds import ORACLES, World, failures, shown

from downset.catalogue import load_model, load_properties
from downset.design.design import Design, Resume
from downset.design.property import Claim, claims
from downset.design.sessions import Query
from downset.language.rules import ALLOW, DENY
from downset.language.terms import FALSE, TRUE
from downset.language.vocabulary import action, among, denied, rules
from downset.prove.prover import prove
from downset.prove.refuting import ReadingsDiffer
from downset.verdicts import Status

if TYPE_CHECKING:
    from downset.design.sessions import Agent, Config, Session
    from downset.design.story import Story
    from downset.language.rules import Ruleset
    from downset.language.terms import Word

PROPERTIES = load_properties()
SP = ("open", "spawn", "prompt")


class Carries(Design):
    """A session's denies are carried; a resume takes over everything of the caller."""

    id = "test/carries"
    resumable = Resume.OWN_CHILDREN

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied)

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        return self.effective(caller)


class OneLevel(Design):
    """What the caller's agent denies is carried, once."""

    id = "test/one-level"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.agent.rules.where(denied)


class Chained(Design):
    """A deny is carried if a rule with its permission has the pattern of another, and so on."""

    id = "test/chained"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        linked = caller.stored.where(among(caller.stored, "permission", where=action == ALLOW))
        return caller.stored.where(denied & among(linked, "pattern"))


def test_where_no_single_fact_is_passed_on_combinations_of_facts_are() -> None:
    verdict = prove(Carries(), PROPERTIES["resume-safe"])
    assert verdict.status is Status.PROVED
    assert "combinations of facts" in verdict.scope.argument


def test_where_combinations_of_facts_fail_a_longer_story_refutes() -> None:
    verdict = prove(OneLevel(), PROPERTIES["agent-deny-inherited"])
    assert verdict.status is Status.VIOLATED
    assert verdict.counterexample is not None
    assert kinds(verdict.counterexample) == ["open", "spawn", "spawn"]


def test_a_fact_is_named_that_carries_the_proof() -> None:
    verdict = prove(Carries(), PROPERTIES["session-deny-inherited"])
    assert verdict.status is Status.PROVED
    assert "passes on" in verdict.scope.argument
    assert (verdict.scope.rules, verdict.scope.depth) == ("any length", "any")


def test_filters_in_a_circle_without_a_cutoff_are_bounded() -> None:
    verdict = prove(Chained(), PROPERTIES["own-restriction-kept"])
    assert verdict.status is Status.BOUNDED
    assert "circle" in verdict.reason
    assert verdict.scope.rules.startswith("up to")


def test_filters_in_a_circle_without_a_cutoff_are_refuted_if_short_rulesets_do() -> None:
    verdict = prove(Chained(), PROPERTIES["session-deny-inherited"])
    assert verdict.status is Status.VIOLATED


@claims("test/never", "nothing that happens is bad", formula="false => false")
def never(story: Story) -> Claim:
    story.spawn(story.session())
    return Claim(FALSE, FALSE)


@claims("test/always", "a session is opened", formula="true")
def always(story: Story) -> Claim:
    story.session()
    return Claim(TRUE, TRUE)


def test_a_premise_that_cannot_hold_is_vacuous_not_proved() -> None:
    assert prove(Carries(), never).status is Status.VACUOUS
    assert prove(Carries(), always).status is Status.PROVED


def test_a_dispatch_that_cannot_happen_is_vacuous() -> None:
    class Alone(Carries):
        id = "test/alone"

        def effective(self, session: Session) -> Word:
            return super().effective(session) + rules(("task", "*", DENY))

    assert prove(Alone(), PROPERTIES["session-deny-inherited"]).status is Status.VACUOUS
    assert prove(Alone(), PROPERTIES["gates-agree"]).status is Status.PROVED


@pytest.mark.parametrize("prop", ["resume-safe", "approval-bounded", "fork-safe"])
def test_what_may_not_happen_is_vacuous(prop: str) -> None:
    design = load_model("opencode/1.17.2")
    assert prove(design, PROPERTIES[prop]).status is Status.VIOLATED
    narrowed = prove(design, PROPERTIES[prop], events=SP)
    assert narrowed.status is Status.VACUOUS
    assert narrowed.scope.events == SP


def test_narrowing_to_its_own_events_changes_nothing() -> None:
    for model in ("baseline/deny-only", "opencode/1.14.46"):
        for prop in ("session-deny-inherited", "own-ask-kept"):
            whole = prove(load_model(model), PROPERTIES[prop])
            assert prove(load_model(model), PROPERTIES[prop], events=SP).status is whole.status


def test_a_spawn_brings_its_prompt_or_does_not_happen() -> None:
    """A release that prompts its children cannot be told of as if it did not."""
    design = load_model("opencode/1.14.46")
    verdict = prove(design, PROPERTIES["session-deny-inherited"], events=("open", "spawn"))
    assert verdict.status in {Status.VACUOUS, Status.VIOLATED}
    told = [] if verdict.counterexample is None else kinds(verdict.counterexample)
    assert told in ([], ["open", "spawn", "prompt"])


def test_rebuild_stable_of_spawns_alone_is_decided() -> None:
    class Overwrites(Carries):
        id = "test/overwrites"

        def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
            return rules(("todowrite", "*", DENY))

        def prompt(self, session: Session, tools: Word) -> Word:
            return tools

    prop = PROPERTIES["rebuild-stable"]
    assert prove(Overwrites(), prop, events=SP).status is Status.VIOLATED

    class Appends(Overwrites):
        id = "test/appends"

        def prompt(self, session: Session, tools: Word) -> Word:
            return session.stored.where(~among(tools, "permission")) + tools

    assert prove(Appends(), prop, events=SP).status is not Status.VACUOUS


def test_a_repeated_append_is_not_idle() -> None:
    class Appends(Carries):
        id = "test/appends-always"

        def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
            return rules(("todowrite", "*", DENY))

        def prompt(self, session: Session, tools: Word) -> Word:
            return session.stored + tools

    assert prove(Appends(), PROPERTIES["rebuild-stable"]).status is Status.VIOLATED


def test_a_story_whose_resume_keeps_only_some_rules_is_told_whole() -> None:
    class Keeps(Carries):
        id = "test/keeps"

        def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
            same = callee.name.same(child.agent.name)
            return child.stored.when(same) + self.effective(caller).when(~same)

    verdict = prove(Keeps(), PROPERTIES["resume-equals-spawn"])
    assert verdict.status is Status.VIOLATED
    assert verdict.counterexample is not None
    assert "resume" in kinds(verdict.counterexample)


def test_no_time_is_unknown_and_says_why() -> None:
    verdict = prove(load_model("opencode/1.14.46"), PROPERTIES["no-escalation"], timeout=0.0)
    assert verdict.status is Status.UNKNOWN
    assert verdict.reason


QUERIES = [Query.of(key, r) for key in ("edit", "bash", "x") for r in ("src/app.ts", "a")]
TOOLS = ("edit", "bash", "x")
SHORT = ("no-escalation", "session-deny-inherited", "own-restriction-kept", "hidden-stays-hidden")


@pytest.mark.slow
@given(
    strategies.designs(),
    st.sampled_from(SHORT),
    st.lists(
        st.tuples(st.lists(strategies.rulesets(3), min_size=2, max_size=5), strategies.rulesets(3)),
        min_size=12,
        max_size=12,
    ),
)
@settings(max_examples=25)
def test_what_is_proved_of_a_random_design_never_fails_on_real_rules(
    design: Design, prop: str, runs: list[tuple[list[Ruleset], Ruleset]]
) -> None:
    try:
        verdict = prove(design, PROPERTIES[prop], timeout=10.0)
    except ReadingsDiffer as differ:
        pytest.fail(str(differ))
    if verdict.status is not Status.PROVED:
        return
    world = World(design)
    tools = [world.tool(name) for name in TOOLS]
    for agents, stored in runs:
        sessions = world.chain(agents, stored)
        found = list(failures(world, sessions, QUERIES, tools, [prop]))
        assert not found, (found, shown(sessions, world))


@pytest.mark.slow
@given(strategies.designs(), st.sampled_from([p for p in PROPERTIES if p not in ORACLES]))
@settings(max_examples=25)
def test_every_property_has_an_answer_for_a_random_design(design: Design, prop: str) -> None:
    verdict = prove(design, PROPERTIES[prop], timeout=10.0)
    assert (verdict.counterexample is not None) == (verdict.status is Status.VIOLATED)
    assert verdict.status is not Status.UNKNOWN or verdict.reason
