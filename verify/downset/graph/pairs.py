"""Where a session and one that it leads to decide a request differently.

For every session, everything that some chain of dispatches from it leads to, every permission and
all resources; of the sessions of one agent the first that shows it is told.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> graph = CallGraph(World(resolve({}, release("1.18.2"))))
>>> [pair.text for pair in Comparison(graph, {DENY}, NOT_DENY).pairs()][1]
'edit src/app.ts: plan -> build'
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from downset.graph.records import Member, Side, Witness
from downset.graph.tools import UNLISTED
from downset.language.automata import SearchLimit
from downset.language.lists import BUDGET, NOT_DENY, witness
from downset.language.rules import DENY

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from downset.graph.callgraph import CallGraph
    from downset.graph.columns import Column
    from downset.graph.sessions import State, World
    from downset.graph.tools import Asked
    from downset.language.rules import Action

PATIENCE: Final = 10
__all__ = ["DENY", "NOT_DENY", "Comparison", "Pair", "asked_of", "side"]


@dataclass(frozen=True)
class Pair:
    """A session above, one below, and a request that shows the difference."""

    above: State
    below: State
    asked: Asked
    request: Witness
    others: tuple[State, ...] = ()

    @property
    def text(self) -> str:
        """In one line."""
        return f"{self.request.text}: {self.above.agent} -> {self.below.agent}"


@dataclass
class Comparison:
    """All pairs that decide as wanted: the one above in `high`, the one below in `low`."""

    graph: CallGraph
    high: Collection[Action]
    low: Collection[Action]
    unknown: list[str] = field(default_factory=list)
    """Questions that were given up, for a person to read."""
    _known: dict[str, list[str]] = field(default_factory=dict)

    @property
    def world(self) -> World:
        """The agents and their rules."""
        return self.graph.world

    def pairs(self) -> Iterator[Pair]:
        """The first pair for each agent and permission."""
        found: set[tuple[str, str]] = set()
        for state in self.graph.states:
            below = self.graph.below(state)
            for asked in asked_of(self.world) if below else ():
                key = (state.agent, asked.permission)
                pair = None if key in found else self._first(state, below, asked)
                if pair is not None:
                    found.add(key)
                    yield pair

    def _first(self, state: State, below: list[State], asked: Asked) -> Pair | None:
        if not asked.asks and DENY not in self.high:
            return None
        high = self.world.column(state, asked.permission)
        if not any(action in self.high for _, action in high.ls.entries[high.ls.floor :]):
            return None
        seen: set[int] = set()
        for other in below:
            low = self.world.column(other, asked.permission)
            if id(low.ls) in seen or not self._uses(other, asked, low):
                continue
            seen.add(id(low.ls))
            text = self._witness(state, other, asked)
            if text is not None:
                return self._pair(state, other, asked, text, below)
        return None

    def _witness(self, state: State, other: State, asked: Asked) -> str | None:
        """A request that shows it: one that showed it elsewhere, if there is one."""
        high, low = [self.world.column(s, asked.permission).ls for s in (state, other)]
        known = self._known.setdefault(asked.permission, [])
        for text in known:
            if high.decide(text) in self.high and low.decide(text) in self.low:
                return text
        try:
            found = witness((high, low), (self.high, self.low), asked.kind, budget=self._budget)
        except SearchLimit:
            self.unknown.append(f"{asked.permission} of {state.agent} and {other.agent}")
            return None
        if found is not None:
            known.append(found)
        return found

    def _pair(
        self, state: State, other: State, asked: Asked, text: str, below: list[State]
    ) -> Pair:
        found = {state.agent: state, other.agent: other}
        for more in below:
            column = self.world.column(more, asked.permission)
            if more.agent in found or column.decide(text) not in self.low:
                continue
            if self._uses(more, asked, column):
                found[more.agent] = more
        others = tuple(more for more in found.values() if more not in {state, other})
        return Pair(state, other, asked, request(asked, text), others)

    def _uses(self, state: State, asked: Asked, column: Column) -> bool:
        """Whether a session can use the tool at all, whatever its rules say of the resource."""
        if asked.permission == self.world.task:
            return bool(self.graph.children(state))
        if not self.world.spawner.visible_is_agents():
            return not column.hides
        return not self.world.own(state.agent, asked.permission).hides

    @property
    def _budget(self) -> int:
        """Less for each question once several were given up, so that every check ends."""
        return BUDGET if len(self.unknown) < PATIENCE else BUDGET // 30

    def member(self, pair: Pair) -> Member:
        """A pair as plain data, with the shortest chain from a user's session."""
        chain = self.graph.between(pair.above, pair.below)
        whole = self.graph.from_root(pair.above)[:-1] + chain
        step = self.world.dispatch(chain[0], chain[1].agent)
        return Member(
            chain=tuple(state.agent for state in whole),
            witness=pair.request,
            ancestor=side(self.world, pair.above, pair.asked, pair.request),
            descendant=side(self.world, pair.below, pair.asked, pair.request),
            dispatch=Side(chain[0].agent, step.decision.value, step.rule),
            others=tuple(state.agent for state in pair.others),
        )


def asked_of(world: World) -> tuple[Asked, ...]:
    """The permissions of a project, and the one for all tools that are not part of the program."""
    return world.asked


def request(asked: Asked, text: str) -> Witness:
    """What is asked for by a text of the permission's column."""
    return Witness(text, "*") if asked.permission == UNLISTED else Witness(asked.permission, text)


def side(world: World, state: State, asked: Asked, query: Witness) -> Side:
    """What a session decides about a request, and by which rule."""
    text = query.permission if asked.permission == UNLISTED else query.pattern
    column = world.column(state, asked.permission)
    rule = world.rule_at(state, column.rule(text))
    return Side(state.agent, column.decide(text).value, rule)
