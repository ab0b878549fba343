"""From permission blocks to rules, in the order in which the program puts them.

>>> from downset.config.releases import release
>>> from downset.config.nodes import of
>>> from downset.config.surroundings import Surroundings
>>> block = of({"bash": {"*": "ask", "git *": "allow"}, "edit": "deny"})
>>> reading = Reading(release("1.18.2"), Surroundings())
>>> [str(placed.rule) for placed in from_config(block, reading, Layer.PROJECT)]
['bash * ask', 'bash git * allow', 'edit * deny']
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from downset.config.nodes import NOWHERE, Place
from downset.config.releases import KeyOrder
from downset.language.rules import Action, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from downset.config.nodes import Node
    from downset.config.releases import Release
    from downset.config.surroundings import Surroundings


class Layer(Enum):
    """Which part of a configuration a rule comes from, in the words a person would use."""

    DEFAULTS = "defaults"
    BUILT_IN = "built-in agent"
    GLOBAL = "global configuration"
    PROJECT = "project configuration"
    ENVIRONMENT = "environment"
    AGENT = "agent's own block"
    TOOL_OUTPUT = "tool output directory"


@dataclass(frozen=True)
class PlacedRule:
    """A rule, where it was written, and in which layer."""

    rule: Rule
    place: Place
    layer: Layer


@dataclass(frozen=True)
class Reading:
    """What the meaning of a configuration depends on besides its text."""

    release: Release
    here: Surroundings


LayerOf = Callable[[Place], Layer]


def from_config(block: Node, reading: Reading, layer: Layer | LayerOf) -> tuple[PlacedRule, ...]:
    """The rules of a normalised permission block (opencode.md 1.7)."""
    find: LayerOf = layer if callable(layer) else lambda _place: layer
    return tuple(
        placed(Rule(permission, pattern, action), node.where(), find(node.where()))
        for permission, pattern, action, node in _flat(block, reading)
    )


def placed(rule: Rule, place: Place, layer: Layer) -> PlacedRule:
    """A rule with its origin, as people read it: place and layer."""
    origin = f"{place} ({layer.value})" if place != NOWHERE else layer.value
    return PlacedRule(Rule(rule.permission, rule.pattern, rule.action, origin=origin), place, layer)


def of_program(rules: Iterable[Rule], layer: Layer) -> tuple[PlacedRule, ...]:
    """Rules that are part of the program itself."""
    return tuple(placed(rule, NOWHERE, layer) for rule in rules)


def from_list(rules: Node, reading: Reading, layer: Layer | LayerOf) -> tuple[PlacedRule, ...]:
    """The rules of a V2 list of action, resource and effect, as they stand (section 6).

    >>> from downset.config.releases import release
    >>> from downset.config.nodes import of
    >>> from downset.config.surroundings import Surroundings
    >>> rules = of([{"action": "read", "resource": "~/x", "effect": "deny"}])
    >>> reading = Reading(release("2.0"), Surroundings())
    >>> str(from_list(rules, reading, Layer.PROJECT)[0].rule)
    'read /home/dev/x deny'
    """
    find: LayerOf = layer if callable(layer) else lambda _place: layer
    return tuple(
        placed(
            Rule(
                str(rule["action"].value),
                _expanded(str(rule["action"].value), str(rule["resource"].value), reading),
                action_of(rule["effect"]),
            ),
            rule.where(),
            find(rule.where()),
        )
        for rule in rules.items
    )


def action_of(node: Node) -> Action:
    """The action that a checked node stands for."""
    return Action(node.text)


def _flat(block: Node, reading: Reading) -> Iterator[tuple[str, str, Action, Node]]:
    for permission, value in _in_order(block, reading.release):
        if not value.is_mapping:
            yield permission, "*", action_of(value), value
            continue
        for pattern, action in value.ordered():
            yield permission, _expanded(permission, pattern, reading), action_of(action), action


def _in_order(block: Node, release: Release) -> list[tuple[str, Node]]:
    """In 1.14.21 to 1.14.24 keys with a star are moved to the front (1.7, K2)."""
    entries = list(block.ordered())
    if release.key_order is KeyOrder.WILDCARDS_FIRST:
        entries.sort(key=lambda entry: "*" not in entry[0])
    return entries


_PATHS = frozenset({"external_directory", "read", "edit"})


def _expanded(permission: str, pattern: str, reading: Reading) -> str:
    """With the home directory: from 1.1.30 on; in V2 only where paths are asked for (#35737)."""
    release, here = reading.release, reading.here
    if not release.expands_home or (release.engine > 1 and permission not in _PATHS):
        return pattern
    if release.engine > 1 and pattern.startswith("$HOME") and pattern[5:6] not in {"", "/", "\\"}:
        return pattern
    return here.expanded(pattern)
