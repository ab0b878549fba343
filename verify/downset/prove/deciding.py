"""Deciding one formula for rulesets of any length: observe, count, encode, solve.

The answer also says how far it reaches: for any length, or, where the cutoff does not exist, up
to a stated number of rules.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.prove.cutoff import NoCutoff, cutoffs
from downset.prove.names import mentioned
from downset.prove.observations import observations
from downset.prove.query import Query

if TYPE_CHECKING:
    from downset.language.concrete import Assignment
    from downset.language.matching import Matcher
    from downset.language.terms import Formula, Input

BOUND = 4


@dataclass
class Ledger:
    """What was decided so far: how many obligations, with which cutoffs, and what was bounded."""

    timeout: float
    solver: str = "z3"
    obligations: int = 0
    cutoffs: dict[str, int] = field(default_factory=dict)
    bounded: str = ""

    def query(self, formula: Formula, matcher: Matcher) -> Query:
        """A formula, encoded with its cutoffs."""
        lengths = self.lengths(formula)
        self.obligations += 1
        for word, length in lengths.items():
            self.cutoffs[word.name] = max(length, self.cutoffs.get(word.name, 0))
        return Query(formula, lengths, matcher, self.timeout, self.solver)

    def solve(self, formula: Formula, matcher: Matcher) -> Assignment | None:
        """What satisfies a formula, or `None`. Raises `Undecided` if the solver gives up."""
        return self.query(formula, matcher).solve()

    def lengths(self, formula: Formula) -> dict[Input, int]:
        """The lengths that are enough, or a bound where none are."""
        found, bounded = lengths(formula)
        self.bounded = bounded or self.bounded
        return found


def lengths(formula: Formula) -> tuple[dict[Input, int], str]:
    """How many rules of each input are enough, or a bound and why nothing is enough.

    >>> from downset.language.terms import Input
    >>> from downset.language.vocabulary import denied
    >>> found, reason = lengths(Input("S").any(denied))
    >>> [(word.name, count) for word, count in found.items()], reason
    ([('S', 1)], '')
    """
    try:
        return cutoffs(observations(formula)), ""
    except NoCutoff as reason:
        return dict.fromkeys(mentioned(formula).inputs, BOUND), str(reason)
