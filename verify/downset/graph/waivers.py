"""Findings that somebody decided to live with, for a reason and until a day.

A file of YAML or JSON: a list of `{id, reason, until}`, narrowed by `fingerprint`, `subject` or
`file`. A waiver that is past its day, or that matches nothing, is itself a finding.

>>> waiver = Waiver("dead-rule", "until the rewrite", date(2030, 1, 1))
>>> problem = Problem("dead-rule", Severity.WARNING, "a message")
>>> [found.id for found in apply([waiver], [problem], date(2029, 1, 1))[0]]
[]
>>> [found.id for found in apply([waiver], [problem], date(2031, 1, 1))[0]]
['dead-rule', 'waiver-expired']
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from downset.errors import InputError
from downset.graph.records import Location, Problem, Severity, ordered

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MOST_BYTES: Final = 1 << 20
FIELDS: Final = ("id", "reason", "until", "fingerprint", "subject", "file")


@dataclass(frozen=True)
class Waiver:
    """One entry of the file."""

    id: str
    reason: str
    until: date
    fingerprint: str = ""
    subject: str = ""
    file: str = ""
    place: Location | None = None

    def covers(self, problem: Problem) -> bool:
        """Whether a finding is one that this is about.

        >>> waiver = Waiver("x", "why", date(2030, 1, 1), subject="build")
        >>> waiver.covers(Problem("x", Severity.NOTE, "m", subject="plan"))
        False
        """
        return (
            self.id == problem.id
            and self.fingerprint in {"", problem.fingerprint}
            and self.subject in {"", problem.subject}
            and (not self.file or any(at.file.endswith(self.file) for at in problem.locations))
        )


def apply(
    waivers: Sequence[Waiver], problems: Sequence[Problem], today: date
) -> tuple[list[Problem], int]:
    """The findings that are left, those about waivers among them, and how many were waived."""
    valid = [waiver for waiver in waivers if waiver.until >= today]
    left = [found for found in problems if not any(w.covers(found) for w in valid)]
    about = [_expired(waiver) for waiver in waivers if waiver.until < today]
    about += [_unmatched(waiver) for waiver in valid if not any(waiver.covers(p) for p in problems)]
    return ordered([*left, *about]), len(problems) - len(left)


def read(path: Path) -> list[Waiver]:
    """The waivers of a file. Raises `InputError` for anything that is none."""
    data = _data(path)
    if data is None:
        return []
    if not isinstance(data, list):
        raise _error(path, None, "a file of waivers is a list")
    return [_waiver(path, data, number) for number in range(len(data))]


def _data(path: Path) -> object:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise InputError(
            f"cannot read the waivers: {error.strerror}", id="no-file", file=path
        ) from error
    if len(content) > MOST_BYTES:
        raise InputError("the file of waivers is too large", id="too-large", file=path)
    try:
        data: object = YAML(typ="rt").load(content.decode("utf-8"))
    except (YAMLError, UnicodeDecodeError) as error:
        raise InputError(
            f"not valid YAML: {str(error).splitlines()[0]}", id="waiver-syntax", file=path
        ) from error
    return data


def _waiver(path: Path, data: list[object], number: int) -> Waiver:
    line = data.lc.item(number)[0] + 1 if hasattr(data, "lc") else None
    entry = data[number]
    if not isinstance(entry, Mapping):
        raise _error(path, line, "a waiver is a mapping")
    for key in entry:
        if key not in FIELDS:
            raise _error(path, line, f"unknown field `{key}`")
    for key in ("id", "reason", "until"):
        if not str(entry.get(key) or "").strip():
            raise _error(path, line, f"a waiver needs `{key}`")
    texts = {key: str(entry.get(key) or "") for key in ("id", "reason", *FIELDS[3:])}
    place = Location(str(path), line)
    return Waiver(until=_date(path, line, entry["until"]), place=place, **texts)


def _date(path: Path, line: int | None, value: object) -> date:
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise _error(path, line, f"`{value}` is not a day, such as 2030-01-31") from None


def _error(path: Path, line: int | None, message: str) -> InputError:
    example = '- {id: dead-rule, reason: "…", until: 2030-01-31}'
    return InputError(message, id="waiver", file=path, line=line, help=f"write {example}")


def _expired(waiver: Waiver) -> Problem:
    message = f"the waiver of `{waiver.id}` ended on {waiver.until}: {waiver.reason}"
    return _about(waiver, "waiver-expired", message, "renew it, or mend what it is about")


def _unmatched(waiver: Waiver) -> Problem:
    message = f"the waiver of `{waiver.id}` matches no finding: {waiver.reason}"
    return _about(waiver, "waiver-unmatched", message, "remove it")


def _about(waiver: Waiver, name: str, message: str, help_text: str) -> Problem:
    places = (waiver.place,) if waiver.place else ()
    return Problem(name, Severity.WARNING, message, places, help=help_text, subject=waiver.id)
