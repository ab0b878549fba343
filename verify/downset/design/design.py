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
    FALSE,
    TRUE,
    ActionIs,
    Fixed,
    LanguageError,
    Pick,
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
        Mode,
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


class Unreadable(Enum):
    """What a program does if it cannot read a file of rules."""

    DROPPED = "it goes on without any rule of the file"
    REFUSED = "it does not start"


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
    tools: ClassVar[tuple[str, ...]] = (
        *("edit", "bash", "task", "external_directory", "todowrite", "question"),
    )
    """Some of the permissions that there are, for stories, the plainest first."""
    aliases: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Tool name -> the permission under which the availability gate looks it up."""
    asks_as: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Tool name -> the permission it asks with, where that is not its name."""

    dispatch: ClassVar[str] = "task"
    """The name of the dispatch tool, which is also the permission it asks with.

    Empty if no rule can say anything of a dispatch.
    """
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

    stores_rules: ClassVar[bool] = True
    """Whether sessions have rules of their own, beside those of their agents and shared ones."""
    agents_have_rules: ClassVar[bool] = True
    hides_tools: ClassVar[bool] = True
    children_dispatch: ClassVar[bool] = True
    """Whether a session that was dispatched can dispatch in turn."""
    switchable: ClassVar[bool] = True
    """Whether a user can go on in a session with another agent."""
    shares_rules: ClassVar[bool] = False
    """Whether all sessions read the same rules, for instance those of a settings file."""
    managed_rules: ClassVar[bool] = False
    """Whether an administrator can set rules for all users."""
    unreadable: ClassVar[Mapping[str, Unreadable]] = MappingProxyType({})
    """How the program is started -> what it does with shared rules that it cannot read."""
    documented: ClassVar[bool] = False
    """Whether the model says which precedence is documented."""
    todo_list: ClassVar[bool] = True
    """Whether there is a todo list of one's own that a callee could spoil."""
    outside: ClassVar[bool] = True
    """Whether directories outside the project have a permission of their own."""

    permission_blocks: ClassVar[bool] = True
    """Whether agents' rules can be written as a permission block of a configuration."""

    permission_modes: ClassVar[tuple[str, ...]] = ()
    """The permission modes, the usual one first; none if the design has none."""
    changes_mode: ClassVar[bool] = False
    """Whether a user can change the mode of a session that has begun."""
    one_mode: ClassVar[bool] = False
    """Whether all sessions are in one mode, so that a change is one of all."""
    restarts: ClassVar[bool] = False
    """Whether a user can take up a session after the program ended."""

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

    # --- permission modes ---

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        """The mode of a new child session."""
        return caller.mode

    def resume_mode(self, caller: Session, child: Session, callee: Agent, config: Config) -> Mode:
        """The mode of a resumed session."""
        return child.mode

    def restart_mode(self, session: Session, config: Config) -> Mode:
        """The mode of a session that a user takes up again after the program ended."""
        return session.mode

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        """What happens in a mode to a call of which no rule says anything."""
        return Fixed(self.default)

    def switched_off(self, session: Session, config: Config) -> Formula:
        """Whether a session is in a mode that the configuration switches off."""
        return FALSE

    # --- tiers ---

    def managed_says(self, session: Session, query: Query, action: Action) -> Formula:
        """Whether an administrator's rules alone come to an action, the strictest that match."""
        found = matching(query.permission, query.resource)
        return session.managed.best(found, Pick.SEVERITY).seen(ActionIs(action))

    # --- what the documentation says ---

    def documents(self, session: Session, query: Query) -> Decision:
        """What happens to a call by the documented precedence."""
        return self.decide(session, query)

    def documents_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        """The mode of a new child session by the documentation."""
        return self.spawn_mode(caller, callee, config)

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
        if not self.hides_tools:
            return FALSE
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
        if not self.dispatch:
            return TRUE
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
