"""What kind of value belongs under which key of a configuration.

Only keys that decide who may do what, and those that people get wrong, are checked; what is
inside providers, formatters, MCP servers and the like is not looked at.

>>> from downset.config.nodes import of
>>> check_agent("mode", of("secondary"), "agent.x.")
Traceback (most recent call last):
downset.errors.InputError: agent.x.mode is not primary, subagent or all
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from downset.config.nodes import Node

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.nodes import Place
    from downset.errors import InputError

Check = Callable[[Node], bool]


def check_top(key: str, node: Node) -> None:
    """Raise what the program says if this is not a value for a key of the top level."""
    _check(key, node, _TOP)


def check_agent(key: str, node: Node, path: str) -> None:
    """Raise what the program says if this is not a value for a key of an agent."""
    _check(key, node, _AGENT, path)


def invalid(message: str, place: Place, help: str | None = None) -> InputError:  # noqa: A002 -- as printed
    """The error of a value that does not fit."""
    return place.error(message, id="invalid-config", help=help)


def _check(key: str, node: Node, table: Mapping[str, tuple[str, Check]], path: str = "") -> None:
    what, is_right = table.get(key, _ANYTHING)
    if not is_right(node):
        raise invalid(f"{path}{key} is not {what}", node.place)


def _is_text(node: Node) -> bool:
    return node.text is not None


def is_texts(node: Node) -> bool:
    """Whether this is a list of texts."""
    return isinstance(node.value, tuple) and all(item.text is not None for item in node.items)


def _is_bool(node: Node) -> bool:
    return isinstance(node.value, bool)


def _is_number(node: Node) -> bool:
    return isinstance(node.value, int | float) and not isinstance(node.value, bool)


def _is_count(node: Node, least: int = 1) -> bool:
    return _is_number(node) and float(node.value) >= least and float(node.value).is_integer()  # type: ignore[arg-type]


def _is_mode(node: Node) -> bool:
    return node.text in {"primary", "subagent", "all"}


def _is_color(node: Node) -> bool:
    names = {"primary", "secondary", "accent", "success", "warning", "error", "info"}
    return node.text is not None and (
        node.text in names or re.fullmatch("#[0-9a-fA-F]{6}", node.text) is not None
    )


def _is_servers(node: Node) -> bool:
    """Language servers: each is switched off, or has a command that is a list of texts."""
    return _is_bool(node) or (
        node.is_mapping and all(_is_server(server) for server in node.entries.values())
    )


def _is_server(node: Node) -> bool:
    disabled, command = node.get("disabled"), node.get("command")
    return (disabled is not None and disabled.value is True) or (
        command is not None and is_texts(command)
    )


def _is_object(node: Node) -> bool:
    return node.is_mapping


_ANYTHING: Final[tuple[str, Check]] = ("anything", lambda _node: True)
_TEXT: Final[tuple[str, Check]] = ("text", _is_text)
_BOOL: Final[tuple[str, Check]] = ("true or false", _is_bool)
_OBJECT: Final[tuple[str, Check]] = ("an object", _is_object)
_NUMBER: Final[tuple[str, Check]] = ("a number", _is_number)
_COUNT: Final[tuple[str, Check]] = ("a positive whole number", _is_count)
_TEXTS: Final[tuple[str, Check]] = ("a list of texts", is_texts)
_DEPTH: Final[tuple[str, Check]] = ("a whole number from 0", lambda node: _is_count(node, 0))
_SERVERS: Final[tuple[str, Check]] = ("servers whose commands are lists of texts", _is_servers)
_MODE: Final[tuple[str, Check]] = ("primary, subagent or all", _is_mode)
_COLOR: Final[tuple[str, Check]] = ("a colour: #rrggbb or the name of a theme colour", _is_color)

_TOP: Final[Mapping[str, tuple[str, Check]]] = {
    "$schema": _TEXT,
    "default_agent": _TEXT,
    "disabled_providers": _TEXTS,
    "enabled_providers": _TEXTS,
    "experimental": _OBJECT,
    "instructions": _TEXTS,
    "lsp": _SERVERS,
    "mcp": _OBJECT,
    "model": _TEXT,
    "provider": _OBJECT,
    "command": _OBJECT,
    "small_model": _TEXT,
    "snapshot": _BOOL,
    "subagent_depth": _DEPTH,
    "username": _TEXT,
}
_AGENT: Final[Mapping[str, tuple[str, Check]]] = {
    "color": _COLOR,
    "description": _TEXT,
    "disable": _BOOL,
    "hidden": _BOOL,
    "maxSteps": _COUNT,
    "mode": _MODE,
    "model": _TEXT,
    "options": _OBJECT,
    "prompt": _TEXT,
    "steps": _COUNT,
    "temperature": _NUMBER,
    "top_p": _NUMBER,
    "variant": _TEXT,
}
