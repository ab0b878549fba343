"""The symbolic reading: a formula as constraints over rulesets of bounded length.

An input becomes as many rules as its cutoff says, each present or not; every operation of the
language acts on such lists, rule by rule. Numbers of rules beyond the cutoff change nothing, so
the constraints are satisfiable exactly if the formula is, for rulesets of any length.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

import z3

from downset.language.concrete import unknown
from downset.language.rules import Action
from downset.language.terms import (
    ActionIs,
    After,
    Always,
    Among,
    And,
    Below,
    Both,
    Choice,
    Concat,
    Constant,
    Decided,
    DecisionIs,
    Fixed,
    Flag,
    Given,
    Input,
    IsPlain,
    Mapped,
    Matches,
    Not,
    Opposite,
    Or,
    Pick,
    SameText,
    Seen,
    Sort,
    Strictest,
    Text,
    TextIs,
    When,
    Where,
)
from downset.prove.letters import Lexicon, SymbolicRule, SymbolicText
from downset.prove.logic import WIDE, WIDTH, Bool, below, conj, disj, equal, neg, numeral

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from downset.language.matching import Matcher
    from downset.language.terms import (
        Decision,
        Formula,
        LetterMap,
        Number,
        Observation,
        Predicate,
        RuleTerm,
        Word,
    )
    from downset.prove.names import Mentioned

N = TypeVar("N")
R = TypeVar("R")
Rules = tuple[SymbolicRule, ...]
Decisions = dict[Action, Bool]
MOST = 400
PRESENT = True


class Encoder:
    """Turns the parts of formulas into Z3 expressions, each part once.

    `lengths` says how many rules an input has; `axioms` collects what is true of all inputs and
    has to be asserted beside the formulas.
    """

    def __init__(
        self, mentioned: Mentioned, lengths: Mapping[Input, int], matcher: Matcher
    ) -> None:
        """Prepare the texts of the formulas that were looked through for `mentioned`."""
        self.lexicons = {
            sort: Lexicon(sort, names, matcher, identities(mentioned.compared[sort], lengths))
            for sort, names in mentioned.names.items()
        }
        self.lengths = lengths
        self.matcher = matcher
        self.ordered = mentioned.ordered
        self.inputs: dict[Input, Rules] = {}
        self.flags: dict[str, z3.BoolRef] = {}
        self.numbers: dict[str, z3.BitVecRef] = {}
        self.axioms: list[Bool] = []
        for lexicon in self.lexicons.values():
            self.axioms += lexicon.variable_axioms()
        self._known: dict[tuple[str, int], tuple[object, object]] = {}

    # --- formulas and decisions ---

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
            case SameText(left, right):
                lexicon = self.lexicons[left.sort]
                return equal(lexicon.value(left), lexicon.value(right))
            case Below(left, right):
                return below(self.number(left), self.number(right))
            case Flag(name):
                return self.flags.setdefault(name, z3.Bool(f"flag:{name}"))
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

    def number(self, number: Number) -> int | z3.BitVecRef:
        """A number, its variable between 0 and a bound that its comparisons cannot notice."""
        if number.variable is None:
            return number.plus
        if number.variable not in self.numbers:
            made = z3.BitVec(f"number:{number.variable}", WIDTH)
            self.numbers[number.variable] = made
            self.axioms += [below(made, MOST), neg(below(made, 0))]
        return self.numbers[number.variable] + number.plus

    # --- observations ---

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

    # --- predicates ---

    def holds(self, predicate: Predicate, rule: SymbolicRule) -> Bool:
        """Whether a rule satisfies a predicate."""
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

    # --- words ---

    def word(self, word: Word) -> Rules:
        """The symbolic rules of a word, in order."""
        return self._once("word", word, self._word)

    def _word(self, word: Word) -> Rules:
        match word:
            case Input():
                if word not in self.inputs:
                    self.inputs[word] = self.fresh(word)
                return self.inputs[word]
            case Constant(terms, _):
                return tuple(self.constant(term) for term in terms)
            case Concat(left, right):
                return self.word(left) + self.word(right)
            case Where(inner, predicate):
                return tuple(rule.only_if(self.holds(predicate, rule)) for rule in self.word(inner))
            case When(inner, condition):
                holds = self.formula(condition)
                return tuple(rule.only_if(holds) for rule in self.word(inner))
            case Mapped(inner, by):
                return tuple(self.mapped(by, rule) for rule in self.word(inner))
        raise unknown(word)

    def constant(self, term: RuleTerm) -> SymbolicRule:
        """The rule of a constant word."""
        return SymbolicRule(
            PRESENT,
            SymbolicText(self.lexicons[Sort.PERMISSION].value(term.permission)),
            SymbolicText(self.lexicons[Sort.PATTERN].value(term.pattern)),
            term.action is Action.DENY,
            term.action is Action.ALLOW,
            term.priority,
        )

    def mapped(self, by: LetterMap, rule: SymbolicRule) -> SymbolicRule:
        """A rule put through a letter map."""
        if by.action is not None:
            denies, allows = by.action is Action.DENY, by.action is Action.ALLOW
            rule = replace(rule, denies=denies, allows=allows)
        if by.pattern is not None:
            pattern = Text(Sort.PATTERN, literal=by.pattern)
            number = self.lexicons[Sort.PATTERN].value(pattern)
            rule = replace(rule, pattern=SymbolicText(number))
        return replace(rule, permission=self.renamed(by, rule.permission))

    def renamed(self, by: LetterMap, text: SymbolicText) -> SymbolicText:
        """A permission with literal names replaced after a table."""
        lexicon, number = self.lexicons[Sort.PERMISSION], text.number
        for old, new in by.renames:
            before, after = (
                lexicon.names.number(Text(Sort.PERMISSION, literal=name)) for name in (old, new)
            )
            hit = equal(text.number, before)
            if hit is True:
                return SymbolicText(after)
            if hit is not False:
                number = z3.If(hit, numeral(after), numeral(number))
        return SymbolicText(number, text.bits)

    def fresh(self, word: Input) -> Rules:
        """The rules of an input: as many as its cutoff says, present ones first."""
        if word.names and word not in self.ordered and not self.matcher.fold_case:
            return self.named(word)
        rules = tuple(self.fresh_rule(word, place) for place in range(self.lengths.get(word, 0)))
        for earlier, later in pairwise(rules):
            self.axioms.append(disj((neg(later.present), earlier.present)))
        for place, rule in enumerate(rules):
            self.axioms.append(disj((neg(rule.present), self.holds(word.shape, rule))))
            if word.distinct:
                self.axioms += [
                    disj((neg(rule.present), neg(self.agree(frozenset({"permission"}), rule, r))))
                    for r in rules[:place]
                ]
        return rules

    def named(self, word: Input) -> Rules:
        """The rules of a set of names: one for each name of the formula, and some others."""
        lexicon = self.lexicons[Sort.PERMISSION]
        tags = [rule_tag(word, place) for place in range(self.lengths.get(word, 0))]
        known = [
            SymbolicText(number)
            for number in range(lexicon.names.first_other)
            if lexicon.can_be_plain(number)
        ]
        texts = [*known, *(lexicon.anonymous(tag) for tag in tags if tag in lexicon.identities)]
        rules = [self.named_rule(word, text, place) for place, text in enumerate(texts)]
        for rule in rules:
            self.axioms.append(disj((neg(rule.present), self.holds(word.shape, rule))))
        return tuple(rules)

    def named_rule(self, word: Input, text: SymbolicText, place: int) -> SymbolicRule:
        """One rule of a set of names, all of them as the shape says."""
        tag = f"{word.name}={place}"
        pattern = self.fresh_text(word, tag, self.lexicons[Sort.PATTERN])
        rule = self.fresh_rule(word, place)
        return replace(rule, present=z3.Bool(f"{tag}:present"), permission=text, pattern=pattern)

    def fresh_rule(self, word: Input, place: int) -> SymbolicRule:
        """One rule of an input, about which nothing is known."""
        tag = rule_tag(word, place)
        texts = {
            sort: self.fresh_text(word, tag, lexicon) for sort, lexicon in self.lexicons.items()
        }
        denies, allows = z3.Bool(f"{tag}:denies"), z3.Bool(f"{tag}:allows")
        self.axioms.append(disj((neg(denies), neg(allows))))
        return SymbolicRule(
            z3.Bool(f"{tag}:present"),
            texts[Sort.PERMISSION],
            texts[Sort.PATTERN],
            denies,
            allows,
            z3.BitVec(f"{tag}:priority", WIDE),
        )

    def fresh_text(self, word: Input, tag: str, lexicon: Lexicon) -> SymbolicText:
        """One text of a rule, about which nothing is known."""
        name = f"{tag}:{lexicon.sort.value}"
        bits = tuple(z3.Bool(f"{name}~{i}") for i, _ in enumerate(lexicon.names.targets))
        text = SymbolicText(z3.BitVec(name, WIDTH), bits)
        distinct = word.distinct and lexicon.sort is Sort.PERMISSION
        self.axioms += lexicon.number_axioms(text, tag, distinct=distinct)
        self.axioms += lexicon.bit_axioms(text)
        return text

    def _once(self, kind: str, node: N, make: Callable[[N], R]) -> R:
        key = (kind, id(node))
        if key not in self._known:
            self._known[key] = (node, make(node))
        return self._known[key][1]  # type: ignore[return-value]


def rule_tag(word: Input, place: int) -> str:
    """The name of one rule of an input."""
    return f"{word.name}#{place}"


def identities(compared: Iterable[Input], lengths: Mapping[Input, int]) -> tuple[str, ...]:
    """The rules with which others are compared: each may have a text of its own."""
    return tuple(rule_tag(w, place) for w in compared for place in range(lengths.get(w, 0)))


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
    """For each rule, the condition that it hits, that none beats it, and no later one equals it."""
    result = []
    for place, (hit, rule) in enumerate(pairs):
        beaten = [
            conj(
                (
                    other_hit,
                    neg(beats(rule, other, pick)) if after > place else beats(other, rule, pick),
                )
            )
            for after, (other_hit, other) in enumerate(pairs)
            if after != place
        ]
        result.append((conj((hit, neg(disj(beaten)))), rule))
    return result


def beats(left: SymbolicRule, right: SymbolicRule, pick: Pick) -> Bool:
    """Whether one rule is preferred to another whatever their order."""
    if pick is Pick.PRIORITY:
        return below(right.priority, left.priority)
    return disj(
        conj((left.says(one), right.says(two))) for one in Action for two in Action if one < two
    )
