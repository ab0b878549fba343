"""The symbolic reading: a formula as constraints over rulesets of bounded length.

An input becomes as many rules as its cutoff says, each present or not; every operation of the
language acts on such lists, rule by rule. Numbers of rules beyond the cutoff change nothing, so
the constraints are satisfiable exactly if the formula is, for rulesets of any length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.language.concrete import unknown
from downset.language.rules import Action
from downset.language.terms import (
    ActionIs,
    After,
    Always,
    Among,
    And,
    AnyMode,
    Below,
    Both,
    Choice,
    Decided,
    DecisionIs,
    Fixed,
    FixedMode,
    Flag,
    Given,
    IsPlain,
    Matches,
    ModeChoice,
    ModeIs,
    Not,
    Opposite,
    Or,
    Pick,
    SameText,
    Seen,
    Sort,
    Strictest,
    TextIs,
)
from downset.prove.logic import Bool, below, boolean, conj, disj, equal, neg, plus, vector
from downset.prove.words import Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.language.terms import (
        Decision,
        Formula,
        Mode,
        Number,
        Observation,
        Predicate,
    )
    from downset.prove.letters import SymbolicRule
    from downset.prove.logic import Expr
    from downset.prove.logic import Number as Amount

Decisions = dict[Action, Bool]
Modes = dict[str, Bool]
MOST = 400


class Encoder(Words):
    """Turns the parts of formulas into Z3 expressions, each part once."""

    def formula(self, formula: Formula) -> Bool:
        """A formula as a condition."""
        return self._once("formula", formula, self._formula)

    def _formula(self, formula: Formula) -> Bool:
        match formula:
            case Seen(observation, predicate):
                chosen = self.observe(observation)
                return disj(conj((there, self.holds(predicate, rule))) for there, rule in chosen)
            case DecisionIs(decision, action):
                return self.decision(decision)[action]
            case ModeIs(mode, names):
                there = self.mode(mode)
                return disj(there.get(name, False) for name in dict.fromkeys(names))
            case SameText(left, right):
                lexicon = self.lexicons[left.sort]
                return equal(lexicon.value(left), lexicon.value(right))
            case Below(left, right):
                return below(self.number(left), self.number(right))
            case Flag(name):
                return self.flags.setdefault(name, boolean(f"flag:{name}"))
            case And(parts):
                return conj(self.formula(part) for part in parts)
            case Or(parts):
                return disj(self.formula(part) for part in parts)
            case Not(inner):
                return neg(self.formula(inner))
        raise unknown(formula)

    def decision(self, decision: Decision) -> Decisions:
        """A decision as the condition for each action."""
        return self._once("decision", decision, self._decision)

    def _decision(self, decision: Decision) -> Decisions:
        match decision:
            case Decided(observation, default):
                chosen = self.observe(observation)
                nothing = neg(disj(there for there, _ in chosen))
                return {
                    action: disj(
                        [
                            *(conj((there, rule.says(action))) for there, rule in chosen),
                            nothing if action is default else False,
                        ]
                    )
                    for action in Action
                }
            case Fixed(fixed):
                return {action: action is fixed for action in Action}
            case Strictest(parts):
                return strictest([self.decision(part) for part in parts])
            case Choice(condition, then, otherwise):
                chosen_if = self.formula(condition)
                yes, no = self.decision(then), self.decision(otherwise)
                return {
                    action: disj(
                        (conj((chosen_if, yes[action])), conj((neg(chosen_if), no[action])))
                    )
                    for action in Action
                }
        raise unknown(decision)

    def mode(self, mode: Mode) -> Modes:
        """A mode as the condition for each name."""
        return self._once("mode", mode, self._mode)

    def _mode(self, mode: Mode) -> Modes:
        match mode:
            case AnyMode(_, options):
                chosen = self.free_mode(mode)
                return {name: equal(chosen, place) for place, name in enumerate(options)}
            case FixedMode(name):
                return {name: True}
            case ModeChoice(condition, then, otherwise):
                holds = self.formula(condition)
                yes, no = self.mode(then), self.mode(otherwise)
                return {
                    name: disj(
                        (
                            conj((holds, yes.get(name, False))),
                            conj((neg(holds), no.get(name, False))),
                        )
                    )
                    for name in {**yes, **no}
                }
        raise unknown(mode)

    def free_mode(self, mode: AnyMode) -> Expr:
        """The place of a mode among its options."""
        if mode not in self.modes:
            made = vector(f"mode:{mode.variable}")
            self.modes[mode] = made
            self.axioms += [below(made, len(mode.options)), neg(below(made, 0))]
        return self.modes[mode]

    def number(self, number: Number) -> Amount:
        """A number, its variable between 0 and a bound that its comparisons cannot notice."""
        if number.variable is None:
            return number.plus
        if number.variable not in self.numbers:
            made = vector(f"number:{number.variable}")
            self.numbers[number.variable] = made
            self.axioms += [below(made, MOST), neg(below(made, 0))]
        return plus(self.numbers[number.variable], number.plus)

    def observe(self, observation: Observation) -> Sequence[tuple[Bool, SymbolicRule]]:
        """For each rule, the condition under which the observation sees that one."""
        return self._once("observation", observation, self._observe)

    def _observe(self, observation: Observation) -> list[tuple[Bool, SymbolicRule]]:
        rules = self.word(observation.word)
        hits = [conj((rule.present, self.holds(observation.predicate, rule))) for rule in rules]
        pairs = [(hit, rule) for hit, rule in zip(hits, rules, strict=True) if hit is not False]
        if observation.pick is Pick.FIRST:
            return first_of(pairs)
        if observation.pick is Pick.LAST:
            return first_of(pairs[::-1])
        return best_of(pairs, observation.pick)

    def holds(self, predicate: Predicate, rule: SymbolicRule) -> Bool:
        """Whether a rule satisfies a predicate."""
        key = id(predicate), id(rule)
        if key not in self._held:
            self._held[key] = predicate, rule, self._holds(predicate, rule)
        return self._held[key][2]

    def _holds(self, predicate: Predicate, rule: SymbolicRule) -> Bool:
        match predicate:
            case Always():
                return True
            case Both(left, right):
                first = self.holds(left, rule)
                return False if first is False else conj((first, self.holds(right, rule)))
            case Opposite(inner):
                return neg(self.holds(inner, rule))
            case TextIs(text):
                return self.lexicons[text.sort].is_text(rule.text(text.sort), text)
            case Matches(text):
                return self.lexicons[text.sort].matches(rule.text(text.sort), text)
            case IsPlain(sort):
                return self.lexicons[sort].is_name(rule.text(sort))
            case ActionIs(action):
                return rule.says(action)
            case Among(others, same, where):
                return disj(
                    conj((other.present, self.agree(same, rule, other), self.holds(where, other)))
                    for other in self.word(others)
                )
            case After(by, inner):
                return self.holds(inner, self.mapped(by, rule))
            case Given(formula):
                return self.formula(formula)
        raise unknown(predicate)

    def agree(self, same: frozenset[str], left: SymbolicRule, right: SymbolicRule) -> Bool:
        """Whether two rules have the same fields."""
        parts: list[Bool] = [
            self.lexicons[sort].equal_texts(left.text(sort), right.text(sort))
            for sort in Sort
            if sort.value in same
        ]
        if "action" in same:
            parts += [disj(conj((left.says(a), right.says(a))) for a in Action)]
        return conj(parts)


def strictest(parts: list[Decisions]) -> Decisions:
    """The meet of several decisions."""
    denies = disj(part[Action.DENY] for part in parts)
    allows = conj(part[Action.ALLOW] for part in parts)
    return {
        Action.DENY: denies,
        Action.ASK: conj((neg(denies), neg(allows))),
        Action.ALLOW: allows,
    }


def first_of(pairs: Sequence[tuple[Bool, SymbolicRule]]) -> list[tuple[Bool, SymbolicRule]]:
    """For each rule, the condition that it is the first that hits."""
    earlier: Bool = False
    result = []
    for hit, rule in pairs:
        result.append((conj((hit, neg(earlier))), rule))
        earlier = disj((earlier, hit))
    return result


def best_of(
    pairs: Sequence[tuple[Bool, SymbolicRule]], pick: Pick
) -> list[tuple[Bool, SymbolicRule]]:
    """For each rule, the condition that it hits, that none beats it, and that it wins all ties.

    The first of equal priorities wins, the last of equally severe rules.
    """
    result = []
    for place, (hit, rule) in enumerate(pairs):
        beaten = []
        for other_place, (other_hit, other) in enumerate(pairs):
            if other_place != place:
                wins_ties = (other_place < place) is (pick is Pick.PRIORITY)
                won = neg(beats(rule, other, pick)) if wins_ties else beats(other, rule, pick)
                beaten.append(conj((other_hit, won)))
        result.append((conj((hit, neg(disj(beaten)))), rule))
    return result


def beats(left: SymbolicRule, right: SymbolicRule, pick: Pick) -> Bool:
    """Whether one rule is preferred to another whatever their order."""
    if pick is Pick.PRIORITY:
        return below(right.priority, left.priority)
    return disj(
        conj((left.says(one), right.says(two))) for one in Action for two in Action if one < two
    )
