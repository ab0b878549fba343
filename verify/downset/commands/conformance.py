"""`downset conformance`: generated stories, decided by the model and by the program.

>>> conformance.name
'conformance'
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from downset.commands.options import exit_zero_option, format_option, output_option
from downset.commands.output import FORMATS, emit, write_whole
from downset.commands.program import cache_option, program_option, spinning, tell_cache
from downset.errors import InputError
from downset.verdicts import worst_exit_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.config.releases import Release
    from downset.scenarios.own import Document

    Data = Mapping[str, Any]

DECISIONS: Final = 2000
SYSTEM: Final = "opencode"
EPILOG = """\b
Examples:
  downset conformance --release opencode@1.18.34 --decisions 500
  downset conformance --data reports/data/conformance --format markdown -o reports/conformance.md
"""


@click.command(epilog=EPILOG)
@click.option(
    "--release",
    "releases",
    metavar="R",
    multiple=True,
    help="The release to measure. Repeatable; without any, only what --data has is shown.",
)
@click.option(
    "--decisions",
    type=click.IntRange(min=1),
    default=DECISIONS,
    show_default=True,
    metavar="N",
    help="How many random decisions to compare at least.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Which random stories.")
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Keep the measurements in DIR, one file for each release, and report all that are there.",
)
@click.option(
    "--keep",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Write each disagreement, made small, into DIR as a scenario.",
)
@cache_option()
@program_option()
@format_option(*FORMATS)
@output_option()
@exit_zero_option()
def conformance(  # noqa: PLR0913 -- one parameter for each option
    *,
    releases: tuple[str, ...],
    decisions: int,
    seed: int,
    data: Path | None,
    keep: Path | None,
    cache: Path,
    program: Path | None,
    form: str,
    output: Path | None,
    exit_zero: bool,
) -> int:
    """Measure how far the model of a release agrees with its program.

    All scenarios of the package are told to the program, then random stories, until --decisions of
    their decisions were compared: calls, offered tools, dispatches. The rules of every agent and
    session are compared besides. The program runs as for `downset replay`.

    WARNING: the program is third-party code from npm, and it is executed.

    Exit code: 0 all agrees, 1 something does not, 2 bad input, 3 there is no such program.
    """
    from downset.config.releases import release as release_of  # noqa: PLC0415 -- quick `--help`

    if not releases and data is None:
        raise InputError("there is nothing to measure", id="usage", help="give `--release`")
    rows = [release_of(name) for name in releases]
    if rows:
        tell_cache(cache)
    measured = [_measure(row, (decisions, seed), cache, program) for row in rows]
    for one in measured:
        _keep(one, data, keep)
    emit(_report(form, measured if data is None else _stored(data)), output)
    return 0 if exit_zero else worst_exit_code(map(_exit_code, measured))


def _measure(row: Release, size: tuple[int, int], cache: Path, path: Path | None) -> Data:
    from downset.program.measuring import Measured, Measuring  # noqa: PLC0415 -- quick `--help`
    from downset.program.outcomes import ProgramError, Unavailable  # noqa: PLC0415 -- the same
    from downset.program.replaying import Program  # noqa: PLC0415 -- the same

    decisions, seed = size
    try:
        with Program(row, cache, path) as running, spinning(row.name, decisions) as tell:
            measuring = Measuring(running, seed, tell=tell)
            measuring.scenarios(_scenarios())
            measuring.random(decisions)
            return asdict(measuring.found)
    except (Unavailable, ProgramError) as why:
        return asdict(Measured(row.name, None, seed, unavailable=str(why)))


def _scenarios() -> list[Document]:
    from downset.scenarios.own import read  # noqa: PLC0415 -- quick `--help`
    from downset.scenarios.running import OWN, scenario_files, scenario_root  # noqa: PLC0415 -- the same

    files = scenario_files([scenario_root() / SYSTEM])
    return [read(file) for file in files if file.suffix in OWN]


def _keep(one: Data, data: Path | None, keep: Path | None) -> None:
    """Write a measurement and its disagreements; explanations given by hand stay.

    That a program cannot be had does not replace what was measured when it could.
    """
    file = None if data is None else data / f"{one['release'].partition('@')[2]}.json"
    if file is not None and not (one["unavailable"] and file.is_file()):
        file.parent.mkdir(parents=True, exist_ok=True)
        known = json.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}
        said = {
            e["id"]: e["explanation"] for e in known.get("disagreements", ()) if "explanation" in e
        }
        found = [
            {**e, "explanation": said[e["id"]]} if e["id"] in said else e
            for e in one["disagreements"]
        ]
        write_whole(file, json.dumps({**one, "disagreements": found}, indent=1) + "\n")
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        for found in one.get("disagreements", ()):
            write_whole(keep / f"{found['id']}.yaml", found["scenario"])


def _stored(data: Path) -> list[Data]:
    """The measurements in a directory, by version."""
    files = sorted(data.glob("*.json"), key=lambda file: [int(n) for n in file.stem.split(".")])
    return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def _exit_code(one: Data) -> int:
    if one.get("unavailable"):
        return 3
    return 1 if one["disagreements"] or one["not_reproduced"] else 0


def _report(form: str, data: Sequence[Data]) -> str:
    from downset.report.conformance import (  # noqa: PLC0415 -- quick `--help`
        conformance_json,
        conformance_markdown,
        conformance_text,
    )

    reports = {"json": conformance_json, "markdown": conformance_markdown}
    return reports.get(form, conformance_text)(data)
