"""What is compared of two designs at the end of a story: each gate, as a formula and on real rules.

A gate says when the new design permits more than the old one, and when less. `outcome` is what one
design decides on real rules, for people.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.comparisons import Outcome
from downset.design.sessions import Agent, Query, Tool
from downset.design.traits import traits
from downset.language.terms import EMPTY, FALSE, TRUE, And, Flag, Input, Not, SameText, Sort, Text
from downset.language.vocabulary import text
from downset.prove.alike import apart
from downset.prove.explain import explain, witness
from downset.verdicts import QueryRecord

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.design.design import Design
    from downset.design.property import Claim
    from downset.design.sessions import Session
    from downset.design.story import Story
    from downset.language.terms import Decision, Formula
    from downset.prove.paths import Told
    from downset.prove.trace import Teller

Pair = tuple["Told[Claim]", "Told[Claim]"]
ANY_TOOL = Text(Sort.PERMISSION, variable="tool")
TARGET = "target"


@dataclass(frozen=True)
class Gate:
    """One gate, or one question about it.

    `gain` and `loss` are unsatisfiable exactly when no story makes the new design permit more, or
    less.
    """

    id: str
    gain: Callable[[Pair], Formula]
    loss: Callable[[Pair], Formula]
    outcome: Callable[[Teller], Outcome]
    asked: Callable[[Teller], QueryRecord]


def gates(old: Design, new: Design) -> list[Gate]:
    """All gates of two designs."""
    tools = [availability(name) for name in tool_names(old, new)]
    ways = list(dict.fromkeys([*old.ways(), *new.ways()]))
    return [evaluation(), *tools, *(dispatching(way) for way in ways)]


def session_of(told: Told[Claim]) -> Session:
    """The session that a story is about."""
    return told.result.shown[0][1]


# --- the decision on a call ---------------------------------------------------------------------


def evaluation() -> Gate:
    """Allow, ask or deny."""

    def gain(pair: Pair) -> Formula:
        one, two = (decision(told.script.design, told.result) for told in pair)
        return FALSE if one == two else Not(two.at_most(one))

    def loss(pair: Pair) -> Formula:
        return gain((pair[1], pair[0]))

    def outcome(teller: Teller) -> Outcome:
        claim = teller.told.claim
        reason = explain(teller.reading, decision(teller.script.design, claim))
        rule = None if reason.rule is None else teller.rule(reason.rule)
        return Outcome(reason.action.value, rule)

    return Gate("evaluate", gain, loss, outcome, lambda teller: teller.query())


def decision(design: Design, claim: Claim) -> Decision:
    """What a design decides at the end of a story."""
    session, query = claim.shown[0][1], claim.query or Query.of("", "")
    if claim.approved is EMPTY:
        return design.decide(session, query)
    return design.decide_with(session, query, claim.approved)


# --- whether a tool is offered ------------------------------------------------------------------


def tool_names(old: Design, new: Design) -> list[str | None]:
    """The tools that a design may treat apart, and `None` for any other."""
    special = {*traits(old).names_tools, *traits(new).names_tools}
    kinds: dict[tuple[str, str, str], str] = {}
    for name in sorted({*old.aliases, *old.asks_as, *new.aliases, *new.asks_as}):
        gated = (old.aliases.get(name, name), new.aliases.get(name, name))
        kinds.setdefault((*gated, name if name in special else ""), name)
    return [None, *kinds.values()]


def tool(design: Design, name: str | None) -> Tool:
    """A tool as a design sees it."""
    if name is None:
        return Tool(ANY_TOOL, ANY_TOOL, ANY_TOOL)
    keys = design.aliases.get(name, name), design.asks_as.get(name, name)
    return Tool.of(name, gate=keys[0], key=keys[1])


def availability(name: str | None) -> Gate:
    """Offered or hidden."""

    def hidden(told: Told[Claim]) -> Formula:
        design = told.script.design
        return design.hidden(session_of(told), tool(design, name))

    def gain(pair: Pair) -> Formula:
        one, two = map(hidden, pair)
        return FALSE if one == two else And((one, Not(two), unaliased(name, pair)))

    def loss(pair: Pair) -> Formula:
        return gain((pair[1], pair[0]))

    def outcome(teller: Teller) -> Outcome:
        design = teller.script.design
        formula = design.hidden(teller.told.claim.shown[0][1], tool(design, name))
        rule = witness(teller.reading, formula)
        said = "hidden" if teller.reading.formula(formula) else "offered"
        return Outcome(said, None if rule is None else teller.rule(rule))

    def asked(teller: Teller) -> QueryRecord:
        return QueryRecord("", "", teller.reading.text(ANY_TOOL) if name is None else name)

    return Gate("availability", gain, loss, outcome, asked)


def unaliased(name: str | None, pair: Pair) -> Formula:
    """The condition that a tool that is not named is none of those that are."""
    if name is not None:
        return TRUE
    designs = [told.script.design for told in pair]
    known = sorted({key for d in designs for key in (*d.aliases, *d.asks_as)})
    return And(tuple(Not(SameText(ANY_TOOL, text(key, "permission"))) for key in known))


# --- whether it may dispatch --------------------------------------------------------------------


def target(design: Design) -> Agent:
    """Some agent to dispatch."""
    name = Text(Sort.PATTERN, variable=f"name of {TARGET}")
    only = Flag(f"{TARGET} is for users only") if design.modes else FALSE
    return Agent(TARGET, name, Input(f"rules of {TARGET}", f"agent {TARGET}"), only)


def dispatching(way: str) -> Gate:
    """May dispatch some agent, in one of the ways to do it."""
    name = "dispatch" if way == "model" else f"dispatch by {way}"

    def may(design: Design, story: Story, session: Session) -> Formula:
        return permits(design, story, session, way)

    def gain(pair: Pair) -> Formula:
        one, two = (may(t.script.design, t.story, session_of(t)) for t in pair)
        return FALSE if one == two else And((Not(one), two))

    def loss(pair: Pair) -> Formula:
        return gain((pair[1], pair[0]))

    def outcome(teller: Teller) -> Outcome:
        story, session = teller.told.story, teller.told.claim.shown[0][1]
        if teller.reading.formula(may(teller.script.design, story, session)):
            return Outcome("may dispatch")
        return refusal(teller, session, way)

    def asked(teller: Teller) -> QueryRecord:
        name = teller.reading.text(target(teller.script.design).name)
        return QueryRecord(teller.script.design.dispatch, name)

    return Gate(name, gain, loss, outcome, asked)


def permits(design: Design, story: Story, session: Session, way: str) -> Formula:
    """Whether a session may dispatch some agent: the check, the agent's mode, the depth."""
    if way not in design.ways():
        return FALSE
    callee = target(design)
    conditions = [design.dispatches(session, callee, way)]
    if design.refuses_users_only:
        conditions.append(Not(callee.users_only))
    if design.depth_limited:
        conditions.append(session.depth.below(story.config.depth_limit))
    return And(tuple(conditions))


def refusal(teller: Teller, session: Session, way: str) -> Outcome:
    """Why a session may not dispatch some agent."""
    design, said = teller.script.design, "may not dispatch"
    callee = target(design)
    if way not in design.ways():
        return Outcome(said, because=f"there is no dispatch by {way}")
    check = design.dispatches(session, callee, way)
    if not teller.reading.formula(check):
        rule = witness(teller.reading, check)
        return Outcome(said, None if rule is None else teller.rule(rule))
    if design.refuses_users_only and teller.reading.formula(callee.users_only):
        return Outcome(said, because="the agent is for users only")
    depth = teller.reading.number(session.depth)
    return Outcome(said, because=f"depth {depth} is at the limit")


# --- what a session stores ----------------------------------------------------------------------


def states() -> list[Callable[[Pair], Formula]]:
    """The formulas that are unsatisfiable exactly when two sessions are in states alike."""

    def stored(pair: Pair) -> Formula:
        one, two = map(session_of, pair)
        return apart(one.stored, two.stored)

    def mapped(pair: Pair) -> Formula:
        one, two = map(session_of, pair)
        return apart(one.tools, two.tools)

    return [stored, mapped]
