"""Playing a scenario of the project's own format on a stage, event by event.

Sessions have the names that the scenario gives them. What an event changes in a session is seen
by the sessions below it, as designs that look at callers do.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import reduce
from operator import add
from typing import TYPE_CHECKING, Any

from downset.design.design import Approvals, Unreadable
from downset.design.sessions import Query
from downset.language.rules import ALLOW, DENY, Action, Rule
from downset.language.terms import FALSE, TRUE
from downset.scenarios.stage import approved

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.design.sessions import Session
    from downset.language.rules import Ruleset
    from downset.language.terms import Formula, Word
    from downset.scenarios.own import Document
    from downset.scenarios.readings import Asked
    from downset.scenarios.stage import Stage

Sessions = dict[str, "Session"]


@dataclass
class Play:
    """One telling of a scenario: its sessions after each event, and what was approved."""

    document: Document
    stage: Stage
    before: list[Sessions] = field(default_factory=lambda: [{}])
    approvals: list[tuple[int, str, Word]] = field(default_factory=list)
    number: int = 0

    def run(self, wanted: Sequence[int]) -> Mapping[str, Asked]:
        """Tell everything; the questions with these numbers, by number."""
        for number, event in enumerate(self.document.values["events"], start=1):
            self.number = number
            self.before.append(dict(self.before[-1]))
            self.happen(event)
        questions = self.document.values["questions"]
        return {str(place): self.question(place, questions[place]) for place in wanted}

    # --- events ---

    def happen(self, event: Mapping[str, Any]) -> None:
        """Let one event happen."""
        name = event["session"]
        changed = getattr(self, f"_{event['event']}")(event)
        self.before[-1][name] = changed

    def session(self, name: str, key: str = "session", at: int = -1) -> Session:
        """A session by its name, as it is after an event, its callers as they are then."""
        sessions = self.before[at] if at < len(self.before) else {}
        if name not in sessions:
            path = ("events", self.number - 1, key)
            raise self.document.error(path, f"there is no session `{name}` by then")
        return up_to_date(sessions[name], sessions)

    def _open(self, event: Mapping[str, Any]) -> Session:
        rules, mode = rules_of(event.get("rules", ())), event.get("mode", "")
        return self.stage.opened(event["agent"], rules, mode)

    def _mode(self, event: Mapping[str, Any]) -> Session:
        session, mode = self.session(event["session"]), self.stage.mode_named(event["mode"])
        if self.stage.design.one_mode:
            self.everywhere(mode=mode)
        return session.in_mode(mode)

    def _share(self, event: Mapping[str, Any]) -> Session:
        sharing = self.stage.shared_too(self.session(event["session"]), rules_of(event["rules"]))
        self.everywhere(shared=sharing.shared)
        return sharing

    def _restart(self, event: Mapping[str, Any]) -> Session:
        return self.stage.restart(self.session(event["session"]))

    def everywhere(self, **changed: object) -> None:
        """Change what all sessions share."""
        sessions = self.before[-1]
        sessions |= {name: replace(one, **changed) for name, one in sessions.items()}  # type: ignore[arg-type]

    def _spawn(self, event: Mapping[str, Any]) -> Session:
        caller = self.session(event["by"], "by")
        child = self.stage.create_child(caller, event["agent"], event.get("via"))
        return self._prompted(event, child, caller)

    def _resume(self, event: Mapping[str, Any]) -> Session:
        caller, child = self.session(event["by"], "by"), self.session(event["session"])
        return self._prompted(event, self.stage.reopen(caller, child, event["agent"]), caller)

    def _prompted(self, event: Mapping[str, Any], child: Session, caller: Session) -> Session:
        return self.stage.first_prompt(child, caller) if event.get("prompted", True) else child

    def _switch(self, event: Mapping[str, Any]) -> Session:
        return self.stage.switch(self.session(event["session"]), event["agent"])

    def _queue(self, event: Mapping[str, Any]) -> Session:
        session, newer = self.session(event["session"]), self.stage.agent(event["agent"])
        newest = self.stage.design.attributes_to_newest
        return replace(session, agent=newer) if newest else session

    def _patch(self, event: Mapping[str, Any]) -> Session:
        return self.stage.added(self.session(event["session"]), rules_of(event["rules"]))

    def _prompt(self, event: Mapping[str, Any]) -> Session:
        if "by" in event:
            caller = self.session(event["by"], "by")
            return self.stage.first_prompt(self.session(event["session"]), caller)
        tools = tuple(Rule(tool, "*", ALLOW if on else DENY) for tool, on in event["tools"].items())
        late = "read" in event and not self.stage.design.atomic_prompts
        read = self.session(event["session"], at=event["read"] if late else -1)
        return self.stage.prompted(read, tools)

    def _fork(self, event: Mapping[str, Any]) -> Session:
        return self.stage.fork(self.session(event["of"], "of"))

    def _approve(self, event: Mapping[str, Any]) -> Session:
        given = approved(rules_of(event["rules"]))
        self.approvals.append((self.number, event["session"], given))
        return self.session(event["session"])

    # --- questions ---

    def question(self, place: int, asked: Mapping[str, Any]) -> Asked:
        """A decision, or a formula: the tool is hidden, the dispatch is possible."""
        session = self.asked_of(place, asked)
        design = self.stage.design
        if "tool" in asked:
            return design.hidden(session, self.stage.tool_named(asked["tool"]))
        if "start" in asked:
            return TRUE if design.unreadable[asked["start"]] is Unreadable.DROPPED else FALSE
        if "dispatch" in asked:
            via = asked.get("via", "model")
            return self.possible(session, asked["dispatch"], via)
        query = Query.of(asked["permission"], asked["pattern"])
        given = self.approved_by(asked)
        if given is None:
            return design.decide(session, query)
        return design.decide_with(session, query, given)

    def asked_of(self, place: int, asked: Mapping[str, Any]) -> Session:
        """The session that is asked, perhaps in a run that began earlier."""
        name, at = asked["session"], asked.get("after", len(self.before) - 1)
        if at >= len(self.before) or name not in self.before[at]:
            path = ("questions", place, "session")
            raise self.document.error(path, f"there is no session `{name}` by then")
        now = self.session(name, at=at)
        if "began" not in asked:
            return now
        return self.stage.running(self.session(name, at=asked["began"]), now)

    def approved_by(self, asked: Mapping[str, Any]) -> Word | None:
        """The approvals that count for a question, `None` if nothing was approved."""
        local = self.stage.design.approvals is Approvals.SESSION_RAISES_ASK
        until = asked.get("after", self.number)
        given = [
            word
            for number, name, word in self.approvals
            if number <= until and (name == asked["session"] or not local)
        ]
        if not given:
            return None
        return reduce(add, given)

    def possible(self, session: Session, agent: str, via: str) -> Formula:
        """Whether a dispatch is possible: not refused by rules, by depth or by the agent's mode."""
        return self.stage.dispatchable(session, agent, via)


def up_to_date(session: Session, sessions: Sessions) -> Session:
    """A session whose callers are what they are by now."""
    if session.caller is None:
        return session
    found = [other for other in sessions.values() if other.name == session.caller.name]
    caller = found[0] if found else session.caller
    return replace(session, caller=up_to_date(caller, sessions))


def rules_of(triples: Sequence[Sequence[Any]]) -> Ruleset:
    """Rules from triples of permission, pattern and action, perhaps with a priority.

    >>> [str(rule) for rule in rules_of([["edit", "*", "deny"]])]
    ['edit * deny']
    """
    return tuple(
        Rule(name, pattern, Action(action), rank[0] if rank else 0)
        for name, pattern, action, *rank in triples
    )


def word_for(asked: Mapping[str, Any], answer: object) -> str:
    """An answer in the word that scenarios use for it.

    >>> word_for({"tool": "edit"}, True), word_for({"dispatch": "x"}, False)
    ('hidden', 'refused')
    """
    if "tool" in asked:
        return "hidden" if answer else "offered"
    if "dispatch" in asked or "start" in asked:
        return "possible" if answer else "refused"
    return str(answer)
