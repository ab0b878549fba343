"""Documents of the second engine: ordered `permissions` lists, `agents`, and migrated V1 files.

opencode.md section 6 and opencode-configs.md section 5 ("V2"). A document with any key that only
V1 has is read as V1 and migrated; then its V2 keys count for nothing. Of migrated rules the names
`bash` and `task` become `shell` and `subagent`, which is what V2 asks with.

>>> from downset.config.nodes import of
>>> from downset.config.releases import release
>>> document = v2_document(of({"permission": {"bash": "ask"}}), release("2.0"), Findings())
>>> [rule["action"].value for rule in document["permissions"].items]
['shell']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.config.checks import check_agent, invalid
from downset.config.findings import Findings
from downset.config.nodes import EMPTY, Node
from downset.config.schema import ACTIONS, decode, decode_agent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.config.releases import Release


def v2_document(document: Node, release: Release, findings: Findings) -> Node:
    """A document in V2's form, or the error for which V2 does not read it."""
    if not document.is_mapping:
        raise invalid("a configuration is an object", document.place)
    if not _V1_KEYS.isdisjoint(document.entries):
        _warn_of_mixture(document, findings)
        return _migrated(decode(document, release, Findings()), release)
    for key, check in (("permissions", _check_rules), ("agents", _check_agents)):
        if (node := document.get(key)) is not None:
            check(key, node)
    return document


def v2_agent(agent: Node, release: Release, name: str) -> Node:
    """The header of a Markdown agent in V2's form; a key that only V1 has makes it a V1 header."""
    if _V2_AGENT_KEYS.issuperset(agent.entries):
        _check_agent(name, agent)
        return agent
    return _migrated_agent(decode_agent(name, agent, release, Findings()), release)


def is_v2(document: Node) -> bool:
    """Whether this is written for V2: it has its list of rules, or its agents.

    >>> from downset.config.nodes import of
    >>> is_v2(of({"permissions": []})), is_v2(of({"permissions": {}})), is_v2(of({"agents": {}}))
    (True, False, True)
    """
    permissions = document.get("permissions")
    return isinstance(permissions.value if permissions else None, tuple) or (
        "agents" in document.entries and _V1_KEYS.isdisjoint(document.entries)
    )


def _warn_of_mixture(document: Node, findings: Findings) -> None:
    for key in ("permissions", "agents"):
        if (node := document.get(key)) is not None:
            findings.error(
                "mixed-forms",
                f"`{key}` is not read: the file also has keys of opencode 1, so all of it is "
                "read in the old form",
                node.where(),
                "write the whole file in one form",
            )


def _migrated(document: Node, release: Release) -> Node:
    agents = {
        name: _migrated_agent(agent, release)
        for name, agent in (document.get("agent") or EMPTY).entries.items()
    }
    for name, agent in (document.get("mode") or EMPTY).entries.items():
        primary = agent.with_entry("mode", Node("primary", agent.place))
        agents[name] = _migrated_agent(primary, release)
    rules = (*_tool_rules(document.get("tools")), *_block_rules(document.get("permission")))
    result = document.with_entry("permissions", Node(rules, document.place))
    result = result.with_entry("agents", Node(agents, document.place))
    return result.with_entry("mcp", Node({"servers": document.get("mcp") or EMPTY}))


def _migrated_agent(agent: Node, release: Release) -> Node:
    del release
    rules = Node(tuple(_block_rules(agent.get("permission"))), agent.place)
    result = agent.with_entry("permissions", rules)
    disable = agent.get("disable")
    return result if disable is None else result.with_entry("disabled", disable)


def _tool_rules(tools: Node | None) -> Iterator[Node]:
    for name, node in (tools or EMPTY).ordered():
        action = "edit" if name in {"write", "patch"} else name
        yield _rule(action, "*", Node("allow" if node.value else "deny", node.place, node.key))


def _block_rules(block: Node | None) -> Iterator[Node]:
    for permission, value in (block or EMPTY).ordered():
        if not value.is_mapping:
            yield _rule(permission, "*", value)
            continue
        for pattern, effect in value.ordered():
            yield _rule(permission, pattern, effect)


def _rule(permission: str, pattern: str, effect: Node) -> Node:
    place = effect.where()
    action = _RENAMED.get(permission, permission)
    return Node(
        {"action": Node(action, place), "resource": Node(pattern, place), "effect": effect}, place
    )


def _check_rules(path: str, rules: Node) -> None:
    if not isinstance(rules.value, tuple):
        raise invalid(f"{path} is not a list of rules", rules.place, _RULE_HELP)
    for index, rule in enumerate(rules.items):
        for key in ("action", "resource", "effect"):
            node = rule.get(key)
            if node is None or node.text is None:
                raise invalid(f"{path}.{index} has no {key}", rule.place, _RULE_HELP)
        if rule["effect"].text not in ACTIONS:
            raise invalid(f"{path}.{index}.effect is not an effect", rule["effect"].place, _HELP)


def _check_agents(path: str, agents: Node) -> None:
    if not agents.is_mapping:
        raise invalid(f"{path} is not an object", agents.place)
    for name, agent in agents.entries.items():
        _check_agent(f"{path}.{name}", agent)


def _check_agent(path: str, agent: Node) -> None:
    if not agent.is_mapping:
        raise invalid(f"{path} is not an object", agent.place)
    for key, node in agent.entries.items():
        check_agent("disable" if key == "disabled" else key, node, f"{path}.")
    if (rules := agent.get("permissions")) is not None:
        _check_rules(f"{path}.permissions", rules)


_RENAMED: Final = {"bash": "shell", "task": "subagent"}
_RULE_HELP: Final = 'a rule is {"action": "edit", "resource": "*", "effect": "deny"}'
_HELP: Final = "write allow, ask or deny"
_V1_KEYS: Final = frozenset(
    (
        *("logLevel", "server", "command", "reference", "snapshot", "plugin", "autoshare"),
        *("disabled_providers", "enabled_providers", "small_model", "mode", "agent", "provider"),
        *("permission", "tools", "attachment", "layout"),
    )
)
_V2_AGENT_KEYS: Final = frozenset(
    (
        *("model", "variant", "request", "system", "description", "mode", "hidden", "color"),
        *("steps", "disabled", "permissions"),
    )
)
