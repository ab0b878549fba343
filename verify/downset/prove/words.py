"""Symbolic rulesets: an input as rules that may be absent, and what the language does to them.

An input becomes as many rules as its cutoff says, each present or not; every operation of the
language acts on such lists, rule by rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from downset.language.concrete import unknown
from downset.language.rules import Action
from downset.language.terms import (
    Concat,
    Constant,
    Input,
    Mapped,
    Sort,
    Text,
    When,
    Where,
)
from downset.prove.letters import Lexicon, SymbolicRule, SymbolicText
from downset.prove.logic import WIDE, boolean, disj, either, equal, neg, vector

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from downset.language.matching import Matcher
    from downset.language.terms import (
        AnyMode,
        Formula,
        LetterMap,
        Predicate,
        RuleTerm,
        Word,
    )
    from downset.prove.logic import Bool, Expr
    from downset.prove.names import Mentioned

N = TypeVar("N")
R = TypeVar("R")
Rules = tuple[SymbolicRule, ...]
PRESENT = True


class Words(ABC):
    """Turns ruleset expressions into lists of symbolic rules, each expression once.

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
        self.flags: dict[str, Expr] = {}
        self.numbers: dict[str, Expr] = {}
        self.modes: dict[AnyMode, Expr] = {}
        self.axioms: list[Bool] = []
        for lexicon in self.lexicons.values():
            self.axioms += lexicon.variable_axioms()
        self._known: dict[tuple[str, int], tuple[object, object]] = {}
        self._held: dict[tuple[int, int], tuple[Predicate, SymbolicRule, Bool]] = {}

    @abstractmethod
    def formula(self, formula: Formula) -> Bool:
        """A formula as a condition."""

    @abstractmethod
    def holds(self, predicate: Predicate, rule: SymbolicRule) -> Bool:
        """Whether a rule satisfies a predicate."""

    @abstractmethod
    def agree(self, same: frozenset[str], left: SymbolicRule, right: SymbolicRule) -> Bool:
        """Whether two rules have the same fields."""

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
        if by.priority is not None:
            rule = replace(rule, priority=by.priority)
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
                number = either(hit, after, number)
        return SymbolicText(number, text.bits, text.plain)

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
        return replace(rule, present=boolean(f"{tag}:present"), permission=text, pattern=pattern)

    def fresh_rule(self, word: Input, place: int) -> SymbolicRule:
        """One rule of an input, about which nothing is known."""
        tag = rule_tag(word, place)
        texts = {
            sort: self.fresh_text(word, tag, lexicon) for sort, lexicon in self.lexicons.items()
        }
        denies, allows = boolean(f"{tag}:denies"), boolean(f"{tag}:allows")
        self.axioms.append(disj((neg(denies), neg(allows))))
        return SymbolicRule(
            boolean(f"{tag}:present"),
            texts[Sort.PERMISSION],
            texts[Sort.PATTERN],
            denies,
            allows,
            vector(f"{tag}:priority", WIDE),
        )

    def fresh_text(self, word: Input, tag: str, lexicon: Lexicon) -> SymbolicText:
        """One text of a rule, about which nothing is known."""
        name = f"{tag}:{lexicon.sort.value}"
        bits = tuple(boolean(f"{name}~{i}") for i, _ in enumerate(lexicon.names.targets))
        plain = boolean(f"{name}:plain") if lexicon.names.asks_plain else PRESENT
        text = SymbolicText(vector(name), bits, plain)
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
