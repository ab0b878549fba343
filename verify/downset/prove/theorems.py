"""The theorems that hold of all designs, proved here and now (`properties.md`, *Theorems*)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from downset.language.matching import W2
from downset.language.rules import ALLOW, ASK, DENY, Action
from downset.language.terms import Flag, Input, Not, Sort, Text
from downset.language.vocabulary import (
    denied,
    deny_over_ask_over_allow,
    last_match,
    matching,
    most_severe,
)
from downset.prove.deciding import Ledger
from downset.prove.flat import configurations, demanded
from downset.prove.solver import make_solver

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from downset.language.terms import Formula
    from downset.prove.logic import Bool

Function = dict[tuple[Action, Action], Action]
SECONDS = 30.0


@dataclass(frozen=True)
class Theorem:
    """A statement about every design, whether it was proved, and how."""

    title: str
    statement: str
    holds: bool
    detail: str


@dataclass(frozen=True)
class Statement:
    """A theorem before it is proved: what has to hold for it.

    `formulas` must hold of all rulesets of any length, `impossible` are conditions that cannot
    all hold, and `decided` is what plain computation has to find true.
    """

    title: str
    statement: str
    detail: str
    formulas: tuple[Formula, ...] = ()
    impossible: tuple[Bool, ...] = ()
    decided: Callable[[], bool] = lambda: True


def theorems(solver: str = "z3") -> list[Theorem]:
    """All theorems, each decided anew.

    >>> all(theorem.holds for theorem in theorems())
    True
    """
    return [
        Theorem(each.title, each.statement, proved(each, solver), each.detail)
        for each in statements()
    ]


def statements() -> list[Statement]:
    """What the theorems say."""
    return [two_layers(), no_use(), the_meet(), flat_lists(), severity()]


def proved(statement: Statement, solver: str = "z3") -> bool:
    """Whether a statement holds of all designs."""
    holds = all(always(formula, solver) for formula in statement.formulas)
    return holds and cannot(statement.impossible, solver) and statement.decided()


def always(formula: Formula, solver: str = "z3") -> bool:
    """Whether a formula holds of all rulesets of any length."""
    return Ledger(SECONDS, solver).solve(Not(formula), W2) is None


def cannot(conditions: Sequence[Bool], solver: str = "z3") -> bool:
    """Whether some conditions, there being any, cannot all hold."""
    made = make_solver(solver)
    made.add(*conditions)
    return not conditions or made.check(SECONDS) is None


def two_layers() -> Statement:
    """`no-escalation` splits into the two properties about layers."""
    name, resource = Text(Sort.PERMISSION, variable="p"), Text(Sort.PATTERN, variable="r")
    agent, session = Input("agent rules"), Input("session rules")
    found = matching(name, resource)
    by_session = session.last(found).seen(denied)
    by_agent = agent.last(found).seen(denied) & ~session.any(found)
    decided = [last_match(agent + session, name, resource, d) for d in (ASK, ALLOW)]
    return Statement(
        "two layers",
        "With effective = agent rules ++ session rules and a default that is not deny, "
        "no-escalation holds iff session-deny-inherited and agent-deny-inherited hold.",
        "For all rulesets of any length, E = deny iff a session rule decides and denies, or none "
        "matches and an agent rule decides and denies; so the premise of no-escalation is the "
        "disjunction of the premises of the other two, whose conclusion is the same.",
        tuple(d.denies.iff(by_session | by_agent) for d in decided),
    )


def no_use() -> Statement:
    """Denied or hidden above means unusable below."""
    names = ("denied above", "denied below", "hidden above", "hidden below", "asks")
    deny_s, deny_c, hide_s, hide_c, asks = (Flag(name) for name in names)
    premises = deny_s.implies(deny_c) & hide_s.implies(hide_c)
    lacks = hide_s | (asks & deny_s)
    uses = ~hide_c & (asks.implies(~deny_c))
    return Statement(
        "no use",
        "no-escalation and hidden-stays-hidden together: no use of a tool that an ancestor lacks.",
        "A tool is used if it is offered and, where it asks, not denied; lacked if it is hidden "
        "or, where it asks, denied. Decided for all values of these conditions.",
        (premises.implies(~(lacks & uses)),),
    )


def the_meet() -> Statement:
    """Only one decision function satisfies the list."""
    return Statement(
        "the meet",
        "Among all functions from (own decision, caller's decision) to the child's decision, "
        "exactly one satisfies ask-preserved, no-lost-grant, own-restriction-kept, own-ask-kept, "
        "caller-independent, no-escalation and `no deny out of nothing`: the meet.",
        f"Of all {3**9} functions one is left, and it is the stricter of the two.",
        decided=only_the_meet,
    )


def only_the_meet() -> bool:
    """Whether the meet is the one function that satisfies the list."""
    meet = {(own, above): min(own, above) for own, above in product(Action, repeat=2)}
    return [function for function in functions() if fair(function)] == [meet]


def functions() -> Iterator[Function]:
    """All functions from two decisions to one."""
    pairs = [(own, above) for own in Action for above in Action]
    for values in product(Action, repeat=len(pairs)):
        yield dict(zip(pairs, values, strict=True))


def fair(function: Function) -> bool:
    """Whether a function satisfies the list, at every pair of decisions."""
    return all(all(rule(function) for rule in demands(*pair)) for pair in function)


def demands(own: Action, above: Action) -> list[Callable[[Function], bool]]:
    """What the list demands of a function at one pair of decisions."""
    return [
        lambda f: above is not ASK or f[own, above] is not ALLOW,
        lambda f: above is not DENY or f[own, above] is DENY,
        lambda f: own is not DENY or f[own, above] is DENY,
        lambda f: own is not ASK or f[own, above] is not ALLOW,
        lambda f: own is not ALLOW or above is DENY or f[own, above] is not DENY,
        lambda f: (own, above) != (ALLOW, ALLOW) or f[own, above] is ALLOW,
        lambda f: own is DENY or above is DENY or f[own, above] is not DENY,
        lambda f: all(
            (f[own, above] is DENY) == (f[own, other] is DENY)
            for other in Action
            if (above is DENY) == (other is DENY)
        ),
    ]


def flat_lists() -> Statement:
    """No list that is filtered and concatenated decides like the meet."""
    return Statement(
        "flat lists",
        "A flat last-match list that a design only filters and concatenates from the caller's and "
        "the callee's rules cannot decide like the meet of the two, without enumerating "
        "resources.",
        "Whatever the filters keep and however often the pieces repeat, no order of the last "
        "places of four rules satisfies all of: " + "; ".join(configurations()) + ".",
        impossible=tuple(demanded()),
    )


def severity() -> Statement:
    """Two ways to say the same decision operator."""
    name, resource = Text(Sort.PERMISSION, variable="p"), Text(Sort.PATTERN, variable="r")
    word = Input("rules")
    one = deny_over_ask_over_allow(word, name, resource)
    two = most_severe(word, name, resource)
    return Statement(
        "severity",
        "Deny over ask over allow decides like the most severe rule that matches.",
        "For all rulesets of any length.",
        (one.at_most(two) & two.at_most(one),),
    )
