"""`downset scenarios`: recorded stories, and whether each gives the answer it must.

>>> scenarios.name
'scenarios'
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.options import (
    exit_zero_option,
    format_option,
    no_models_option,
    output_option,
)
from downset.commands.output import FORMATS, emit
from downset.report.scenarios import scenarios_json, scenarios_markdown, scenarios_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.scenarios.results import Result

EPILOG = """\b
Examples:
  downset scenarios
  downset scenarios scenarios/pawwork my-report.json --format json
"""


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="[PATH]...", nargs=-1, type=click.Path(path_type=Path))
@format_option(*FORMATS)
@output_option()
@no_models_option()
@exit_zero_option()
def scenarios(*, paths: tuple[Path, ...], form: str, output: Path | None, exit_zero: bool) -> int:
    """Run recorded stories and compare each answer with the one that is expected.

    PATH is a file or a folder: scenarios of this project's format (YAML), recorded reports and
    test expectations (JSON). Without PATH those of the package are run. Every answer is computed
    twice, on real rules and by the solver; if the two differ, that is a mismatch of its own.

    Exit code: 0 all agree, 1 some do not, 2 bad input.
    """
    from downset.scenarios.results import agree, disagreements  # noqa: PLC0415 -- keeps `--help` quick
    from downset.scenarios.running import run, scenario_files  # noqa: PLC0415 -- the same

    found = list(run(scenario_files(paths)))
    emit(_report(form, found), output)
    for wrong in disagreements(found):
        place = f"{wrong.file}: error[readings-disagree]: {wrong.id} check {wrong.check}"
        click.echo(f"{place} ({wrong.model}): {wrong.got}", err=True)
    return 0 if exit_zero or agree(found) else 1


def _report(form: str, results: Sequence[Result]) -> str:
    match form:
        case "json":
            return scenarios_json(results)
        case "markdown":
            return scenarios_markdown(results)
        case _:
            return scenarios_text(results)
