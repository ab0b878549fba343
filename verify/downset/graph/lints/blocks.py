"""Blocks of rules that somebody wrote, each with the whole list that it is part of.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.sessions import World
>>> project = resolve({"permission": {"edit": "ask"}}, release("1.18.2"))
>>> for block in blocks(World(project)):
...     print(block.name, [str(rule.rule) for _, rule in block.written])
the whole project ['edit * ask']
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from downset.config.rules_from import Layer
from downset.graph.columns import Table
from downset.graph.pairs import asked_of
from downset.graph.records import Problem
from downset.graph.sessions import placed_rule
from downset.graph.tools import UNLISTED, inert

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.columns import Column
    from downset.graph.records import Severity, Witness
    from downset.graph.sessions import World
    from downset.graph.tools import Asked

SHARED: Final = frozenset({Layer.GLOBAL, Layer.PROJECT, Layer.ENVIRONMENT})


@dataclass(frozen=True)
class Lint:
    """One lint: its id, its severity where it is always the same, and one line."""

    id: str
    severity: Severity
    title: str
    run: Callable[[CallGraph, Sequence[Block]], list[Problem]]


@dataclass(frozen=True)
class Block:
    """Rules of one block, and the list in which they stand.

    `agent` is empty for the rules that all agents share; the list is then that of an agent
    without rules of its own.
    """

    world: World
    agent: str
    rules: tuple[PlacedRule, ...]
    numbers: tuple[int, ...]
    table: Table = field(repr=False)
    unknown: list[str] = field(default_factory=list, repr=False)
    """Questions that were given up, of all blocks together."""

    @property
    def name(self) -> str:
        """Whose block it is, for a person."""
        return f"`{self.agent}`" if self.agent else "the whole project"

    @property
    def written(self) -> Iterator[tuple[int, PlacedRule]]:
        """The rules of the block, with their numbers in the list."""
        return ((number, self.rules[number]) for number in self.numbers)

    def give_up(self, lint: str, rule: PlacedRule) -> None:
        """Note that a lint's question about a rule was not answered within its budget."""
        self.unknown.append(f"{lint}: {rule.rule} of {self.name}")

    def asked(self, rule: PlacedRule) -> list[tuple[Asked, Column]]:
        """The permissions for which a rule can matter; none if nothing asks under its key."""
        key = rule.rule.permission
        if key in inert(self.world.release):
            return []
        found = []
        for asked in asked_of(self.world):
            named = key == asked.permission or self._matches(asked.permission, key)
            if named or (asked.permission == UNLISTED and self._is_for_others(key)):
                found.append((asked, self.table.column(asked.permission)))
        return found

    def _matches(self, permission: str, key: str) -> bool:
        return permission != UNLISTED and self.world.release.matcher.matches(permission, key)

    def _is_for_others(self, key: str) -> bool:
        """Whether a key can be that of a tool that is not part of the program."""
        kind = self.world.asked[-1].kind
        is_name = kind.contains(key) and key not in kind.never
        return is_name or bool(set("*?") & set(key))


def blocks(world: World) -> list[Block]:
    """The rules that all agents share, then those of each agent."""
    plain = world.project.agent("\0")
    unknown: list[str] = []
    shared = _block(world, "", plain.rules, SHARED, unknown)
    own = frozenset({Layer.AGENT})
    each = [_block(world, a.name, a.rules, own, unknown) for a in world.agents.values()]
    return [block for block in (shared, *each) if block.numbers]


def _block(
    world: World,
    agent: str,
    rules: tuple[PlacedRule, ...],
    layers: frozenset[Layer],
    unknown: list[str],
) -> Block:
    numbers = tuple([n for n, rule in enumerate(rules) if rule.layer in layers])
    table = Table(world.release.matcher, tuple([rule.rule for rule in rules]))
    return Block(world, agent, rules, numbers, table, unknown)


def problem(  # noqa: PLR0913 -- the parts of a finding
    id: str,  # noqa: A002 -- the word for it
    severity: Severity,
    message: str,
    rules: Sequence[PlacedRule],
    *,
    help: str = "",  # noqa: A002 -- the word for it
    witness: Witness | None = None,
    details: Sequence[str] = (),
    subject: str = "",
) -> Problem:
    """A finding about some rules, at the place of the first."""
    plain = [placed_rule(rule) for rule in rules]
    return Problem(
        id=id,
        severity=severity,
        message=message,
        locations=tuple(dict.fromkeys(rule.place for rule in plain if rule.place is not None)),
        rules=tuple(plain),
        details=tuple(details),
        help=help,
        subject=subject,
        witness=witness,
    )


def together(found: Sequence[Problem], more: str) -> list[Problem]:
    """Findings of one block, id and severity about one permission, as one.

    `more` ends the first message: "…, and N more rules {more}".
    """
    groups: dict[object, list[Problem]] = {}
    for one in found:
        key = (one.id, one.severity, one.subject, one.rules[0].permission)
        groups.setdefault(key, []).append(one)
    return [_together(group, more) for group in groups.values()]


def _together(group: Sequence[Problem], more: str) -> Problem:
    first, others = group[0], group[1:]
    if not others:
        return first
    rules = "rule" if len(others) == 1 else "rules"
    return replace(
        first,
        message=f"{first.message}; so for {len(others)} more {rules} {more}",
        locations=tuple(dict.fromkeys(at for found in group for at in found.locations)),
        rules=tuple(rule for found in group for rule in found.rules),
        details=tuple(found.message for found in others),
    )


def merged(problems: Sequence[Problem]) -> list[Problem]:
    """Findings of different blocks that say the same of the same rule, together."""
    groups: dict[object, list[Problem]] = {}
    for found in problems:
        rules = found.rules[0].text if found.rules else found.message
        said = found.message.replace(f"of `{found.subject}`", "of …")
        groups.setdefault((found.id, found.severity, rules, said), []).append(found)
    return [_merged(group) for group in groups.values()]


def _merged(group: Sequence[Problem]) -> Problem:
    first = group[0]
    if len(group) == 1:
        return first
    agents = list(dict.fromkeys(found.subject for found in group))
    return replace(
        first,
        message=first.message.replace(f"of `{first.subject}`", f"of {len(agents)} agents"),
        locations=tuple(dict.fromkeys(at for found in group for at in found.locations)),
        rules=tuple(dict.fromkeys(rule for found in group for rule in found.rules)),
        subject=", ".join(agents),
        details=(f"in {', '.join(agents)}",),
    )


def shown(rule: PlacedRule) -> str:
    """A rule as a message names it.

    >>> from downset.config.nodes import Place
    >>> from downset.config.rules_from import PlacedRule
    >>> from downset.language.rules import DENY, Rule
    >>> shown(PlacedRule(Rule("edit", "*", DENY), Place(), Layer.AGENT))
    '`edit * deny`'
    """
    return f"`{rule.rule}`"
