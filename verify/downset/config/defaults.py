"""The rules that every agent starts with, and the agents that are always there, per release.

Sources: opencode.md 2.1 and its history, corrected by opencode-observed.md ("Seen while settling
the recorded cases"). Directories of skills and references are left out: which there are depends
on the machine, and they only ever allow `external_directory` inside themselves.

>>> from downset.config.releases import release
>>> from downset.config.surroundings import Surroundings
>>> [str(rule) for rule in built_in(release("1.18.2"), Surroundings())["general"].rules]
['todowrite * deny']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.config import defaults_v2
from downset.language.rules import Action, Rule

if TYPE_CHECKING:
    from downset.config.releases import Release
    from downset.config.surroundings import Surroundings

Block = Mapping[str, str | Mapping[str, str]]


@dataclass(frozen=True)
class BuiltIn:
    """An agent that is always there: its mode, and its rules behind the defaults."""

    mode: str
    rules: tuple[Rule, ...]
    hidden: bool = False


def defaults(release: Release, here: Surroundings) -> tuple[Rule, ...]:
    """The rules in front of every agent's own.

    >>> from downset.config.releases import release
    >>> from downset.config.surroundings import Surroundings
    >>> [str(rule) for rule in defaults(release("1.0.224"), Surroundings())]
    ['* * allow', 'doom_loop * ask', 'external_directory * ask']
    """
    if release.engine > 1:
        return rules_of(defaults_v2.BASE)
    block: dict[str, str | Mapping[str, str]] = {
        "*": "allow",
        "doom_loop": "ask",
        "external_directory": {"*": "ask"} | _permitted_directories(release, here),
    }
    if release.since(1, 1, 7):
        block |= {"question": "deny"}
    if release.since(1, 1, 19):
        block |= {"plan_enter": "deny", "plan_exit": "deny"}
    if release.since(1, 14, 42) and not release.since(1, 16, 0):
        block |= {"repo_clone": "deny", "repo_overview": "deny"}
    if release.since(1, 1, 1):
        block |= {"read": _environment_files(release)}
    return rules_of(block)


def built_in(release: Release, here: Surroundings) -> dict[str, BuiltIn]:
    """The agents that are always there, in the program's order.

    >>> from downset.config.releases import release
    >>> from downset.config.surroundings import Surroundings
    >>> list(built_in(release("1.18.2"), Surroundings()))
    ['build', 'plan', 'general', 'explore', 'compaction', 'title', 'summary']
    """
    agents = _second_engine(here) if release.engine > 1 else _first_engine(release, here)
    helper = BuiltIn("primary", rules_of({"*": "deny"}), hidden=True)
    return agents | dict.fromkeys(_HELPERS, helper)


def tool_output(release: Release, here: Surroundings) -> tuple[str, ...]:
    """The patterns of the directory for long tool output; each agent may read there (2.1, TRUNC).

    >>> from downset.config.releases import release
    >>> from downset.config.surroundings import Surroundings
    >>> tool_output(release("1.18.2"), Surroundings())
    ('/home/dev/.local/share/opencode/tool-output/*',)
    """
    directory = f"{here.data}/tool-output"
    if release.engine > 1 or not release.since(1, 1, 7):
        return ()
    if not release.since(1, 1, 16):
        return (directory,)
    both = (directory, f"{directory}/*")
    return both[1:] if release.since(1, 1, 49) else both


def rules_of(*blocks: Block) -> tuple[Rule, ...]:
    """The rules of permission blocks that are part of the program, in order."""
    return tuple(
        Rule(permission, pattern, Action(action))
        for block in blocks
        for permission, value in block.items()
        for pattern, action in ({"*": value} if isinstance(value, str) else value).items()
    )


_HELPERS = ("compaction", "title", "summary")


def _second_engine(here: Surroundings) -> dict[str, BuiltIn]:
    blocks = defaults_v2.built_in(here).items()
    return {name: BuiltIn(mode, rules_of(common, own)) for name, (mode, common, own) in blocks}


def _first_engine(release: Release, here: Surroundings) -> dict[str, BuiltIn]:
    return {
        "build": BuiltIn("primary", rules_of(_build(release))),
        "plan": BuiltIn("primary", rules_of(_plan(release, here))),
        "general": BuiltIn("subagent", rules_of(_general(release)), not release.since(1, 1, 5)),
        "explore": BuiltIn("subagent", rules_of(_explore(release, here))),
    }


def _permitted_directories(release: Release, here: Surroundings) -> dict[str, str]:
    globs = tool_output(release, here)
    if release.since(1, 14, 31):
        globs += (f"{here.temporary}/opencode/*",)
    return dict.fromkeys(globs, "allow")


def _environment_files(release: Release) -> dict[str, str]:
    careful = "ask" if release.since(1, 1, 16) else "deny"
    return {"*": "allow", "*.env": careful, "*.env.*": careful, "*.env.example": "allow"}


def _build(release: Release) -> Block:
    if release.since(1, 1, 19):
        return {"question": "allow", "plan_enter": "allow"}
    return {"question": "allow"} if release.since(1, 1, 7) else {}


def _plan(release: Release, here: Surroundings) -> Block:
    block: dict[str, str | Mapping[str, str]] = {}
    plans = f"{here.data}/plans"
    if release.since(1, 1, 7):
        block["question"] = "allow"
    if release.since(1, 1, 19):
        block["plan_exit"] = "allow"
    if release.since(1, 17, 2):
        block["task"] = {"general": "deny"}
    if release.since(1, 1, 20):
        block["external_directory"] = {f"{plans}/*": "allow"}
    folder = ".opencode/plans" if release.since(1, 1, 19) else ".opencode/plan"
    edit = {"*": "deny", f"{folder}/*.md": "allow"}
    if release.since(1, 1, 20):
        edit[here.relative(f"{plans}/*.md")] = "allow"
    return block | {"edit": edit}


def _general(release: Release) -> Block:
    """`todoread` is in it until 1.3.2 (observed: 1.14.41 has none)."""
    if release.since(1, 3, 3):
        return {"todowrite": "deny"}
    return {"todoread": "deny", "todowrite": "deny"}


def _explore(release: Release, here: Surroundings) -> Block:
    allowed = ["grep", "glob", "list", "bash", "webfetch", "websearch"]
    if not release.since(1, 14, 30):
        allowed.append("codesearch")
    block: dict[str, str | Mapping[str, str]] = {"*": "deny"}
    block |= dict.fromkeys([*allowed, "read"], "allow")
    outside = _permitted_directories(release, here)
    if release.since(1, 2, 7):
        outside = {"*": "ask"} | outside
    return block | ({"external_directory": outside} if outside else {})
