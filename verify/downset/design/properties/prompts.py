"""What a prompt's tools map does to the rules that a session stores."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from downset.design.property import RESUME_EVENTS, Claim, claims
from downset.design.sessions import Agent, Config, Session
from downset.language.normal import NotNormal, unchanged_when_repeated
from downset.language.terms import EMPTY, FALSE, TRUE, Input, Number, Sort, Text

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.story import Story


def sends_map(design: Design) -> str:
    """Why a dispatch's tools map makes no sense for a design."""
    anyone = Agent("b", Text(Sort.PATTERN, literal="b"), EMPTY, FALSE)
    sent = design.dispatch_tools(Session("s", anyone, anyone), anyone, Config(EMPTY, Number()))
    return "a dispatch sends no tools map" if sent is None else ""


def takes_map(design: Design) -> str:
    """Why a user's tools map makes no sense for a design."""
    return "" if design.user_tools_map else "users' prompts carry no tools map"


def stays(story: Story, before: Session, after: Session) -> Claim:
    """The claim that a prompt loses no deny and no hiding, and that repeating it is idle."""
    design, query, tool = story.design, story.query(), story.tool()
    denied = design.decide(before, query).denies.implies(design.decide(after, query).denies)
    hidden = design.hidden(before, tool).implies(design.hidden(after, tool))
    stored = Input("stored before the prompt")
    once = design.prompt(replace(before, stored=stored), after.tools)
    try:
        repeated = unchanged_when_repeated(once, stored)
    except NotNormal as reason:
        repeated, story.bounded = TRUE, str(reason)
    return Claim(
        story.possible,
        denied & hidden & repeated,
        query,
        tool,
        shown=(("before the prompt", before), ("after the prompt", after)),
    )


@claims(
    "rebuild-stable",
    "the prompt that a dispatch sends loses no deny, and sending it again changes nothing",
    formula=(
        "p = effect of the prompt that a dispatch sends: what was denied or hidden stays so, "
        "and p(p(S)) = p(S) rule for rule"
    ),
    asked_by="opencode #30527, #27886; PawWork #1132 (PT-1..3)",
    events=RESUME_EVENTS,
    needs=sends_map,
)
def rebuild_stable(story: Story) -> Claim:
    """Tell a spawn or a resume, before and after its prompt."""
    caller = story.session()
    if story.choose("dispatch", ["spawn", "resume"]) == "spawn":
        before, now = story.create_child(caller), caller
    else:
        child, now = story.resumable(caller)
        before = story.reopen(now, child, "callee")
    return stays(story, before, story.first_prompt(before, now))


@claims(
    "rebuild-stable-user",
    "a prompt with any tools map loses no deny, and sending it again changes nothing",
    formula=(
        "p = effect of a user's prompt with any tools map: what was denied or hidden stays so, "
        "and p(p(S)) = p(S) rule for rule"
    ),
    asked_by="opencode #7474; PawWork #1132 (E11, PT-4)",
    events=RESUME_EVENTS,
    needs=takes_map,
)
def rebuild_stable_user(story: Story) -> Claim:
    """Tell a prompt with a tools map that a user sends."""
    before = story.session()
    return stays(story, before, story.user_prompt(before))
