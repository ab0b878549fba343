"""A baseline: each verdict in a line, made to be read in a review, and what has changed since.

>>> from downset.verdicts import Scope, Status, Verdict
>>> kept = Baseline.of(["m"], [Verdict("m", "p", Status.PROVED, Scope())], everything=True)
>>> print(kept.text(), end="")
{
  "schema": "downset-baseline/1",
  "models": [
    "m"
  ],
  "everything": true,
  "verdicts": {
    "m": {
      "p": "proved"
    }
  }
}
>>> [change.what for change in kept.changes([Verdict("m", "p", Status.VACUOUS, Scope())])]
['no longer proved']
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from downset.errors import InputError
from downset.report.fingerprints import fingerprint
from downset.report.json_report import document, verdict_result
from downset.report.results import Result, of_verdict
from downset.report.text import verdict_text
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from downset.report.results import Rule
    from downset.verdicts import Verdict

SCHEMA: Final = "downset-baseline/1"


@dataclass(frozen=True)
class Change:
    """One pair that is not as it was; `verdict` is `None` for a pair that is gone."""

    model: str
    prop: str
    what: str
    old: str
    new: str
    verdict: Verdict | None = None

    @property
    def line(self) -> str:
        """The change in one line."""
        return f"{self.what}: {self.model} {self.prop} ({self.old} -> {self.new})"


@dataclass(frozen=True)
class Baseline:
    """Models as they were given, and the word kept for each pair of model and property.

    `everything` says that all properties are meant, those of later versions too.
    """

    models: tuple[str, ...]
    verdicts: Mapping[str, Mapping[str, str]]
    everything: bool

    @staticmethod
    def of(models: Sequence[str], verdicts: Sequence[Verdict], *, everything: bool) -> Baseline:
        """The baseline that says what these verdicts say."""
        kept: dict[str, dict[str, str]] = {}
        for verdict in verdicts:
            kept.setdefault(verdict.model, {})[verdict.property] = word(verdict)
        return Baseline(tuple(models), kept, everything)

    @property
    def properties(self) -> tuple[str, ...]:
        """All properties in it."""
        return tuple(dict.fromkeys(name for row in self.verdicts.values() for name in row))

    def text(self) -> str:
        """The file."""
        whole = {
            "schema": SCHEMA,
            "models": list(self.models),
            "everything": self.everything,
            "verdicts": self.verdicts,
        }
        return json.dumps(whole, indent=2, ensure_ascii=False) + "\n"

    @staticmethod
    def read(file: Path) -> Baseline:
        """The baseline in a file. Raises `InputError` with the place of what is wrong."""
        try:
            whole = json.loads(file.read_text(encoding="utf-8"))
        except json.JSONDecodeError as error:
            raise _wrong(file, error.msg, error.lineno, error.colno) from error
        except (OSError, UnicodeDecodeError) as error:
            raise _wrong(file, f"cannot be read: {error}") from error
        return _parsed(whole, file)

    def changes(self, verdicts: Sequence[Verdict]) -> list[Change]:
        """How verdicts differ from the baseline: those first that are there now."""
        now = {(verdict.model, verdict.property): verdict for verdict in verdicts}
        found = [self._change(verdict) for verdict in verdicts]
        gone = [
            Change(model, name, "gone", old, "nothing")
            for model, row in self.verdicts.items()
            for name, old in row.items()
            if (model, name) not in now
        ]
        return [change for change in found if change is not None] + gone

    def _change(self, verdict: Verdict) -> Change | None:
        old = self.verdicts.get(verdict.model, {}).get(verdict.property)
        new = word(verdict)
        if old == new:
            return None
        what = "not in the baseline" if old is None else _difference(old, new)
        return Change(verdict.model, verdict.property, what, old or "nothing", new, verdict)


def word(verdict: Verdict) -> str:
    """What is kept of a verdict: its status, of a story its fingerprint too.

    >>> from downset.verdicts import Scope, Verdict
    >>> word(Verdict("m", "p", Status.PROVED, Scope()))
    'proved'
    """
    status = verdict.status.value
    return status if verdict.counterexample is None else f"{status} {fingerprint(verdict)}"


def _difference(old: str, new: str) -> str:
    """Which way a verdict has changed.

    >>> _difference("proved", "violated 1"), _difference("violated 1", "violated 2")
    ('newly violated', 'counterexample changed')
    """
    before, after = old.split(" ", maxsplit=1)[0], new.split(" ", maxsplit=1)[0]
    violated, proved = Status.VIOLATED.value, Status.PROVED.value
    if before == after == violated:
        return "counterexample changed"
    if violated == after:
        return "newly violated"
    if proved == after:
        return "newly proved"
    return "no longer proved" if before == proved else "changed"


def _parsed(whole: object, file: Path) -> Baseline:
    if not isinstance(whole, dict) or whole.get("schema") != SCHEMA:
        raise _wrong(file, f"is no baseline of the schema `{SCHEMA}`")
    models, verdicts = whole.get("models"), whole.get("verdicts")
    if not isinstance(models, list) or not _is_texts(models) or not isinstance(verdicts, dict):
        raise _wrong(file, "has no `models` and `verdicts`")
    rows = verdicts.values()
    if not all(isinstance(row, dict) and _is_texts(list(row.values())) for row in rows):
        raise _wrong(file, "has a verdict that is no text")
    return Baseline(tuple(models), verdicts, everything=whole.get("everything") is True)


def _is_texts(values: Sequence[object]) -> bool:
    return all(isinstance(value, str) for value in values)


def _wrong(file: Path, what: str, line: int | None = None, column: int | None = None) -> InputError:
    return InputError(
        what,
        id="baseline",
        file=file,
        line=line,
        column=column,
        help="`downset baseline write MODEL...` writes one",
    )


def changes_text(changes: Sequence[Change]) -> str:
    """Each change in a line, with the story of what is violated now."""
    if not changes:
        return "as in the baseline\n"
    parts = [_told(change) for change in changes]
    count = f"{len(changes)} change{'' if len(changes) == 1 else 's'}"
    return "\n\n".join([*parts, count]) + "\n"


def _told(change: Change) -> str:
    story = change.verdict is not None and change.verdict.counterexample is not None
    if not story or change.verdict is None:
        return change.line
    return f"{change.line}\n\n{verdict_text(change.verdict)}"


def changes_json(changes: Sequence[Change]) -> str:
    """All changes; of the schema `downset/1`."""
    return document("baseline", [_result(change) for change in changes])


def _result(change: Change) -> dict[str, object]:
    return {
        "model": change.model,
        "property": change.prop,
        "change": change.what,
        "old": change.old,
        "new": change.new,
        "verdict": None if change.verdict is None else verdict_result(change.verdict),
    }


def change_result(change: Change, rule: Rule) -> Result:
    """A change for a CI run."""
    if change.verdict is None:
        return Result(change.model, rule, "failed", change.line, change.line)
    found = of_verdict(change.verdict, rule)
    return Result(
        change.model,
        rule,
        "failed",
        change.line,
        f"{change.line}\n\n{found.text}",
        steps=found.steps,
        fingerprint=found.fingerprint,
    )
