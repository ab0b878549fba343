"""What a permission design has to say, with the commonest answers as defaults.

A design says what each event does to the rules that a session stores (`spawn`, `resume`,
`prompt`, `patch`, `fork`), how the rules in force are composed (`effective`), and how the two
gates decide (`hidden`: is the tool offered? `decide`: is the call allowed?). A model is a
subclass that overrides what its release does differently; nothing else is needed to prove it.
"""

from __future__ import annotations

from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar

from downset.design.sessions import Fork, Query, Tool
from downset.language.matching import W2
from downset.language.rules import ALLOW, ASK
from downset.language.terms import (
    EMPTY,
    TRUE,
    Fixed,
    LanguageError,
    TextIs,
)
from downset.language.vocabulary import (
    blanket_denied,
    denied,
    last_match,
    matching,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.design.rendering import Rendering
    from downset.design.sessions import Agent, Config, Session
    from downset.language.matching import Matcher
    from downset.language.rules import Action
    from downset.language.terms import (
        Decision,
        Formula,
        Word,
    )


class Resume(Enum):
    """Which sessions a dispatch may resume."""

    NOBODY = "no session"
    OWN_CHILDREN = "sessions that the caller itself started"
    ANY_SESSION = "any session"


class Approvals(Enum):
    """What an "always" reply does to later decisions."""

    NONE = "there is no such reply"
    PROJECT = "allow rules behind all others, for every session of the project"
    PROJECT_AFTER_DENY = "as PROJECT, but a configured deny is final"
    SESSION_RAISES_ASK = "in the session that asked, an ask becomes an allow"


class Design:
    """One release of one system: how it computes what a session may do.

    >>> class Open(Design):
    ...     id = "example/open"
    ...     def spawn(self, caller, callee, config):
    ...         return caller.stored.where(denied)
    >>> Open().default
    <Action.ASK: 'ask'>
    """

    id: ClassVar[str] = ""
    title: ClassVar[str] = ""
    source: ClassVar[str] = ""

    matcher: ClassVar[Matcher] = W2
    default: ClassVar[Action] = ASK
    aliases: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Tool name -> the permission under which the availability gate looks it up."""
    asks_as: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Tool name -> the permission it asks with, where that is not its name."""

    dispatch: ClassVar[str] = "task"
    """The name of the dispatch tool, which is also the permission it asks with."""
    bypasses: ClassVar[tuple[str, ...]] = ()
    """Ways to dispatch that skip the check: `mention`, `command`.

    A mention only asks the model to call the tool, which must be offered; a command calls it.
    """
    modes: ClassVar[bool] = False
    """Whether agents can be for users only."""
    refuses_users_only: ClassVar[bool] = False
    """Whether a dispatch to an agent for users only is refused."""
    depth_limited: ClassVar[bool] = False
    resumable: ClassVar[Resume] = Resume.OWN_CHILDREN
    resumes_as_other_agent: ClassVar[bool] = True
    row_agent_follows: ClassVar[bool] = True
    """Whether the stored row always names the agent that runs."""
    attributes_to_newest: ClassVar[bool] = False
    """Whether a queued subtask counts as the newest message's agent's, whoever asked for it."""
    snapshots: ClassVar[bool] = False
    """Whether a running session decides by the rules that it stored when the run began."""
    atomic_prompts: ClassVar[bool] = False
    """Whether a prompt reads and writes the stored rules in one step."""
    reads_callers: ClassVar[bool] = False
    """Whether decisions look at the callers' rules as they are now."""
    primary_tools: ClassVar[bool] = False
    user_tools_map: ClassVar[bool] = False
    patchable: ClassVar[bool] = True
    forks: ClassVar[bool] = False
    approvals: ClassVar[Approvals] = Approvals.NONE
    rendering: ClassVar[Rendering | None] = None

    # --- what events do to stored rules ---

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The rules that a new child session stores when it is created."""
        message = "the design does not say what a spawned session stores: define `spawn`"
        raise LanguageError(message)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word | None:
        """The tools map that a dispatch sends with its prompt, or `None` for no map."""
        return None

    def prompt(self, session: Session, tools: Word) -> Word:
        """The stored rules after a prompt that carries a tools map."""
        return session.stored

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        """The stored rules of a resumed session, before its prompt."""
        return child.stored

    def patch(self, session: Session, rules: Word) -> Word:
        """The stored rules after a user added some."""
        return session.stored + rules

    def fork(self, session: Session) -> Fork:
        """What a copy of a session keeps."""
        return Fork(EMPTY)

    # --- the rules in force and the two gates ---

    def effective(self, session: Session) -> Word:
        """The rules in force, in order of evaluation."""
        return session.agent.rules + session.stored

    def visible(self, session: Session) -> Word:
        """The rules that the availability gate looks at."""
        return self.effective(session)

    def decide(self, session: Session, query: Query) -> Decision:
        """What happens to a call, approvals left out."""
        word = self.effective(session)
        return last_match(word, query.permission, query.resource, self.default)

    def decide_with(self, session: Session, query: Query, approved: Word) -> Decision:
        """What happens to a call once some requests were approved "always"."""
        configured = self.decide(session, query)
        if self.approvals is Approvals.SESSION_RAISES_ASK:
            raised = approved.any(matching(query.permission, query.resource))
            return configured.unless(configured.asks & raised, Fixed(ALLOW))
        word = self.effective(session) + approved
        appended = last_match(word, query.permission, query.resource, self.default)
        if self.approvals is Approvals.PROJECT_AFTER_DENY:
            return appended.unless(configured.denies, configured)
        return appended

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """Whether a tool is kept from the model of a session."""
        return blanket_denied(self.visible(session), tool.gate) | self.hidden_by_prompt(
            session, tool
        )

    def hidden_by_prompt(self, session: Session, tool: Tool) -> Formula:
        """Whether the tools map of the newest prompt switches a tool off, by its exact name."""
        return session.tools.any(TextIs(tool.name) & denied)

    def own(self, agent: Agent, query: Query) -> Decision:
        """What an agent's own rules alone decide."""
        return last_match(agent.rules, query.permission, query.resource, self.default)

    def own_hidden(self, agent: Agent, tool: Tool) -> Formula:
        """Whether an agent's own rules alone hide a tool."""
        return blanket_denied(agent.rules, tool.gate)

    # --- dispatch ---

    def dispatches(self, caller: Session, callee: Agent, via: str) -> Formula:
        """Whether the permission check lets a dispatch pass, made by `via`."""
        offered = ~self.hidden(caller, Tool.of(self.dispatch))
        if via in self.bypasses:
            return TRUE if via == "command" else offered
        query = Query.of(self.dispatch, callee.name)
        return ~self.decide(caller, query).denies & offered

    def ways(self) -> list[str]:
        """The ways in which a dispatch can come about."""
        return ["model", *self.bypasses]

    # --- which layer decided ---

    def session_layer_denies(self, session: Session, query: Query) -> Formula:
        """Whether the deciding rule is a deny that the session stores."""
        return session.stored.last(matching(query.permission, query.resource)).seen(denied)

    def agent_layer_denies(self, session: Session, query: Query) -> Formula:
        """Whether the deciding rule is a deny of the agent."""
        found = matching(query.permission, query.resource)
        return session.agent.rules.last(found).seen(denied) & ~session.stored.any(found)
