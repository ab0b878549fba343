"""What two configurations, or two releases on one, decide differently: who gained, who lost.

Sessions that the same chain of agents leads to are compared, for every chain that both have, every
permission and all resources; changes of one kind are told once, with the shortest chain.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> old, new = ({"permission": {"edit": action}} for action in ("ask", "allow"))
>>> found = diff(*(resolve(config, release("1.18.2")) for config in (old, new)))
>>> [(one.direction, one.chain, one.witness.text, one.old, one.new) for one in found.changes]
[('gain', ('build',), 'edit src/app.ts', 'ask', 'allow')]
>>> diff(*(resolve(old, release("1.18.2")) for _ in "ab")).changes
()
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from downset.graph.pairs import request
from downset.graph.records import Witness
from downset.graph.sessions import World
from downset.language.automata import SearchLimit
from downset.language.lists import GlobList, witness
from downset.language.rules import ALLOW, ASK, DENY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.config.project import Project
    from downset.graph.records import RuleAt
    from downset.graph.sessions import State
    from downset.graph.tools import Asked
    from downset.language.rules import Action

MOST_PAIRS: Final = 4_000
_STEPS: Final = ((DENY, ALLOW), (DENY, ASK), (ASK, ALLOW), (ALLOW, DENY), (ASK, DENY), (ALLOW, ASK))
START: Final = "start"
"""What is "asked" where an agent appears or disappears."""


@dataclass(frozen=True)
class Change:
    """A request that is decided differently, and the shortest chain for which it is."""

    direction: str
    chain: tuple[str, ...]
    witness: Witness
    old: str
    new: str
    old_rule: RuleAt | None = None
    new_rule: RuleAt | None = None
    others: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True)
class Diff:
    """All changes, gains first, and the questions that were given up."""

    releases: tuple[str, str]
    changes: tuple[Change, ...]
    undetermined: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Pair:
    old: State
    new: State
    chain: tuple[str, ...]


@dataclass
class _Comparison:
    old: World
    new: World
    most: int = MOST_PAIRS
    unknown: list[str] = field(default_factory=list)

    def pairs(self) -> Iterator[_Pair]:
        """Sessions that the same chain leads to, each pair once, shortest chains first."""
        new = {state.agent: state for state in self.new.roots()}
        queue = deque(
            _Pair(state, new[state.agent], (state.agent,))
            for state in self.old.roots()
            if state.agent in new
        )
        seen = {(pair.old, pair.new) for pair in queue}
        while queue:
            pair = queue.popleft()
            yield pair
            for below in self._below(pair):
                key = (below.old, below.new)
                if key in seen:
                    continue
                if len(seen) >= self.most:
                    self.unknown.append(f"chains that need more than {self.most} pairs of sessions")
                    return
                seen.add(key)
                queue.append(below)

    def _below(self, pair: _Pair) -> Iterator[_Pair]:
        both = set(self.new.dispatches(pair.new))
        for target in self.old.dispatches(pair.old):
            if target in both:
                old = self.old.child(pair.old, target)
                new = self.new.child(pair.new, target)
                yield _Pair(old, new, (*pair.chain, target))

    def changes(self) -> Iterator[Change]:
        """Every kind of change of every pair."""
        yield from self._agents()
        for pair in self.pairs():
            for asked in self._asked():
                yield from self._changed(pair, asked)

    def _agents(self) -> Iterator[Change]:
        """Agents that users can start in one of the two only."""
        names = [{state.agent for state in world.roots()} for world in (self.old, self.new)]
        for name in sorted(names[1] - names[0]):
            yield Change("gain", (name,), Witness(START, name), "absent", "present")
        for name in sorted(names[0] - names[1]):
            yield Change("loss", (name,), Witness(START, name), "present", "absent")

    def _asked(self) -> list[Asked]:
        """The permissions that both have."""
        shared = {asked.permission for asked in self.old.asked}
        return [asked for asked in self.new.asked if asked.permission in shared]

    def _changed(self, pair: _Pair, asked: Asked) -> Iterator[Change]:
        old, new = self._lists(pair, asked)
        if old is new:
            return
        for before, after in _STEPS:
            try:
                text = witness((old, new), ({before}, {after}), asked.kind)
            except SearchLimit:
                self.unknown.append(f"{asked.permission} of {' -> '.join(pair.chain)}")
                return
            if text is not None:
                yield self._change(pair, asked, text, (before, after))

    def _lists(self, pair: _Pair, asked: Asked) -> list[GlobList]:
        """What decides in each of the two; at the limit of depth no agent can be started."""
        found = []
        for world, state in ((self.old, pair.old), (self.new, pair.new)):
            ls = world.column(state, asked.permission).ls
            if _is_at_limit(world, state, asked):
                ls = GlobList.of(ls.matcher, (("*", DENY),))
            found.append(ls)
        return found

    def _change(
        self, pair: _Pair, asked: Asked, text: str, actions: tuple[Action, Action]
    ) -> Change:
        before, after = actions
        return Change(
            direction="gain" if before < after else "loss",
            chain=pair.chain,
            witness=request(asked, text),
            old=before.value,
            new=after.value,
            old_rule=_deciding(self.old, pair.old, asked, text),
            new_rule=_deciding(self.new, pair.new, asked, text),
        )


def _is_at_limit(world: World, state: State, asked: Asked) -> bool:
    return asked.permission == world.task and not world.may_start(state)


def _deciding(world: World, state: State, asked: Asked, text: str) -> RuleAt | None:
    """The rule that decides; none where it is the limit of depth."""
    if _is_at_limit(world, state, asked):
        return None
    return world.rule_at(state, world.column(state, asked.permission).rule(text))


def diff(old: Project, new: Project, most: int = MOST_PAIRS) -> Diff:
    """Every change from one project to another, in up to `most` pairs of sessions."""
    comparison = _Comparison(World(old), World(new), most)
    groups: dict[tuple[object, ...], list[Change]] = {}
    for change in comparison.changes():
        rules = [rule.text if rule else "" for rule in (change.old_rule, change.new_rule)]
        apart = change.chain if change.witness.permission == START else ()
        key = (change.direction, change.witness.permission, change.old, change.new, *rules, apart)
        groups.setdefault(key, []).append(change)
    changes = [_grouped(group) for group in groups.values()]
    changes.sort(key=lambda change: change.direction)
    releases = (old.release.name, new.release.name)
    return Diff(releases, tuple(changes), tuple(dict.fromkeys(comparison.unknown)))


def _grouped(group: list[Change]) -> Change:
    others = tuple(dict.fromkeys(change.chain for change in group[1:]))
    return replace(group[0], others=others)
