"""Finding scenarios in files and folders, and running them.

A file is a scenario of the project's own (YAML), a recorded report or a list of PawWork's test
expectations (JSON); what it is shows in what is in it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.errors import InputError
from downset.scenarios.bugs import bug_results, is_bug
from downset.scenarios.conformance import conformance_results, is_conformance
from downset.scenarios.fields import Fields
from downset.scenarios.own import read
from downset.scenarios.told import own_results

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.scenarios.results import Result

OWN: Final = (".yaml", ".yml")
RECORDED: Final = ".json"


def scenario_root() -> Path:
    """The folder of the project's own scenarios: in the package, else beside the source root."""
    package = Path(__file__).parent
    installed = any(package.glob("*/*.yaml"))
    return package if installed else package.parents[2] / "scenarios"


def scenario_files(paths: Sequence[Path]) -> list[Path]:
    """The files that are meant by files and folders, each once; all of the project's by default.

    Raises `InputError` for a path that does not exist, or a folder without scenarios.
    """
    return list(dict.fromkeys(file for path in paths or [scenario_root()] for file in _files(path)))


def _files(path: Path) -> list[Path]:
    if path.is_file():
        return [path]
    if not path.is_dir():
        raise InputError(f"there is no `{path}`", id="no-scenario", help="give files or folders")
    kinds = {*OWN, RECORDED}
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.suffix in kinds)
    found = [file for file in files if not file.name.endswith(".schema.json")]
    if not found:
        help_line = "a scenario is a file that ends in .yaml or .json"
        raise InputError(f"no scenario is in `{path}`", id="no-scenario", help=help_line)
    return found


def run(files: Sequence[Path]) -> Iterator[Result]:
    """The results of every check of some files, in order. Raises `InputError`."""
    for file in files:
        yield from results(file)


def results(file: Path) -> list[Result]:
    """The results of every check of one file. Raises `InputError`."""
    try:
        return own_results(read(file)) if file.suffix in OWN else recorded(file)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot be read: {error}", id="no-scenario", file=file) from error


def recorded(file: Path) -> list[Result]:
    """The results of a recorded report, or of PawWork's expectations."""
    value = parsed(file)
    if isinstance(value, dict) and is_bug(value):
        return bug_results(Fields(value, str(file)))
    if isinstance(value, list) and is_conformance(value):
        return conformance_results([Fields(entry, str(file), entry["id"]) for entry in value])
    raise InputError(
        "is neither a recorded report nor a list of expectations",
        id="bad-scenario",
        file=file,
        help="a report is an object with `id` and `checks`, an expectation has `kind` and `input`",
    )


def parsed(file: Path) -> object:
    """The value in a JSON file. Raises `InputError` with the place of what is wrong."""
    try:
        value: object = json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(
            error.msg, id="bad-scenario", file=file, line=error.lineno, column=error.colno
        ) from error
    return value
