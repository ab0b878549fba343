"""One project of many, as a plain record: what was found, or why nothing could be.

>>> record = look("/no/such", Settings())
>>> record["status"], record["exit_code"], record["error"]["id"]
('error', 2, 'no-file')
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from downset import __version__
from downset.config.files import default_release, load
from downset.config.releases import release as release_of
from downset.errors import InputError
from downset.graph.check import check
from downset.graph.waivers import apply, read
from downset.report.check_json import problem_result
from downset.report.json_report import SCHEMA

if TYPE_CHECKING:
    from downset.config.project import Project
    from downset.graph.check import Checked

Record = dict[str, Any]
"""One line of JSON."""
BAD: Final = {"error": frozenset({"error"}), "warning": frozenset({"error", "warning"})}


@dataclass(frozen=True)
class Settings:
    """What is the same for all projects; two runs can only be joined if it is the same for both.

    >>> Settings().fingerprint == Settings().fingerprint != Settings("opencode@1.17.0").fingerprint
    True
    """

    release: str | None = None
    whole: bool = False
    outside: bool = False
    waivers: str | None = None
    fail_on: str = "error"

    @property
    def fingerprint(self) -> str:
        """A short name for these settings and this version of the program."""
        said = json.dumps([__version__, asdict(self)], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:12]


def look(path: str, settings: Settings) -> Record:
    """Check one project. Raises nothing: what is wrong with it is part of the record."""
    try:
        return found(path, settings, checked(path, settings))
    except InputError as error:
        fields = ("id", "message", "file", "line", "column", "help")
        return failed(path, settings, "error", {name: getattr(error, name) for name in fields})
    except RecursionError:
        return unanswered(path, settings, "was nested too deeply")


def checked(path: str, settings: Settings) -> Checked:
    """What there is to find in one project, without what is waived. Raises `InputError`."""
    result = check(project_at(path, settings))
    if settings.waivers is None:
        return result
    left, _ = apply(read(Path(settings.waivers)), result.problems, datetime.now(UTC).date())
    return replace(result, problems=tuple(left))


def project_at(path: str, settings: Settings) -> Project:
    """The project at a path, as `downset check` reads it. Raises `InputError`."""
    place, name = Path(path), settings.release
    return load(
        place,
        default_release(place) if name is None else release_of(name),
        home=str(Path.home()) if settings.whole else None,
        environ=dict(os.environ) if settings.whole else None,
        include_global=settings.whole,
        allow_outside=settings.outside,
    )


def found(path: str, settings: Settings, result: Checked) -> Record:
    """The record of a project that was checked."""
    failing = any(p.severity.value in BAD[settings.fail_on] for p in result.problems)
    return {
        **heading(path, settings, "checked"),
        "exit_code": 1 if failing else 3 if result.undetermined else 0,
        "release": result.release,
        "agents": result.agents,
        "undetermined": list(result.undetermined),
        "error": None,
        "results": [problem_result(problem) for problem in result.problems],
    }


def unanswered(path: str, settings: Settings, why: str) -> Record:
    """The record of a project whose process gave no answer; `why` begins with a verb."""
    return failed(path, settings, "unknown", {"id": "no-answer", "message": f"the check {why}"})


def failed(path: str, settings: Settings, status: str, error: dict[str, Any]) -> Record:
    """The record of a project that could not be checked."""
    return {
        **heading(path, settings, status),
        "exit_code": 2 if status == "error" else 3,
        "release": settings.release,
        "agents": 0,
        "undetermined": [error["message"]] if status == "unknown" else [],
        "error": error,
        "results": [],
    }


def heading(path: str, settings: Settings, status: str) -> Record:
    """What every record begins with."""
    return {
        "schema": SCHEMA,
        "command": "check",
        "run": settings.fingerprint,
        "path": path,
        "status": status,
    }
