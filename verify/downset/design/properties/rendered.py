"""What a caller reads about its callee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.property import Claim, claims
from downset.language.terms import TRUE

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.story import Story


def renders(design: Design) -> str:
    """Why rendering makes no sense for a design."""
    absent = design.rendering is None
    return "the model does not describe how a result is rendered for the caller" if absent else ""


@claims(
    "result-unforgeable",
    "a callee's text cannot pass for another result, or for another state of its own",
    formula="parse(render(id, state, text)) = (id, state, text), for all texts",
    asked_by="PawWork #1132",
    events=("open", "spawn", "prompt"),
    needs=renders,
)
def result_unforgeable(story: Story) -> Claim:
    """Tell a dispatch whose result is rendered; the texts are decided apart."""
    child = story.spawn(story.session())
    return Claim(TRUE, TRUE, shown=(("callee", child),), rendering=story.design.rendering)
