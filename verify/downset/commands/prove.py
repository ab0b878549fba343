"""`downset prove`: a verdict for each model and property, with the story if one fails.

>>> prove.name
'prove'
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.certificate import write_certificate
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
from downset.commands.output import CI_FORMATS, check_writable, emit, failure_told, write_whole
from downset.commands.progress import tracked
from downset.commands.run import Plan, decide
from downset.commands.select import choose, parse_events
from downset.errors import InputError
from downset.report.emitted import emitted
from downset.report.json_report import verdicts_json
from downset.report.text import verdicts_text
from downset.verdicts import worst_exit_code

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.commands.engine import Engine, Property
    from downset.commands.settings import Settings
    from downset.verdicts import Verdict

EPILOG = """\b
Examples:
  downset prove opencode/1.17.2 --property resume-safe
  downset prove ./my_model.py --events spawn --format json -o verdicts.json
"""


def checked_file(_ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    """Refuse early what cannot be written later."""
    if path is not None:
        check_writable(path)
    return path


@click.command(epilog=EPILOG)
@click.argument("refs", metavar="MODEL...", nargs=-1, required=True)
@property_option()
@click.option(
    "--events",
    metavar="E,E",
    help="Only these events may happen; default: the set that each property names.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Give up on a formula after so long; the verdict is then `unknown`.",
)
@solver_option()
@certificate_option()
@properties_file_option()
@format_option("text", "json", *CI_FORMATS)
@output_option()
@no_models_option()
@exit_zero_option()
@click.option(
    "--save-scenario",
    "scenario",
    type=click.Path(path_type=Path),
    callback=checked_file,
    metavar="FILE",
    help="Save the counterexample, there being one, as a scenario for `downset scenarios`.",
)
@click.option(
    "--emit-test",
    "test",
    type=click.Path(path_type=Path),
    callback=checked_file,
    metavar="FILE",
    help="Write a pytest test of each property that was asked about, with the stories.",
)
@click.pass_obj
def prove(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    *,
    refs: tuple[str, ...],
    names: tuple[str, ...],
    events: str | None,
    timeout: float,
    solver: str,
    certificate: Path | None,
    files: tuple[Path, ...],
    form: str,
    output: Path | None,
    exit_zero: bool,
    scenario: Path | None,
    test: Path | None,
) -> int:
    """Prove properties of permission designs, or show how they fail.

    MODEL is an id that `downset models` lists, or the path of a file.

    WARNING: a model file is Python code, and it is executed, as is a file of properties. Give
    only files that you would run.

    Exit code: 0 everything holds, 1 something is violated, 2 bad input, 3 undetermined,
    4 vacuous.
    """
    engine = settings.engine.configured(solver=solver, certify=certificate is not None)
    models = tuple(dict.fromkeys(refs))
    with failure_told(form, output):
        known = engine.load_properties(files)
        chosen = tuple(prop.id for prop in choose(known, names))
        narrowed = parse_events(events, known)
        plan = Plan(engine, models, chosen, files, narrowed, timeout)
        verdicts = list(tracked(decide(plan, int(settings.apart)), total=len(plan)))
        emit(_report(form, verdicts, plan, known), output)
    if certificate is not None:
        write_certificate(certificate, verdicts, engine.solver_version())
    if test is not None:
        named = {
            verdict.model: name_in(test, verdict.model, models, engine) for verdict in verdicts
        }
        write_whole(test, emitted(verdicts, named))
    if scenario is not None:
        save(settings.engine, verdicts, models, scenario)
    return 0 if exit_zero else worst_exit_code(verdict.status.exit_code for verdict in verdicts)


def _report(
    form: str, verdicts: Sequence[Verdict], plan: Plan, known: Mapping[str, Property]
) -> str:
    match form:
        case "json":
            return verdicts_json("prove", verdicts)
        case "text":
            return verdicts_text(verdicts)
        case _:
            ci = import_module("downset.commands.ci")
            found: str = ci.verdicts_written(form, verdicts, plan.engine, known, plan.models)
            return found


def save(engine: Engine, verdicts: Sequence[Verdict], refs: Sequence[str], file: Path) -> None:
    """Write the one counterexample of some verdicts as a scenario. Raises `InputError`."""
    from downset.scenarios.saving import Saved  # noqa: PLC0415 -- only for this option

    found = [verdict for verdict in verdicts if verdict.counterexample is not None]
    if len(found) != 1:
        raise InputError(
            f"there are {len(found)} counterexamples, and a scenario file holds one",
            id="save-scenario",
            help="choose one model and one property that is violated, with `--property`",
        )
    model = name_in(file, found[0].model, refs, engine)
    write_whole(file, Saved(found[0], model, str(file)).text())


def name_in(file: Path, model: str, refs: Sequence[str], engine: Engine) -> str:
    """What a scenario calls a model: its id, or its own file as seen from the scenario's."""
    for ref in refs:
        if ref.endswith(".py") and engine.load_model(ref).id == model:
            return os.path.relpath(ref, file.parent)
    return model
