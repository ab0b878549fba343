"""Legacy `tools` maps: names of tools, on or off."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from downset.config.nodes import Node

if TYPE_CHECKING:
    from downset.config.releases import Release


def as_permissions(tools: Node, release: Release) -> Node:
    """The permission block that a tools map stands for (opencode.md 1.9).

    Tools that write are all `edit`, whose last entry wins; every other name is its own key.

    >>> from downset.config.nodes import of
    >>> from downset.config.releases import release
    >>> tools = of({"edit": True, "write": False, "acme_*": False})
    >>> block = as_permissions(tools, release("1.1.16"))
    >>> {key: node.value for key, node in block.entries.items()}
    {'edit': 'deny', 'acme_*': 'deny'}
    """
    entries: dict[str, Node] = {}
    for tool, node in tools.ordered():
        key = "edit" if tool in release.edit_in_tools_map else tool
        entries[key] = replace(node, value="allow" if node.value else "deny", hidden=None)
    return Node(entries, tools.place, tools.key)
