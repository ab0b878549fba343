"""The words a design is written with: fields, constants and the decision operators.

>>> inherited = (action == DENY) | (permission == "external_directory")
>>> guard = rules(("task", "*", DENY), origin="task guard")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from downset.language.rules import ALLOW, ASK, DENY, Action
from downset.language.terms import (
    ActionIs,
    Among,
    Constant,
    Decided,
    Fixed,
    Matches,
    Pick,
    RuleTerm,
    Sort,
    Text,
    TextIs,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from downset.language.terms import (
        Decision,
        Formula,
        Predicate,
        Word,
    )

T = TypeVar("T", str, Action)


def text(value: object, sort: str) -> Text:
    """A literal text of a sort, or the text itself.

    Raises `TypeError` for anything else.

    >>> text("edit", "permission").literal
    'edit'
    """
    if isinstance(value, Text):
        return value
    if isinstance(value, str):
        return Text(Sort(sort), literal=value)
    message = f"a rule's {sort} is compared with a text, not with {type(value).__name__}"
    raise TypeError(message)


class Field(Generic[T]):
    """One field of a rule, to be compared: `permission == "edit"`, `action != DENY`."""

    def __init__(self, name: str) -> None:
        """Name the field: `permission`, `pattern` or `action`."""
        self.name = name

    def __eq__(self, value: object) -> Predicate:  # type: ignore[override]
        """Rules in which the field is literally this value."""
        if isinstance(value, Action):
            return ActionIs(value)
        return TextIs(text(value, self.name))

    def __ne__(self, value: object) -> Predicate:  # type: ignore[override]
        """Rules in which the field is anything else."""
        return ~(self == value)

    def __hash__(self) -> int:
        """By name."""
        return hash(self.name)

    def in_(self, values: Iterable[T]) -> Predicate:
        """Rules in which the field is literally one of several values."""
        options = [self == value for value in values]
        result = options[0]
        for option in options[1:]:
            result = result | option
        return result

    def matches(self, value: str | Text) -> Predicate:
        """Rules in which the field, as a glob, matches a text."""
        return Matches(text(value, self.name))


permission: Field[str] = Field("permission")
pattern: Field[str] = Field("pattern")
action: Field[Action] = Field("action")
denied: Predicate = action == DENY
blanket: Predicate = (pattern == "*") & denied


def rules(
    *triples: tuple[str | Text, str | Text, Action], origin: str = "", priority: int = 0
) -> Word:
    """A constant ruleset from (permission, pattern, action) triples, all of one priority.

    >>> rules(("task", "*", DENY)).rules[0].action
    <Action.DENY: 'deny'>
    """
    terms = (
        RuleTerm(text(name, "permission"), text(resource, "pattern"), effect, priority)
        for name, resource, effect in triples
    )
    return Constant(tuple(terms), origin)


def among(others: Word, *same: str, where: Predicate | None = None) -> Predicate:
    """Rules for which `others` has a rule with the `same` fields (that satisfies `where`).

    >>> among(rules(("edit", "*", DENY)), "pattern").same
    frozenset({'pattern'})
    """
    condition = Among(others, frozenset(same))
    return condition if where is None else Among(others, frozenset(same), where)


def matching(name: Text, resource: Text) -> Predicate:
    """Rules that match a permission and a resource, both as globs (`opencode.md` 1.2)."""
    return Matches(name) & Matches(resource)


def last_match(word: Word, name: Text, resource: Text, default: Action = ASK) -> Decision:
    """The last rule that matches decides (`opencode.md` 1.2)."""
    return Decided(word.last(matching(name, resource)), default)


def first_match(word: Word, name: Text, resource: Text, default: Action = ASK) -> Decision:
    """The first rule that matches decides (deepagents)."""
    return Decided(word.first(matching(name, resource)), default)


def deny_over_ask_over_allow(
    word: Word, name: Text, resource: Text, default: Action = ASK
) -> Decision:
    """Any matching deny denies; else any matching ask asks; else any allow (Claude Code)."""
    found = matching(name, resource)
    decision: Decision = Fixed(default)
    for effect in (ALLOW, ASK, DENY):
        decision = decision.unless(word.any(found & ActionIs(effect)), Fixed(effect))
    return decision


def highest_priority(word: Word, name: Text, resource: Text, default: Action = ASK) -> Decision:
    """The matching rule of highest priority decides, the first of equals (Gemini CLI)."""
    return Decided(word.best(matching(name, resource), Pick.PRIORITY), default)


def most_severe(word: Word, name: Text, resource: Text, default: Action = ASK) -> Decision:
    """The most severe matching rule decides (Codex)."""
    return Decided(word.best(matching(name, resource), Pick.SEVERITY), default)


def highest_tier(
    tiers: Sequence[Word], name: Text, resource: Text, default: Action = ASK
) -> Decision:
    """The first ruleset with a rule that matches decides, in it the highest priority (Gemini CLI).

    >>> highest_tier([], text("edit", "permission"), text("a", "pattern"), DENY)
    Fixed(action=<Action.DENY: 'deny'>)
    """
    decision: Decision = Fixed(default)
    for word in reversed(tiers):
        found = word.best(matching(name, resource), Pick.PRIORITY)
        decision = decision.unless(found.seen(), Decided(found, default))
    return decision


def ceiling(*decisions: Decision) -> Decision:
    """The meet of several decisions: no part may permit more than the strictest."""
    return decisions[0].meet(*decisions[1:])


def blanket_denied(word: Word, name: Text) -> Formula:
    """The last rule *named* for a tool is a deny of literally `*` (`opencode.md` 1.4, D1)."""
    return word.last(Matches(name)).seen(blanket)
