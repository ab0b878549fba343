"""The certificates of theorems: the formulas that must hold of all designs, for another solver.

A theorem that plain computation decides has no formula; whoever checks it computes once more.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.language.matching import W2
from downset.language.terms import Not
from downset.prove.certificate import ascii_only, digest, plain, vocabulary
from downset.prove.deciding import lengths
from downset.prove.forms import exclusion_form
from downset.prove.problem import Problem
from downset.prove.query import Query
from downset.prove.smtlib import Section, script
from downset.prove.theorems import SECONDS, statements

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.prove.forms import Form
    from downset.prove.problem import Exclusion
    from downset.prove.theorems import Statement

EVERY_DESIGN = "every design"


@dataclass(frozen=True)
class Page:
    """A theorem with what has to be unsatisfiable, and what was excluded from each formula."""

    statement: Statement
    exclusions: Mapping[int, Sequence[Exclusion]]

    def problems(self) -> list[Problem]:
        """The opposite of each formula, encoded."""
        opposites = [Not(formula) for formula in self.statement.formulas]
        return [Problem(formula, lengths(formula)[0], W2) for formula in opposites]

    def scripts(self) -> dict[str, str]:
        """The scripts, by their names."""
        about = f"theorem: {self.statement.title}: {ascii_only(self.statement.statement)}"
        made = []
        for place, problem in enumerate(self.problems()):
            lexicons = problem.encoder.lexicons.values()
            words = [line for lexicon in lexicons for line in vocabulary(lexicon)]
            excluded = self.exclusions.get(place, ())
            made.append(problem.script("unsat", excluded, [about, *words]))
        if self.statement.impossible:
            section = Section("what cannot all hold", self.statement.impossible)
            made.append(script([section], "unsat", [about]))
        name = f"theorem.{plain(self.statement.title)}"
        return {f"{name}.{place:02}.smt2": text for place, text in enumerate(made, start=1)}

    def entry(self) -> Form:
        """What the manifest says of the theorem."""
        return {
            "title": self.statement.title,
            "statement": self.statement.statement,
            "obligations": [
                {
                    "file": name,
                    "sha256": digest(text),
                    "expected": "unsat",
                    "excluded": [exclusion_form(e) for e in self.exclusions.get(place, ())],
                }
                for place, (name, text) in enumerate(self.scripts().items())
            ],
        }

    def groundless(self) -> list[str]:
        """Why the scripts alone do not show the theorem."""
        found = [] if self.statement.decided() else ["plain computation does not confirm it"]
        for place, problem in enumerate(self.problems()):
            if not all(map(problem.certain, self.exclusions.get(place, ()))):
                found.append("strings may realise a choice that is excluded")
            if lengths(problem.formula)[1]:
                found.append("it would hold only up to a bound")
        return found


def pages(solver: str = "z3") -> list[Page]:
    """A page for each theorem, with what has to be excluded.

    Raises `Undecided` if that cannot be found out.

    >>> [len(page.scripts()) for page in pages()]
    [2, 1, 0, 1, 1]
    """
    return [Page(statement, excluded(statement, solver)) for statement in statements()]


def excluded(statement: Statement, solver: str) -> dict[int, list[Exclusion]]:
    """The choices that no strings realise, for each formula of a theorem."""
    found = {}
    for place, formula in enumerate(statement.formulas):
        enough, _ = lengths(Not(formula))
        query = Query(Not(formula), enough, W2, SECONDS, solver)
        query.solve()
        found[place] = query.exclusions
    return {place: exclusions for place, exclusions in found.items() if exclusions}
