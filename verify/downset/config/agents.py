"""From a merged configuration to its agents, each with its whole list of rules (opencode.md 2.1).

For V1 that is `DEFAULTS ++ BUILTIN ++ user ++ agent ++ TRUNC`; `user` comes after the built-in
rules, so that any matching rule of the user's beats them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.config.defaults import built_in, defaults, tool_output
from downset.config.nodes import EMPTY, NOWHERE
from downset.config.rules_from import (
    Layer,
    from_config,
    of_program,
    placed,
)
from downset.language.rules import ALLOW, DENY, Rule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from downset.config.defaults import BuiltIn
    from downset.config.nodes import Node, Place
    from downset.config.rules_from import (
        PlacedRule,
        Reading,
    )


@dataclass(frozen=True)
class AgentConfig:
    """One agent: its rules in the order in which they are matched, and who may start it.

    `native` agents are part of the program; `disabled` ones do not exist at run time. `place` is
    where the configuration first mentions the agent, or nowhere.
    """

    name: str
    mode: str
    native: bool
    hidden: bool
    disabled: bool
    rules: tuple[PlacedRule, ...]
    place: Place = NOWHERE

    @property
    def ruleset(self) -> tuple[Rule, ...]:
        """The rules alone."""
        return tuple(found.rule for found in self.rules)


@dataclass(frozen=True)
class Inputs:
    """What all agents of a configuration have in common."""

    reading: Reading
    user: tuple[PlacedRule, ...]


def agents_of(document: Node, inputs: Inputs) -> dict[str, AgentConfig]:
    """All agents: the built-in ones in the program's order, then those of the configuration."""
    natives = built_in(inputs.reading.release, inputs.reading.here)
    written = (document.get("agent") or EMPTY).entries
    return {
        name: agent_of(name, written.get(name), natives.get(name), inputs)
        for name in natives | dict(written)
    }


def agent_of(
    name: str, written: Node | None, native: BuiltIn | None, inputs: Inputs
) -> AgentConfig:
    """One agent, from what the program has and what the configuration says."""
    entry = written or EMPTY
    disabled = _is_true(entry, "disable")
    mode = _text(entry, "mode") or (native.mode if native else "all")
    hidden = _flag(entry, "hidden") if inputs.reading.release.since(1, 1, 5) else None
    return AgentConfig(
        name=name,
        mode=mode,
        native=native is not None,
        hidden=bool(native and native.hidden) if hidden is None else hidden,
        disabled=disabled,
        rules=() if disabled else tuple(_rules(entry, native, inputs)),
        place=written.where() if written else NOWHERE,
    )


def _rules(entry: Node, native: BuiltIn | None, inputs: Inputs) -> Iterable[PlacedRule]:
    reading = inputs.reading
    rules = [
        *of_program(defaults(reading.release, reading.here), Layer.DEFAULTS),
        *of_program(native.rules if native else (), Layer.BUILT_IN),
        *inputs.user,
        *from_config(entry.get("permission") or EMPTY, reading, Layer.AGENT),
    ]
    return [*rules, *_tool_output(rules, reading)]


def _tool_output(rules: Iterable[PlacedRule], reading: Reading) -> Iterable[PlacedRule]:
    """The last rules, unless some rule denies exactly that directory (2.1, TRUNC)."""
    globs = tool_output(reading.release, reading.here)
    if any(_denies(found.rule, globs) for found in rules):
        return ()
    return [
        placed(Rule("external_directory", glob, ALLOW), NOWHERE, Layer.TOOL_OUTPUT)
        for glob in globs
    ]


def _denies(rule: Rule, globs: tuple[str, ...]) -> bool:
    return rule.permission == "external_directory" and rule.pattern in globs and rule.action is DENY


def _flag(entry: Node, key: str) -> bool | None:
    node = entry.get(key)
    return node.value if node is not None and isinstance(node.value, bool) else None


def _is_true(entry: Node, key: str) -> bool:
    return _flag(entry, key) is True


def _text(entry: Node, key: str) -> str | None:
    node = entry.get(key)
    return node.text if node is not None else None
