"""Measuring how far a model and the program of its release agree."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from downset.errors import InputError
from downset.program.generating import Generator
from downset.program.outcomes import ProgramError
from downset.program.replaying import failed
from downset.program.shrinking import shrunk
from downset.program.steps import Outcome
from downset.scenarios.designs import of_release
from downset.scenarios.saving import as_yaml
from downset.scenarios.told import about

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from downset.design.design import Design
    from downset.program.replaying import Program
    from downset.program.steps import Replayed, Step
    from downset.scenarios.own import Document

DECISIONS: Final = frozenset({"call", "tool", "dispatch", "dispatch-question"})
RULESETS: Final = frozenset({"agent", "rules", "configuration"})
TRIES: Final = 60


@dataclass(frozen=True)
class Disagreement:
    """One thing on which model and program differ, in the smallest scenario found.

    `scenario` is the text of one, with what the program did as its answer.
    """

    id: str
    text: str
    expected: str
    got: str
    scenario: str
    explanation: str = ""


@dataclass
class Measured:
    """What was measured for a release; plain data, as reports take it.

    `unavailable` says why nothing was measured.
    """

    release: str
    program: str | None
    seed: int
    confirmed: list[str] = field(default_factory=list)
    not_reproduced: list[str] = field(default_factory=list)
    not_expressible: dict[str, str] = field(default_factory=dict)
    stories: int = 0
    decisions: int = 0
    agreeing: int = 0
    rulesets: int = 0
    rulesets_agreeing: int = 0
    unasked: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    answers: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    disagreements: list[Disagreement] = field(default_factory=list)
    unavailable: str = ""


@dataclass
class Measuring:
    """The measurement of one release on its running program; `design` is the model compared."""

    program: Program
    seed: int
    design: Design | None = None
    tell: Callable[[int], None] = lambda _decisions: None

    def __post_init__(self) -> None:
        self.design = self.design or of_release(self.program.row)
        self.found = Measured(self.program.row.name, self.program.version, self.seed)
        self.counts: Counter[str] = Counter()
        self.answers: Counter[str] = Counter()

    def scenarios(self, documents: Iterable[Document]) -> None:
        """Replay recorded scenarios."""
        for document in documents:
            told = self.replayed(document)
            match told.outcome:
                case Outcome.CONFIRMED:
                    self.found.confirmed.append(told.scenario)
                case Outcome.NOT_REPRODUCED:
                    self.found.not_reproduced.append(told.scenario)
                case _:
                    self.found.not_expressible[told.scenario] = told.reason

    def replayed(self, document: Document) -> Replayed:
        """A replay of a recorded scenario."""
        assert self.design is not None  # noqa: S101 -- set when this was made
        return failed(self.program, document, self.design)

    def random(self, decisions: int) -> None:
        """Compare random scenarios until so many decisions were compared."""
        generator, began = Generator(self.program.row, self.seed), time.monotonic()
        while self.found.decisions < decisions:
            self.found.stories += 1
            document = generator.document(self.found.stories)
            self.count(document, self.told(document))
            self.tell(self.found.decisions)
        self.found.seconds = round(time.monotonic() - began, 1)
        self.found.kinds = dict(sorted(self.counts.items()))
        self.found.answers = dict(sorted(self.answers.items()))

    def told(self, document: Document) -> Replayed:
        """A replay in which every ruleset is compared too."""
        assert self.design is not None  # noqa: S101 -- the same
        return self.program.replay(document, self.design, strict=True)

    def count(self, document: Document, told: Replayed) -> None:
        """Count what a random scenario brought; a difference is made small and kept."""
        found = self.found
        for step in told.steps:
            self.counts[step.kind] += 1
            if step.kind in DECISIONS:
                found.decisions += 1
                found.agreeing += step.ok
                self.answers[step.got] += 1
            else:
                found.rulesets += 1
                found.rulesets_agreeing += step.ok
        asked = sum(step.kind in DECISIONS and step.kind != "dispatch" for step in told.steps)
        found.unasked += max(0, len(document.values["questions"]) - asked)
        if told.differing is not None:
            found.disagreements.append(self.smallest(document, told.differing))

    def smallest(self, document: Document, differing: Step) -> Disagreement:
        """The smallest scenario with a difference of the same kind."""
        seen = {"step": differing}

        def fails(smaller: Document) -> bool:
            step = self.difference(smaller, differing.kind)
            if step is not None:
                seen["step"] = step
            return step is not None

        alone = replace(
            document, values={**document.values, "questions": about_it(document, differing)}
        )
        small = shrunk(alone if fails(alone) else document, fails, TRIES)
        step = seen["step"]
        number = len(self.found.disagreements) + 1
        name = f"{self.found.release.replace('@', '-')}-{self.seed}-{number}"
        text = as_yaml(recorded(small, name, self.found.release, step))
        return Disagreement(name, step.text, step.expected, step.got, text)

    def difference(self, document: Document, kind: str) -> Step | None:
        """The first difference of a kind in a scenario that may make no sense any more."""
        if not document.values["questions"]:
            return None
        try:
            steps = self.told(document).steps
        except (InputError, ProgramError, KeyError, IndexError):
            return None
        return next((step for step in steps if not step.ok and step.kind == kind), None)


def about_it(document: Document, step: Step) -> list[dict[str, Any]]:
    """The questions of a scenario that a difference is about, or the first one."""
    asked = [dict(question) for question in document.values["questions"]]
    return [question for question in asked if about(question) == step.text] or asked[:1]


def recorded(document: Document, name: str, release: str, step: Step) -> dict[str, Any]:
    """A scenario with what the program did as the answer that is expected of the release.

    Where rules differ and no answer, the summary says so and the question is only there for form.
    """
    questions = about_it(document, step)
    if step.kind in DECISIONS:
        questions = [{**question, "expect": {release: step.got}} for question in questions]
    summary = f"The program: {step.got}. The model: {step.expected}. About: {step.text}."
    return {**document.values, "id": name, "summary": summary, "questions": questions}
