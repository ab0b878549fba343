"""The two gates: is a tool offered, is a call allowed; and what approvals and settings do."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from downset.design.design import Approvals
from downset.design.properties.inheritance import tools_hide
from downset.design.property import SPAWN_EVENTS, Claim, claims
from downset.design.sessions import Query
from downset.language.rules import ALLOW
from downset.language.terms import EMPTY, FALSE, TRUE, TextIs
from downset.language.vocabulary import action

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Session
    from downset.design.story import Story
    from downset.language.terms import Word


@claims(
    "gates-agree",
    "a tool that is hidden is also denied, whatever the resource",
    formula="any s, no approvals, no per-message map: H_s(t) => E_s(key(t), x) = deny, every x",
    asked_by="opencode #16028, #17063",
    events=("open",),
    needs=tools_hide,
)
def gates_agree(story: Story) -> Claim:
    """Tell of a session from which a tool is hidden."""
    design, session, tool = story.design, story.session(), story.tool()
    query = Query(tool.key, story.query().resource)
    bare = without_map(session)
    return Claim(
        design.hidden(bare, tool),
        design.decide(bare, query).denies,
        query,
        tool,
        shown=(("session", bare),),
    )


def without_map(session: Session) -> Session:
    """A session as it is when its newest message carries no tools map."""
    return replace(session, tools=EMPTY)


def approvals_exist(design: Design) -> str:
    """Why approvals make no sense for a design."""
    absent = design.approvals is Approvals.NONE
    return 'the design has no "always" reply' if absent else ""


@claims(
    "approval-bounded",
    'an "always" reply never lifts a deny',
    formula=(
        "any history in which each approval answers an ask: "
        "E_s(q) = deny => X_s(q) = deny, for every session"
    ),
    asked_by="opencode #9554, #28876, #31540, #47825",
    events=(*SPAWN_EVENTS, "patch", "switch", "approve"),
    needs=approvals_exist,
)
def approval_bounded(story: Story) -> Claim:
    """Tell of a session that denies a query, and of an approval given in it or elsewhere."""
    design, session, query = story.design, story.session(), story.query()
    elsewhere = story.choose("approval", ["in the session", "in another session"])
    other = elsewhere == "in another session"
    if story.reach.arbitrary:
        approved: Word = story.word("approvals", "approvals", action == ALLOW)
        story.happens("approve", session, session=session.name)
    else:
        asking = story.session("other caller") if other else session
        approved = story.approve(asking, story.query("request"))
    approved = story.approvals_seen(approved, elsewhere=other)
    return Claim(
        design.decide(session, query).denies,
        design.decide_with(session, query, approved).denies,
        query,
        shown=(("session", session),),
        approved=approved,
    )


def primary_exist(design: Design) -> str:
    """Why primary tools make no sense for a design."""
    return "" if design.primary_tools else "the design has no tools reserved for primary sessions"


@claims(
    "primary-tools-reserved",
    "a tool reserved for primary sessions is out of reach of every child",
    formula=("SP, tool t is primary: H_c(t), or t asks and E_c(key(t), x) = deny for every x"),
    asked_by="opencode #4913, #31394",
    needs=primary_exist,
)
def primary_tools_reserved(story: Story) -> Claim:
    """Tell a dispatch under a configuration that reserves a tool."""
    design, caller, tool = story.design, story.session(), story.tool()
    asks = story.choose("kind of tool", ["asks", "never asks"]) == "asks"
    child = story.spawn(caller)
    query = Query(tool.key, story.query().resource)
    barred = design.decide(child, query).denies & (TRUE if asks else FALSE)
    return Claim(
        story.config.primary_tools.any(TextIs(tool.name)),
        design.hidden(child, tool) | barred,
        query if asks else None,
        replace(tool, asks=asks),
        shown=(("caller", caller), ("callee", child)),
    )
