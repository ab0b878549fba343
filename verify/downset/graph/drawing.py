"""The call graph of agents as plain data, to be drawn: what an agent can do, and who starts whom.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> picture = drawing(CallGraph(World(resolve({}, release("1.18.2")))))
>>> [(box.name, box.level, box.powers) for box in picture.boxes][:2]
[('build', 0, ('write', 'shell', 'network')), ('plan', 0, ('write some', 'shell', 'network'))]
>>> [(arrow.source, arrow.target, arrow.red) for arrow in picture.arrows][:2]
[('build', '(any agent)', False), ('plan', 'build', True)]
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from downset.graph.escalations import no_escalation
from downset.graph.records import Severity
from downset.graph.sessions import State, is_for_users, placed_rule
from downset.graph.tools import shell_name
from downset.language.automata import SearchLimit
from downset.language.kinds import ADDRESS, COMMAND, PATH
from downset.language.lists import witness
from downset.language.rules import ALLOW

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.graph.callgraph import CallGraph
    from downset.graph.records import Member, RuleAt
    from downset.graph.sessions import World
    from downset.language.kinds import Kind

ANY: Final = "(any agent)"


@dataclass(frozen=True)
class Box:
    """An agent: the level it is drawn on, and what it can do without asking."""

    name: str
    level: int
    mode: str
    for_users: bool
    native: bool
    powers: tuple[str, ...]
    rules: tuple[RuleAt, ...]


@dataclass(frozen=True)
class Arrow:
    """Sessions of one agent may start another; `red` if that gets around a deny."""

    source: str
    target: str
    decision: str
    rule: RuleAt | None
    red: bool = False
    note: str = ""


@dataclass(frozen=True)
class Drawing:
    """A picture; `paths` are the chains that get around a deny."""

    title: str
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]
    paths: tuple[Member, ...] = ()


def drawing(graph: CallGraph) -> Drawing:
    """The picture of a call graph; hidden agents of the program are left out."""
    world = graph.world
    found, _ = no_escalation(graph)
    members = tuple(member for problem in found for member in problem.members)
    serious = {m for p in found if p.severity is not Severity.NOTE for m in p.members}
    marked = _marked([member for member in members if member in serious] or list(members))
    names = [n for n, agent in world.agents.items() if not (agent.native and agent.hidden)]
    arrows = list(_arrows(graph, names, marked))
    levels = _levels(graph)
    boxes = [_box(world, name, levels.get(name, 1)) for name in names]
    if any(arrow.target == ANY for arrow in arrows):
        boxes.append(Box(ANY, 1, "", for_users=False, native=True, powers=(), rules=()))
    return Drawing(world.release.name, tuple(boxes), tuple(arrows), members)


def _marked(members: list[Member]) -> dict[tuple[str, str], str]:
    """The steps of chains that get around a deny, and what for."""
    found: dict[tuple[str, str], str] = {}
    for member in members:
        start = member.chain.index(member.ancestor.agent)
        chain = member.chain[start:]
        for step in pairwise(chain):
            found.setdefault(step, f"{member.ancestor.agent} denies {member.witness.text}")
    return found


def _arrows(
    graph: CallGraph, names: list[str], marked: dict[tuple[str, str], str]
) -> Iterator[Arrow]:
    """Who may start whom; one arrow to "any" where one rule permits every agent."""
    for name in names:
        states = [state for state in graph.states if state.agent == name]
        found: dict[str, Arrow] = {}
        for state in states:
            for arrow in _of_state(graph, state, names, marked):
                found.setdefault(arrow.target, arrow)
        yield from _shortened(name, list(found.values()), len(names))


def _of_state(
    graph: CallGraph, state: State, names: list[str], marked: dict[tuple[str, str], str]
) -> Iterator[Arrow]:
    for child in graph.children(state):
        if child.agent in names:
            step = graph.world.dispatch(state, child.agent)
            note = marked.get((state.agent, child.agent), "")
            yield Arrow(state.agent, child.agent, step.decision.value, step.rule, bool(note), note)


def _shortened(name: str, arrows: list[Arrow], count: int) -> list[Arrow]:
    rules = {(arrow.decision, arrow.rule) for arrow in arrows}
    if len(arrows) < count or len(rules) != 1 or count <= 1:
        return arrows
    kept = [arrow for arrow in arrows if arrow.red]
    return [*kept, Arrow(name, ANY, arrows[0].decision, arrows[0].rule)]


def _levels(graph: CallGraph) -> dict[str, int]:
    """How many dispatches an agent is away from a user."""
    found: dict[str, int] = {}
    for state in graph.states:
        level = len(graph.from_root(state)) - 1
        found[state.agent] = min(level, found.get(state.agent, level))
    return found


def _box(world: World, name: str, level: int) -> Box:
    agent = world.agents[name]
    return Box(
        name=name,
        level=level,
        mode=agent.mode,
        for_users=is_for_users(agent),
        native=agent.native,
        powers=tuple(_powers(world, name)),
        rules=tuple(placed_rule(rule) for rule in agent.rules),
    )


def _powers(world: World, name: str) -> Iterator[str]:
    """What an agent can do without asking anyone: mostly, or in some cases."""
    shell = shell_name(world.release)
    for power, permission, kind in (
        ("write", "edit", PATH),
        ("shell", shell, COMMAND),
        ("network", "webfetch", ADDRESS),
    ):
        extent = _extent(world, name, permission, kind)
        if extent is not None:
            yield power + extent


def _extent(world: World, name: str, permission: str, kind: Kind) -> str | None:
    column = world.column(State(name), permission)
    if column.hides:
        return None
    if column.decide(kind.prefer[0]) is ALLOW:
        return ""
    try:
        found = witness((column.ls,), ({ALLOW},), kind)
    except SearchLimit:
        return " some"
    return None if found is None else " some"
