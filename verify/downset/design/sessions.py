"""Agents, sessions, configuration, and what may be asked of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.language.terms import EMPTY, FALSE, NO_MODE, TRUE, FixedMode, Number, Or
from downset.language.vocabulary import text

if TYPE_CHECKING:
    from downset.language.terms import Formula, Mode, Text, Word


ZERO = Number()
UNDECLARED = "inherit"
"""What stands for the mode of an agent that declares none."""
NONE_DECLARED = FixedMode(UNDECLARED)


@dataclass(frozen=True)
class Agent:
    """An agent of the configuration: its name, its own rules, and whether only users start it.

    `mode` is the permission mode that it declares, `UNDECLARED` if it declares none.
    """

    label: str
    name: Text
    rules: Word
    users_only: Formula
    mode: Mode = NONE_DECLARED


@dataclass(frozen=True)
class Session:
    """One session: the agent it runs, the rules it stores, and who started it.

    `row_agent` is the agent that the stored row names, which in some releases is not the agent
    that runs. `tools` is the tools map of the newest prompt, one `{tool} * {allow|deny}` rule
    per entry. `caller` is `None` for a session that a user opened. `shared` are the rules that all
    sessions of a project share, `managed` those that an administrator set for them, `mode` is the
    permission mode.
    """

    name: str
    agent: Agent
    row_agent: Agent | None
    stored: Word = EMPTY
    tools: Word = EMPTY
    caller: Session | None = None
    depth: Number = ZERO
    dispatched: bool = False
    shared: Word = EMPTY
    managed: Word = EMPTY
    mode: Mode = NO_MODE

    def sharing(self, rules: Word) -> Session:
        """The session as it is if all sessions share these rules."""
        return replace(self, shared=rules)

    def in_mode(self, mode: Mode) -> Session:
        """The session in a permission mode."""
        return replace(self, mode=mode)

    @property
    def row_rules(self) -> Word:
        """The rules of the agent that the stored row names, none if it names none."""
        return EMPTY if self.row_agent is None else self.row_agent.rules


@dataclass(frozen=True)
class Config:
    """Settings that all sessions share.

    `primary_tools` has one `{tool} * deny` rule for each tool that is reserved for sessions
    which a user opened; `depth_limit` is the number of nested dispatches that are permitted.
    `trusted` says whether the user trusts the folder, `locked` whether the most permissive mode is
    switched off, `mode` is the permission mode in which sessions begin.
    """

    primary_tools: Word
    depth_limit: Number
    trusted: Formula = TRUE
    locked: Formula = FALSE
    mode: Mode = NO_MODE


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
    """What a fork keeps of the session it copies; `mode` is `None` if it keeps the mode."""

    stored: Word
    keeps_caller: bool = False
    mode: Mode | None = None


def named(query: Query, *permissions: str) -> Or:
    """The condition that a query is for one of some permissions, by its literal name.

    >>> len(named(Query.of("Edit", "a"), "Edit", "Write").parts)
    2
    """
    return Or(tuple(query.permission.same(text(name, "permission")) for name in permissions))
