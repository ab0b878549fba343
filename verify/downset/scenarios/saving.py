"""A counterexample as a scenario of the project's own format, which then runs green.

What is saved is the story with raw rules, and each decision that the counterexample shows as a
question. Before anything is written it is run: a story that the format cannot tell is refused.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from io import StringIO
from typing import TYPE_CHECKING, Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from downset.errors import InputError
from downset.scenarios.own import Document
from downset.scenarios.reconstruction import Events, agents_of, settings_of
from downset.scenarios.told import own_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from downset.verdicts import Counterexample, DecisionRecord, Verdict

WIDTH: Final = 100
Question = dict[str, Any]


@dataclass(frozen=True)
class Saved:
    """A verdict's counterexample, to be told of a model (an id, or a file beside the scenario)."""

    verdict: Verdict
    model: str
    file: str

    @property
    def story(self) -> Counterexample:
        """The counterexample. Raises `InputError` if there is none, or nothing is decided in it."""
        story = self.verdict.counterexample
        if story is None or not story.decisions:
            raise self.refused("it has no decision that could be asked again")
        return story

    def refused(self, why: str) -> InputError:
        """The error for a story that cannot be saved."""
        pair = f"`{self.verdict.model}` `{self.verdict.property}`"
        return InputError(
            f"the story of {pair} cannot be saved as a scenario: {why}", id="save-scenario"
        )

    def text(self) -> str:
        """The scenario as YAML. Raises `InputError` if it would not run green."""
        for events in Events(self.story).variants():
            questions = self.questions(events)
            if questions is not None:
                return as_yaml(self.values(events, questions))
        raise self.refused("the format does not have all of its events")

    def values(self, events: Sequence[Question], questions: Sequence[Question]) -> dict[str, Any]:
        """The parts of the scenario."""
        name = f"{self.verdict.model}-{self.verdict.property}".lstrip("/.")
        settings = settings_of(self.story)
        return {
            "id": name,
            "source": f"counterexample of {self.verdict.property}, found by `downset prove`",
            "summary": self.story.conclusion,
            "agents": agents_of(self.story),
            **({"settings": settings} if settings else {}),
            "models": [self.model],
            "events": list(events),
            "questions": list(questions),
        }

    # --- questions ---

    def questions(self, events: Sequence[Question]) -> list[Question] | None:
        """A question for each decision, at a time when it is so decided; `None` if one has none."""
        options = [list(self.options(decision, events)) for decision in self.story.decisions]
        flat = [question for some in options for question in some]
        if not all(options):
            return None
        document = Document(self.values(events, flat), self.file)
        good = iter([result.ok for result in own_results(document)])
        chosen = [[q for q in some if next(good)] for some in options]
        if not all(chosen):
            return None
        return [dict(some) for some in {tuple(found[0].items()): None for found in chosen}]

    def options(self, decision: DecisionRecord, events: Sequence[Question]) -> Iterator[Question]:
        """The ways of asking: at the end, earlier, or in a run that began earlier."""
        asked = {"session": decision.session, **subject(decision, self.story)}
        expect = {"expect": word(decision.outcome)}
        end = len(events)
        born = [n for n, e in enumerate(events, start=1) if starts(e, decision.session)]
        if not born:
            return
        earlier = range(end - 1, born[0] - 1, -1)
        yield {**asked, **expect}
        yield from ({**asked, "after": at, **expect} for at in earlier)
        yield from ({**asked, "began": at, **expect} for at in earlier)


def starts(event: Question, session: str) -> bool:
    """Whether a session comes into being by an event."""
    return event["session"] == session and event["event"] in {"open", "spawn", "fork"}


def subject(decision: DecisionRecord, story: Counterexample) -> Question:
    """What is asked: a call, a tool, or a dispatch."""
    query = decision.query
    if query.tool is None:
        return {"permission": query.permission, "pattern": query.resource}
    if "dispatch" in decision.outcome:
        return {"dispatch": story.agents[-1].name}
    return {"tool": query.tool}


def word(outcome: str) -> str:
    """An outcome in the words of the format.

    >>> word("deny"), word("may not dispatch (depth 1, limit 1)")
    ('deny', 'refused')
    """
    if outcome.startswith("may dispatch"):
        return "possible"
    return "refused" if outcome.startswith("may not") else outcome


def as_yaml(values: Mapping[str, Any]) -> str:
    """A scenario as people write it: one line for each event and each question."""
    yaml = YAML()
    yaml.width = WIDTH
    yaml.indent(mapping=2, sequence=4, offset=2)
    out = StringIO()
    yaml.dump({key: one_line_each(value) for key, value in values.items()}, out)
    return out.getvalue()


def one_line_each(value: object) -> object:
    """The parts of a list or mapping, each on a line of its own."""
    if isinstance(value, list):
        return [in_line(item) for item in value]
    if isinstance(value, dict):
        return {safe(key): in_line(item) for key, item in value.items()}
    return value


def in_line(value: object) -> object:
    """A part that is written on one line, its texts in quotes unless they are plain names."""
    if isinstance(value, dict):
        made = CommentedMap({safe(key): in_line(item) for key, item in value.items()})
        made.fa.set_flow_style()
        return made
    if isinstance(value, list):
        return [in_line(item) for item in value]
    return safe(value)


def safe(value: object) -> object:
    """A text in quotes, unless every reader of YAML takes it for a plain name.

    >>> safe("src/app.ts"), type(safe("?*")).__name__, type(safe("no")).__name__
    ('src/app.ts', 'DoubleQuotedScalarString', 'DoubleQuotedScalarString')
    """
    if not isinstance(value, str) or (PLAIN.fullmatch(value) and value.lower() not in TAKEN):
        return value
    return DoubleQuotedScalarString(value)


PLAIN: Final = re.compile("[A-Za-z][A-Za-z0-9_./-]*")
TAKEN: Final = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
