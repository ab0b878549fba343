"""Where the sessions of a story come from: opened by users, dispatched, or any session at all."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.design.probe import answers
from downset.design.sessions import Session
from downset.design.telling import Reach, Telling, unnamed_agent
from downset.design.traits import traits
from downset.language.terms import (
    EMPTY,
    Flag,
    Input,
    Mode,
    Number,
    Or,
    Word,
)

if TYPE_CHECKING:
    from downset.design.sessions import Agent
    from downset.language.terms import (
        Formula,
    )


@dataclass
class Cast(Telling):
    """A story in the telling: its sessions and how they are dispatched."""

    def session(self, agent: str = "caller") -> Session:
        """A session from which the story starts."""
        if self.reach.arbitrary:
            return self.arbitrary(agent)
        if self.reach is Reach.CHILD:
            opener = self.root(f"{agent}'s caller")
            return self.spawn(opener, agent)
        return self.root(agent)

    def root(self, agent: str, stored: Word | None = None, mode: Mode | None = None) -> Session:
        """A session that a user opens, its session rules and its mode arbitrary unless given."""
        name, runs = self._name(), self.agent(agent)
        agent = runs.label
        if stored is None:
            stored = Input(f"session rules of {name}", f"session {name}")
        stored = self.settle(stored)
        session = Session(
            name,
            runs,
            runs,
            stored,
            shared=self.settle(self.shared),
            managed=self.settle(self.managed),
            mode=self.mode_of(name) if mode is None else mode,
        )
        self.assume(~self.design.switched_off(session, self.config))
        self.happens("open", session, session=name, agent=agent)
        return session

    def arbitrary(self, agent: str) -> Session:
        """A session that stands for all sessions.

        Where nothing but spawns happens, each is a root or was dispatched by some session, and
        nothing but its dispatch has touched it.
        """
        if self.reach is Reach.ANY:
            return self.any_session(agent)
        if self.choose(f"the session of {agent}", ["opened", "dispatched"]) == "opened":
            return self.root(agent)
        return self.spawn(self.any_session(f"{agent}'s caller"), agent)

    def any_session(
        self, agent: str, caller: Session | None = None, *, child: bool = False
    ) -> Session:
        """A session in any state: nothing is assumed of how it came about, unless it is a child.

        Designs that read their callers' rules get one arbitrary caller: the meet of a stack of
        any height has, at finitely many queries, the decisions of one arbitrary session.
        """
        name, runs = self._name(), self.agent(agent)
        modes = self.design.permission_modes
        if caller is None and self.design.reads_callers:
            above = unnamed_agent(f"callers of {agent}", modes)
            caller = self._met(f"callers of {name}", above, Input(f"rules above {name}"))
        row = runs if self.design.row_agent_follows else self._any_row(agent)
        sender = unnamed_agent(f"sender to {agent}", modes)
        from_session = self._met(f"sender to {name}", sender, Input(f"rules of sender to {name}"))
        sent = self.design.dispatch_tools(from_session, runs, self.config)
        sent = EMPTY if sent is None else sent
        session = Session(
            name,
            runs,
            row,
            Input(f"session rules of {name}"),
            sent.when(Flag(f"{name} was dispatched")),
            caller,
            Number(f"depth of {name}"),
            dispatched=True,
            shared=self.shared,
            managed=self.managed,
            mode=self.mode_of(name),
        )
        return session if child else self._opened_or_dispatched(session)

    def spawn(self, caller: Session, agent: str = "callee", via: str | None = None) -> Session:
        """A caller dispatches an agent as a new session, and sends it its first prompt."""
        return self.first_prompt(self.create_child(caller, agent, via), caller)

    def create_child(
        self, caller: Session, agent: str = "callee", via: str | None = None
    ) -> Session:
        """The first half of a spawn: the child exists, its prompt is not sent yet."""
        callee = self.agent(agent)
        agent = callee.label
        passed = self.may_dispatch(caller, callee, via)
        design, name = self.design, self._name()
        stored = self.settle(answers(Word, design.spawn, caller, callee, self.config))
        row = callee if design.row_agent_follows else None
        child = Session(
            name,
            callee,
            row,
            stored,
            EMPTY,
            caller,
            caller.depth.next(),
            dispatched=True,
            shared=caller.shared,
            managed=caller.managed,
            mode=answers(Mode, design.spawn_mode, caller, callee, self.config),
        )
        self.happens(
            "spawn", child, caller=caller.name, agent=agent, child=name, via=via or "", how=passed
        )
        return child

    def first_prompt(self, child: Session, caller: Session) -> Session:
        """The prompt that a dispatch sends, with its tools map if the release has one."""
        sent = self.design.dispatch_tools(caller, child.agent, self.config)
        if sent is None:
            return child
        sent = self.settle(sent)
        prompted = replace(child, stored=self.settle(self.design.prompt(child, sent)), tools=sent)
        self.happens("prompt", prompted, session=child.name, tools=sent)
        return prompted

    def may_dispatch(self, caller: Session, callee: Agent, via: str | None) -> Formula:
        """Assume that a dispatch is possible; returns whether the permission check passed."""
        design = self.design
        if caller.dispatched and not design.children_dispatch:
            self.impossible()
        if design.refuses_users_only:
            self.assume(~callee.users_only)
        if design.depth_limited:
            self.assume(caller.depth.below(self.config.depth_limit))
        passed = design.dispatches(caller, callee, via or "model")
        ways = design.ways() if via is None else [via]
        self.assume(Or(tuple(design.dispatches(caller, callee, way) for way in ways)))
        self.checks.append(passed)
        return passed

    def _met(self, name: str, agent: Agent, stored: Word) -> Session:
        """A session of which the story tells nothing but that it is there."""
        return Session(
            name,
            agent,
            agent,
            stored,
            shared=self.shared,
            managed=self.managed,
            mode=self.mode_of(name),
        )

    def _opened_or_dispatched(self, session: Session) -> Session:
        if not traits(self.design).tells_dispatched:
            return session
        how = self.choose(f"how {session.name} began", ["dispatched", "opened"])
        return session if how == "dispatched" else replace(session, dispatched=False)

    def _any_row(self, agent: str) -> Agent | None:
        options = [f"the row of {agent}", "no row"]
        empty = traits(self.design).tells_rows and self.choose("row", options) == options[1]
        row = unnamed_agent(f"row of {agent}", self.design.permission_modes)
        return None if empty else row
