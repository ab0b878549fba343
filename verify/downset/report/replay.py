"""What became of stories on the real program, as text, JSON and Markdown.

>>> print(replay_text([]), end="")
nothing was replayed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from downset.report.json_report import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from enum import Enum

SIGNS: Final = {True: "✓", False: "✗"}


class ComparedStep(Protocol):
    """One comparison, as far as reports look into it."""

    @property
    def event(self) -> int:
        """The event after which it was made; 0 for the configuration."""

    @property
    def kind(self) -> str:
        """What was compared."""

    @property
    def text(self) -> str:
        """What was asked."""

    @property
    def expected(self) -> str:
        """What the model says."""

    @property
    def got(self) -> str:
        """What the program did."""

    @property
    def how(self) -> str:
        """How the program was asked."""

    @property
    def ok(self) -> bool:
        """Whether the two agree."""


class ReplayedStory(Protocol):
    """One story, as far as reports look into it."""

    @property
    def scenario(self) -> str:
        """Its name."""

    @property
    def release(self) -> str:
        """The release."""

    @property
    def program(self) -> str | None:
        """What the program says its version is."""

    @property
    def outcome(self) -> Enum:
        """What it comes to."""

    @property
    def steps(self) -> Sequence[ComparedStep]:
        """All comparisons, in order."""

    @property
    def reason(self) -> str:
        """Why there is no answer."""

    @property
    def transcript(self) -> str | None:
        """Where everything that was said is kept."""

    @property
    def differing(self) -> ComparedStep | None:
        """The first comparison that fails."""


def replay_json(stories: Sequence[ReplayedStory]) -> str:
    """All stories; of the schema `downset/1`."""
    return document("replay", [result(story) for story in stories])


def result(story: ReplayedStory) -> Mapping[str, object]:
    """One story as an element of `results`."""
    return {
        "scenario": story.scenario,
        "release": story.release,
        "program": story.program,
        "outcome": story.outcome.value,
        "steps": [step_result(step) for step in story.steps],
        "reason": story.reason,
        "transcript": story.transcript,
    }


def step_result(step: ComparedStep) -> Mapping[str, object]:
    """One comparison."""
    return {
        "event": step.event,
        "kind": step.kind,
        "text": step.text,
        "expected": step.expected,
        "got": step.got,
        "how": step.how,
        "ok": step.ok,
    }


def replay_text(stories: Sequence[ReplayedStory]) -> str:
    """Every story with its steps, then how many came to what."""
    blocks = ["\n".join(_block(story)) for story in stories]
    return "".join(f"{block}\n\n" for block in blocks) + summary(stories) + "\n"


def _block(story: ReplayedStory) -> Iterator[str]:
    program = "" if story.program is None else f" (program {story.program})"
    yield f"{story.scenario}  {story.release}{program}  {said(story)}"
    for step in story.steps:
        how = f"  ({step.how})" if step.how else ""
        answer = step.got if step.ok else f"expected {step.expected}, got {step.got}"
        yield f"  {SIGNS[step.ok]} {step.event}. {step.text}: {answer}{how}"
    if story.reason:
        yield f"  because {story.reason}"
    if story.differing is not None:
        yield f"  program and model part at event {story.differing.event}: {story.differing.text}"
        yield f"  transcript: {story.transcript or 'could not be written'}"


def said(story: ReplayedStory) -> str:
    """An outcome, for people."""
    return str(story.outcome.value).replace("-", " ")


def summary(stories: Sequence[ReplayedStory]) -> str:
    """How many stories came to what."""
    counts: dict[str, int] = {}
    for story in stories:
        counts[said(story)] = counts.get(said(story), 0) + 1
    return ", ".join(f"{n} {word}" for word, n in counts.items()) or "nothing was replayed"


def replay_markdown(stories: Sequence[ReplayedStory]) -> str:
    """A table with one row for each story."""
    rows = ["| story | release | program | outcome | steps | |", "|---|---|---|---|--:|---|"]
    for story in stories:
        differing = story.differing
        why = story.reason
        if differing is not None:
            why = f"{differing.text}: expected {differing.expected}, got {differing.got}"
        agreeing = f"{sum(step.ok for step in story.steps)}/{len(story.steps)}"
        cells = (
            *(story.scenario, story.release, story.program or "–", said(story)),
            *(agreeing, why.replace("|", "\\|")),
        )
        rows.append("| " + " | ".join(cells) + " |")
    return "\n".join([*rows, "", summary(stories)]) + "\n"
