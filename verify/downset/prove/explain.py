"""Which rule decided: the concrete reading once more, with the reason for each outcome."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.language.concrete import unknown
from downset.language.terms import (
    And,
    Choice,
    Decided,
    DecisionIs,
    Fixed,
    Not,
    Or,
    Seen,
    Strictest,
)

if TYPE_CHECKING:
    from downset.language.concrete import Concrete
    from downset.language.rules import Action, Rule
    from downset.language.terms import Decision, Formula


@dataclass(frozen=True)
class Reason:
    """An action, and the rule it comes from; `None` if no rule matched."""

    action: Action
    rule: Rule | None


def explain(reading: Concrete, decision: Decision) -> Reason:
    """The action that a decision comes to, with the deciding rule.

    >>> from downset.language.concrete import Assignment, Concrete
    >>> from downset.language.vocabulary import DENY, last_match, rules, text
    >>> word = rules(("edit", "*", DENY))
    >>> query = text("edit", "permission"), text("a", "pattern")
    >>> str(explain(Concrete(Assignment()), last_match(word, *query)).rule)
    'edit * deny'
    """
    match decision:
        case Decided(observation, default):
            rule = reading.observe(observation)
            return Reason(default if rule is None else rule.action, rule)
        case Fixed(action):
            return Reason(action, None)
        case Strictest(parts):
            reasons = [explain(reading, part) for part in parts]
            return min(reasons, key=lambda reason: (reason.action.rank, reason.rule is None))
        case Choice(condition, then, otherwise):
            holds = reading.formula(condition)
            taken = then if holds else otherwise
            reason = explain(reading, taken)
            if reason.rule is None and (holds or isinstance(taken, Fixed)):
                return Reason(reason.action, witness(reading, condition))
            return reason
    raise unknown(decision)


def witness(reading: Concrete, formula: Formula) -> Rule | None:
    """A rule because of which a formula holds (or, negated, fails), if there is one."""
    match formula:
        case Seen(observation, _):
            return reading.observe(observation)
        case DecisionIs(decision, _):
            return explain(reading, decision).rule
        case And(parts):
            found = [witness(reading, part) for part in parts]
            return next((rule for rule in found if rule is not None), None)
        case Or(parts):
            holding = [part for part in parts if reading.formula(part)]
            found = [witness(reading, part) for part in holding or parts]
            return next((rule for rule in found if rule is not None), None)
        case Not(inner):
            return witness(reading, inner)
    return None
