"""Stories: sequences of events on the sessions of one design.

A property tells a story and then says what must hold at its end. The same code builds the
formula for the solver (sessions hold expressions) and replays a counterexample (every event's
outcome is settled to real rules at once). Where a story can go on in several ways it asks
`choose`, and the prover runs it once for each way.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from downset.design.design import Approvals, Resume
from downset.design.probe import answers
from downset.design.sessions import Agent, Config, Query, Session, Tool
from downset.design.traits import traits
from downset.language.rules import ALLOW
from downset.language.terms import (
    ALWAYS,
    EMPTY,
    FALSE,
    TRUE,
    And,
    Flag,
    Formula,
    Input,
    IsPlain,
    Number,
    Or,
    SameText,
    Sort,
    Text,
    TextIs,
    Word,
)
from downset.language.vocabulary import action, denied, pattern, rules, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from downset.design.design import Design
    from downset.language.terms import Predicate

PLAIN_PATTERN = pattern == "*"
TOOLS_MAP = PLAIN_PATTERN & ((action == ALLOW) | denied)
TOOL_NAMES = (
    PLAIN_PATTERN
    & denied
    & IsPlain(Sort.PERMISSION)
    & ~TextIs(text("external_directory", "permission"))
)


class Reach(Enum):
    """Where the sessions of a story come from."""

    ROOT = "a session that a user opened"
    CHILD = "a child of a session that a user opened"
    SPAWNED = "a session that a user opened, or one that any session at all dispatched"
    ANY = "any session at all, its stored rules arbitrary"

    @property
    def arbitrary(self) -> bool:
        """Whether such sessions stand for all that there can be."""
        return self in {Reach.SPAWNED, Reach.ANY}


@dataclass(frozen=True)
class Event:
    """One thing that happened, and the sessions as it left them."""

    kind: str
    details: tuple[tuple[str, str], ...]
    sessions: tuple[Session, ...]
    agent: Agent | None = None
    words: tuple[tuple[str, Word], ...] = ()
    flags: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Choice:
    """One place where a story went one of several ways."""

    name: str
    options: tuple[str, ...]
    taken: int


@dataclass
class Story:
    """A story in the telling.

    `reach` says how sessions arise, `more` how many further dispatches a descending property
    adds, `allowed` which events may happen (`None`: all), `script` which way to go at each choice
    and `settle` what to do with the outcome of an event (nothing, or evaluate it).
    """

    design: Design
    reach: Reach = Reach.ROOT
    more: int = 0
    allowed: frozenset[str] | None = None
    script: Sequence[int] = ()
    settle: Callable[[Word], Word] = lambda word: word
    events: list[Event] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    assumptions: list[Formula] = field(default_factory=list)
    agents: list[Agent] = field(default_factory=list)
    variables: list[Text] = field(default_factory=list)
    inputs: dict[Input, None] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    """Labels of agents that are one agent in this telling."""
    checks: list[Formula] = field(default_factory=list)
    """Whether each dispatch passed the permission check, in order."""
    made: int = 0
    bounded: str = ""
    """Why an answer about this story holds only up to a bound; empty if it does not."""

    # --- free things ---

    def choose(self, name: str, options: Sequence[str]) -> str:
        """One of several ways to go on; the prover tries them all."""
        place = len(self.choices)
        taken = self.script[place] if place < len(self.script) else 0
        self.choices.append(Choice(name, tuple(options), taken))
        return options[taken]

    def assume(self, condition: Formula) -> None:
        """Consider only stories in which a condition holds."""
        self.assumptions.append(condition)

    def impossible(self) -> None:
        """Give up this way of telling the story."""
        self.assume(FALSE)

    @property
    def possible(self) -> Formula:
        """All that was assumed."""
        return And(tuple(self.assumptions))

    def happens(self, kind: str, *sessions: Session, **details: object) -> None:
        """Record an event, and give the story up if the event is not allowed."""
        if self.allowed is not None and kind not in self.allowed:
            self.impossible()
        words = tuple((k, v) for k, v in details.items() if isinstance(v, Word))
        flags = tuple(v for v in details.values() if isinstance(v, Formula))
        texts = tuple((k, v) for k, v in details.items() if isinstance(v, str))
        agent = next((v for v in details.values() if isinstance(v, Agent)), None)
        self.events.append(Event(kind, texts, sessions, agent, words, flags))

    def word(
        self,
        name: str,
        origin: str = "",
        shape: Predicate = ALWAYS,
        *,
        distinct: bool = False,
        names: bool = False,
    ) -> Input:
        """A ruleset about which nothing is known but its shape."""
        made = Input(name, origin, shape, distinct, names)
        self.inputs[made] = None
        return made

    @property
    def config(self) -> Config:
        """The configuration that all sessions of the story share."""
        primary = self.word("primary tools", "primary tools", TOOL_NAMES, distinct=True, names=True)
        return Config(
            primary if self.design.primary_tools else EMPTY,
            Number("depth limit"),
        )

    def agent(self, label: str, *, users_only: Formula | None = None) -> Agent:
        """An agent with arbitrary rules, its name different from those of the others."""
        label = self.same.get(label, label)
        for known in self.agents:
            if known.label == label:
                return known
        name = Text(Sort.PATTERN, variable=f"name of {label}")
        for other in self.agents:
            self.assume(~SameText(name, other.name))
        only = Flag(f"{label} is for users only") if users_only is None else users_only
        made = replace(unnamed_agent(label), name=name, users_only=only & self._has_modes())
        self.agents.append(made)
        return made

    def name(self, label: str) -> Text:
        """The name of some agent, perhaps of one that the story tells of."""
        made = Text(Sort.PATTERN, variable=f"name of {label}")
        self.variables.append(made)
        return made

    def query(self, label: str = "query") -> Query:
        """An arbitrary query."""
        made = Query(
            Text(Sort.PERMISSION, variable=f"permission of {label}"),
            Text(Sort.PATTERN, variable=f"resource of {label}", plain=False),
        )
        self.variables += [made.permission, made.resource]
        return made

    def tool(self) -> Tool:
        """An arbitrary tool: one of each kind of alias, or any other name."""
        aliased = self._kinds_of_alias()
        name = self.choose("tool", [*aliased, "any other tool"])
        if name in aliased:
            return Tool.of(name, gate=self._gate(name), key=self._key(name))
        variable = Text(Sort.PERMISSION, variable="tool")
        self.variables.append(variable)
        for known in {**self.design.aliases, **self.design.asks_as}:
            self.assume(~SameText(variable, text(known, "permission")))
        return Tool(variable, variable, variable)

    def flag(self, name: str) -> Formula:
        """An arbitrary yes or no."""
        return Flag(name)

    # --- sessions ---

    def session(self, agent: str = "caller") -> Session:
        """A session from which the story starts."""
        if self.reach.arbitrary:
            return self.arbitrary(agent)
        if self.reach is Reach.CHILD:
            opener = self.root(f"{agent}'s caller")
            return self.spawn(opener, agent)
        return self.root(agent)

    def root(self, agent: str, stored: Word | None = None) -> Session:
        """A session that a user opens, with session rules that are arbitrary unless given."""
        name, runs = self._name(), self.agent(agent)
        agent = runs.label
        if stored is None:
            stored = Input(f"session rules of {name}", f"session {name}")
        stored = self.settle(stored)
        session = Session(name, runs, runs, stored)
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
        if caller is None and self.design.reads_callers:
            above = unnamed_agent(f"callers of {agent}")
            caller = Session(f"callers of {name}", above, above, Input(f"rules above {name}"))
        row = runs if self.design.row_agent_follows else self._any_row(agent)
        sender = unnamed_agent(f"sender to {agent}")
        from_session = Session(
            f"sender to {name}", sender, sender, Input(f"rules of sender to {name}")
        )
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
        )
        return session if child else self._opened_or_dispatched(session)

    # --- events ---

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
            name, callee, row, stored, EMPTY, caller, caller.depth.next(), dispatched=True
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
        if design.refuses_users_only:
            self.assume(~callee.users_only)
        if design.depth_limited:
            self.assume(caller.depth.below(self.config.depth_limit))
        passed = design.dispatches(caller, callee, via or "model")
        ways = design.ways() if via is None else [via]
        self.assume(Or(tuple(design.dispatches(caller, callee, way) for way in ways)))
        self.checks.append(passed)
        return passed

    def resume(self, caller: Session, child: Session, agent: str = "callee") -> Session:
        """A caller resumes a session under an agent, and sends it a prompt."""
        return self.first_prompt(self.reopen(caller, child, agent), caller)

    def reopen(self, caller: Session, child: Session, agent: str) -> Session:
        """The first half of a resume: the rules are written, the prompt is not sent yet."""
        design, callee = self.design, self.agent(agent)
        if not design.resumes_as_other_agent:
            callee = child.agent
        passed = self.may_dispatch(caller, callee, None)
        stored = self.settle(design.resume(caller, child, callee, self.config))
        row = callee if design.row_agent_follows else child.row_agent
        opened = replace(child, agent=callee, row_agent=row, stored=stored, tools=EMPTY)
        self.happens(
            "resume",
            opened,
            caller=caller.name,
            child=child.name,
            agent=callee.label,
            how=passed,
        )
        return opened

    def resumable(self, caller: Session, *, touched: bool = True) -> tuple[Session, Session]:
        """A session that the caller may resume, and the caller as it is by then.

        With `touched`, users may have changed the caller since (never the resumed session).
        """
        design = self.design
        if design.resumable is Resume.NOBODY:
            self.impossible()
        if self.reach.arbitrary and touched:
            return self._any_resumable(caller), caller
        if design.resumable is Resume.ANY_SESSION and self._resumes_another():
            return self.root("earlier"), caller
        child = self.spawn(caller, "earlier")
        now = self.changed(caller)
        return self.under(child, now), now

    def untouched(self, caller: Session) -> tuple[Session, Session]:
        """A resumable session that no user changed since it was made, and the caller by then.

        Where a resume keeps what a spawn stored, every such session stores what some spawn
        stored; else nothing is assumed of it.
        """
        if self.reach.arbitrary and not self._resume_keeps():
            return self._any_resumable(caller), caller
        if self.reach.arbitrary:
            earlier = self.changed(caller)
            return replace(self.spawn(earlier, "earlier"), caller=caller), caller
        return self.resumable(caller)

    def changed(self, session: Session) -> Session:
        """A session after a user changed it: rules added, agent switched, or a tools map sent."""
        if self.reach.arbitrary:
            return replace(
                session,
                stored=Input(f"changed rules of {session.name}"),
                agent=self.agent(f"{session.agent.label} after the change"),
            )
        ways = ["switch"]
        if self.design.patchable:
            ways.insert(0, "patch")
        if self.design.user_tools_map:
            ways.append("tools map")
        way = self.choose("change", ways)
        if way == "switch":
            return self.switch(session, f"{session.agent.label} after the change")
        return self.patch(session) if way == "patch" else self.user_prompt(session)

    def patch(self, session: Session) -> Session:
        """A user adds rules to a session."""
        added = self.settle(Input(f"rules added to {session.name}", f"added to {session.name}"))
        patched = replace(session, stored=self.settle(self.design.patch(session, added)))
        self.happens("patch", patched, session=session.name, added=added)
        return patched

    def under(self, child: Session, caller: Session) -> Session:
        """A running child whose caller was changed."""
        return replace(child, caller=caller)

    def switch(self, session: Session, agent: str) -> Session:
        """A user goes on in a session with another agent."""
        other = self.agent(agent)
        row = other if self.design.row_agent_follows else session.row_agent
        switched = replace(session, agent=other, row_agent=row)
        self.happens("switch", switched, session=session.name, agent=agent)
        return switched

    def user_prompt(self, session: Session) -> Session:
        """A user prompts a session with a tools map of their own."""
        sent = self.word("tools map", "tools map", TOOLS_MAP, distinct=True)
        self.assume(sent.any())
        sent_now = self.settle(sent)
        stored = self.settle(self.design.prompt(session, sent_now))
        prompted = replace(session, stored=stored, tools=sent_now)
        self.happens("user-prompt", prompted, session=session.name, tools=sent_now)
        return prompted

    def overtaken(self, session: Session) -> Session:
        """A subtask is queued in a session, and a message for another agent arrives before it runs.

        Returns the session as the subtask's dispatch sees it.
        """
        newer = self.agent(f"{session.agent.label} of the newer message")
        self.happens("queue", session, session=session.name, agent=newer.label)
        return replace(session, agent=newer) if self.design.attributes_to_newest else session

    def running(self, began: Session, now: Session) -> Session:
        """A session whose run began before its stored rules changed."""
        return replace(now, stored=began.stored) if self.design.snapshots else now

    def raced(self, session: Session) -> tuple[Session, Word]:
        """A prompt with a tools map and a patch of one session, the patch in between.

        Returns the session after both, and the rules that the patch added.
        """
        patched = self.patch(session)
        read = patched if self.design.atomic_prompts else session
        prompted = self.user_prompt(read)
        return prompted, Input(f"rules added to {session.name}", f"added to {session.name}")

    def fork(self, session: Session) -> Session:
        """A user copies a session."""
        kept, name = self.design.fork(session), self._name()
        stays = kept.keeps_caller
        copy = Session(
            name,
            session.agent,
            session.agent,
            self.settle(kept.stored),
            caller=session.caller if stays else None,
            depth=session.depth if stays else Number(),
        )
        self.happens("fork", copy, session=session.name, copy=name)
        return copy

    def approve(self, session: Session, query: Query) -> Word:
        """A session asks for a query, and the user answers "always": the approvals after that."""
        self.assume(self.design.decide(session, query).asks)
        approved = self.settle(
            rules((query.permission, "*", ALLOW), origin=f"approved in {session.name}")
        )
        self.happens("approve", session, session=session.name, approved=approved)
        return approved

    def approvals_seen(self, approved: Word, *, elsewhere: bool) -> Word:
        """The approvals that count in a session, if they were given elsewhere or in it."""
        local = self.design.approvals is Approvals.SESSION_RAISES_ASK
        return EMPTY if elsewhere and local else approved

    # --- details ---

    def _any_resumable(self, caller: Session) -> Session:
        child = self.design.resumable is Resume.OWN_CHILDREN
        return self.any_session("earlier", caller, child=child)

    def _opened_or_dispatched(self, session: Session) -> Session:
        if not traits(self.design).tells_dispatched:
            return session
        how = self.choose(f"how {session.name} began", ["dispatched", "opened"])
        return session if how == "dispatched" else replace(session, dispatched=False)

    def _any_row(self, agent: str) -> Agent | None:
        options = [f"the row of {agent}", "no row"]
        empty = traits(self.design).tells_rows and self.choose("row", options) == options[1]
        return None if empty else unnamed_agent(f"row of {agent}")

    def _resumes_another(self) -> bool:
        options = ["another session", "own child"]
        return self.choose("resumed session", options) == options[0]

    def _resume_keeps(self) -> bool:
        design = self.design
        if design.resumable is not Resume.OWN_CHILDREN:
            return False
        agent = unnamed_agent("probe")
        probe = Session("probe", agent, agent, Input("probe"), dispatched=True)
        kept = design.resume(probe, probe, probe.agent, self.config) == probe.stored
        return kept and design.prompt(probe, Input("probe map")) == probe.stored

    def _name(self) -> str:
        self.made += 1
        return f"s{self.made}"

    def _has_modes(self) -> Formula:
        return TRUE if self.design.modes else FALSE

    def _gate(self, tool: str) -> str:
        return self.design.aliases.get(tool, tool)

    def _key(self, tool: str) -> str:
        return self.design.asks_as.get(tool, tool)

    def _kinds_of_alias(self) -> list[str]:
        kinds = {
            (self._gate(name), self._key(name)): name
            for name in reversed([*self.design.aliases, *self.design.asks_as])
            if (self._gate(name), self._key(name)) != (name, name)
        }
        return sorted({*kinds.values(), *traits(self.design).names_tools}, reverse=True)


def unnamed_agent(label: str) -> Agent:
    """An agent with arbitrary rules whose name nothing asks for."""
    name = Text(Sort.PATTERN, variable=f"name of {label}")
    return Agent(label, name, Input(f"rules of {label}", f"agent {label}"), FALSE)
