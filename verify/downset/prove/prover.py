"""Proving one property of one design, or refuting it with the shortest story found.

Short stories are tried first. If none refutes the property, it is proved for arbitrary sessions:
rulesets of any length through the cutoff, any depth through a fact that every dispatch passes on
(or all combinations of facts that dispatches reach). Whatever is left is said to be bounded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

from downset.design.property import SPAWN_EVENTS, Descent, premise, violation
from downset.design.source import refuse_asides
from downset.design.story import Reach
from downset.design.traits import traits
from downset.language.terms import And
from downset.prove.blame import Blame
from downset.prove.deciding import Ledger
from downset.prove.induction import carried_by, unsatisfiable
from downset.prove.paths import all_told
from downset.prove.query import Undecided
from downset.prove.reachability import reaches_no_violation
from downset.prove.refuting import counterexample
from downset.prove.rendering import forgery
from downset.prove.replay import Script
from downset.verdicts import Scope, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.design.design import Design
    from downset.design.property import Claim, Property
    from downset.design.story import Story
    from downset.language.terms import Formula
    from downset.prove.paths import Told
    from downset.verdicts import Counterexample

DEEPEST = 3
TRIED_FIRST = 2
ALWAYS_HAPPEN = ("open", "prompt")
MERGED = (
    (),
    (("callee", "caller"), ("below", "middle"), ("callee 2", "caller"), ("earlier", "caller")),
    (("earlier", "callee"), ("callee 2", "callee"), ("other caller", "caller")),
    (("earlier", "caller"), ("callee 2", "caller")),
    (("earlier", "caller"), ("callee 2", "callee")),
)
"""Agents that may be one agent; those not named differ from all others."""


def prove(
    design: Design,
    prop: Property,
    *,
    events: tuple[str, ...] | None = None,
    timeout: float = 30.0,
) -> Verdict:
    """The verdict for one design and one property.

    `events` narrows what may happen (`None`: all of the property's events); sessions are always
    opened, and a dispatch always sends its prompt. `timeout` is in seconds, for each obligation.
    Raises `InputError` if the design's or the property's own code fails, naming the line.

    >>> from downset.catalogue import load_model, load_properties
    >>> model, prop = load_model("baseline/independent"), load_properties()["no-escalation"]
    >>> prove(model, prop).status.value
    'violated'
    """
    started = perf_counter()
    proof = Proof(design, prop, events, Ledger(timeout))
    refuse_asides(design)
    with Blame(design, prop):
        verdict = proof.verdict()
    return replace(verdict, seconds=perf_counter() - started)


@dataclass
class Proof:
    """The attempt to prove one property of one design."""

    design: Design
    prop: Property
    events: tuple[str, ...] | None
    ledger: Ledger
    argument: str = ""
    gave_up: str = ""

    def verdict(self) -> Verdict:
        """Not applicable, violated, vacuous, proved, bounded or unknown."""
        reason = self.prop.needs(self.design)
        if reason:
            return self._verdict(Status.NOT_APPLICABLE, reason)
        try:
            return self._decide()
        except Undecided as gave_up:
            return self._verdict(Status.UNKNOWN, str(gave_up))

    def _decide(self) -> Verdict:
        tellings = self._told(Reach.ROOT, 0)
        shortest, others = tellings[:TRIED_FIRST], tellings[TRIED_FIRST:]
        found = self._refuted(shortest)
        if found is not None:
            return self._violated(found)
        proved = self._surely_proved()
        found = None if proved else self._refuted(others)
        if found is not None:
            return self._violated(found)
        if not self._premise_possible():
            return self._verdict(Status.VACUOUS, "what the property is about can never happen")
        if proved:
            return self._verdict(Status.PROVED)
        for reach, more in self._longer_stories():
            found = self._refuted(self._told(reach, more))
            if found is not None:
                return self._violated(found)
        if self.gave_up:
            return self._verdict(Status.UNKNOWN, self.gave_up)
        reason = self.ledger.bounded or "no argument found that covers every depth"
        return self._verdict(Status.BOUNDED, reason)

    def _surely_proved(self) -> bool:
        self.ledger.bounded = self.ledger.bounded or traits(self.design).irregular
        if self.ledger.bounded:
            return False
        try:
            return self._proved() and not self.ledger.bounded
        except Undecided as gave_up:
            self.gave_up = str(gave_up)
            return False

    # --- refuting ---

    def _script(self, reach: Reach, more: int = 0) -> Script:
        allowed = None if self.events is None else frozenset((*self.events, *ALWAYS_HAPPEN))
        return Script(self.design, self.prop, reach, more, allowed=allowed)

    def _told(self, reach: Reach, more: int) -> list[Told[Claim]]:
        return all_told(self._scripts(reach, more), self.prop.claim)

    def _scripts(self, reach: Reach, more: int = 0) -> list[Script]:
        """The ways to tell stories: where the design can tell, with agents that are the same."""
        script = self._script(reach, more)
        merged = MERGED if traits(self.design).tells_agents else ((),)
        return [replace(script, same=same) for same in merged]

    def _refuted(self, tellings: list[Told[Claim]]) -> Counterexample | None:
        for told in tellings:
            if told.result.rendering is not None:
                return self._forged(told)
            formula = violation(told.story, told.result)
            query = self.ledger.query(formula, self.design.matcher)
            found = counterexample(told.script, query, And(tuple(told.story.checks)))
            if found is not None:
                return found
            self._note_bounds(told.story)
        return None

    def _forged(self, told: Told[Claim]) -> Counterexample | None:
        self.ledger.obligations += 1
        return forgery(told, self.ledger.timeout)

    def _note_bounds(self, story: Story) -> None:
        if story.bounded:
            self.ledger.bounded = story.bounded

    def _longer_stories(self) -> Iterator[tuple[Reach, int]]:
        if isinstance(self.prop, Descent):
            for more in range(1, DEEPEST + 1):
                yield Reach.ROOT, more
        yield Reach.CHILD, 0

    # --- proving ---

    def _premise_possible(self) -> bool:
        return any(
            self.ledger.solve(premise(told.story, told.result), self.design.matcher) is not None
            for reach in (Reach.ROOT, Reach.CHILD)
            for told in self._told(reach, 0)
        )

    def _proved(self) -> bool:
        if isinstance(self.prop, Descent):
            return self._proved_down_the_stack(self.prop)
        self.argument = "one dispatch by an arbitrary session stands for every depth"
        return any(self._holds_of(reach) for reach in self._reaches())

    def _holds_of(self, reach: Reach) -> bool:
        def fails(story: Story) -> list[Formula]:
            claim = self.prop.claim(story)
            self._note_bounds(story)
            return [violation(story, claim)]

        return unsatisfiable(self._scripts(reach), fails, self.ledger)

    def _reaches(self) -> list[Reach]:
        events = self._events()
        return [Reach.ANY, Reach.SPAWNED] if set(events) <= set(SPAWN_EVENTS) else [Reach.ANY]

    def _proved_down_the_stack(self, prop: Descent) -> bool:
        for reach in self._reaches():
            fact = carried_by(self._scripts(reach), prop, self.ledger)
            if fact is not None:
                said = fact[:1].lower() + fact[1:].rstrip(".")
                self.argument = f"every dispatch by an arbitrary session passes on that {said}"
                return True
        for reach in self._reaches():
            if reaches_no_violation(self._scripts(reach), prop, self.ledger):
                self.argument = "all combinations of facts that dispatches reach have it"
                return True
        return False

    # --- verdicts ---

    def _violated(self, found: Counterexample) -> Verdict:
        return replace(self._verdict(Status.VIOLATED), counterexample=found)

    def _verdict(self, status: Status, reason: str = "") -> Verdict:
        proved = status is Status.PROVED
        bounded = status is Status.BOUNDED
        scope = Scope(
            rules=f"up to {self._bound()}" if bounded else "any length",
            depth=f"up to {DEEPEST + 1}" if bounded else "any",
            events=self._events(),
            cutoff=tuple(sorted(self.ledger.cutoffs.items())),
            argument=self.argument if proved else "",
            obligations=self.ledger.obligations,
        )
        return Verdict(self.design.id, self.prop.id, status, scope, reason)

    def _events(self) -> tuple[str, ...]:
        there = [event for event in self.prop.events if event not in absent(self.design)]
        if self.events is None:
            return tuple(there)
        asked = {*self.events, *ALWAYS_HAPPEN}
        return tuple(event for event in there if event in asked)

    def _bound(self) -> str:
        longest = max(self.ledger.cutoffs.values(), default=0)
        return f"{longest} rules each" if self.ledger.bounded else "any length"


def absent(design: Design) -> set[str]:
    """The events of modes and shared rules that a design does not have.

    >>> from downset.design.design import Design
    >>> sorted(absent(Design()))
    ['mode', 'share']
    """
    there = {"mode": design.changes_mode, "share": design.shares_rules}
    return {event for event, possible in there.items() if not possible}
