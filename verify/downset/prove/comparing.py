"""Comparing two designs: who permits more, at each gate after each event, for all rulesets.

Both designs are told the same story about the same rulesets, agents and questions; one formula
says that the new one permits more at the end. Witnesses are looked for among stories that begin
with sessions that users open, and replayed on both designs. Where there is none, a story about a
session in *any* state, the same under both, shows that there is none for any depth and history.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from downset.comparisons import Cell, Comparison, Relation
from downset.design.source import refuse_asides
from downset.design.story import Reach
from downset.design.traits import traits
from downset.prove.deciding import Ledger
from downset.prove.equivalence import Equivalence
from downset.prove.gates import gates
from downset.prove.query import Undecided
from downset.prove.settings import alike_matchers, settings
from downset.prove.shapes import APPROVE, shapes
from downset.prove.sides import Sides, possible
from downset.prove.witnesses import Witness

if TYPE_CHECKING:
    from downset.comparisons import Difference
    from downset.design.design import Design
    from downset.language.terms import Formula
    from downset.prove.gates import Gate, Pair
    from downset.prove.shapes import Shape

DIRECTIONS = ("gain", "loss")


def compare(old: Design, new: Design, *, timeout: float = 30.0) -> Comparison:
    """Every gate after every event. `timeout` is in seconds, for each formula.

    Raises `InputError` if a design's own code fails.

    >>> from downset.catalogue import load_model
    >>> model = load_model("baseline/independent")
    >>> compare(model, model).equivalent
    True
    """
    started = perf_counter()
    for design in (old, new):
        refuse_asides(design)
    comparison = Comparing(*alike_matchers(old, new), timeout).comparison()
    told = (*settings(old, new), *comparison.settings)
    equivalent = comparison.equivalent and not told
    seconds = perf_counter() - started
    return replace(comparison, settings=told, equivalent=equivalent, seconds=seconds)


@dataclass
class Comparing:
    """The comparison of two designs that read globs alike."""

    old: Design
    new: Design
    timeout: float
    unknown: list[str] = field(default_factory=list)

    def comparison(self) -> Comparison:
        """All cells, and whether the designs are equivalent."""
        if Equivalence(self.old, self.new, self.timeout).holds():
            return Comparison(self.old.id, self.new.id, equivalent=True, cells=(), differences=())
        cells, differences = [], []
        for shape in shapes(self.old, self.new):
            for gate, found in self.found(shape).items():
                cells.append(self._cell(shape, gate, found))
                differences += found
        return Comparison(
            self.old.id,
            self.new.id,
            equivalent=False,
            cells=tuple(cells),
            differences=tuple(differences),
            undetermined=tuple(self.unknown),
        )

    def _cell(self, shape: Shape, gate: str, found: list[Difference]) -> Cell:
        kinds = {difference.direction for difference in found}
        relation = Relation.of(gains="gain" in kinds, losses="loss" in kinds)
        open_ = [what for what in self.unknown if what.startswith(f"{shape.id}, {gate}:")]
        if open_ and relation is not Relation.INCOMPARABLE:
            relation = Relation.UNDETERMINED
        return Cell(shape.id, gate, relation, "; ".join(open_))

    def first(self) -> Difference | None:
        """The first difference found, events in their order; `None` if none was."""
        for shape in shapes(self.old, self.new):
            for found in self.found(shape, enough=1).values():
                if found:
                    return found[0]
        return None

    def found(self, shape: Shape, enough: int = 2) -> dict[str, list[Difference]]:
        """Up to one witness for each direction of each gate after an event.

        An event that leaves rules that cannot be told apart adds nothing to what is found without
        it.
        """
        approves = shape.id.startswith(APPROVE)
        apart = shape.id == "open" or approves or not self._leaves_alike(shape)
        sides = Sides(self.old, self.new, shape)
        result: dict[str, list[Difference]] = {}
        for gate in gates(self.old, self.new):
            known = result.setdefault(gate.id, [])
            if not apart or (approves and gate.id != "evaluate"):
                continue
            for direction in DIRECTIONS:
                if len(known) < enough and direction not in {one.direction for one in known}:
                    found = self.witness(sides, gate, direction)
                    known += [found] if found else []
            if known and enough == 1:
                break
        return result

    def _leaves_alike(self, shape: Shape) -> bool:
        return Equivalence(self.old, self.new, self.timeout).leaves_alike(shape)

    def witness(self, sides: Sides, gate: Gate, direction: str) -> Difference | None:
        """A story in which the new design permits more (or less), replayed on both."""
        try:
            return self._witness(sides, gate, direction)
        except Undecided as gave_up:
            self.unknown.append(f"{sides.shape.id}, {gate.id}: {direction}: {gave_up}")
            return None

    def _witness(self, sides: Sides, gate: Gate, direction: str) -> Difference | None:
        ledger = Ledger(self.timeout)
        found = self._shown(sides.told(Reach.ROOT), gate, direction, ledger)
        if found is not None or not self._somewhere(sides, gate, direction, ledger):
            return found
        for reach, tell in [(Reach.CHILD, None), *((Reach.ROOT, t) for t in sides.shape.longer)]:
            found = self._shown(sides.told(reach, tell), gate, direction, ledger)
            if found is not None:
                return found
        what = ledger.bounded or "no story found, and no proof for sessions in every state"
        self.unknown.append(f"{sides.shape.id}, {gate.id}: {direction}: {what}")
        return None

    def _shown(
        self, pairs: list[Pair], gate: Gate, direction: str, ledger: Ledger
    ) -> Difference | None:
        for pair in pairs:
            formula = differs(gate, pair, direction)
            if formula is not None:
                query = ledger.query(formula, self.new.matcher)
                found = Witness(pair, gate, direction).found(query)
                if found is not None:
                    return found
        return None

    def _somewhere(self, sides: Sides, gate: Gate, direction: str, ledger: Ledger) -> bool:
        """Whether a session in some state shows a difference, or that could not be told."""
        if any(traits(design).irregular for design in (self.old, self.new)) or ledger.bounded:
            return True
        formulas = [differs(gate, pair, direction) for pair in sides.told(Reach.ANY)]
        found = any(
            ledger.solve(formula, self.new.matcher) is not None
            for formula in formulas
            if formula is not None
        )
        return found or bool(ledger.bounded)


def differs(gate: Gate, pair: Pair, direction: str) -> Formula | None:
    """The formula of a difference, `None` where the two expressions are the same."""
    formula = gate.gain(pair) if direction == "gain" else gate.loss(pair)
    return possible(pair, formula)
