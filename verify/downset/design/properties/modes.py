"""Permission modes: what a dispatch and a restart make of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.property import SPAWN_EVENTS, Claim, claims

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.story import Story


def modes_exist(design: Design) -> str:
    """Why permission modes make no sense for a design."""
    return "" if design.permission_modes else "the design has no permission modes"


def restarts(design: Design) -> str:
    """Why taking up a session after the program ended makes no sense for a design."""
    return "" if design.restarts else "the model does not say what a restart makes of a session"


@claims(
    "mode-monotone",
    "a child's permission mode permits no more than its caller's",
    formula=(
        "SP, s -> c, M_x(q) what the mode of x decides where no rule speaks: M_c(q) <= M_s(q)"
    ),
    asked_by="other-systems.md P2; claude-code #40343, #52557; qwen-code #4093; AgentScope #2477",
    needs=modes_exist,
)
def mode_monotone(story: Story) -> Claim:
    """Tell a dispatch, and compare what both modes make of one call."""
    design, caller, query = story.design, story.session(), story.query()
    child = story.spawn(caller)
    above, below = (design.mode_decides(s.mode, query) for s in (caller, child))
    return Claim(
        story.possible,
        below.at_most(above),
        query,
        shown=(("caller", caller), ("callee", child)),
        modes=True,
    )


@claims(
    "restart-safe",
    "a session that a user takes up after the program ended may do no more than before",
    formula="s' = s taken up again, nothing else changed: E_s'(q) <= E_s(q); H_s(t) => H_s'(t)",
    asked_by="other-systems.md P5; claude-code #89911",
    events=(*SPAWN_EVENTS, "restart"),
    needs=restarts,
)
def restart_safe(story: Story) -> Claim:
    """Tell the restart of a session."""
    design, before, query, tool = story.design, story.session(), story.query(), story.tool()
    after = story.restart(before)
    permits_no_more = design.decide(after, query).at_most(design.decide(before, query))
    hides = design.hidden(before, tool).implies(design.hidden(after, tool))
    return Claim(
        story.possible,
        permits_no_more & hides,
        query,
        tool,
        shown=(("before", before), ("after", after)),
    )
