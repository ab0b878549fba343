"""What overlaps in time: queued subtasks, running sessions, two writers of one session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.property import SPAWN_EVENTS, Claim, claims
from downset.language.vocabulary import denied, matching

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.story import Story


def commands(design: Design) -> str:
    """Why subtasks make no sense for a design."""
    return "" if "command" in design.ways() else "the design has no commands that start a subtask"


def patches(design: Design) -> str:
    """Why changing a running session makes no sense for a design."""
    possible = design.patchable and design.stores_rules
    return "" if possible else "users cannot add rules to a session"


def patches_and_maps(design: Design) -> str:
    """Why two writers make no sense for a design."""
    alone = not design.user_tools_map
    return "users' prompts carry no tools map" if alone else patches(design)


@claims(
    "subtask-attributed",
    "a subtask is held to what the agent that asked for it may not do",
    formula=(
        "s runs a when a subtask is queued, a message for another agent arrives, the subtask "
        "runs as c: E_s(q) = deny when it was queued => E_c(q) = deny"
    ),
    asked_by="PawWork #1132 (E6)",
    events=(*SPAWN_EVENTS, "queue"),
    needs=commands,
)
def subtask_attributed(story: Story) -> Claim:
    """Tell of a queued subtask that a message for another agent overtakes."""
    design, asking, query = story.design, story.session(), story.query()
    child = story.spawn(story.overtaken(asking), via="command")
    return Claim(
        design.decide(asking, query).denies,
        design.decide(child, query).denies,
        query,
        shown=(("asking", asking), ("callee", child)),
    )


@claims(
    "snapshot-current",
    "a running session obeys rules that are added to it from its next decision on",
    formula="a user adds rules to s while s runs: E_s(q) = deny by then => s denies q in its run",
    asked_by="opencode.md H13; PawWork #1132 (E4)",
    events=(*SPAWN_EVENTS, "patch"),
    needs=patches,
)
def snapshot_current(story: Story) -> Claim:
    """Tell of rules that are added to a running session."""
    design, began, query = story.design, story.session(), story.query()
    now = story.patch(began)
    running = story.running(began, now)
    return Claim(
        design.decide(now, query).denies,
        design.decide(running, query).denies,
        query,
        shown=(("as stored", now), ("in its run", running)),
    )


@claims(
    "no-lost-update",
    "rules that are added to a session while a prompt rewrites its rules are not lost",
    formula=(
        "a prompt with a tools map reads s, a user adds rules W to s, the prompt writes s: "
        "W decides q = deny and the map says nothing of q => E_s(q) = deny"
    ),
    asked_by="PawWork #1132 (E13)",
    events=(*SPAWN_EVENTS, "patch", "user-prompt"),
    needs=patches_and_maps,
)
def no_lost_update(story: Story) -> Claim:
    """Tell of a patch in the middle of a prompt with a tools map."""
    design, session, query = story.design, story.session(), story.query()
    after, added = story.raced(session)
    found = matching(query.permission, query.resource)
    seen = added.last(found)
    story.assume(~after.tools.any(found))
    return Claim(
        seen.seen(denied),
        design.decide(after, query).denies,
        query,
        shown=(("after both", after),),
    )
