"""Resumed, copied and running sessions: what they may do follows their callers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.changes import changes
from downset.design.design import Resume
from downset.design.properties.inheritance import descendant_denies
from downset.design.property import (
    CHANGES,
    RESUME_EVENTS,
    SPAWN_EVENTS,
    Beginning,
    Claim,
    claims,
    descends,
)

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Query
    from downset.design.story import Story


def resumes(design: Design) -> str:
    """Why resuming makes no sense for a design."""
    return "the design never resumes a session" if design.resumable is Resume.NOBODY else ""


def forks(design: Design) -> str:
    """Why copying makes no sense for a design."""
    return "" if design.forks else "the design does not copy sessions"


@descends(
    "resume-safe",
    "a resumed session, and all below it, denies what its caller denies now",
    formula=(
        "RS, s resumes c: for c and every d with c ->> d in that run, "
        "E_s(q) = deny at the resume => E_c(q) = E_d(q) = deny"
    ),
    asked_by="opencode #41681, #37506; PawWork #1132 (AT-8)",
    events=RESUME_EVENTS,
    needs=resumes,
    conclude=descendant_denies,
)
def resume_safe(story: Story, query: Query) -> Beginning:
    """Tell a resume by a session that denies a query by then."""
    caller = story.session()
    child, now = story.resumable(caller)
    resumed = story.resume(now, child)
    return Beginning(story.design.decide(now, query).denies, now, resumed)


@claims(
    "resume-equals-spawn",
    "a resumed session may do what a fresh one may do, no more and no less",
    formula=(
        "RS without user events on c: resume(s, c, b) is refused, or E and H equal those of a "
        "fresh spawn(s, b), at each q and t"
    ),
    asked_by="opencode #41681, #41683",
    events=RESUME_EVENTS,
    needs=resumes,
)
def resume_equals_spawn(story: Story) -> Claim:
    """Tell a resume and a fresh spawn of the same agent by the same session."""
    design, caller, query, tool = story.design, story.session(), story.query(), story.tool()
    child, now = story.untouched(caller)
    resumed = story.resume(now, child)
    fresh = story.spawn(now, resumed.agent.label)
    one, two = design.decide(resumed, query), design.decide(fresh, query)
    same = one.at_most(two) & two.at_most(one)
    hidden = design.hidden(resumed, tool).iff(design.hidden(fresh, tool))
    return Claim(
        story.possible,
        same & hidden,
        query,
        tool,
        shown=(("resumed", resumed), ("fresh", fresh)),
    )


@claims(
    "fork-safe",
    "a copy of a session may do no more than the session",
    formula=(
        "f = fork(s), same agent: E_f(q) <= E_s(q); H_s(t) => H_f(t); "
        "f may dispatch only if s may (depth)"
    ),
    asked_by="opencode #30779, #30797; PawWork E14",
    events=(*SPAWN_EVENTS, "fork"),
    needs=forks,
)
def fork_safe(story: Story) -> Claim:
    """Tell the copying of a session."""
    design, session, query, tool = story.design, story.session(), story.query(), story.tool()
    copy = story.fork(session)
    permits_no_more = design.decide(copy, query).at_most(design.decide(session, query))
    hides = design.hidden(session, tool).implies(design.hidden(copy, tool))
    conclusion = permits_no_more & hides
    if design.depth_limited:
        limit = story.config.depth_limit
        conclusion = conclusion & copy.depth.below(limit).implies(session.depth.below(limit))
    return Claim(
        story.possible,
        conclusion,
        query,
        tool,
        shown=(("session", session), ("copy", copy)),
        nesting=design.depth_limited,
    )


def users_change(design: Design) -> str:
    """Why changes of running sessions make no sense for a design."""
    return "" if changes(design) else "users cannot change what a running session may do"


@descends(
    "live-revocation",
    "when a user makes a session stricter, its running descendants obey from the next call on",
    formula=(
        "s ->> c active, a user makes s stricter: from c's next decision on, "
        "E_s(q) = deny => E_c(q) = deny"
    ),
    asked_by="PawWork #1132 (E4, E5, E13)",
    events=(*SPAWN_EVENTS, *CHANGES),
    needs=users_change,
    conclude=descendant_denies,
)
def live_revocation(story: Story, query: Query) -> Beginning:
    """Tell a dispatch after which a user changes the caller."""
    caller = story.session()
    child = story.spawn(caller)
    now = story.changed(caller)
    running = story.under(child, now)
    return Beginning(story.design.decide(now, query).denies, now, running)
