"""Solvers: what is asked of one, and the two in agreement.

>>> sorted(SOLVERS)
['both', 'cvc5', 'z3']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final, Protocol

from downset.errors import InputError
from downset.prove.smtlib import Section, script

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.prove.logic import Bool, Values


class Undecided(Exception):
    """The solver gave up; says why."""


class SolversDisagree(InputError):
    """One solver says that there is a model, the other that there is none: one of them is wrong.

    `script` is what they were asked, in SMT-LIB.
    """

    def __init__(self, answers: Mapping[str, str], script: str) -> None:
        """Say who answered what."""
        self.answers = dict(answers)
        said = ", ".join(f"{name} says {answer}" for name, answer in answers.items())
        super().__init__(
            f"the solvers disagree on one formula: {said}",
            id="solver-disagreement",
            help="one of them is wrong, so nothing that rests on either can be believed: report "
            "the formula to the makers of both",
        )
        self.script = script

    def __reduce__(self) -> tuple[object, ...]:
        """So that it survives the way from one process to another."""
        return SolversDisagree, (self.answers, self.script)


class Solver(Protocol):
    """Decides growing sets of conditions."""

    def add(self, *conditions: Bool) -> None:
        """Assert more conditions."""

    def at_most(self, parts: Sequence[Bool], count: int) -> None:
        """Assert that no more than so many conditions hold."""

    def check(self, seconds: float, *assumed: Bool) -> Values | None:
        """A model of all that was asserted and is assumed now, `None` if there is none.

        Raises `Undecided` if there is no answer, within so many seconds or at all.
        """


class Both:
    """Two solvers, asked the same. A model counts if one finds it, `no` only if both say so.

    Every model is replayed on real rules before anything rests on it, so one solver is enough to
    find it; that there is none is a solver's word.
    """

    def __init__(self, solvers: Mapping[str, Solver]) -> None:
        """Take the solvers by name; models are those of the first that has one."""
        self.solvers = solvers
        self.asserted: list[Bool] = []

    def add(self, *conditions: Bool) -> None:
        """Assert more conditions."""
        self.asserted += conditions
        for solver in self.solvers.values():
            solver.add(*conditions)

    def at_most(self, parts: Sequence[Bool], count: int) -> None:
        """Assert that no more than so many conditions hold."""
        for solver in self.solvers.values():
            solver.at_most(parts, count)

    def check(self, seconds: float, *assumed: Bool) -> Values | None:
        """A model, `None` if there is none.

        Raises `SolversDisagree`, or `Undecided` if the only answer is one solver's `no`.
        """
        models: dict[str, Values | None] = {}
        gave_up = ""
        for name, solver in self.solvers.items():
            try:
                models[name] = solver.check(seconds, *assumed)
            except Undecided as reason:
                gave_up = gave_up or f"{name}: {reason}"
        found = [model for model in models.values() if model is not None]
        if found and len(found) < len(models):
            said = {name: "unsat" if m is None else "sat" for name, m in models.items()}
            raise SolversDisagree(said, script([Section("", [*self.asserted, *assumed])]))
        if not found and gave_up:
            raise Undecided(gave_up)
        return found[0] if found else None


MODULES: Final = {"z3": "downset.prove.z3_solver", "cvc5": "downset.prove.cvc5_solver"}
SOLVERS: Final = ("z3", "cvc5", "both")


def make_solver(name: str, *, strings: bool = False) -> Solver:
    """A new solver: `z3`, `cvc5` or `both`; `strings` are asked of it, or else bit-vectors.

    Raises `InputError` if it is not installed.
    """
    if name == "both":
        return Both({each: make_solver(each, strings=strings) for each in MODULES})
    made: Solver = import_module(MODULES[name]).make(strings=strings)
    return made


def version_of(name: str) -> str:
    """The solvers that a name stands for, with their versions."""
    names = list(MODULES) if name == "both" else [name]
    return " and ".join(f"{each} {import_module(MODULES[each]).version()}" for each in names)
