"""A configuration, resolved: its agents with their rules, and what there is to say about it.

>>> from downset.config.releases import release
>>> project = resolve({"permission": {"edit": "ask"}}, release("1.18.2"))
>>> [str(rule) for rule in project.agent("plan").ruleset if rule.permission == "edit"][-1]
'edit * ask'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.config.agents import AgentConfig, Inputs, agent_of, agents_of
from downset.config.agents_v2 import agent_of_v2, agents_of_v2, user_rules
from downset.config.findings import Finding, Findings, Severity
from downset.config.merging import folded
from downset.config.nodes import EMPTY, Place, of
from downset.config.rules_from import Layer, PlacedRule, Reading, from_config
from downset.config.schema import decode
from downset.config.surroundings import Surroundings
from downset.config.v2 import v2_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from downset.config.nodes import Node
    from downset.config.releases import Release
    from downset.config.rules_from import LayerOf

__all__ = [
    "AgentConfig",
    "FileRead",
    "Finding",
    "Layer",
    "Place",
    "PlacedRule",
    "Project",
    "Severity",
    "from_document",
    "from_documents",
    "resolve",
]


@dataclass(frozen=True)
class FileRead:
    """A file that was read, and the layer of the top-level rules in it."""

    path: str
    layer: Layer


@dataclass(frozen=True)
class Project:
    """Everything that a checker needs to know about a configuration.

    `agents` has the disabled ones too. `subagent_depth` is the number of nested dispatches that
    are permitted, `None` where the release has no limit. `files_read` is in the order in which
    files were applied: the last wins.
    """

    release: Release
    here: Surroundings
    agents: Mapping[str, AgentConfig]
    user_rules: tuple[PlacedRule, ...]
    default_agent: str | None
    primary_tools: tuple[str, ...]
    subagent_depth: int | None
    mcp_servers: Mapping[str, Place]
    files_read: tuple[FileRead, ...] = ()
    findings: tuple[Finding, ...] = ()

    def agent(self, name: str) -> AgentConfig:
        """The agent with this name; one that nothing mentions has no rules of its own.

        >>> from downset.config.releases import release
        >>> resolve({}, release("1.18.2")).agent("writer").mode
        'all'
        """
        found = self.agents.get(name)
        if found is not None:
            return found
        reading = Reading(self.release, self.here)
        if self.release.engine > 1:
            return agent_of_v2(name, reading, self.user_rules)
        return agent_of(name, None, None, Inputs(reading, self.user_rules))

    @property
    def active(self) -> tuple[AgentConfig, ...]:
        """The agents that exist at run time."""
        return tuple(agent for agent in self.agents.values() if not agent.disabled)


def resolve(
    config: Mapping[str, object],
    release: Release,
    home: str = "/home/dev",
    worktree: str | None = None,
    *,
    here: Surroundings | None = None,
) -> Project:
    """The project that one configuration object stands for, without any files.

    `here` has all directories, in place of `home` and `worktree`.

    >>> from downset.config.releases import release
    >>> resolve({"agent": {"build": {"disable": True}}}, release("1.18.2")).default_agent
    'plan'
    """
    findings = Findings()
    reading = Reading(release, here or Surroundings(home, worktree or f"{home}/app"))
    if release.engine > 1:
        return from_documents([v2_document(of(config), release, findings)], reading, findings)
    return from_document(decode(of(config), release, findings), reading, findings)


def from_document(
    document: Node,
    reading: Reading,
    findings: Findings,
    layer_of: LayerOf = lambda _place: Layer.PROJECT,
    files_read: Sequence[FileRead] = (),
) -> Project:
    """The project of a decoded and merged document of the first engine."""
    document = folded(document, reading.release)
    user = from_config(document.get("permission") or EMPTY, reading, layer_of)
    agents = agents_of(document, Inputs(reading, user))
    return Project(
        release=reading.release,
        here=reading.here,
        agents=agents,
        user_rules=user,
        default_agent=_default_agent(document.get("default_agent"), agents, findings),
        primary_tools=_primary_tools(document.get("experimental")),
        subagent_depth=_depth(document, reading.release),
        mcp_servers=_names(document.get("mcp")),
        files_read=tuple(files_read),
        findings=findings.all(),
    )


def from_documents(
    documents: Sequence[Node],
    reading: Reading,
    findings: Findings,
    layer_of: LayerOf = lambda _place: Layer.PROJECT,
    files_read: Sequence[FileRead] = (),
) -> Project:
    """The project of documents of the second engine, the last wins."""
    user = user_rules(documents, reading, layer_of)
    agents = agents_of_v2(documents, reading, user)
    experimental = _latest(documents, "experimental") or EMPTY
    servers = [(document.get("mcp") or EMPTY).get("servers") for document in documents]
    return Project(
        release=reading.release,
        here=reading.here,
        agents=agents,
        user_rules=user,
        default_agent=_default_agent(_latest(documents, "default_agent"), agents, findings),
        primary_tools=(),
        subagent_depth=_depth(experimental, reading.release),
        mcp_servers={name: at for node in servers for name, at in _names(node).items()},
        files_read=tuple(files_read),
        findings=findings.all(),
    )


def _default_agent(
    written: Node | None, agents: Mapping[str, AgentConfig], findings: Findings
) -> str | None:
    """The agent a user starts with: the one configured, else the first that users may start."""
    candidates = [a.name for a in agents.values() if _is_for_users(a)]
    if written is not None and isinstance(written.value, str):
        if written.value in candidates:
            return written.value
        findings.warning(
            "bad-default-agent",
            f"default_agent `{written.value}` is not an agent that a user can start",
            written.place,
            f"those are: {', '.join(candidates)}",
        )
    return candidates[0] if candidates else None


def _is_for_users(agent: AgentConfig) -> bool:
    return not (agent.disabled or agent.hidden or agent.mode == "subagent")


def _primary_tools(experimental: Node | None) -> tuple[str, ...]:
    tools = experimental.get("primary_tools") if experimental else None
    return tuple(str(item.value) for item in tools.items) if tools else ()


def _depth(settings: Node, release: Release) -> int | None:
    node = settings.get("subagent_depth")
    if release.depth_limit is None or node is None or not isinstance(node.value, int | float):
        return release.depth_limit
    return int(node.value)


def _names(node: Node | None) -> dict[str, Place]:
    """Servers and their places, without those that are switched off."""
    servers = (node or EMPTY).entries.items()
    return {name: server.where() for name, server in servers if not _is_off(server)}


def _is_off(server: Node) -> bool:
    enabled, disabled = server.get("enabled"), server.get("disabled")
    return (enabled is not None and enabled.value is False) or (
        disabled is not None and disabled.value is True
    )


def _latest(documents: Iterable[Node], key: str) -> Node | None:
    found = [node for document in documents if (node := document.get(key)) is not None]
    return found[-1] if found else None
