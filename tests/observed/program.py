"""A design run as the real program was: real configuration in, what a tool call came to out.

Agents have the rules that the project's own configuration reader gives them for the release, with
all built-in ones. Every event is an event of a story whose words are settled at once, so what runs
here is the text of the model and the concrete reading, nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from tests.observed.designs import design_of

from downset.config.project import resolve
from downset.config.releases import release
from downset.design.design import Approvals
from downset.design.sessions import Agent, Query, Tool
from downset.design.story import Story
from downset.language.concrete import Assignment, Concrete
from downset.language.rules import ALLOW, ASK, DENY, Rule
from downset.language.terms import EMPTY, FALSE, TRUE, Sort, Text
from downset.language.vocabulary import rules
from downset.prove.replay import literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.config.project import AgentConfig
    from downset.design.sessions import Session
    from downset.language.rules import Action, Ruleset
    from downset.language.terms import Formula, Word

Reply = Literal["once", "always", "reject"]
HOME, WORKTREE = "/home/dev", "/home/dev/app"
NO_LIMIT = 99
NESTING = 3
"""The driver permits that many nested dispatches wherever there is a limit."""


@dataclass(frozen=True)
class Question:
    """A question that a user was asked, and what "always" would approve."""

    session: str
    permission: str
    always: str


class Program:
    """One project of one release, with its sessions and what was approved in it."""

    def __init__(self, name: str, **config: object) -> None:
        self.release, self.design = release(name), design_of(name)
        if self.release.depth_limit is not None:
            config.setdefault("subagent_depth", NESTING)
        project = resolve(config, self.release, HOME, WORKTREE)
        self.limit = project.subagent_depth or NO_LIMIT
        primary = tuple(Rule(tool, "*", DENY) for tool in project.primary_tools)
        self.inputs: dict[str, Ruleset] = {"primary tools": primary}
        given = Assignment(self.inputs, numbers={"depth limit": self.limit})
        self.reading = Concrete(given, self.design.matcher)
        self.story = Story(self.design, settle=self.settled)
        self.story.agents = [registered(agent) for agent in project.active]
        self.approved: Word = EMPTY
        self.questions: list[Question] = []
        assert self.design.approvals is Approvals.PROJECT

    def settled(self, word: Word) -> Word:
        """A word as the real rules it comes to."""
        return literal(self.reading.word(word))

    def holds(self, formula: Formula) -> bool:
        """Whether something holds on these real rules."""
        return self.reading.formula(formula)

    def stored(self, session: Session) -> Ruleset:
        """The rules that a session stores, as reading it back shows them."""
        return self.reading.word(session.stored)

    # --- what users do ---

    def open(self, agent: str = "build", *stored: Rule) -> Session:
        """Open a session with rules of its own, and go on with an agent."""
        return self.story.root(self.known(agent), literal(stored))

    def switch(self, session: Session, agent: str) -> Session:
        """Send the next prompt of a session under another agent."""
        return self.story.switch(session, self.known(agent))

    def patch(self, session: Session, *added: Rule) -> Session:
        """Add rules to a session; a release that cannot ignores them."""
        if not self.design.patchable:
            return session
        self.inputs[f"rules added to {session.name}"] = added
        return self.story.patch(session)

    def prompt(self, session: Session, tools: dict[str, bool]) -> Session:
        """Send a prompt with a tools map."""
        sent = tuple(Rule(name, "*", ALLOW if on else DENY) for name, on in tools.items())
        self.inputs["tools map"] = sent
        return self.story.user_prompt(session)

    # --- what the model does ---

    def dispatch(self, caller: Session, agent: str, via: str = "model") -> Session | str:
        """Start an agent as a new session, or say why that is refused."""
        refused = self.refused(caller, agent, via)
        return refused or self.permissible(self.story.spawn(caller, agent, via))

    def resume(self, caller: Session, child: Session, agent: str) -> Session | str:
        """Resume a session under an agent, or say why that is refused."""
        refused = self.refused(caller, agent, "model")
        return refused or self.permissible(self.story.resume(caller, child, agent))

    def refused(self, caller: Session, agent: str, via: str) -> str:
        """Why a dispatch is refused, or nothing: not offered, too deep, denied, in this order."""
        callee = self.story.agent(self.known(agent))
        if via != "command" and self.hides(caller, self.design.dispatch):
            return "NOTOOL"
        limit = self.story.config.depth_limit
        if self.design.depth_limited and not self.holds(caller.depth.below(limit)):
            return f"ERR:Subagent depth limit reached ({self.limit}). In"
        return "" if self.holds(self.design.dispatches(caller, callee, via)) else "DENIED"

    def permissible(self, session: Session) -> Session:
        """A session, once it is clear that the story up to it can happen."""
        assert self.holds(self.story.possible)
        return session

    def bash(self, session: Session | str, command: str, reply: Reply = "reject") -> str:
        """What comes of running a command."""
        return self.call(session, "bash", command, reply)

    def write(self, session: Session | str, path: str, reply: Reply = "reject") -> str:
        """What comes of writing a file, given relative to the project."""
        return self.call(session, "write", path, reply)

    def call(self, session: Session | str, tool: str, resource: str, reply: Reply) -> str:
        """What comes of a call by a session, or by one whose dispatch was refused."""
        if isinstance(session, str):
            return f"task:{session}"
        if self.hides(session, tool):
            return "NOTOOL"
        for key, asked, always in self.requests(tool, resource):
            action = self.decides(session, Query.of(key, asked))
            if action is DENY:
                return "DENIED"
            if action is ASK and not self.permitted(Question(session.name, key, always), reply):
                return "REJECTED"
        return "EXEC"

    def hides(self, session: Session, tool: str) -> bool:
        """Whether a tool is not offered to a session."""
        gate = self.design.aliases.get(tool, tool)
        return self.holds(self.design.hidden(session, Tool.of(tool, gate=gate)))

    def decides(self, session: Session, query: Query) -> Action:
        """What becomes of a request, with what was approved so far."""
        return self.reading.decision(self.design.decide_with(session, query, self.approved))

    def permitted(self, question: Question, reply: Reply) -> bool:
        """Ask the user; "always" counts for the whole project from now on."""
        self.questions.append(question)
        if reply == "always":
            self.approved += rules((question.permission, question.always, ALLOW))
        return reply != "reject"

    # --- what is known of the tools, and is no part of a design ---

    def requests(self, tool: str, resource: str) -> Iterator[tuple[str, str, str]]:
        """What a call asks for, in order: permission, resource, and what "always" approves.

        Until 1.1.12 (f94ee5ce9) `write` did not ask for a directory outside the project; from
        1.1.48 (e7ff7143b) approving a command puts a space between its prefix and the star.
        """
        if tool == "bash":
            space = " " if self.release.since(1, 1, 48) else ""
            yield "bash", resource, f"{resource.split(maxsplit=1)[0]}{space}*"
            return
        if resource.startswith("../") and self.release.since(1, 1, 13):
            outside = f"{HOME}/{resource.removeprefix('../').rpartition('/')[0]}/*"
            yield "external_directory", outside, outside
        yield self.design.asks_as.get(tool, tool), resource, "*"

    def known(self, agent: str) -> str:
        """The name of an agent that exists."""
        assert any(found.label == agent for found in self.story.agents), agent
        return agent


def registered(agent: AgentConfig) -> Agent:
    """An agent of the configuration, as stories know agents."""
    name = Text(Sort.PATTERN, literal=agent.name)
    users_only = TRUE if agent.mode == "primary" else FALSE
    return Agent(agent.name, name, literal(agent.ruleset), users_only)
