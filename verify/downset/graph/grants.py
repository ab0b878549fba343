"""Grants of an agent's own that are lost when it is dispatched, though no caller denies them.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> config = {"permission": {"task": "allow", "todowrite": "allow"}, "agent": {
...     "boss": {"permission": {"edit": {"*": "deny", "docs/*": "allow"}}}}}
>>> graph = CallGraph(World(resolve(config, release("1.17.0"))))
>>> sorted(problem.members[0].chain[-2:] for problem in no_lost_grant(graph)[0])[0]
('boss', 'boss')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.graph.pairs import NOT_DENY, Pair, asked_of, request, side
from downset.graph.records import Member, Problem, Severity, Side
from downset.language.automata import SearchLimit
from downset.language.lists import witness
from downset.language.rules import ALLOW, DENY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.graph.callgraph import CallGraph
    from downset.graph.sessions import State
    from downset.graph.tools import Asked

_WANTED = (frozenset({ALLOW}), frozenset({DENY}), NOT_DENY)


def no_lost_grant(graph: CallGraph) -> tuple[list[Problem], list[str]]:
    """For each agent and permission the first request that it loses, and what is unknown."""
    unknown: list[str] = []
    found: dict[tuple[str, str], Problem] = {}
    for state in graph.states:
        if not state.stored:
            continue
        for asked in asked_of(graph.world):
            key = (state.agent, asked.permission)
            if key in found or _is_reserved(graph, state, asked):
                continue
            try:
                member = next(_lost(graph, state, asked), None)
            except SearchLimit:
                unknown.append(f"{asked.permission} of {state.agent}")
                continue
            if member is not None:
                found[key] = _problem(member)
    return list(found.values()), unknown


def _lost(graph: CallGraph, state: State, asked: Asked) -> Iterator[Member]:
    """Requests that the agent allows, the session denies, and no caller denies."""
    world = graph.world
    own = world.own(state.agent, asked.permission)
    column = world.column(state, asked.permission)
    if own.ls is column.ls:
        return
    for parent in graph.parents(state):
        above = world.column(parent, asked.permission)
        text = witness((own.ls, column.ls, above.ls), _WANTED, asked.kind)
        chain = _undenied(graph, parent, asked, text) if text is not None else []
        if text is not None and chain:
            yield _member(graph, chain, Pair(parent, state, asked, request(asked, text)))


def _undenied(graph: CallGraph, parent: State, asked: Asked, text: str) -> list[State]:
    def permits(state: State) -> bool:
        return graph.world.column(state, asked.permission).decide(text) is not DENY

    return graph.reaches_root(parent, permits)


def _member(graph: CallGraph, chain: list[State], pair: Pair) -> Member:
    world = graph.world
    alone = side(world, type(pair.below)(pair.below.agent), pair.asked, pair.request)
    step = world.dispatch(pair.above, pair.below.agent)
    return Member(
        chain=(*(state.agent for state in chain), pair.below.agent),
        witness=pair.request,
        ancestor=alone,
        descendant=side(world, pair.below, pair.asked, pair.request),
        dispatch=Side(pair.above.agent, step.decision.value, step.rule),
    )


def _is_reserved(graph: CallGraph, state: State, asked: Asked) -> bool:
    """What designs keep from children on purpose (properties.md, *reserved*)."""
    world = graph.world
    name = asked.permission
    guarded = name in {"todowrite", "todoread"} and name not in world.table(state).keys
    return guarded or name == world.task or name in world.project.primary_tools


def _problem(member: Member) -> Problem:
    agent, what = member.descendant.agent, member.witness.text
    rule = member.descendant.rule
    return Problem(
        id="no-lost-grant",
        severity=Severity.WARNING,
        message=f"`{agent}` may {what}, but not when it is started by `{member.chain[-2]}`, "
        "though no caller denies it",
        locations=(rule.place,) if rule is not None and rule.place is not None else (),
        members=(member,),
        help="the release carries denies over without the exceptions to them",
        subject=agent,
        witness=member.witness,
        is_property=True,
    )
