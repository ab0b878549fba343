"""One query: whether a formula is satisfiable, and by which rules and texts.

The answer "no" is complete: cutoffs bound the rulesets, and texts are excluded only when the real
matcher shows that none exist. The answer "yes" comes with real rules and texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

import z3

from downset.language.concrete import Assignment
from downset.language.rules import Action, Rule
from downset.language.terms import Sort
from downset.prove.encoding import Encoder
from downset.prove.logic import WIDTH, conj, equal, neg, same
from downset.prove.names import mentioned
from downset.prove.texts import Chosen, Realiser, SearchLimit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.language.matching import Matcher
    from downset.language.terms import Formula, Input
    from downset.prove.letters import SymbolicRule, SymbolicText

MOST_EXCLUSIONS = 200


class Undecided(Exception):
    """The solver gave up; says why."""


@dataclass
class Query:
    """A formula, the lengths of its inputs, and the solver that decides it.

    >>> from downset.language.matching import W2
    >>> from downset.language.terms import Input
    >>> from downset.language.vocabulary import denied
    >>> word = Input("S")
    >>> Query(word.any(denied), {word: 1}, W2).solve().inputs["S"][0].action
    <Action.DENY: 'deny'>
    """

    formula: Formula
    lengths: Mapping[Input, int]
    matcher: Matcher
    timeout: float = 30.0
    encoder: Encoder = field(init=False)
    solver: z3.Solver = field(init=False)
    guessed: bool = False
    """Whether something was excluded that might have been realised by other texts."""

    def __post_init__(self) -> None:
        """Encode the formula and assert it."""
        self.encoder = Encoder(mentioned(self.formula), self.lengths, self.matcher)
        refuse_too_many(self.encoder)
        self.solver = z3.SolverFor("QF_FD")
        self.solver.set("random_seed", 0)
        goal = self.encoder.formula(self.formula)
        self.solver.add(as_z3(goal), *(as_z3(axiom) for axiom in self.encoder.axioms))
        self.deadline = monotonic() + self.timeout

    def prefer(self, wish: Formula) -> None:
        """Look only for assignments that satisfy a further formula, if there are any."""
        condition = as_z3(self.encoder.formula(wish))
        self.solver.set("timeout", 1000)
        if self.solver.check(condition) == z3.sat:
            self.solver.add(condition)

    def solve(self) -> Assignment | None:
        """An assignment that satisfies the formula, or `None` if there is none.

        Raises `Undecided` if time runs out, or if the texts of a model could not be found.
        """
        for _ in range(MOST_EXCLUSIONS):
            model = self._model()
            if model is None:
                if self.guessed:
                    message = "no texts were found for some choices of the solver"
                    raise Undecided(message)
                return None
            try:
                assignment = self._realise(model)
            except SearchLimit as limit:
                raise Undecided(str(limit)) from limit
            if assignment is not None:
                return assignment
        message = f"{MOST_EXCLUSIONS} choices of the solver had no texts"
        raise Undecided(message)

    def at_most(self, rules: int) -> None:
        """Look only for assignments with so many rules in all."""
        present = [as_z3(rule.present) for word in self.encoder.inputs.values() for rule in word]
        if len(present) > rules:
            self.solver.add(z3.AtMost(*present, rules))

    def combination(self, facts: Sequence[Formula]) -> tuple[bool, ...] | None:
        """Which facts hold together in some model, each combination once; then `None`."""
        model = self._model()
        if model is None:
            return None
        conditions = [self.encoder.formula(fact) for fact in facts]
        values = tuple(truth(model, condition) for condition in conditions)
        alike = conj(same(condition, v) for condition, v in zip(conditions, values, strict=True))
        self.solver.add(as_z3(neg(alike)))
        return values

    # --- details ---

    def _model(self) -> z3.ModelRef | None:
        left = int((self.deadline - monotonic()) * 1000)
        if left <= 0:
            message = f"no answer within {self.timeout:g} s"
            raise Undecided(message)
        self.solver.set("timeout", left)
        answer = self.solver.check()
        if answer == z3.unknown:
            message = f"the solver gave up: {self.solver.reason_unknown()}"
            raise Undecided(message)
        return self.solver.model() if answer == z3.sat else None

    def _realise(self, model: z3.ModelRef) -> Assignment | None:
        realisers = {sort: self._realiser(model, sort) for sort in Sort}
        texts = {}
        for realiser in realisers.values():
            for variable in realiser.lexicon.names.variables:
                made = realiser.variable(variable)
                if made is None:
                    self._exclude_variables(realiser)
                    return None
                texts[variable.variable or ""] = made
        inputs = {}
        for word, rules in self.encoder.inputs.items():
            present = [rule for rule in rules if truth(model, rule.present)]
            made_rules = [self._rule(model, rule, realisers, word) for rule in present]
            if None in made_rules:
                return None
            inputs[word.name] = tuple(rule for rule in made_rules if rule is not None)
        flags = {name: truth(model, flag) for name, flag in self.encoder.flags.items()}
        numbers = {name: value(model, n) for name, n in self.encoder.numbers.items()}
        modes = {
            mode.variable: mode.options[value(model, place)]
            for mode, place in self.encoder.modes.items()
        }
        return Assignment(inputs, texts, flags, numbers, modes)

    def _realiser(self, model: z3.ModelRef, sort: Sort) -> Realiser:
        lexicon = self.encoder.lexicons[sort]
        values = {text: value(model, number) for text, number in lexicon.values.items()}
        atoms = {key: truth(model, atom) for key, atom in lexicon.atoms.items()}
        spellings = {key: truth(model, atom) for key, atom in lexicon.spellings.items()}
        return Realiser(lexicon, values, atoms, spellings)

    def _rule(
        self,
        model: z3.ModelRef,
        rule: SymbolicRule,
        realisers: dict[Sort, Realiser],
        word: Input,
    ) -> Rule | None:
        texts = []
        for sort in Sort:
            symbolic = rule.text(sort)
            made = realisers[sort].rule_text(chosen(model, symbolic))
            if made is None:
                self._exclude_text(chosen(model, symbolic), realisers[sort])
                return None
            texts.append(made)
        action = next(action for action in Action if truth(model, rule.says(action)))
        return Rule(texts[0], texts[1], action, value(model, rule.priority), word.origin)

    def _exclude_text(self, choice: Chosen, realiser: Realiser) -> None:
        """Exclude, in every rule, a text with these matches under these values of variables."""
        lexicon = realiser.lexicon
        fresh = self._fresh_targets(realiser)
        self.guessed = self.guessed or fresh
        context = conj(equal(number, realiser.values[v]) for v, number in lexicon.values.items())
        rules = [rule for rules in self.encoder.inputs.values() for rule in rules]
        for rule in rules:
            other = rule.text(lexicon.sort)
            if isinstance(other.number, int):
                continue
            bits = [same(bit, hit) for bit, hit in zip(other.bits, choice.matches, strict=True)]
            kind = same(other.plain, choice.plain)
            alike = conj([rule.present, equal(other.number, choice.number), kind, *bits])
            self.solver.add(as_z3(neg(conj((context, alike)))))

    def _fresh_targets(self, realiser: Realiser) -> bool:
        names = realiser.lexicon.names
        return any(
            realiser.values[target] >= len(names.constants)
            for target in names.targets
            if target.variable is not None
        )

    def _exclude_variables(self, realiser: Realiser) -> None:
        """Exclude a choice of which constant globs match the variables' texts."""
        lexicon = realiser.lexicon
        alike = [equal(number, realiser.values[v]) for v, number in lexicon.values.items()]
        alike += [same(atom, realiser.atoms[key]) for key, atom in lexicon.atoms.items()]
        alike += [same(atom, realiser.spellings[key]) for key, atom in lexicon.spellings.items()]
        self.solver.add(as_z3(neg(conj(alike))))


def refuse_too_many(encoder: Encoder) -> None:
    """Raise `Undecided` if the texts of a formula do not fit their numbers."""
    most = max(
        lexicon.names.first_other + len(lexicon.identities) for lexicon in encoder.lexicons.values()
    )
    if most >= 2 ** (WIDTH - 1) - 2:
        message = f"the formula tells {most} texts apart, more than are supported"
        raise Undecided(message)


def as_z3(condition: object) -> z3.BoolRef:
    """A condition as Z3 sees it."""
    return z3.BoolVal(condition) if isinstance(condition, bool) else condition


def truth(model: z3.ModelRef, condition: object) -> bool:
    """Whether a condition holds in a model."""
    if isinstance(condition, bool):
        return condition
    return bool(z3.is_true(model.eval(condition, model_completion=True)))


def value(model: z3.ModelRef, number: object) -> int:
    """A number's value in a model."""
    if isinstance(number, int):
        return number
    return int(model.eval(number, model_completion=True).as_signed_long())


def chosen(model: z3.ModelRef, text: SymbolicText) -> Chosen:
    """What the solver chose for a text."""
    bits = tuple(truth(model, bit) for bit in text.bits)
    return Chosen(value(model, text.number), bits, truth(model, text.plain))
