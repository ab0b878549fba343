"""Results as JSON of the schema `downset/1`: fields are added to it, never changed.

>>> print(document("models", []), end="")
{
  "schema": "downset/1",
  "command": "models",
  "results": []
}
"""

from __future__ import annotations

import json
from dataclasses import asdict
from importlib import resources
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.verdicts import Counterexample, EventRecord, Scope, Verdict

SCHEMA: Final = "downset/1"


def verdicts_json(command: str, verdicts: Sequence[Verdict]) -> str:
    """The verdicts of `prove` or `matrix`."""
    return document(command, [verdict_result(verdict) for verdict in verdicts])


def document(command: str, results: Sequence[Mapping[str, object]], **more: object) -> str:
    """The envelope in which the results of every command come, and what a command adds to it."""
    whole = {"schema": SCHEMA, "command": command, "results": results, **more}
    return json.dumps(whole, indent=2) + "\n"


def schema() -> dict[str, Any]:
    """The JSON Schema of everything that `document` writes.

    >>> schema()["title"]
    'downset/1'
    """
    file = resources.files("downset.report") / "schema" / "downset-1.schema.json"
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def verdict_result(verdict: Verdict) -> dict[str, object]:
    """One verdict as an element of `results`.

    >>> from downset.verdicts import Scope, Status, Verdict
    >>> result = verdict_result(Verdict("m", "p", Status.PROVED, Scope()))
    >>> result["verdict"], result["counterexample"]
    ('proved', None)
    """
    story = verdict.counterexample
    return {
        "model": verdict.model,
        "property": verdict.property,
        "verdict": verdict.status.value,
        "scope": _scope(verdict.scope),
        "reason": verdict.reason,
        "counterexample": None if story is None else story_result(story),
        "seconds": round(verdict.seconds, 3),
    }


def _scope(scope: Scope) -> dict[str, object]:
    return {**asdict(scope), "cutoff": dict(scope.cutoff)}


def story_result(story: Counterexample) -> dict[str, object]:
    """A counterexample; its events are numbered as in the text."""
    return {
        **asdict(story),
        "events": [_event(number, event) for number, event in enumerate(story.events, start=1)],
        "config": dict(story.config),
    }


def _event(number: int, event: EventRecord) -> dict[str, object]:
    return {"number": number, **asdict(event), "details": dict(event.details)}
