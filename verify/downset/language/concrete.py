"""The concrete reading: a ruleset expression run on real rules, as the modelled program would.

This is the executable reference. Every counterexample is replayed here before anyone sees it.

>>> from downset.language.vocabulary import DENY, last_match, rules, text
>>> word = rules(("edit", "*", DENY))
>>> reading = Concrete(Assignment())
>>> reading.decision(last_match(word, text("edit", "permission"), text("a", "pattern")))
<Action.DENY: 'deny'>
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from downset.language.matching import W2
from downset.language.rules import Rule
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
    Concat,
    Constant,
    Decided,
    DecisionIs,
    Fixed,
    FixedMode,
    Flag,
    Given,
    Input,
    IsPlain,
    LanguageError,
    Mapped,
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
    When,
    Where,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.language.matching import Matcher
    from downset.language.rules import Action, Ruleset
    from downset.language.terms import (
        Decision,
        Formula,
        LetterMap,
        Mode,
        Number,
        Observation,
        Predicate,
        RuleTerm,
        Text,
        Word,
    )


@dataclass(frozen=True)
class Assignment:
    """What every input, text variable, flag, number and mode of an expression stands for."""

    inputs: Mapping[str, Ruleset] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    flags: Mapping[str, bool] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    modes: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Concrete:
    """Evaluates expressions under an assignment, with the matcher of one release.

    Inputs that the assignment does not name are empty, flags false, numbers 1, modes the first
    that there is. Raises `LanguageError` for something that is not part of the language.
    """

    given: Assignment
    matcher: Matcher = W2

    def text(self, text: Text) -> str:
        """The text itself, or what its variable stands for."""
        return self.given.texts[text.variable] if text.variable else text.literal or ""

    def number(self, number: Number) -> int:
        """The number's value."""
        base = self.given.numbers.get(number.variable, 1) if number.variable else 0
        return base + number.plus

    def mode(self, mode: Mode) -> str:
        """The name of the mode."""
        match mode:
            case AnyMode(variable, options):
                return self.given.modes.get(variable, options[0])
            case FixedMode(name):
                return name
            case ModeChoice(condition, then, otherwise):
                return self.mode(then if self.formula(condition) else otherwise)
        raise unknown(mode)

    def holds_for(self, predicate: Predicate, rule: Rule) -> bool:
        """Whether one rule satisfies a predicate."""
        match predicate:
            case Always():
                return True
            case Both(left, right):
                return self.holds_for(left, rule) and self.holds_for(right, rule)
            case Opposite(inner):
                return not self.holds_for(inner, rule)
            case TextIs(text):
                return field_of(rule, text.sort) == self.text(text)
            case Matches(text):
                return self.matcher.matches(self.text(text), field_of(rule, text.sort))
            case IsPlain(sort):
                return self.matcher.is_literal(field_of(rule, sort))
            case ActionIs(action):
                return rule.action is action
            case Among(others, same, where):
                return any(
                    all(getattr(rule, name) == getattr(other, name) for name in same)
                    and self.holds_for(where, other)
                    for other in self.word(others)
                )
            case After(by, inner):
                return self.holds_for(inner, mapped(by, rule))
            case Given(formula):
                return self.formula(formula)
        raise unknown(predicate)

    def word(self, word: Word) -> Ruleset:
        """The rules of a ruleset expression, in order."""
        match word:
            case Input(name):
                return tuple(self.given.inputs.get(name, ()))
            case Constant(terms, origin):
                return tuple(self.rule(term, origin) for term in terms)
            case Concat(left, right):
                return self.word(left) + self.word(right)
            case Where(inner, predicate):
                return tuple(rule for rule in self.word(inner) if self.holds_for(predicate, rule))
            case When(inner, condition):
                return self.word(inner) if self.formula(condition) else ()
            case Mapped(inner, by):
                return tuple(mapped(by, rule) for rule in self.word(inner))
        raise unknown(word)

    def rule(self, term: RuleTerm, origin: str) -> Rule:
        """The concrete rule of a constant."""
        name, pattern = self.text(term.permission), self.text(term.pattern)
        return Rule(name, pattern, term.action, term.priority, origin)

    def observe(self, observation: Observation) -> Rule | None:
        """The rule that an observation sees, or `None`."""
        found = [
            rule
            for rule in self.word(observation.word)
            if self.holds_for(observation.predicate, rule)
        ]
        if not found:
            return None
        return picked(observation.pick, found)

    def decision(self, decision: Decision) -> Action:
        """The action that a decision comes to."""
        match decision:
            case Decided(observation, default):
                rule = self.observe(observation)
                return default if rule is None else rule.action
            case Fixed(action):
                return action
            case Strictest(parts):
                return min(self.decision(part) for part in parts)
            case Choice(condition, then, otherwise):
                return self.decision(then if self.formula(condition) else otherwise)
        raise unknown(decision)

    def formula(self, formula: Formula) -> bool:
        """Whether a formula holds."""
        match formula:
            case Seen(observation, predicate):
                rule = self.observe(observation)
                return rule is not None and self.holds_for(predicate, rule)
            case DecisionIs(decision, action):
                return self.decision(decision) is action
            case ModeIs(mode, names):
                return self.mode(mode) in names
            case SameText(left, right):
                return self.text(left) == self.text(right)
            case Below(left, right):
                return self.number(left) < self.number(right)
            case Flag(name):
                return self.given.flags.get(name, False)
            case And(parts):
                return all(self.formula(part) for part in parts)
            case Or(parts):
                return any(self.formula(part) for part in parts)
            case Not(inner):
                return not self.formula(inner)
        raise unknown(formula)


def field_of(rule: Rule, sort: Sort) -> str:
    """A rule's permission or pattern.

    >>> from downset.language.rules import Action
    >>> field_of(Rule("edit", "*", Action.DENY), Sort.PERMISSION)
    'edit'
    """
    return rule.permission if sort is Sort.PERMISSION else rule.pattern


def picked(pick: Pick, found: Sequence[Rule]) -> Rule:
    """Which of some rules, at least one, an observation sees.

    >>> from downset.language.rules import Action
    >>> allow, deny = (Rule("edit", "*", action) for action in (Action.ALLOW, Action.DENY))
    >>> [str(picked(pick, [deny, allow])) for pick in (Pick.PRIORITY, Pick.SEVERITY, Pick.LAST)]
    ['edit * deny', 'edit * deny', 'edit * allow']
    """
    if pick in {Pick.FIRST, Pick.PRIORITY}:
        return max(found, key=lambda rule: weight(pick, rule))
    return max(reversed(found), key=lambda rule: weight(pick, rule))


def weight(pick: Pick, rule: Rule) -> int:
    """How strongly an observation prefers a rule whatever the order."""
    if pick is Pick.PRIORITY:
        return rule.priority
    return -rule.action.rank if pick is Pick.SEVERITY else 0


def mapped(by: LetterMap, rule: Rule) -> Rule:
    """A rule put through a letter map."""
    return replace(
        rule,
        permission=dict(by.renames).get(rule.permission, rule.permission),
        pattern=rule.pattern if by.pattern is None else by.pattern,
        action=rule.action if by.action is None else by.action,
        priority=rule.priority if by.priority is None else by.priority,
    )


def unknown(node: object) -> LanguageError:
    """The error for something that is not part of the language."""
    return LanguageError(f"`{node!r}` is not part of the design language")
