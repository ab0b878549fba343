"""Whether the agents of a counterexample can be written as a configuration file.

An agent's block is an object with one value per key, and stands behind the defaults that every
agent has. So the rules must be grouped by permission, with no pattern twice, and the story is
replayed with the defaults in front; a first `"*": "ask"` takes the defaults' effect away.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from downset.language.rules import Action, Rule
from downset.prove.replay import replay

if TYPE_CHECKING:
    from downset.language.rules import Ruleset
    from downset.prove.replay import Replayed, Script

DEFAULTS = (
    Rule("*", "*", Action.ALLOW),
    Rule("doom_loop", "*", Action.ASK),
    Rule("external_directory", "*", Action.ASK),
)
CLEAN = Rule("*", "*", Action.ASK)


def config_forms(script: Script, told: Replayed) -> dict[str, str] | None:
    """The permission block of each agent as JSON text, `None` if the story needs more.

    Raises nothing: whatever cannot be written is reported as raw rules.
    """
    if not script.design.permission_blocks:
        return {}
    own = {agent.label: told.reading.word(agent.rules) for agent in told.story.agents}
    clean = {
        label: rules if starts_clean(rules) else (CLEAN, *rules) for label, rules in own.items()
    }
    for blocks in (own, clean):
        forms = written(script, told, blocks)
        if forms is not None:
            return forms
    return None


def written(script: Script, told: Replayed, blocks: dict[str, Ruleset]) -> dict[str, str] | None:
    """The blocks as JSON text, if objects can hold them and the story still goes this way."""
    if any(as_object(block) is None for block in blocks.values()):
        return None
    inputs = dict(told.reading.given.inputs)
    for agent in told.story.agents:
        rules = (*DEFAULTS, *blocks[agent.label])
        inputs[f"rules of {agent.label}"] = tuple(
            replace(rule, origin=f"agent {agent.label}") for rule in rules
        )
    again = replay(script, replace(told.reading.given, inputs=inputs))
    if not again.fails:
        return None
    return {label: json.dumps(as_object(block)) for label, block in blocks.items() if block}


def starts_clean(rules: Ruleset) -> bool:
    """Whether the first rule already says something for every permission and resource."""
    return bool(rules) and (rules[0].permission, rules[0].pattern) == ("*", "*")


def as_object(rules: Ruleset) -> dict[str, object] | None:
    """Rules as a permission block, `None` if one object cannot hold them in this order.

    >>> as_object((Rule("edit", "*", Action.DENY), Rule("edit", "docs/*", Action.ALLOW)))
    {'edit': {'*': 'deny', 'docs/*': 'allow'}}
    """
    block: dict[str, object] = {}
    for permission, group in groupby(rules, key=lambda rule: rule.permission):
        entries = list(group)
        patterns = {rule.pattern: rule.action.value for rule in entries}
        if permission in block or len(patterns) < len(entries):
            return None
        block[permission] = patterns["*"] if list(patterns) == ["*"] else patterns
    return block
