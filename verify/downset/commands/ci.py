"""Results in the forms that a CI run reads: SARIF, JUnit, annotations, Markdown.

>>> written("junit", [])[:5]
'<?xml'
"""

from __future__ import annotations

import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING

from downset.errors import InputError
from downset.report.github import commands, summary
from downset.report.junit import junit
from downset.report.mermaid import sequence
from downset.report.pull_request import comment
from downset.report.results import Place, Rule, near, of_problem, of_question, of_verdict
from downset.report.sarif import sarif

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from downset.commands.engine import Engine, Property
    from downset.graph.check import Checked
    from downset.report.results import Result
    from downset.verdicts import Verdict


def written(form: str, results: Sequence[Result], diagrams: Mapping[int, str] | None = None) -> str:
    """Results in one of `CI_FORMATS`; for GitHub the step summary is written as well."""
    match form:
        case "sarif":
            return sarif(results)
        case "junit":
            return junit(results)
        case "github":
            write_summary(comment(results, diagrams))
            return commands(results)
        case _:
            return comment(results, diagrams)


def write_summary(markdown: str) -> None:
    """Add to the file that GitHub shows as the summary of a step, if it names one."""
    file = os.environ.get("GITHUB_STEP_SUMMARY")
    if not file:
        return
    try:
        with Path(file).open("a", encoding="utf-8", errors="backslashreplace") as step:
            step.write(summary(markdown))
    except OSError as error:
        raise InputError(
            f"cannot write the step summary `{file}`: {error.strerror}",
            id="cannot-write",
            help="unset GITHUB_STEP_SUMMARY, or choose another --format",
        ) from error


def verdicts_written(
    form: str,
    verdicts: Sequence[Verdict],
    engine: Engine,
    known: Mapping[str, Property],
    refs: Sequence[str],
) -> str:
    """Verdicts in one of `CI_FORMATS`; the places are those of the models' files."""
    places = dict(_places(engine, refs))
    results = [
        of_verdict(verdict, rule_of(known, verdict.property), places.get(verdict.model))
        for verdict in verdicts
    ]
    return written(form, results, diagrams(verdicts))


def diagrams(verdicts: Sequence[Verdict]) -> dict[int, str]:
    """A diagram for each verdict that has a story, by its number."""
    return {
        number: sequence(verdict.counterexample)
        for number, verdict in enumerate(verdicts)
        if verdict.counterexample is not None
    }


def rule_of(known: Mapping[str, Property], name: str) -> Rule:
    """A property as a rule."""
    prop = known.get(name)
    if prop is None:
        return Rule(name, name)
    return Rule(name, prop.sentence, f"{prop.formula}\n\nAsked for by {prop.asked_by}.")


def _places(engine: Engine, refs: Sequence[str]) -> Iterator[tuple[str, Place]]:
    for ref in refs:
        model = engine.load_model(ref)
        try:
            file = inspect.getsourcefile(type(model))
            line = inspect.getsourcelines(type(model))[1]
        except (OSError, TypeError):
            continue
        if file is not None:
            yield model.id, Place(near(file), line, 1)


def checked_written(form: str, checked: Checked, path: Path) -> str:
    """What was found in a configuration, in one of `CI_FORMATS`."""
    results = [of_problem(problem, str(path)) for problem in checked.problems]
    results += [of_question(question, str(path)) for question in checked.undetermined]
    return written(form, results)
