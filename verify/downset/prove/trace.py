"""A counterexample for people: numbered events, the rules that matter, who decided what."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.design.sessions import UNDECLARED
from downset.language.terms import EMPTY, Input
from downset.prove.config_form import config_forms
from downset.prove.explain import explain, witness
from downset.prove.sentences import sentence
from downset.verdicts import (
    AgentRecord,
    Counterexample,
    DecisionRecord,
    EventRecord,
    QueryRecord,
    RuleRecord,
    SessionRecord,
)

if TYPE_CHECKING:
    from downset.design.sessions import Agent, Query, Session
    from downset.design.story import Event
    from downset.language.concrete import Concrete
    from downset.language.rules import Rule
    from downset.language.terms import Word
    from downset.prove.explain import Reason
    from downset.prove.replay import Replayed, Script


@dataclass(frozen=True)
class Teller:
    """Turns a replayed story into records."""

    script: Script
    told: Replayed

    @property
    def reading(self) -> Concrete:
        """The concrete reading of the story."""
        return self.told.reading

    def counterexample(self) -> Counterexample:
        """Everything that a report shows."""
        forms = config_forms(self.script, self.told)
        agents = [a for a in self.told.story.agents if self.takes_part(a)]
        return Counterexample(
            agents=tuple(self.agent(agent, forms) for agent in agents),
            events=tuple(self.event(event) for event in self.told.story.events),
            query=self.query(),
            decisions=tuple(self.decisions()),
            conclusion=self.conclusion(),
            form="config" if forms is not None else "rules",
            config=self.settings(),
            shared=self.rules(self.told.story.managed) + self.rules(self.told.story.shared),
        )

    # --- names ---

    def name(self, agent: Agent) -> str:
        """The agent's name in this story."""
        return self.reading.text(agent.name)

    def takes_part(self, agent: Agent) -> bool:
        """Whether some session runs the agent."""
        sessions = [s for event in self.told.story.events for s in event.sessions]
        return any(session.agent.label == agent.label for session in sessions)

    def layer(self, origin: str) -> str:
        """An origin with the agent's label replaced by its name."""
        for agent in self.told.story.agents:
            if origin == f"agent {agent.label}":
                return f"agent {self.name(agent)}"
        return origin

    # --- records ---

    def rule(self, rule: Rule) -> RuleRecord:
        """A rule with its layer."""
        layer = self.layer(rule.origin) or "default"
        return RuleRecord(rule.permission, rule.pattern, rule.action.value, layer, rule.priority)

    def rules(self, word: Word) -> tuple[RuleRecord, ...]:
        """The rules of a word."""
        return tuple(self.rule(rule) for rule in self.reading.word(word))

    def agent(self, agent: Agent, forms: dict[str, str] | None) -> AgentRecord:
        """An agent with its rules, and as a configuration block if it can be written so."""
        block = None if forms is None else forms.get(agent.label)
        mode = self.reading.mode(agent.mode)
        declared = "" if mode == UNDECLARED else mode
        return AgentRecord(self.name(agent), self.rules(agent.rules), block, declared)

    def session(self, session: Session) -> SessionRecord:
        """A session as an event left it."""
        caller = None if session.caller is None else session.caller.name
        return SessionRecord(
            session.name,
            self.name(session.agent),
            caller,
            self.rules(session.stored),
            self.reading.mode(session.mode),
        )

    def event(self, event: Event) -> EventRecord:
        """An event as a sentence."""
        names = {agent.label: self.name(agent) for agent in self.told.story.agents}
        details = {key: names.get(value, value) for key, value in event.details}
        words = {key: self.rules(word) for key, word in event.words}
        passed = all(self.reading.formula(flag) for flag in event.flags)
        text = sentence(event.kind, details, words, passed=passed, design=self.script.design)
        shown = tuple(self.session(session) for session in event.sessions)
        kept = tuple((key, value) for key, value in details.items() if value)
        return EventRecord(event.kind, text, shown, kept)

    def query(self) -> QueryRecord:
        """What the claim asks."""
        claim = self.told.claim
        tool = None if claim.tool is None else self.reading.text(claim.tool.name)
        if claim.query is None:
            return QueryRecord("", "", tool)
        permission = self.reading.text(claim.query.permission)
        return QueryRecord(permission, self.reading.text(claim.query.resource), tool)

    def decisions(self) -> list[DecisionRecord]:
        """What each session of the claim decides, and by which rule; only what differs."""
        records = [
            record
            for role, session in self.told.claim.shown
            for record in self.decided(role, session)
        ]
        deep = [r for r in records if r.query.tool == self.script.design.dispatch]
        records = [r for r in records if r not in deep]
        if len({r.outcome for r in deep}) > 1:
            return deep
        tools = {r.outcome for r in records if r.query.tool is not None}
        queries = {r.outcome for r in records if r.query.tool is None}
        if len(self.told.claim.shown) > 1 and len(tools) + len(queries) > len(tools | queries):
            return records
        if len(self.told.claim.shown) > 1 and len(tools) == 1 and len(queries) > 1:
            return [r for r in records if r.query.tool is None]
        if len(self.told.claim.shown) > 1 and len(queries) == 1 and len(tools) > 1:
            return [r for r in records if r.query.tool is not None]
        return records

    def decided(self, role: str, session: Session) -> list[DecisionRecord]:
        """What one session decides."""
        claim, design, asked = self.told.claim, self.script.design, self.query()
        records = []
        if claim.query is not None:
            decision = design.decide(session, claim.query)
            if claim.modes:
                decision, role = design.mode_decides(session.mode, claim.query), f"{role}, mode"
            plain = replace(asked, tool=None)
            records.append(self.record(session, role, plain, explain(self.reading, decision)))
            if claim.documented:
                records += self.documented(session, role, claim.query)
            if claim.approved is not EMPTY and self.reading.word(claim.approved):
                with_it = design.decide_with(session, claim.query, claim.approved)
                reason = explain(self.reading, with_it)
                records.append(self.record(session, f"{role}, with approvals", plain, reason))
        if claim.nesting:
            records.append(self.nested(session, role))
        if claim.tool is not None:
            hidden = design.hidden(session, claim.tool)
            holds = self.reading.formula(hidden)
            rule = witness(self.reading, hidden)
            records.append(
                DecisionRecord(
                    session.name,
                    role,
                    QueryRecord("", "", asked.tool),
                    "hidden" if holds else "offered",
                    None if rule is None else self.rule(rule),
                )
            )
        return records

    def documented(self, session: Session, role: str, query: Query) -> list[DecisionRecord]:
        """What the documentation says, where it says something else."""
        done = self.script.design.decide(session, query)
        said = explain(self.reading, self.script.design.documents(session, query))
        if said.action is self.reading.decision(done):
            return []
        asked = replace(self.query(), tool=None)
        return [self.record(session, f"{role}, documented", asked, said)]

    def nested(self, session: Session, role: str) -> DecisionRecord:
        """Whether the depth of a session lets it dispatch."""
        depth = self.reading.number(session.depth)
        limit = self.reading.number(self.told.story.config.depth_limit)
        outcome = "may dispatch" if depth < limit else "may not dispatch"
        said = f"{outcome} (depth {depth}, limit {limit})"
        return DecisionRecord(
            session.name, role, QueryRecord("", "", self.script.design.dispatch), said
        )

    def record(
        self, session: Session, role: str, query: QueryRecord, reason: Reason
    ) -> DecisionRecord:
        """One decision."""
        rule = None if reason.rule is None else self.rule(reason.rule)
        return DecisionRecord(session.name, role, query, reason.action.value, rule)

    def conclusion(self) -> str:
        """One sentence: what should hold, and does not."""
        return f"So it is not true that {self.script.prop.sentence}."

    def settings(self) -> tuple[tuple[str, str], ...]:
        """Settings other than rules that the story depends on."""
        found = []
        primary = self.reading.word(Input("primary tools", "primary tools"))
        if primary:
            found.append(("primary tools", ", ".join(rule.permission for rule in primary)))
        if self.script.design.depth_limited:
            limit = self.told.story.config.depth_limit
            found.append(("depth limit", str(self.reading.number(limit))))
        if any(event.kind == "restart" for event in self.told.story.events):
            mode = self.reading.mode(self.told.story.config.mode)
            found.append(("mode of new sessions", mode))
        flags = [name for name, value in self.reading.given.flags.items() if value]
        found += [("note", name) for name in flags]
        return tuple(found)
