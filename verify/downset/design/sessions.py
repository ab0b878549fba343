"""Agents, sessions, configuration, and what may be asked of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.language.terms import EMPTY, Number
from downset.language.vocabulary import text

if TYPE_CHECKING:
    from downset.language.terms import Formula, Text, Word


ZERO = Number()


@dataclass(frozen=True)
class Agent:
    """An agent of the configuration: its name, its own rules, and whether only users start it."""

    label: str
    name: Text
    rules: Word
    users_only: Formula


@dataclass(frozen=True)
class Session:
    """One session: the agent it runs, the rules it stores, and who started it.

    `row_agent` is the agent that the stored row names, which in some releases is not the agent
    that runs. `tools` is the tools map of the newest prompt, one `{tool} * {allow|deny}` rule
    per entry. `caller` is `None` for a session that a user opened.
    """

    name: str
    agent: Agent
    row_agent: Agent | None
    stored: Word = EMPTY
    tools: Word = EMPTY
    caller: Session | None = None
    depth: Number = ZERO
    dispatched: bool = False

    @property
    def row_rules(self) -> Word:
        """The rules of the agent that the stored row names, none if it names none."""
        return EMPTY if self.row_agent is None else self.row_agent.rules


@dataclass(frozen=True)
class Config:
    """Settings that all sessions share.

    `primary_tools` has one `{tool} * deny` rule for each tool that is reserved for sessions
    which a user opened; `depth_limit` is the number of nested dispatches that are permitted.
    """

    primary_tools: Word
    depth_limit: Number


@dataclass(frozen=True)
class Query:
    """What is decided: a permission and a resource.

    >>> Query.of("edit", "src/app.ts").permission.literal
    'edit'
    """

    permission: Text
    resource: Text

    @staticmethod
    def of(permission: str | Text, resource: str | Text) -> Query:
        """A query from texts or plain strings."""
        return Query(text(permission, "permission"), text(resource, "pattern"))


@dataclass(frozen=True)
class Tool:
    """What is offered or hidden: a tool, by name.

    `gate` is the permission under which the availability gate looks it up, `key` the one it asks
    with when it runs; `asks` is false for tools that never ask.
    """

    name: Text
    gate: Text
    key: Text
    asks: bool = True

    @staticmethod
    def of(name: str | Text, *, gate: str | None = None, key: str | None = None) -> Tool:
        """A tool whose permissions are its own name unless said otherwise."""
        itself = text(name, "permission")
        return Tool(
            itself,
            itself if gate is None else text(gate, "permission"),
            itself if key is None else text(key, "permission"),
        )


@dataclass(frozen=True)
class Fork:
    """What a fork keeps of the session it copies."""

    stored: Word
    keeps_caller: bool = False
