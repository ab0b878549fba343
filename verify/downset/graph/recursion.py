"""Agents that can start each other, or themselves, without end.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> config = {"permission": {"task": {"*": "allow"}}}
>>> for name in ("1.17.2", "1.18.2"):
...     graph = CallGraph(World(resolve(config, release(name))))
...     print(name, [problem.members[0].chain for problem in recursion(graph)])
1.17.2 [('build', 'build'), ('general', 'general')]
1.18.2 []
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.graph.records import Member, Problem, Severity, Side, Witness

if TYPE_CHECKING:
    from downset.graph.callgraph import CallGraph
    from downset.graph.sessions import State, World


def recursion(graph: CallGraph) -> list[Problem]:
    """One finding for each group of sessions that lead to each other."""
    return [_problem(graph.world, cycle) for cycle in graph.cycles()]


def _problem(world: World, cycle: list[State]) -> Problem:
    member = _member(world, cycle)
    names = " -> ".join(f"`{name}`" for name in member.chain)
    rule = member.ancestor.rule
    return Problem(
        id="recursion",
        severity=Severity.ERROR,
        message=f"{names} can go on without end: {world.release.name} has no limit to the depth",
        locations=(rule.place,) if rule is not None and rule.place is not None else (),
        members=(member,),
        help=f"deny `{world.task}` to one of them, or use a release with a limit (1.18.2)",
        subject=", ".join(dict.fromkeys(member.chain)),
        witness=member.witness,
        is_property=True,
    )


def _member(world: World, cycle: list[State]) -> Member:
    first, second = world.dispatch(cycle[0], cycle[1].agent), cycle[-2]
    last = world.dispatch(second, cycle[-1].agent)
    return Member(
        chain=tuple(state.agent for state in cycle),
        witness=Witness(world.task, cycle[1].agent),
        ancestor=Side(cycle[0].agent, first.decision.value, first.rule),
        descendant=Side(second.agent, last.decision.value, last.rule),
    )
