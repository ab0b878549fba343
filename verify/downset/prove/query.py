"""One query: whether a formula is satisfiable, and by which rules and texts.

The answer "no" is complete: cutoffs bound the rulesets, and texts are excluded only when the real
matcher shows that none exist. The answer "yes" comes with real rules and texts.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING

from downset.language.concrete import Assignment
from downset.language.rules import Action, Rule
from downset.language.terms import Sort
from downset.prove.logic import WIDTH, conj, neg, same
from downset.prove.problem import NoRuleText, NoVariableText, Problem
from downset.prove.solver import Undecided, make_solver
from downset.prove.texts import Chosen, Realiser, SearchLimit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.language.matching import Matcher
    from downset.language.terms import Formula, Input
    from downset.prove.encoding import Encoder
    from downset.prove.letters import SymbolicRule, SymbolicText
    from downset.prove.logic import Values
    from downset.prove.problem import Exclusion
    from downset.prove.solver import Solver

__all__ = ["Query", "Undecided"]

MOST_EXCLUSIONS = 200
SECONDS_FOR_A_WISH = 1.0


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
    name: str = "z3"
    """Which solver decides: `z3`, `cvc5` or `both`."""
    encoded: Problem | None = None
    """The formula, if it was encoded before."""
    problem: Problem = field(init=False)
    solver: Solver = field(init=False)
    exclusions: list[Exclusion] = field(default_factory=list)
    guessed: bool = False
    """Whether something was excluded that might have been realised by other texts."""

    def __post_init__(self) -> None:
        """Encode the formula and assert it."""
        self.problem = self.encoded or Problem(self.formula, self.lengths, self.matcher)
        refuse_too_many(self.encoder)
        self.solver = make_solver(self.name)
        self.solver.add(self.problem.goal, *self.encoder.axioms)
        self.deadline = monotonic() + self.timeout

    @property
    def encoder(self) -> Encoder:
        """The encoding of the formula."""
        return self.problem.encoder

    def prefer(self, wish: Formula) -> None:
        """Look only for assignments that satisfy a further formula, if there are any."""
        condition = self.encoder.formula(wish)
        try:
            if self.solver.check(SECONDS_FOR_A_WISH, condition) is not None:
                self.solver.add(condition)
        except Undecided:
            return

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
        present = [rule.present for word in self.encoder.inputs.values() for rule in word]
        self.solver.at_most(present, rules)

    def combination(self, facts: Sequence[Formula]) -> tuple[bool, ...] | None:
        """Which facts hold together in some model, each combination once; then `None`."""
        model = self._model()
        if model is None:
            return None
        conditions = [self.encoder.formula(fact) for fact in facts]
        values = tuple(model.holds(condition) for condition in conditions)
        alike = conj(same(condition, v) for condition, v in zip(conditions, values, strict=True))
        self.solver.add(neg(alike))
        return values

    # --- details ---

    def _model(self) -> Values | None:
        left = self.deadline - monotonic()
        if left <= 0:
            message = f"no answer within {self.timeout:g} s"
            raise Undecided(message)
        return self.solver.check(left)

    def _realise(self, model: Values) -> Assignment | None:
        realisers = {sort: self._realiser(model, sort) for sort in Sort}
        texts = {}
        for realiser in realisers.values():
            for variable in realiser.lexicon.names.variables:
                made = realiser.variable(variable)
                if made is None:
                    self._exclude(variables_of(realiser))
                    return None
                texts[variable.variable or ""] = made
        inputs = {}
        for word, rules in self.encoder.inputs.items():
            present = [rule for rule in rules if model.holds(rule.present)]
            made_rules = [self._rule(model, rule, realisers, word) for rule in present]
            if None in made_rules:
                return None
            inputs[word.name] = tuple(rule for rule in made_rules if rule is not None)
        flags = {name: model.holds(flag) for name, flag in self.encoder.flags.items()}
        numbers = {name: model.number(n) for name, n in self.encoder.numbers.items()}
        modes = {
            mode.variable: mode.options[model.number(place)]
            for mode, place in self.encoder.modes.items()
        }
        return Assignment(inputs, texts, flags, numbers, modes)

    def _realiser(self, model: Values, sort: Sort) -> Realiser:
        lexicon = self.encoder.lexicons[sort]
        values = {text: model.number(number) for text, number in lexicon.values.items()}
        atoms = {key: model.holds(atom) for key, atom in lexicon.atoms.items()}
        spellings = {key: model.holds(atom) for key, atom in lexicon.spellings.items()}
        return Realiser(lexicon, values, atoms, spellings)

    def _rule(
        self,
        model: Values,
        rule: SymbolicRule,
        realisers: dict[Sort, Realiser],
        word: Input,
    ) -> Rule | None:
        texts = []
        for sort in Sort:
            choice = chosen(model, rule.text(sort))
            made = realisers[sort].rule_text(choice)
            if made is None:
                self._exclude(text_of(choice, realisers[sort]))
                return None
            texts.append(made)
        action = next(action for action in Action if model.holds(rule.says(action)))
        return Rule(texts[0], texts[1], action, model.number(rule.priority), word.origin)

    def _exclude(self, exclusion: Exclusion) -> None:
        """Exclude a choice for which no texts were found, and note if others might have been."""
        self.guessed = self.guessed or not self.problem.certain(exclusion)
        self.exclusions.append(exclusion)
        self.solver.add(*self.problem.clauses(exclusion))


def text_of(choice: Chosen, realiser: Realiser) -> NoRuleText:
    """In every rule, a text with these matches under these values of variables."""
    values = tuple(realiser.values.values())
    sort = realiser.lexicon.sort
    return NoRuleText(sort, values, choice.number, choice.matches, choice.plain)


def variables_of(realiser: Realiser) -> NoVariableText:
    """A choice of which constant globs match the variables' texts."""
    return NoVariableText(
        realiser.lexicon.sort,
        tuple(realiser.values.values()),
        tuple(realiser.atoms.values()),
        tuple(realiser.spellings.values()),
    )


def refuse_too_many(encoder: Encoder) -> None:
    """Raise `Undecided` if the texts of a formula do not fit their numbers."""
    most = max(
        lexicon.names.first_other + len(lexicon.identities) for lexicon in encoder.lexicons.values()
    )
    if most >= 2 ** (WIDTH - 1) - 2:
        message = f"the formula tells {most} texts apart, more than are supported"
        raise Undecided(message)


def chosen(model: Values, text: SymbolicText) -> Chosen:
    """What the solver chose for a text."""
    bits = tuple(model.holds(bit) for bit in text.bits)
    return Chosen(model.number(text.number), bits, model.holds(text.plain))
