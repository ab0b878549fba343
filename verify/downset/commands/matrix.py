"""`downset matrix`: all models and all properties in one table.

>>> matrix.name
'matrix'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from downset.commands.certificate import write_certificate
from downset.commands.expected import differences, load_expected, models_folder, strays
from downset.commands.options import (
    certificate_option,
    exit_zero_option,
    format_option,
    no_models_option,
    output_option,
    properties_file_option,
    property_option,
    solver_option,
)
from downset.commands.output import FORMATS, emit, failure_told
from downset.commands.progress import tracked
from downset.commands.run import Plan, decide, default_jobs
from downset.commands.select import choose
from downset.report.json_report import verdicts_json
from downset.report.markdown import matrix_markdown
from downset.report.matrix import matrix_text
from downset.verdicts import worst_exit_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from downset.commands.engine import Engine, Property
    from downset.commands.settings import Settings
    from downset.verdicts import Verdict

EPILOG = """\b
Examples:
  downset matrix
  downset matrix --model opencode/1.18.2 --model opencode/2.0 --format markdown
"""


@click.command(epilog=EPILOG)
@click.option(
    "--model",
    "refs",
    multiple=True,
    metavar="MODEL",
    help="Only this model: an id, or the path of a file, which is executed. Repeatable.",
)
@property_option()
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=default_jobs,
    metavar="N",
    help="Decide in N processes.  [default: one per processor, at most 4]",
)
@solver_option()
@certificate_option()
@properties_file_option()
@format_option(*FORMATS, "sarif", "junit", "github")
@output_option()
@no_models_option()
@exit_zero_option()
@click.option(
    "--check-expected",
    is_flag=True,
    help="Also compare with the verdicts typed by hand beside each model; the exit code then "
    "says whether they agree: 0 or 1.",
)
@click.pass_obj
def matrix(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    *,
    refs: tuple[str, ...],
    names: tuple[str, ...],
    jobs: int,
    solver: str,
    certificate: Path | None,
    files: tuple[Path, ...],
    form: str,
    output: Path | None,
    exit_zero: bool,
    check_expected: bool,
) -> int:
    """Decide every property for every model and print the table.

    Exit code: as for `downset prove`.
    """
    engine = settings.engine.configured(solver=solver, certify=certificate is not None)
    with failure_told(form, output):
        known = engine.load_properties(files)
        chosen = tuple(prop.id for prop in choose(known, names))
        models = tuple(dict.fromkeys(refs)) or tuple(model.id for model in engine.all_models())
        plan = Plan(engine, models, chosen, files)
        verdicts = list(tracked(decide(plan, jobs if settings.apart else 0), total=len(plan)))
        emit(_report(form, verdicts, plan, known), output)
    if certificate is not None:
        write_certificate(certificate, verdicts, engine.solver_version())
    if check_expected:
        code = _compare(engine, verdicts)
    else:
        code = worst_exit_code(verdict.status.exit_code for verdict in verdicts)
    return 0 if exit_zero else code


def _report(
    form: str, verdicts: Sequence[Verdict], plan: Plan, known: Mapping[str, Property]
) -> str:
    match form:
        case "json":
            return verdicts_json("matrix", verdicts)
        case "markdown":
            return matrix_markdown(verdicts)
        case "text":
            return matrix_text(verdicts)
        case _:
            ci = import_module("downset.commands.ci")
            found: str = ci.verdicts_written(form, verdicts, plan.engine, known, plan.models)
            return found


def _compare(engine: Engine, verdicts: Sequence[Verdict]) -> int:
    """Print on standard error how verdicts differ from the expected ones; 1 if they do."""
    expected = load_expected(models_folder())
    every = [model.id for model in engine.all_models()]
    found = [*strays(expected, every, engine.load_properties(())), *differences(verdicts, expected)]
    for line in found:
        click.echo(line, err=True)
    agree = "all as expected" if not found else f"{len(found)} not as expected"
    click.echo(f"{len(verdicts)} verdicts: {agree}", err=True)
    return 1 if found else 0
