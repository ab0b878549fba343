"""The designs that scenarios run on: a model, a release, or a release's spawn rules alone.

>>> of_release(release("1.3.2")).matcher == release("1.3.2").matcher
True
>>> with_spawn_rules_of(release("1.1.16"), matcher=W2, persisted=True).row_agent_follows
True
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, ClassVar

from downset.catalogue import load_model
from downset.config.releases import DEFAULT, release
from downset.design.design import Design
from downset.design.sessions import Query
from downset.language.matching import W2
from downset.language.vocabulary import blanket_denied, last_match

if TYPE_CHECKING:
    from downset.config.releases import Release
    from downset.design.sessions import Agent, Config, Fork, Session, Tool
    from downset.language.matching import Matcher
    from downset.language.terms import Decision, Formula, Word

__all__ = ["W2", "Derived", "Gates", "model", "of_release", "release", "with_spawn_rules_of"]

model = cache(load_model)


class Derived(Design):
    """What events do to stored rules from one design, what is decided from another."""

    def __init__(self, spawning: Design, deciding: Design) -> None:
        self.spawning = spawning
        self.deciding = deciding

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """As the one design."""
        return self.spawning.spawn(caller, callee, config)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word | None:
        """As the one design."""
        return self.spawning.dispatch_tools(caller, callee, config)

    def prompt(self, session: Session, tools: Word) -> Word:
        """As the one design."""
        return self.spawning.prompt(session, tools)

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        """As the one design."""
        return self.spawning.resume(caller, child, callee, config)

    def patch(self, session: Session, rules: Word) -> Word:
        """As the one design."""
        return self.spawning.patch(session, rules)

    def fork(self, session: Session) -> Fork:
        """As the one design."""
        return self.spawning.fork(session)

    def effective(self, session: Session) -> Word:
        """As the other design."""
        return self.deciding.effective(session)

    def visible(self, session: Session) -> Word:
        """As the other design."""
        return self.deciding.visible(session)

    def decide(self, session: Session, query: Query) -> Decision:
        """As the other design."""
        return self.deciding.decide(session, query)

    def decide_with(self, session: Session, query: Query, approved: Word) -> Decision:
        """As the other design."""
        return self.deciding.decide_with(session, query, approved)

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """As the other design."""
        return self.deciding.hidden(session, tool)

    def own(self, agent: Agent, query: Query) -> Decision:
        """As the other design."""
        return self.deciding.own(agent, query)

    def own_hidden(self, agent: Agent, tool: Tool) -> Formula:
        """As the other design."""
        return self.deciding.own_hidden(agent, tool)

    def ways(self) -> list[str]:
        """As the one design, unless more ways skip the check."""
        more = self.bypasses != self.spawning.bypasses
        return super().ways() if more else self.spawning.ways()

    def dispatches(self, caller: Session, callee: Agent, via: str) -> Formula:
        """Checked by the other design's gates, but for a command that is checked in its own way."""
        if via == "command" and via not in self.bypasses:
            return self.spawning.dispatches(caller, callee, via)
        return super().dispatches(caller, callee, via)


class Gates(Design):
    """The gates of one release of opencode: D0 or D1, over G1 or G2 (opencode.md 1.4)."""

    hides: ClassVar[str] = "D1"
    hides_over: ClassVar[str] = "G2"

    def visible(self, session: Session) -> Word:
        """The agent's rules, from 1.3.0 on the session's too."""
        return session.agent.rules if self.hides_over == "G1" else self.effective(session)

    def blanket(self, word: Word, tool: Tool) -> Formula:
        """Whether rules hide a tool: until 1.1.1 by what they decide at the resource `*`."""
        if self.hides == "D1":
            return blanket_denied(word, tool.gate)
        at_star = Query(tool.gate, Query.of("", "*").resource)
        return last_match(word, at_star.permission, at_star.resource, self.default).denies

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """Hidden by rules, or by the newest prompt."""
        return self.blanket(self.visible(session), tool) | self.hidden_by_prompt(session, tool)

    def own_hidden(self, agent: Agent, tool: Tool) -> Formula:
        """Hidden by the agent's own rules."""
        return self.blanket(agent.rules, tool)


SPAWNING = (
    *("id", "dispatch", "bypasses", "modes", "refuses_users_only", "depth_limited", "resumable"),
    *("resumes_as_other_agent", "row_agent_follows", "reads_callers", "primary_tools"),
    *("attributes_to_newest", "snapshots", "atomic_prompts"),
    *("user_tools_map", "patchable", "forks"),
)
DECIDING = ("matcher", "default", "aliases", "asks_as", "approvals")


def derived(spawning: Design, deciding: Design, **changed: object) -> Derived:
    """A design put together from two, some of its attributes changed."""
    attributes = {name: getattr(spawning, name) for name in SPAWNING}
    attributes |= {name: getattr(deciding, name) for name in DECIDING} | changed
    made: Derived = type("Derived", (Derived,), attributes)(spawning, deciding)
    return made


def with_spawn_rules_of(row: Release, *, matcher: Matcher, persisted: bool) -> Design:
    """The spawn rules of a release's class, all else as in the newest release of its engine.

    `persisted` is whether the stored rows of children name their agents.
    """
    spawning = model(row.model)
    deciding = spawning if row.engine > 1 else model(release(DEFAULT).model)
    return derived(spawning, deciding, matcher=matcher, row_agent_follows=persisted)


def of_release(row: Release) -> Design:
    """One release exactly: the model of its class, with the matcher and the gates of the release.

    The stored row follows a switch of agents from 1.14.47 on (opencode.md 3.3); a mention skips the
    check of a dispatch from 1.1.5 on (3.5), within the class of 1.0.224.
    """
    spawning = model(row.model)
    if row.engine > 1:
        return spawning
    aliases = {tool: row.gate(tool) for tool in (*row.edit_tools, *row.read_tools)}
    aliases = {tool: gate for tool, gate in sorted(aliases.items()) if tool != gate}
    attributes = {
        "hides": row.hides,
        "hides_over": row.hides_over,
        "matcher": row.matcher,
        "aliases": aliases,
        "asks_as": {**spawning.asks_as, **aliases},
        "approvals": spawning.approvals,
    }
    gates: Gates = type("Gates", (Gates,), attributes)()
    follows = row.since(1, 14, 47) or not row.since(1, 14, 45)
    skips = spawning.bypasses if row.bypass == "B0" else ("mention", "command")
    return derived(spawning, gates, id=row.name, row_agent_follows=follows, bypasses=skips)
