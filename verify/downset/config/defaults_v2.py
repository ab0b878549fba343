"""What agents of the second engine start with.

From opencode.md section 6 (built-in agents of later versions) and, where it is silent, the newest
versions of packages/core that were read: every agent starts with `BASE`, and the built-in ones
have the defaults in `_COMMON` before their own rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from downset.config.surroundings import Surroundings

Block = Mapping[str, str | Mapping[str, str]]

BASE: Block = {"*": "allow", "external_directory": "ask"}


def built_in(here: Surroundings) -> dict[str, tuple[str, Block, Block]]:
    """Mode, common rules and own rules of each agent that works for a user.

    >>> from downset.config.surroundings import Surroundings
    >>> built_in(Surroundings())["general"][2]
    {'question': 'deny', 'subagent': 'deny'}
    """
    common = _common(here)
    return {
        "build": ("primary", common, {"question": "allow", "plan_enter": "allow"}),
        "plan": ("primary", common, _plan(here)),
        "general": ("subagent", common, {"question": "deny", "subagent": "deny"}),
        "explore": ("subagent", common, _EXPLORE),
    }


def _common(here: Surroundings) -> Block:
    return {
        "external_directory": {
            f"{here.data}/shell/*/*": "allow",
            f"{here.temporary}/opencode/*": "allow",
        },
        "question": "deny",
        "plan_enter": "deny",
        "plan_exit": "deny",
        "read": _READ,
    }


def _plan(here: Surroundings) -> Block:
    plans = f"{here.data}/plans"
    return {
        "question": "allow",
        "plan_exit": "allow",
        "external_directory": {f"{plans}/*": "allow"},
        "edit": {
            "*": "deny",
            ".opencode/plans/*.md": "allow",
            here.relative(f"{plans}/*.md"): "allow",
        },
    }


_READ: Mapping[str, str] = {
    "*": "allow",
    "*.env": "ask",
    "*.env.*": "ask",
    "*.env.example": "allow",
}
_EXPLORE: Block = {
    "*": "deny",
    "shell": "allow",
    "grep": "allow",
    "glob": "allow",
    "webfetch": "allow",
    "websearch": "allow",
    "read": _READ,
    "subagent": "deny",
    "external_directory": "allow",
}
