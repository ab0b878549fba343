"""Proving one property of one design, or refuting it with the shortest story found.

Short stories are tried first. If none refutes the property, it is proved for arbitrary sessions:
rulesets of any length through the cutoff, any depth through a fact that every dispatch passes on
(or all combinations of facts that dispatches reach). Whatever is left is said to be bounded.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from downset.design.property import Descent, premise, violation
from downset.design.source import refuse_asides
from downset.design.story import Reach
from downset.design.traits import traits
from downset.language.concrete import Assignment
from downset.language.terms import And
from downset.prove.argument import DEEPEST, Argument, descent, premises
from downset.prove.blame import Blame
from downset.prove.deciding import Ledger
from downset.prove.induction import candidates
from downset.prove.query import Undecided
from downset.prove.reachability import reached
from downset.prove.refuting import Refutation, refutation
from downset.prove.rendering import misread
from downset.prove.stories import Stories
from downset.verdicts import Scope, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.design.design import Design
    from downset.design.property import Claim, Property
    from downset.design.rendering import Rendering
    from downset.design.story import Story
    from downset.prove.argument import Obligation
    from downset.prove.paths import Told
    from downset.prove.replay import Script

TRIED_FIRST = 2
VACUOUS = "what the property is about can never happen"


def prove(
    design: Design,
    prop: Property,
    *,
    events: tuple[str, ...] | None = None,
    timeout: float = 30.0,
    solver: str = "z3",
) -> Verdict:
    """The verdict for one design and one property.

    `events` narrows what may happen (`None`: all of the property's events); sessions are always
    opened, and a dispatch always sends its prompt. `timeout` is in seconds, for each obligation;
    `solver` is `z3`, `cvc5` or `both`. Raises `InputError` if the design's or the property's own
    code fails, naming the line, and `SolversDisagree` if two solvers do.

    >>> from downset.catalogue import load_model, load_properties
    >>> model, prop = load_model("baseline/independent"), load_properties()["no-escalation"]
    >>> prove(model, prop).status.value
    'violated'
    """
    return prove_with_evidence(Stories(design, prop, events), timeout=timeout, solver=solver)[0]


def prove_with_evidence(
    stories: Stories, *, timeout: float = 30.0, solver: str = "z3"
) -> tuple[Verdict, Evidence]:
    """The verdict about some stories, and what it rests on. Raises as `prove` does."""
    started = perf_counter()
    proof = Proof(stories, Ledger(timeout, solver))
    refuse_asides(stories.design)
    with Blame(stories.design, stories.prop):
        verdict = proof.verdict()
    return replace(verdict, seconds=perf_counter() - started), proof.evidence


@dataclass
class Evidence:
    """What a verdict rests on: an argument, a story in which the premise happens, a refutation."""

    argument: Argument = field(default_factory=lambda: Argument("none"))
    premise: tuple[Script, Assignment] | None = None
    refutation: Refutation | None = None


@dataclass
class Proof:
    """The attempt to prove one property of one design."""

    stories: Stories
    ledger: Ledger
    evidence: Evidence = field(default_factory=Evidence)
    gave_up: str = ""

    @property
    def design(self) -> Design:
        """The design."""
        return self.stories.design

    @property
    def prop(self) -> Property:
        """The property."""
        return self.stories.prop

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
        tellings = self.stories.told(Reach.ROOT)
        shortest, others = tellings[:TRIED_FIRST], tellings[TRIED_FIRST:]
        if self._refuted(shortest):
            return self._verdict(Status.VIOLATED)
        proved = self._surely_proved()
        if not proved and self._refuted(others):
            return self._verdict(Status.VIOLATED)
        if not self._premise_possible():
            self.evidence.argument = Argument("vacuity")
            return self._verdict(Status.VACUOUS, VACUOUS)
        if proved:
            return self._verdict(Status.PROVED)
        for reach, more in self._longer_stories():
            if self._refuted(self.stories.told(reach, more)):
                return self._verdict(Status.VIOLATED)
        if self.gave_up:
            return self._verdict(Status.UNKNOWN, self.gave_up)
        self.evidence.argument = Argument("bound")
        reason = self.ledger.bounded or "no argument found that covers every depth"
        return self._verdict(Status.BOUNDED, reason)

    def _surely_proved(self) -> bool:
        self.ledger.bounded = self.ledger.bounded or traits(self.design).irregular
        if self.ledger.bounded:
            return False
        try:
            argument = self._proved()
        except Undecided as gave_up:
            self.gave_up = str(gave_up)
            return False
        if argument is None or self.ledger.bounded:
            return False
        self.evidence.argument = argument
        return True

    # --- refuting ---

    def _refuted(self, tellings: list[Told[Claim]]) -> bool:
        found = (self._refutation(told) for told in tellings)
        self.evidence.refutation = next((one for one in found if one is not None), None)
        return self.evidence.refutation is not None

    def _refutation(self, told: Told[Claim]) -> Refutation | None:
        if told.result.rendering is not None:
            values = self._misread(told.result.rendering)
            result = None if values is None else tuple(values.items())
            return None if result is None else Refutation(told.script, Assignment(), result)
        query = self.ledger.query(violation(told.story, told.result), self.design.matcher)
        found = refutation(told.script, query, And(tuple(told.story.checks)))
        if found is None:
            self._note_bounds(told.story)
        return found

    def _misread(self, rendering: Rendering) -> dict[str, str] | None:
        self.ledger.obligations += 1
        return misread(rendering, self.ledger.timeout, self.ledger.solver)

    def _note_bounds(self, story: Story) -> None:
        self.ledger.bounded = story.bounded or self.ledger.bounded

    def _longer_stories(self) -> Iterator[tuple[Reach, int]]:
        if isinstance(self.prop, Descent):
            for more in range(1, DEEPEST + 1):
                yield Reach.ROOT, more
        yield Reach.CHILD, 0

    # --- proving ---

    def _premise_possible(self) -> bool:
        for told in premises(self.stories):
            formula = premise(told.story, told.result)
            given = self.ledger.solve(formula, self.design.matcher)
            if given is not None:
                self.evidence.premise = told.script, given
                return True
        return False

    def _proved(self) -> Argument | None:
        arguments = self._down_the_stack if isinstance(self.prop, Descent) else self._one_dispatch
        return next((argument for argument in arguments() if self._holds(argument)), None)

    def _holds(self, argument: Argument) -> bool:
        return all(map(self._met, argument.obligations(self.stories)))

    def _met(self, obligation: Obligation) -> bool:
        if obligation.rendering is not None:
            return self._misread(obligation.rendering) is None
        self.ledger.bounded = obligation.bounded or self.ledger.bounded
        return self.ledger.solve(obligation.formula, self.design.matcher) is None

    def _one_dispatch(self) -> Iterator[Argument]:
        for reach in self.stories.reaches():
            yield Argument("dispatch", reach)

    def _down_the_stack(self) -> Iterator[Argument]:
        prop = descent(self.stories)
        for reach in self.stories.reaches():
            for place, _ in enumerate(candidates(prop)):
                yield Argument("descent", reach, place)
        for reach in self.stories.reaches():
            states = reached(self.stories.scripts(reach), prop, self.ledger)
            if states is not None:
                yield Argument("combinations", reach, states=tuple(sorted(states)))

    # --- verdicts ---

    def _verdict(self, status: Status, reason: str = "") -> Verdict:
        refuted = self.evidence.refutation
        return Verdict(
            self.design.id,
            self.prop.id,
            status,
            self._scope(status),
            reason,
            None if refuted is None else refuted.counterexample(),
        )

    def _scope(self, status: Status) -> Scope:
        bounded = status is Status.BOUNDED
        proved = status is Status.PROVED
        return Scope(
            rules=f"up to {self._bound()}" if bounded else "any length",
            depth=f"up to {DEEPEST + 1}" if bounded else "any",
            events=self.stories.events,
            cutoff=tuple(sorted(self.ledger.cutoffs.items())),
            argument=self.evidence.argument.sentence(self.stories) if proved else "",
            obligations=self.ledger.obligations,
        )

    def _bound(self) -> str:
        longest = max(self.ledger.cutoffs.values(), default=0)
        return f"{longest} rules each" if self.ledger.bounded else "any length"
