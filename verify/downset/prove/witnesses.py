"""A difference between two designs for people: shrunk, and replayed on both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.comparisons import Difference
from downset.language.concrete import Concrete
from downset.prove.gates import session_of
from downset.prove.paths import Told
from downset.prove.refuting import ReadingsDiffer, smallest
from downset.prove.replay import complete, replay
from downset.prove.shrink import Shrinker
from downset.prove.trace import Teller

if TYPE_CHECKING:
    from downset.design.property import Claim
    from downset.design.sessions import Session
    from downset.language.concrete import Assignment
    from downset.prove.gates import Gate, Pair
    from downset.prove.query import Query
    from downset.prove.replay import Replayed


@dataclass(frozen=True)
class Witness:
    """A pair of tellings that may show a difference at a gate, in a direction."""

    pair: Pair
    gate: Gate
    direction: str

    def found(self, query: Query) -> Difference | None:
        """The smallest difference found, `None` if there is none.

        Raises `ReadingsDiffer` if the replay does not confirm what the solver found.
        """
        given = query.solve()
        return None if given is None else self._told(smallest(query, given, self._confirmed))

    def _confirmed(self, given: Assignment) -> Assignment:
        given = self._complete(given)
        if not self.shows(given):
            names = " ".join(told.script.design.id for told in self.pair)
            message = f"{names} {self.gate.id}: the replay does not confirm the solver"
            raise ReadingsDiffer(message)
        return Shrinker(self.shows).shrink(given)

    def _complete(self, given: Assignment) -> Assignment:
        return complete(complete(given, self.pair[0].story), self.pair[1].story)

    def shows(self, given: Assignment) -> bool:
        """Whether both stories happen on real rules, and end differently in this direction."""
        replayed = self._replayed(given)
        if not all(one.happens for one in replayed):
            return False
        again = tuple(
            Told(told.script, one.story, one.claim)
            for told, one in zip(self.pair, replayed, strict=True)
        )
        pair: Pair = again[0], again[1]
        formula = self.gate.gain(pair) if self.direction == "gain" else self.gate.loss(pair)
        return Concrete(given, self.pair[1].script.design.matcher).formula(formula)

    def _replayed(self, given: Assignment) -> list[Replayed]:
        return [replay(told.script, given) for told in self.pair]

    def _told(self, given: Assignment) -> Difference:
        old, new = (
            Teller(told.script, one)
            for told, one in zip(self.pair, self._replayed(given), strict=True)
        )
        agents = [agent for agent in new.told.story.agents if new.takes_part(agent)]
        return Difference(
            direction=self.direction,
            event=self.pair[1].script.prop.id,
            gate=self.gate.id,
            chain=tuple(new.name(s.agent) for s in stack(ending(new))),
            query=self.gate.asked(new),
            old=self.gate.outcome(old),
            new=self.gate.outcome(new),
            agents=tuple(new.agent(agent, None) for agent in agents),
            old_events=tuple(old.event(event) for event in old.told.story.events),
            new_events=tuple(new.event(event) for event in new.told.story.events),
            settings=tuple(dict.fromkeys((*old.settings(), *new.settings()))),
        )


def ending(teller: Teller) -> Session:
    """The session that a replayed story is about."""
    claim: Claim = teller.told.claim
    return session_of(Told(teller.script, teller.told.story, claim))


def stack(session: Session) -> list[Session]:
    """A session and those that called it, the first one first."""
    above = [] if session.caller is None else stack(session.caller)
    return [*above, session]
