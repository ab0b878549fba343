"""What happens to a V1 configuration after all documents are merged (opencode.md 1.9)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.config.nodes import EMPTY, Node, merged
from downset.config.tools_map import as_permissions

if TYPE_CHECKING:
    from downset.config.releases import Release


def folded(document: Node, release: Release) -> Node:
    """Modes become primary agents, and a tools map goes underneath the permission block.

    >>> from downset.config.nodes import of
    >>> from downset.config.releases import release
    >>> document = of({"tools": {"acme_*": False}, "permission": {"*": "ask"}})
    >>> list(folded(document, release("1.1.16"))["permission"].entries)
    ['acme_*', '*']
    """
    for name, mode in (document.get("mode") or EMPTY).entries.items():
        primary = mode.with_entry("mode", Node("primary", mode.place, mode.key))
        agents = merged(document.get("agent") or EMPTY, Node({name: primary}))
        document = document.with_entry("agent", agents)
    tools = document.get("tools")
    if tools is None:
        return document
    block = merged(as_permissions(tools, release), document.get("permission") or EMPTY)
    return document.with_entry("permission", block)
