"""Sessions that are resumed as another agent, and may then do more than if they were new.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> graph = CallGraph(World(resolve({}, release("1.18.2"))))
>>> [problem.details[0] for problem in resume_safe(graph)[0]]
['`build`, resumed by `build` in a session that was opened by a user, may task build']
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.design import Resume
from downset.graph.pairs import NOT_DENY, asked_of, request, side
from downset.graph.records import Member, Problem, Severity
from downset.graph.sessions import State
from downset.language.automata import SearchLimit
from downset.language.lists import witness
from downset.language.rules import DENY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.graph.callgraph import CallGraph
    from downset.graph.tools import Asked
    from downset.language.rules import Ruleset


def resume_safe(graph: CallGraph) -> tuple[list[Problem], list[str]]:
    """One finding for everything that only a resume permits, and what is unknown."""
    if graph.world.spawner.design.resumable is Resume.NOBODY:
        return [], []
    found: dict[tuple[str, str], tuple[Member, str]] = {}
    given_up: dict[tuple[str, str], str] = {}
    for agent, asked, answer in _pairs(graph):
        key = (agent, asked.permission)
        if answer is None:
            given_up.setdefault(key, f"{asked.permission} of {agent}")
        else:
            found.setdefault(key, answer)
    unknown = [text for key, text in given_up.items() if key not in found]
    return [_problem(list(found.values()))] if found else [], unknown


def _pairs(graph: CallGraph) -> Iterator[tuple[str, Asked, tuple[Member, str] | None]]:
    """Every agent, request and session that may differ; no answer where the budget was spent."""
    world = graph.world
    kept_before = _resumable(graph)
    for caller, fresh in _dispatched(graph):
        for stored, origin in kept_before:
            kept = world.spawner.resume(caller.agent, caller.stored, stored, fresh.agent)
            resumed = State(fresh.agent, kept, 0 if origin == _BY_USER else fresh.depth)
            for asked in asked_of(world):
                if asked.harmless:
                    continue
                try:
                    member = _more(graph, caller, fresh, resumed, asked)
                except SearchLimit:
                    yield fresh.agent, asked, None
                    continue
                if member is not None:
                    yield fresh.agent, asked, (member, _line(member, origin))


def _line(member: Member, origin: str) -> str:
    caller, agent = member.chain
    return (
        f"`{agent}`, resumed by `{caller}` in a session that was {origin}, "
        f"may {member.witness.text}"
    )


def _dispatched(graph: CallGraph) -> Iterator[tuple[State, State]]:
    """Each session that one of a user's may start, with the first that may."""
    seen: set[State] = set()
    for caller in graph.world.roots():
        for fresh in graph.children(caller):
            if fresh not in seen:
                seen.add(fresh)
                yield caller, fresh


_BY_USER = "opened by a user"


def _resumable(graph: CallGraph) -> list[tuple[Ruleset, str]]:
    """The different contents of sessions that a resume may take."""
    any_session = graph.world.spawner.design.resumable is Resume.ANY_SESSION
    found: dict[Ruleset, str] = {(): _BY_USER} if any_session else {}
    for state in graph.states:
        if state.depth or graph.parents(state):
            found.setdefault(state.stored, f"started as `{state.agent}`")
    return list(found.items())


def _more(
    graph: CallGraph, caller: State, fresh: State, resumed: State, asked: Asked
) -> Member | None:
    """A request that the resumed session does not deny, and a new one would.

    Raises `SearchLimit`.
    """
    world = graph.world
    columns = [world.column(state, asked.permission) for state in (fresh, resumed)]
    if columns[0].ls is columns[1].ls or columns[1].hides:
        return None
    if asked.permission == world.task and world.limit is not None and resumed.depth >= world.limit:
        return None
    text = witness([c.ls for c in columns], (frozenset({DENY}), NOT_DENY), asked.kind)
    if text is None:
        return None
    query = request(asked, text)
    sides = [side(world, state, asked, query) for state in (fresh, resumed)]
    return Member((caller.agent, fresh.agent), query, sides[0], sides[1])


def _problem(found: list[tuple[Member, str]]) -> Problem:
    members = tuple(member for member, _ in found)
    agents = list(dict.fromkeys(member.chain[-1] for member in members))
    return Problem(
        id="resume-safe",
        severity=Severity.NOTE,
        message=f"a session that is resumed as another agent keeps the rules it had, so that "
        f"{len(agents)} agent{'' if len(agents) == 1 else 's'} may do more than in a new session",
        members=members,
        details=tuple(line for _, line in found),
        help="that is how the program is made; write the denies into the agents' own blocks",
        subject=", ".join(agents),
        witness=members[0].witness,
        is_property=True,
    )
