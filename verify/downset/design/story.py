"""Stories: sequences of events on the sessions of one design.

A property tells a story and then says what must hold at its end. The same code builds the
formula for the solver (sessions hold expressions) and replays a counterexample (every event's
outcome is settled to real rules at once). Where a story can go on in several ways it asks
`choose`, and the prover runs it once for each way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from downset.design.changes import Changes
from downset.design.design import Resume
from downset.design.sessions import Session
from downset.design.telling import Choice, Event, Reach, unnamed_agent
from downset.language.terms import (
    EMPTY,
    Input,
)

__all__ = ["Choice", "Event", "Reach", "Story"]


@dataclass
class Story(Changes):
    """A story in the telling, resumed sessions and all."""

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
        mode = design.resume_mode(caller, child, callee, self.config)
        opened = replace(child, agent=callee, row_agent=row, stored=stored, tools=EMPTY, mode=mode)
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
            return self.under(self.spawn(earlier, "earlier"), caller), caller
        return self.resumable(caller)

    def _any_resumable(self, caller: Session) -> Session:
        child = self.design.resumable is Resume.OWN_CHILDREN
        return self.any_session("earlier", caller, child=child)

    def _resumes_another(self) -> bool:
        options = ["another session", "own child"]
        return self.choose("resumed session", options) == options[0]

    def _resume_keeps(self) -> bool:
        design = self.design
        if design.resumable is not Resume.OWN_CHILDREN:
            return False
        agent = unnamed_agent("probe", design.permission_modes)
        probe = Session("probe", agent, agent, Input("probe"), dispatched=True)
        probe = replace(probe, mode=self.mode("mode of probe"))
        kept = design.resume(probe, probe, probe.agent, self.config) == probe.stored
        kept = kept and design.resume_mode(probe, probe, agent, self.config) == probe.mode
        return kept and design.prompt(probe, Input("probe map")) == probe.stored
