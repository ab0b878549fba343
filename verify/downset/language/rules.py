"""Rules, the letters of every ruleset.

A ruleset is an ordered tuple of rules; in most systems the last rule that matches decides.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum


class Action(Enum):
    """What a rule says, ordered deny < ask < allow (`properties.md`).

    >>> Action.DENY < Action.ASK < Action.ALLOW
    True
    >>> Action("ask")
    <Action.ASK: 'ask'>
    """

    DENY = "deny"
    ASK = "ask"
    ALLOW = "allow"

    @property
    def rank(self) -> int:
        """0 for deny, 1 for ask, 2 for allow."""
        return tuple(Action).index(self)

    def __lt__(self, other: Action) -> bool:
        """Whether this action permits strictly less than `other`."""
        return self.rank < other.rank

    def __le__(self, other: Action) -> bool:
        """Whether this action permits no more than `other`."""
        return self.rank <= other.rank

    def __repr__(self) -> str:
        """The enumeration's own form."""
        return f"<Action.{self.name}: {self.value!r}>"


DENY, ASK, ALLOW = Action.DENY, Action.ASK, Action.ALLOW


@dataclass(frozen=True)
class Rule:
    """One concrete rule: a permission glob, a resource pattern and an action.

    `priority` is used only by designs that decide by priority; `origin` says for people where
    the rule comes from and does not take part in comparisons.

    >>> Rule("edit", "*", DENY, origin="session") == Rule("edit", "*", DENY)
    True
    """

    permission: str
    pattern: str
    action: Action
    priority: int = 0
    origin: str = field(default="", compare=False)

    def __str__(self) -> str:
        """The rule as people write it: permission, pattern, action."""
        return f"{self.permission} {self.pattern} {self.action.value}"


Ruleset = tuple[Rule, ...]
