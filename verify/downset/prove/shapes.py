"""The stories in which two designs are compared: one for each event that a session can meet.

Each is told of a session whose state is the same under both designs. Together they are all events,
so two designs that decide alike in all of them, and leave rules that cannot be told apart, decide
alike after every history (`prove/comparing.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.design.design import Approvals, Resume
from downset.design.story import Reach
from downset.design.telling import TOOLS_MAP
from downset.language.rules import ALLOW
from downset.language.terms import EMPTY
from downset.language.vocabulary import action

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Session
    from downset.design.story import Story
    from downset.language.terms import Word


@dataclass(frozen=True)
class Ending:
    """Where a story ends: the session that is compared, and the approvals that count in it."""

    session: Session
    approved: Word = EMPTY


Has = Callable[["Design"], bool]
APPROVE = "approve"


Tell = Callable[["Teller"], Ending]


@dataclass(frozen=True)
class Shape:
    """One event: what happens, which designs have it, and in which it may differ.

    `longer` are stories that end with the event and begin otherwise, told only to find a witness.
    """

    id: str
    says: str
    tell: Tell
    has: Has = lambda _: True
    matters: Callable[[Design, Design], bool] = lambda *_: True
    longer: tuple[Tell, ...] = ()


@dataclass(frozen=True)
class Teller:
    """A story about to be told of one of two designs.

    `callers` says whether either of them looks at callers, `patchable` whether both let users add
    rules, `prompts` whether both let them send a tools map, `maps` whether a session's newest tools
    map may be any.
    """

    story: Story
    callers: bool
    patchable: bool
    prompts: bool
    maps: bool

    def session(self, agent: str = "caller") -> Session:
        """A session in a state that both designs share, its callers too if either looks at them."""
        story = self.story
        if story.reach is not Reach.ANY:
            return story.session(agent)
        above = self._above(agent) if self.callers else None
        return self._with_map(story.any_session(agent, above))

    def _above(self, agent: str) -> Session:
        top = self.story.any_session(f"{agent}'s caller's caller", None, child=True)
        above = self._with_map(replace(top, caller=None))
        return self._with_map(self.story.any_session(f"{agent}'s caller", above, child=True))

    def _with_map(self, session: Session) -> Session:
        if not self.maps:
            return session
        newest = self.story.word(f"tools map of {session.name}", "tools map", TOOLS_MAP)
        return replace(session, tools=newest)

    def changed(self, session: Session) -> Session:
        """The session after a user switched its agent and added rules."""
        now = self.story.switch(session, f"{session.agent.label} after the change")
        return self.story.patch(now) if self.patchable else now

    def touched(self, session: Session) -> Session:
        """The session after a user changed the rules that it stores."""
        if self.patchable:
            return self.story.patch(session)
        return self.story.user_prompt(session) if self.prompts else session

    def earlier(self, caller: Session) -> Session:
        """A child that the caller started earlier."""
        if self.story.reach is Reach.ANY:
            return self._with_map(self.story.any_session("earlier", caller, child=True))
        return self.story.spawn(caller, "earlier")


def opened(t: Teller) -> Ending:
    """A session as it is."""
    return Ending(t.session())


def spawned(t: Teller) -> Ending:
    """A session dispatches a callee."""
    return Ending(t.story.spawn(t.session()))


def spawned_twice(t: Teller) -> Ending:
    """A callee dispatches in turn."""
    return Ending(t.story.spawn(t.story.spawn(t.session()), "callee 2"))


def switched(t: Teller) -> Ending:
    """A user goes on with another agent."""
    return Ending(t.story.switch(t.session(), "caller after the change"))


def switched_and_spawned(t: Teller) -> Ending:
    """A session whose agent was switched dispatches a callee."""
    return Ending(t.story.spawn(t.story.switch(t.session(), "caller after the change")))


def patched(t: Teller) -> Ending:
    """A user adds rules to a session."""
    return Ending(t.story.patch(t.session()))


def prompted(t: Teller) -> Ending:
    """A user prompts a session with a tools map."""
    return Ending(t.story.user_prompt(t.session()))


def resumed(t: Teller) -> Ending:
    """A session that was changed resumes a child of its own under the same agent."""
    caller = t.session()
    child = t.earlier(caller)
    now = t.changed(caller)
    return Ending(t.story.resume(now, t.story.under(child, now), "earlier"))


def touched_and_resumed(t: Teller) -> Ending:
    """A session resumes a child of its own that a user changed."""
    caller = t.session()
    child = t.touched(t.earlier(caller))
    return Ending(t.story.resume(caller, child, "earlier"))


def touched_and_resumed_as_other(t: Teller) -> Ending:
    """A session resumes a child of its own that a user changed, under another agent."""
    caller = t.session()
    child = t.touched(t.earlier(caller))
    return Ending(t.story.resume(caller, child, "callee"))


def resumed_as_other(t: Teller) -> Ending:
    """A session resumes a child of its own under another agent."""
    caller = t.session()
    child = t.earlier(caller)
    return Ending(t.story.resume(caller, child, "callee"))


def resumed_another(t: Teller) -> Ending:
    """A session resumes one that it did not start."""
    caller = t.session()
    other = t.story.root("earlier") if t.story.reach is Reach.ROOT else t.session("earlier")
    return Ending(t.story.resume(caller, other, "earlier"))


def copied(t: Teller) -> Ending:
    """A user copies a session."""
    return Ending(t.story.fork(t.session()))


def approved(t: Teller) -> Ending:
    """A session asks, and a user answers "always"."""
    session = t.session()
    return Ending(session, approvals(t, session, elsewhere=False))


def approved_elsewhere(t: Teller) -> Ending:
    """Another session asks, and a user answers "always"."""
    session = t.session()
    return Ending(session, approvals(t, t.session("other caller"), elsewhere=True))


def approvals(t: Teller, asking: Session, *, elsewhere: bool) -> Word:
    """What was approved: any allow rules at all where sessions are in any state."""
    story = t.story
    if story.reach is Reach.ANY:
        given: Word = story.word("approvals", "approvals", action == ALLOW)
    else:
        given = story.approve(asking, story.query("request"))
    return story.approvals_seen(given, elsewhere=elsewhere)


def under_changed(t: Teller) -> Ending:
    """A user changes a session while its callee runs."""
    caller = t.session()
    child = t.story.spawn(caller)
    return Ending(t.story.under(child, t.changed(caller)))


def in_its_run(t: Teller) -> Ending:
    """A user adds rules to a session that is running."""
    began = t.session()
    return Ending(t.story.running(began, t.story.patch(began)))


def raced(t: Teller) -> Ending:
    """A user adds rules to a session while a prompt rewrites them."""
    return Ending(t.story.raced(t.session())[0])


def overtaken(t: Teller) -> Ending:
    """A queued subtask is dispatched after a message for another agent."""
    return Ending(t.story.spawn(t.story.overtaken(t.session()), via="command"))


def resumes(design: Design) -> bool:
    """Whether a design resumes anything."""
    return design.resumable is not Resume.NOBODY


def replies(design: Design) -> bool:
    """Whether there is an "always" reply."""
    return design.approvals is not Approvals.NONE


def child_of_another(t: Teller) -> Ending:
    """A session resumes a child of another one."""
    caller = t.session()
    child = t.story.spawn(t.story.root("other caller"), "earlier")
    return Ending(t.story.resume(caller, child, "earlier"))


SHAPES = (
    Shape("open", "a session as it is", opened, longer=(under_changed,)),
    Shape("spawn", "a callee", spawned, longer=(switched_and_spawned, spawned_twice)),
    Shape("switch", "a session after a switch of its agent", switched),
    Shape("patch", "a session after rules were added", patched, lambda d: d.patchable),
    Shape("prompt", "a session after a user's tools map", prompted, lambda d: d.user_tools_map),
    Shape("resume", "a resumed child", resumed, resumes, longer=(touched_and_resumed,)),
    Shape(
        "resume as another agent",
        "a child resumed under another agent",
        resumed_as_other,
        lambda d: resumes(d) and d.resumes_as_other_agent,
        longer=(touched_and_resumed_as_other,),
    ),
    Shape(
        "resume another's",
        "a resumed session that others started",
        resumed_another,
        lambda d: d.resumable is Resume.ANY_SESSION,
        longer=(child_of_another,),
    ),
    Shape("fork", "a copy", copied, lambda d: d.forks),
    Shape(APPROVE, 'a session after an "always" reply in it', approved, replies),
    Shape(
        f"{APPROVE} elsewhere",
        'a session after an "always" reply in another',
        approved_elsewhere,
        replies,
    ),
    Shape(
        "patch in a run",
        "a running session after rules were added",
        in_its_run,
        lambda d: d.patchable,
        lambda one, two: one.snapshots != two.snapshots,
    ),
    Shape(
        "patch in a prompt",
        "a session after a prompt and a patch at once",
        raced,
        lambda d: d.patchable and d.user_tools_map,
        lambda one, two: one.atomic_prompts != two.atomic_prompts,
    ),
    Shape(
        "queue, spawn",
        "a callee of a queued subtask",
        overtaken,
        lambda d: "command" in d.ways(),
        lambda one, two: one.attributes_to_newest != two.attributes_to_newest,
    ),
)


def shapes(old: Design, new: Design) -> list[Shape]:
    """The events that both designs have and in which they may differ."""
    both = (shape for shape in SHAPES if shape.has(old) and shape.has(new))
    return [shape for shape in both if shape.matters(old, new)]
