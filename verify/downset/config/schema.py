"""What a release accepts in a configuration, and the normal form that it gives it.

`decode` is applied to each document on its own, before documents are merged (opencode.md 1.9):
text for a whole permission block becomes `{"*": action}`, a tools map of an agent becomes part of
its permission block, and a document that the release rejects raises the error it would give.

>>> from downset.config.releases import release
>>> from downset.config.nodes import of
>>> from downset.config.findings import Findings
>>> decode(of({"permission": "ask"}), release("1.18.2"), Findings())["permission"]["*"].value
'ask'
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from downset.config.checks import check_agent, check_top, invalid, is_texts
from downset.config.nodes import Node
from downset.config.releases import KeyOrder
from downset.config.tools_map import as_permissions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.findings import Findings
    from downset.config.nodes import Place
    from downset.config.releases import Release

ACTIONS: Final = ("allow", "ask", "deny")


def decode(document: Node, release: Release, findings: Findings) -> Node:
    """A document in the normal form, or the error with which the release rejects it."""
    if not document.is_mapping:
        raise invalid("a configuration is an object", document.place)
    document = _without_unknown(document, release, findings)
    for key, node in document.entries.items():
        check_top(key, node)
    for key in ("agent", "mode"):
        if (agents := document.get(key)) is not None:
            document = document.with_entry(key, _decode_agents(key, agents, release, findings))
    if (tools := document.get("tools")) is not None:
        _check_tools("tools", tools)
    if (block := document.get("permission")) is not None:
        document = document.with_entry("permission", decode_block("permission", block, release))
    _check_experimental(document.get("experimental"))
    return document


def decode_agent(path: str, agent: Node, release: Release, findings: Findings) -> Node:
    """An agent's entry in the normal form; `path` says for people where it is.

    >>> from downset.config.releases import release
    >>> from downset.config.nodes import of
    >>> from downset.config.findings import Findings
    >>> agent = of({"tools": {"write": False, "bash": True}, "permission": {"bash": "ask"}})
    >>> block = decode_agent("agent.x", agent, release("1.18.2"), Findings())["permission"]
    >>> {key: node.value for key, node in block.entries.items()}
    {'edit': 'deny', 'bash': 'ask'}
    """
    if not agent.is_mapping:
        raise invalid(f"{path} is not an object", agent.place)
    for key, node in agent.entries.items():
        check_agent(key, node, f"{path}.")
    _look_at_unknown(path, agent, findings)
    block = agent.get("permission")
    if block is not None:
        block = _decode_agent_block(f"{path}.permission", block, release)
    tools = agent.get("tools")
    if tools is not None:
        _check_tools(f"{path}.tools", tools)
    return agent.with_entry("permission", _joined(tools, block, release, agent.place))


def decode_block(path: str, block: Node, release: Release) -> Node:
    """A permission block in the normal form: a mapping of keys to actions or maps of actions."""
    if block.text is not None:
        _check_action(path, block)
        return Node({"*": block}, block.place, block.key)
    if not block.is_mapping:
        raise invalid(f"{path} is neither an action nor an object", block.place, _ACTION_HELP)
    for key, node in block.entries.items():
        _check_entry(f"{path}.{key}", key, node, release)
    return _known_first(block, release)


def _decode_agents(path: str, agents: Node, release: Release, findings: Findings) -> Node:
    if not agents.is_mapping:
        raise invalid(f"{path} is not an object", agents.place)
    for name, agent in agents.entries.items():
        decoded = decode_agent(f"{path}.{name}", agent, release, findings)
        agents = agents.with_entry(name, decoded)
    return agents


def _decode_agent_block(path: str, block: Node, release: Release) -> Node:
    """Plain text for an agent's block is an error from 1.14.26 to 1.17.10 (observed)."""
    if block.text is not None and not release.text_for_agent:
        raise invalid(
            f"{path} is plain text, which {release.name} rejects for an agent",
            block.place,
            f'write {{"*": "{block.value}"}}',
        )
    return decode_block(path, block, release)


def _joined(tools: Node | None, block: Node | None, release: Release, place: Place) -> Node:
    """Tools first, then the block over them; in 1.0.224 the other way round (1.9)."""
    parts = [as_permissions(tools, release) if tools else None, block]
    if not release.since(1, 1, 1):
        parts.reverse()
    entries: dict[str, Node] = {}
    for part in parts:
        entries |= part.entries if part else {}
    return Node(entries, block.place if block else place, block.key if block else place)


def _check_entry(path: str, key: str, node: Node, release: Release) -> None:
    if node.is_mapping:
        if key in _action_only(release):
            raise invalid(
                f"{path} takes allow, ask or deny, not a map of patterns",
                node.place,
                "the tool asks without a pattern, so a map for it would have no meaning",
            )
        for pattern, action in node.entries.items():
            _check_action(f"{path}.{pattern}", action)
        return
    _check_action(path, node)


def _check_action(path: str, node: Node) -> None:
    if node.text not in ACTIONS:
        shown = f" `{node.value}`" if isinstance(node.value, str) and node.hidden is None else ""
        raise invalid(f"{path} has the value{shown}, not an action", node.place, _ACTION_HELP)


def _action_only(release: Release) -> frozenset[str]:
    """Keys that take no patterns (observed: `a pattern map under webfetch is an error`)."""
    keys = {"todowrite", "webfetch", "websearch", "doom_loop"}
    if release.since(1, 1, 7):
        keys.add("question")
    if not release.since(1, 3, 3):
        keys.add("todoread")
    if not release.since(1, 14, 30) or (release.since(1, 14, 42) and not release.since(1, 14, 49)):
        keys.add("codesearch")
    return frozenset(keys)


def _known_first(block: Node, release: Release) -> Node:
    """Until 1.1.2, and in 1.14.21 to 1.14.24, known keys come first, in the schema's order."""
    known = _KNOWN.get(release.key_order)
    if known is None:
        return block
    entries = {key: block[key] for key in known if key in block.entries}
    return replace(block, value=entries | dict(block.entries))


def _without_unknown(document: Node, release: Release, findings: Findings) -> Node:
    """Unknown keys are an error until 1.18.15, and ignored since."""
    if release.since(1, 2, 15):
        document = document.without("theme", "keybinds", "tui")
    for key, node in document.entries.items():
        if not _is_known(key, release):
            _unknown_key(key, node, release, findings)
    return document


def _unknown_key(key: str, node: Node, release: Release, findings: Findings) -> None:
    message = f"unrecognized key `{key}`"
    if release.strict_keys:
        raise node.where().error(
            f"{message}: {release.name} rejects the configuration",
            id="unknown-key",
            help=_V2_HELP if key in _V2_KEYS else "remove it, or choose another --release",
        )
    if key in {"permissions", "agents"}:
        text = f"{release.name} does not read `{key}`: no rule in it has any effect"
        findings.error("v2-key", text, node.where(), _V2_HELP)
    else:
        text, help_line = f"{release.name} ignores the {message}", "correct its name, or remove it"
        findings.warning("unknown-key", text, node.where(), help_line)


def _is_known(key: str, release: Release) -> bool:
    start = _TOP_KEYS.get(key)
    if key in {"theme", "keybinds", "tui"}:
        return not release.since(1, 2, 15)
    return start is not None and release.version >= start


def _look_at_unknown(path: str, agent: Node, findings: Findings) -> None:
    """Unknown keys of an agent become options of its model: no rule comes of them (observed)."""
    for key in ("permissions", "disabled"):
        if (node := agent.get(key)) is not None:
            text = f"{path}.{key} is not read by this release: it restricts nothing"
            findings.error("v2-key", text, node.where(), f"write `{key[:-1]}`")


def _check_tools(path: str, tools: Node) -> None:
    if not tools.is_mapping:
        raise invalid(f"{path} is not an object", tools.place)
    for name, node in tools.entries.items():
        if not isinstance(node.value, bool):
            raise invalid(f"{path}.{name} is not true or false", node.place)


def _check_experimental(experimental: Node | None) -> None:
    tools = experimental.get("primary_tools") if experimental else None
    if tools is not None and not is_texts(tools):
        raise invalid("experimental.primary_tools is not a list of names", tools.place)


_TOP_KEYS: Final[Mapping[str, tuple[int, ...]]] = dict.fromkeys(
    (
        *("$schema", "agent", "autoshare", "autoupdate", "command", "compaction", "default_agent"),
        *("disabled_providers", "enabled_providers", "enterprise", "experimental", "formatter"),
        *("instructions", "layout", "logLevel", "lsp", "mcp", "mode", "model", "permission"),
        *("plugin", "provider", "server", "share", "small_model", "snapshot", "tools"),
        *("username", "watcher"),
    ),
    (1, 0, 224),
) | {
    "skills": (1, 1, 43),
    "tool_output": (1, 14, 23),
    "shell": (1, 14, 27),
    "reference": (1, 14, 42),
    "attachment": (1, 14, 47),
    "references": (1, 17, 1),
    "subagent_depth": (1, 18, 2),
}
_KNOWN: Final[Mapping[KeyOrder, tuple[str, ...]]] = {
    KeyOrder.KNOWN_FIRST: (
        *("read", "edit", "glob", "grep", "list", "bash", "task", "external_directory"),
        *("todowrite", "todoread", "webfetch", "websearch", "codesearch", "lsp", "doom_loop"),
    ),
    KeyOrder.WILDCARDS_FIRST: (
        *("read", "edit", "glob", "grep", "list", "bash", "task", "external_directory"),
        *("todowrite", "question", "webfetch", "websearch", "codesearch", "lsp", "doom_loop"),
        "skill",
    ),
}
_V2_KEYS: Final = frozenset({"permissions", "agents", "providers", "plugins", "commands"})
_V2_HELP: Final = (
    "this is the form of opencode 2: choose --release opencode@2.0, "
    "or write `permission` and `agent`"
)
_ACTION_HELP: Final = "write allow, ask or deny"
