"""Rule lists, taken apart by permission: what is left is a list of globs for resources.

>>> from downset.language.matching import W2
>>> from downset.language.rules import ALLOW, DENY
>>> table = Table(W2, (Rule("*", "*", ALLOW), Rule("edit", "src/*", DENY)))
>>> table.column("edit").ls.entries[1:], table.column("bash").numbers
((('*', <Action.ALLOW: 'allow'>), ('src/*', <Action.DENY: 'deny'>)), (0,))
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.graph.tools import UNLISTED
from downset.language.lists import GlobList
from downset.language.rules import DENY, Rule

if TYPE_CHECKING:
    from downset.language.matching import Matcher
    from downset.language.rules import Action

__all__ = ["Column", "Rule", "Table", "joined"]


@dataclass(frozen=True, eq=False)
class Column:
    """The rules for one permission: a list of globs, and which rule each entry is.

    `numbers` are those of the rules in the whole list; `hides` says whether the last rule *named*
    for the permission denies everything, which takes the tool away (opencode.md 1.4).
    """

    ls: GlobList
    numbers: tuple[int, ...]
    hides: bool = False

    def decide(self, text: str) -> Action:
        """The decision about a resource."""
        return self.ls.decide(text)

    def rule(self, text: str) -> int | None:
        """The number of the rule that decides about a resource, `None` for the default."""
        last = self.ls.last(text)
        return None if last == 0 else self.numbers[last - 1]

    def matched(self, text: str) -> list[int]:
        """The numbers of all rules that match a resource, the last first."""
        return [self.numbers[i - 1] for i in self.ls.matched(text) if i > 0]


class Table:
    """One list of rules, indexed by permission; columns are made when asked for."""

    def __init__(self, matcher: Matcher, rules: tuple[Rule, ...]) -> None:
        self.matcher = matcher
        self.rules = rules
        self._by_key: defaultdict[str, list[int]] = defaultdict(list)
        for number, rule in enumerate(rules):
            self._by_key[rule.permission].append(number)
        self._columns: dict[str, Column] = {}

    @property
    def keys(self) -> list[str]:
        """The permissions as they are written, each once."""
        return list(self._by_key)

    def column(self, permission: str) -> Column:
        """The rules that match a permission; `UNLISTED` gives globs of permissions instead."""
        found = self._columns.get(permission)
        if found is None:
            made = self._unlisted() if permission == UNLISTED else self._made(permission)
            found = self._columns[permission] = made
        return found

    def _made(self, permission: str) -> Column:
        matches = self.matcher.matches
        keys = [key for key in self._by_key if matches(permission, key)]
        numbers = sorted(number for key in keys for number in self._by_key[key])
        entries = tuple([(self.rules[n].pattern, self.rules[n].action) for n in numbers])
        hides = bool(entries) and entries[-1] == ("*", DENY)
        return Column(GlobList.of(self.matcher, entries), tuple(numbers), hides)

    def _unlisted(self) -> Column:
        """Rules whose pattern matches `*`, which is all that tools of others ask with."""
        numbers = [n for n, r in enumerate(self.rules) if self.matcher.matches("*", r.pattern)]
        entries = tuple([(self.rules[n].permission, self.rules[n].action) for n in numbers])
        return Column(GlobList.of(self.matcher, entries), tuple(numbers))


def joined(first: Column, second: Column, offset: int) -> Column:
    """Two columns behind each other; rules of the second are numbered from `offset`.

    >>> from downset.language.matching import W2
    >>> column = Table(W2, (Rule("edit", "*", DENY),)).column("edit")
    >>> joined(column, column, 1).numbers
    (0, 1)
    """
    if not second.numbers:
        return first
    entries = first.ls.entries[1:] + second.ls.entries[1:]
    numbers = (*first.numbers, *(offset + number for number in second.numbers))
    return Column(GlobList.of(first.ls.matcher, entries), numbers, second.hides)
