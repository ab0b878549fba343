"""Who may be dispatched, by whom, and how deep."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.properties.inheritance import agents_have_rules
from downset.design.properties.own_rules import named_by_own_rule
from downset.design.property import Claim, claims
from downset.design.sessions import Query, Tool
from downset.language.terms import FALSE, TRUE, Flag

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.story import Story


def dispatch_has_rules(design: Design) -> str:
    """Why rules for dispatches make no sense for a design."""
    return "" if design.dispatch else "no rule says anything of a dispatch"


def dispatch_ruled(design: Design) -> str:
    """Why agents' own rules for dispatches make no sense for a design."""
    return dispatch_has_rules(design) or agents_have_rules(design)


@claims(
    "recursion-guard",
    "a callee dispatches further only where a rule of its own names the dispatch tool",
    formula=(
        "SP, c runs b, dispatch of n neither denied nor hidden in c => the rule deciding "
        "o_b(task, n) names `task` literally and is not a deny"
    ),
    asked_by="opencode #8111, #21333, #11324",
    needs=dispatch_ruled,
)
def recursion_guard(story: Story) -> Claim:
    """Tell a dispatch whose callee may dispatch in turn."""
    design, caller = story.design, story.session()
    child = story.spawn(caller)
    query = Query.of(design.dispatch, story.name("callee's callee"))
    possible = ~design.decide(child, query).denies
    possible = possible & ~design.hidden(child, Tool.of(design.dispatch))
    if not design.children_dispatch:
        possible = FALSE
    if design.depth_limited:
        possible = possible & child.depth.below(story.config.depth_limit)
    return Claim(
        possible,
        named_by_own_rule(story, child.agent, query),
        query,
        shown=(("caller", caller), ("callee", child)),
    )


@claims(
    "dispatch-gated",
    "no dispatch happens that the caller's rules deny",
    formula=(
        "at every dispatch s -> c(n), by the model, by a mention, by a command: "
        "E_s(task, n) != deny"
    ),
    asked_by="opencode #11324, #35238, #41100; PawWork E16",
    events=("open", "spawn", "prompt"),
    needs=dispatch_has_rules,
)
def dispatch_gated(story: Story) -> Claim:
    """Tell a dispatch by each of the ways that the design has."""
    design, caller = story.design, story.session()
    via = story.choose("dispatch by", design.ways())
    child = story.spawn(caller, via=via)
    query = Query.of(design.dispatch, child.agent.name)
    return Claim(
        TRUE,
        ~design.decide(caller, query).denies,
        query,
        shown=(("caller", caller),),
    )


def modes_exist(design: Design) -> str:
    """Why agents for users only make no sense for a design."""
    return "" if design.modes else "the design has no agents that are for users only"


@claims(
    "targets-respected",
    "no session dispatches an agent that is for users only",
    formula="at every dispatch s -> c(n): n is not an agent for users only",
    asked_by="opencode #10377, #41100",
    needs=modes_exist,
)
def targets_respected(story: Story) -> Claim:
    """Tell a dispatch of an agent that may be for users only."""
    caller = story.session()
    child = story.spawn(caller)
    return Claim(
        TRUE,
        ~Flag(f"{child.agent.label} is for users only"),
        Query.of(story.design.dispatch, child.agent.name),
        shown=(("caller", caller), ("callee", child)),
    )
