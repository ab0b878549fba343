"""Why a flat list cannot express "no more than the caller and no more than the callee".

A design that filters and concatenates makes the child's list out of pieces of the caller's and
the callee's rules. A filter looks at one rule at a time, so what matters of a rule is the last
piece that keeps it. Five small configurations demand an order of these last places that is a
circle, whatever the filters are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.language.rules import ALLOW, DENY, Action, Rule
from downset.prove.logic import below, conj, disj, neg, vector

if TYPE_CHECKING:
    from downset.prove.logic import Bool, Expr


DENY_ALL = Rule("edit", "*", DENY)
ALLOW_ALL = Rule("edit", "*", ALLOW)
ALLOW_DOCS = Rule("edit", "docs/*", ALLOW)
RESOURCES = ("docs/a", "src/a")
SMALL = (
    ((DENY_ALL,), (ALLOW_DOCS,)),
    ((DENY_ALL, ALLOW_DOCS), (ALLOW_ALL,)),
    ((ALLOW_DOCS,), (DENY_ALL,)),
    ((ALLOW_ALL,), (DENY_ALL, ALLOW_DOCS)),
)


@dataclass(frozen=True)
class Place:
    """The last piece that keeps a rule of the caller or the callee; below 0 if none does."""

    owner: str
    rule: Rule

    @property
    def number(self) -> Expr:
        """The number of the piece; only the order of seven such numbers and 0 is ever asked for."""
        return vector(f"{self.owner}: {self.rule}")


def configurations() -> list[str]:
    """The configurations that show it.

    >>> configurations()[0]
    'caller [edit * deny], callee [edit docs/* allow]'
    """
    return [f"caller [{listed(one)}], callee [{listed(two)}]" for one, two in SMALL]


def demanded() -> list[Bool]:
    """What the configurations demand of the order of the last places: it cannot all hold."""
    return [meets(one, two, resource) for one, two in SMALL for resource in RESOURCES]


def meets(caller: tuple[Rule, ...], callee: tuple[Rule, ...], resource: str) -> Bool:
    """The condition that the child's list decides like the meet at a resource."""
    wanted = min(decided(caller, resource), decided(callee, resource))
    places = kept(caller, "caller", resource) + kept(callee, "callee", resource)
    return disj(last(place, places) for place in places if place.rule.action is wanted)


def kept(rules: tuple[Rule, ...], owner: str, resource: str) -> list[Place]:
    """The places of the rules that match a resource, in order."""
    return [Place(owner, rule) for rule in rules if covers(rule, resource)]


def last(place: Place, places: list[Place]) -> Bool:
    """The condition that a rule is kept and none that matches stands behind it.

    Pieces of caller and callee differ; within a piece of one owner the rules keep their order.
    """
    after = places.index(place)
    conditions = [neg(below(place.number, 0))]
    for position, other in enumerate(places):
        if other == place:
            continue
        same_owner_before = other.owner == place.owner and position < after
        conditions.append(
            neg(below(place.number, other.number))
            if same_owner_before
            else below(other.number, place.number)
        )
    return conj(conditions)


def decided(rules: tuple[Rule, ...], resource: str) -> Action:
    """What a list alone decides; nothing here is left to a default but asking."""
    found = [rule.action for rule in rules if covers(rule, resource)]
    return found[-1] if found else Action.ASK


def covers(rule: Rule, resource: str) -> bool:
    """Whether a rule of this page matches a resource."""
    return rule.pattern == "*" or resource.startswith("docs/")


def listed(rules: tuple[Rule, ...]) -> str:
    """Rules as people write them."""
    return ", ".join(str(rule) for rule in rules)
