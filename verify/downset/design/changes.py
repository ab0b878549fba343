"""What users do to sessions that exist: patch, switch, prompt, copy, approve."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.design.cast import Cast
from downset.design.design import Approvals
from downset.design.sessions import Session
from downset.design.telling import TOOLS_MAP
from downset.language.rules import ALLOW
from downset.language.terms import (
    EMPTY,
    Input,
    Number,
)
from downset.language.vocabulary import rules

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Query
    from downset.language.terms import (
        Word,
    )


@dataclass
class Changes(Cast):
    """A story in the telling: changes of its sessions."""

    def changed(self, session: Session) -> Session:
        """A session after a user changed its rules, agent or mode, or the shared rules."""
        if self.reach.arbitrary:
            return self._changed_somehow(session)
        way = self.choose("change", changes(self.design) or ["nothing"])
        if way == "switch":
            return self.switch(session, f"{session.agent.label} after the change")
        told = {
            "patch": self.patch,
            "tools map": self.user_prompt,
            "mode": self.change_mode,
            "shared rules": self.share,
        }
        return told[way](session) if way in told else session

    def _changed_somehow(self, session: Session) -> Session:
        design, after = self.design, f"{session.agent.label} after the change"
        mode, shared = self.mode(f"changed mode of {session.name}"), Input("changed shared rules")
        return replace(
            session,
            stored=Input(f"changed rules of {session.name}"),
            agent=self.agent(after) if design.switchable else session.agent,
            mode=mode if design.changes_mode else session.mode,
            shared=shared if design.shares_rules else session.shared,
        )

    def change_mode(self, session: Session) -> Session:
        """A user goes on in a session in another permission mode."""
        mode = self.mode(f"changed mode of {session.name}")
        changed = replace(session, mode=mode)
        self.assume(~self.design.switched_off(changed, self.config))
        self.happens("mode", changed, session=session.name)
        return changed

    def share(self, session: Session) -> Session:
        """A user adds rules to those that all sessions share."""
        added = self.settle(Input("rules added to the shared ones", "added to the shared rules"))
        sharing = replace(session, shared=self.settle(session.shared + added))
        self.happens("share", sharing, session=session.name, added=added)
        return sharing

    def restart(self, session: Session) -> Session:
        """A user takes up a session after the program ended."""
        again = replace(session, mode=self.design.restart_mode(session, self.config))
        self.happens("restart", again, session=session.name)
        return again

    def patch(self, session: Session) -> Session:
        """A user adds rules to a session."""
        added = self.settle(Input(f"rules added to {session.name}", f"added to {session.name}"))
        patched = replace(session, stored=self.settle(self.design.patch(session, added)))
        self.happens("patch", patched, session=session.name, added=added)
        return patched

    def under(self, child: Session, caller: Session) -> Session:
        """A running child whose caller was changed, and with it what all sessions share."""
        mode = caller.mode if self.design.one_mode else child.mode
        return replace(child, caller=caller, shared=caller.shared, mode=mode)

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
            shared=session.shared,
            managed=session.managed,
            mode=session.mode if kept.mode is None else kept.mode,
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


def changes(design: Design) -> list[str]:
    """The ways in which users can change a session that has begun."""
    ways = {
        "patch": design.patchable and design.stores_rules,
        "switch": design.switchable,
        "tools map": design.user_tools_map,
        "mode": design.changes_mode,
        "shared rules": design.shares_rules,
    }
    return [way for way, possible in ways.items() if possible]
