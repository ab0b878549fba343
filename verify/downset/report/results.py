"""One shape for everything that a CI run shows: verdicts of models and findings in configurations.

SARIF, JUnit, annotations and the comment on a pull request are all written from these records.

>>> from downset.verdicts import Scope, Status, Verdict
>>> of_verdict(Verdict("m", "p", Status.PROVED, Scope()), Rule("p", "it holds")).state
'passed'
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Final

from downset.report.check_text import problem_text, request_text, rule_line
from downset.report.fingerprints import fingerprint
from downset.report.text import verdict_text
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.graph.records import Location, Member, Problem
    from downset.verdicts import Verdict

DOCS: Final = "docs/lints"


@dataclass(frozen=True)
class Rule:
    """What was looked for: a property or a lint."""

    id: str
    title: str
    help: str = ""


@dataclass(frozen=True)
class Place:
    """A file, and a line and column from 1 as far as they are known."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return self.file if self.line is None else f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Step:
    """One step of a story."""

    text: str
    place: Place | None = None


@dataclass(frozen=True)
class Result:
    """What was found out about one thing.

    `state` is `passed`, `failed`, `vacuous`, `unknown` or `skipped`; `severity` is `error`,
    `warning` or `note`. The first sentence of `message` stands alone; `text` tells all.
    """

    suite: str
    rule: Rule
    state: str
    message: str
    text: str
    severity: str = "error"
    places: tuple[Place, ...] = ()
    steps: tuple[Step, ...] = ()
    fingerprint: str = ""
    seconds: float = 0.0
    instance: str = ""
    """Tells it from others of the same rule in the same suite."""
    shown: bool = True
    """Whether a person has to look at it."""


STATES: Final = {
    Status.PROVED: "passed",
    Status.VIOLATED: "failed",
    Status.BOUNDED: "unknown",
    Status.VACUOUS: "vacuous",
    Status.NOT_APPLICABLE: "skipped",
    Status.UNKNOWN: "unknown",
}


def of_verdict(verdict: Verdict, rule: Rule, place: Place | None = None) -> Result:
    """A verdict; `place` is the model's file."""
    state = STATES[verdict.status]
    return Result(
        suite=verdict.model,
        rule=rule,
        state=state,
        message=_message(verdict, rule),
        text=verdict_text(verdict),
        severity="error" if state == "failed" else "warning",
        places=(place,) if place is not None else (),
        steps=tuple(_steps(verdict)),
        fingerprint=fingerprint(verdict),
        seconds=verdict.seconds,
        shown=state not in {"passed", "skipped"},
    )


def _message(verdict: Verdict, rule: Rule) -> str:
    about = f"{verdict.model} and {verdict.property}"
    match verdict.status:
        case Status.VIOLATED:
            return f"{verdict.model} violates {verdict.property}. Not so: {rule.title}."
        case Status.PROVED:
            return f"{verdict.property} is proved of {verdict.model}."
        case status:
            why = f": {verdict.reason}" if verdict.reason else ""
            return f"{status.value} for {about}{why}"


def _steps(verdict: Verdict) -> Iterator[Step]:
    story = verdict.counterexample
    if story is None:
        return
    for number, event in enumerate(story.events, start=1):
        yield Step(f"{number}. {event.text}")
    for decision in story.decisions:
        role = f" ({decision.role})" if decision.role else ""
        yield Step(f"{decision.session}{role}: {decision.outcome}")


def of_problem(problem: Problem, suite: str) -> Result:
    """A finding in a configuration."""
    page = f"{DOCS}/{problem.id}.md"
    places = tuple(place(at) for at in problem.locations)
    return Result(
        suite=suite,
        rule=Rule(problem.id, problem.id.replace("-", " "), f"see {page}"),
        state="failed",
        message=problem.message,
        text=problem_text(problem),
        severity=problem.severity.value,
        places=places,
        steps=tuple(_chain(problem.members[0])) if problem.members else (),
        fingerprint=problem.fingerprint,
        instance=" ".join([*(str(at) for at in places[:1]), problem.fingerprint]),
        shown=problem.severity.value != "note",
    )


def of_question(question: str, suite: str) -> Result:
    """A question that was given up."""
    rule = Rule("undetermined", "a question that was given up", "its budget was spent")
    return Result(suite, rule, "unknown", f"undetermined: {question}", question, "warning")


def place(at: Location) -> Place:
    """A place in a configuration."""
    return Place(near(at.file), at.line, at.column)


def near(file: str) -> str:
    """A file as seen from the working directory, if it is below.

    >>> near("a/b.json")
    'a/b.json'
    """
    path = PurePath(file)
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else file


def _chain(member: Member) -> Iterator[Step]:
    yield Step(f"{' -> '.join(member.chain)}: {request_text(member.witness)}")
    for side in (member.ancestor, member.dispatch, member.descendant):
        if side is not None:
            rule = f" by {rule_line(side.rule)}" if side.rule else ", because no rule matches"
            at = place(side.rule.place) if side.rule and side.rule.place else None
            yield Step(f"{side.agent}: {side.decision}{rule}", at)
