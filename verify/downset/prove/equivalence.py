"""Whether two designs decide alike after every history: a bisimulation in one step.

Take any session in any state. If both designs decide alike in it, permit the same dispatches, and
every event leaves rules that cannot be told apart (`prove/alike.py`), then by induction over
events they decide alike after every history: each design treats rules that cannot be told apart
alike, since all that it computes comes from observations of last rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.design.story import Reach
from downset.design.traits import traits
from downset.prove.alike import looks_for_first
from downset.prove.deciding import Ledger
from downset.prove.gates import gates, session_of, states
from downset.prove.query import Undecided
from downset.prove.settings import settings
from downset.prove.shapes import shapes
from downset.prove.sides import Sides, possible

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from downset.design.design import Design
    from downset.language.terms import Formula
    from downset.prove.gates import Pair
    from downset.prove.shapes import Shape

    Ask = Callable[[Pair], Formula]


@dataclass(frozen=True)
class Equivalence:
    """The question whether two designs decide alike after every history."""

    old: Design
    new: Design
    timeout: float = 30.0

    def holds(self) -> bool:
        """Whether it is proved; false says nothing."""
        if not self._comparable():
            return False
        ledger = Ledger(self.timeout)
        try:
            return all(self._alike(shape, ledger) for shape in shapes(self.old, self.new))
        except Undecided:
            return False

    def _comparable(self) -> bool:
        """Whether the same events can happen, and one step stands for all."""
        designs = (self.old, self.new)
        if settings(*designs) or self.old.reads_callers != self.new.reads_callers:
            return False
        rows = any(traits(design).tells_rows for design in designs)
        if rows and self.old.row_agent_follows != self.new.row_agent_follows:
            return False
        return not any(traits(design).irregular for design in designs)

    def leaves_alike(self, shape: Shape) -> bool:
        """Whether an event is proved to leave rules that cannot be told apart."""
        if any(traits(design).irregular for design in (self.old, self.new)):
            return False
        ledger, sides = Ledger(self.timeout), Sides(self.old, self.new, shape)
        try:
            return all(self._same(pair, states(), ledger) for pair in sides.told(Reach.ANY))
        except Undecided:
            return False

    def _alike(self, shape: Shape, ledger: Ledger) -> bool:
        """Whether an event leaves two sessions alike, told of any session and of opened ones."""
        sides = Sides(self.old, self.new, shape)
        reaches = [Reach.ANY, Reach.ROOT] if shape.id in {"open", "spawn"} else [Reach.ANY]
        asked = list(states())
        for gate in gates(self.old, self.new):
            asked += [gate.gain, gate.loss]
        return all(
            self._same(pair, asked, ledger) for reach in reaches for pair in sides.told(reach)
        )

    def _same(self, pair: Pair, asked: Sequence[Ask], ledger: Ledger) -> bool:
        if not self._same_place(pair):
            return False
        formulas = [possible(pair, ask(pair)) for ask in asked]
        unsatisfiable = all(
            ledger.solve(formula, self.new.matcher) is None
            for formula in formulas
            if formula is not None
        )
        return unsatisfiable and not ledger.bounded

    def _same_place(self, pair: Pair) -> bool:
        """Whether two sessions run the same agent, below the same callers, at the same depth."""
        one, two = map(session_of, pair)
        places = [(s.agent.label, s.depth, s.caller is None, s.dispatched) for s in (one, two)]
        firsts = [looks_for_first((s.stored, s.tools)) for s in (one, two)]
        decided = [
            (d.decide(s, pair[0].result.query), d.effective(s))  # type: ignore[arg-type]
            for d, s in zip((self.old, self.new), (one, two), strict=True)
        ]
        return places[0] == places[1] and not any(firsts) and not looks_for_first(tuple(decided))
