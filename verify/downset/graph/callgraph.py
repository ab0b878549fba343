"""The call graph of a configuration, and the questions to it: the only home of networkx.

Nodes are sessions (`sessions.State`); an edge is a dispatch that is not denied.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> graph = CallGraph(World(resolve({}, release("1.18.2"))))
>>> [state.agent for state in graph.chain(graph.world.roots()[1], "explore")]
['plan', 'explore']
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import networkx as nx

from downset.graph.sessions import State, World

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["CallGraph", "State", "World"]

MOST_STATES: Final = 4_000


@dataclass(frozen=True, eq=False)
class Component:
    """Sessions that lead to each other, and everything that they lead to."""

    states: tuple[State, ...]
    below: frozenset[State]


class CallGraph:
    """All sessions that users can bring about by starting an agent, up to `MOST_STATES`."""

    def __init__(self, world: World, most: int = MOST_STATES) -> None:
        self.world = world
        self.graph: nx.DiGraph[State] = nx.DiGraph()
        self.cut = False
        """Whether there are more sessions than were looked at."""
        self._explore(most)

    def _explore(self, most: int) -> None:
        """Breadth first, so that what is cut off is what takes the longest chains."""
        queue = deque(self.world.roots())
        self.graph.add_nodes_from(queue)
        while queue:
            state = queue.popleft()
            for target in self.world.dispatches(state):
                child = self.world.child(state, target)
                if child not in self.graph:
                    if len(self.graph) >= most:
                        self.cut = True
                        continue
                    queue.append(child)
                self.graph.add_edge(state, child)

    @property
    def states(self) -> list[State]:
        """All sessions, those nearest to a user first."""
        return list(self.graph)

    def children(self, state: State) -> list[State]:
        """The sessions that one may start."""
        return list(self.graph.successors(state))

    def parents(self, state: State) -> list[State]:
        """The sessions that may start one."""
        return list(self.graph.predecessors(state))

    @cached_property
    def _components(self) -> dict[State, Component]:
        """For every session, those that lead to each other with it and what they lead to."""
        condensed: nx.DiGraph[int] = nx.condensation(self.graph)
        found: dict[int, Component] = {}
        for node in reversed(list(nx.topological_sort(condensed))):
            members: tuple[State, ...] = tuple(condensed.nodes[node]["members"])
            below = {s for child in condensed.successors(node) for s in found[child].states}
            below |= {s for child in condensed.successors(node) for s in found[child].below}
            if len(members) > 1 or self.graph.has_edge(members[0], members[0]):
                below |= set(members)
            found[node] = Component(members, frozenset(below))
        return {state: part for part in found.values() for state in part.states}

    def below(self, state: State) -> list[State]:
        """Every session that some chain of dispatches leads to, the nearest first."""
        near = dict.fromkeys(self.graph.successors(state))
        far = self._components[state].below - near.keys()
        return [*near, *sorted(far, key=self._order.__getitem__)]

    @cached_property
    def _order(self) -> dict[State, int]:
        return {state: number for number, state in enumerate(self.graph)}

    def from_root(self, state: State) -> list[State]:
        """A shortest chain from a session that a user opens."""
        return self._from_roots[state]

    @cached_property
    def _from_roots(self) -> dict[State, list[State]]:
        roots = self.world.roots()
        if not roots:
            return {}
        chains: dict[State, list[State]] = nx.multi_source_dijkstra_path(
            self.graph, roots, weight=lambda _from, _to, _edge: 1
        )
        return chains

    def between(self, start: State, end: State) -> list[State]:
        """A shortest chain of at least one dispatch."""
        if start != end or self.graph.has_edge(start, start):
            path: list[State] = nx.shortest_path(self.graph, start, end)
            return [*path, end] if start == end else path
        inside = set(self._components[start].states)
        children = [child for child in self.children(start) if child in inside]
        return [start, *min((self.between(child, end) for child in children), key=len)]

    def chain(self, start: State, agent: str) -> list[State]:
        """A shortest chain to a session of an agent; empty if there is none."""
        ends = [state for state in self.below(start) if state.agent == agent]
        return min((self.between(start, end) for end in ends), key=len, default=[])

    def reaches_root(self, state: State, through: Callable[[State], bool]) -> list[State]:
        """A chain from a root to a session, all of whose sessions satisfy a condition.

        Empty if there is none.
        """
        roots = set(self.world.roots())
        came_from: dict[State, State | None] = {state: None}
        queue = deque([state] if through(state) else [])
        while queue:
            current = queue.popleft()
            if current in roots:
                return list(_trail(came_from, current))
            for parent in self.graph.predecessors(current):
                if parent not in came_from and through(parent):
                    came_from[parent] = current
                    queue.append(parent)
        return []

    def cycles(self) -> list[list[State]]:
        """One shortest cycle for each group of sessions that lead to each other."""
        parts = dict.fromkeys(self._components.values())
        found = []
        for part in parts:
            if part.states[0] in part.below:
                state = min(part.states, key=self._order.__getitem__)
                found.append(self.between(state, state))
        return found


def _trail(came_from: dict[State, State | None], start: State) -> Iterable[State]:
    current: State | None = start
    while current is not None:
        yield current
        current = came_from[current]
