"""`downset baseline`: verdicts that were looked at, and what has changed since.

>>> sorted(baseline.commands)
['check', 'write']
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from downset.commands.options import (
    exit_zero_option,
    format_option,
    output_option,
    properties_file_option,
    property_option,
)
from downset.commands.output import CI_FORMATS, check_writable, emit, write_whole
from downset.commands.progress import tracked
from downset.commands.run import Plan, decide, default_jobs
from downset.commands.select import choose

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any, TypeVar

    from downset.commands.engine import Property
    from downset.commands.settings import Settings
    from downset.report.baseline import Baseline, Change

    Command = TypeVar("Command", bound=Callable[..., Any])

FILE: Final = "downset-baseline.json"
EPILOG: Final = """\b
Examples:
  downset baseline write my_design.py
  downset baseline check --format github
"""


def file_option() -> Callable[[Command], Command]:
    """`--file`: where the baseline is."""
    return click.option(
        "--file",
        type=click.Path(path_type=Path),
        default=FILE,
        show_default=True,
        help="The baseline.",
    )


@click.group(epilog=EPILOG)
def baseline() -> None:
    """Keep verdicts and fingerprints of counterexamples in a file, and compare with it."""


@baseline.command(epilog=EPILOG)
@click.argument("refs", metavar="MODEL...", nargs=-1, required=True)
@property_option()
@properties_file_option()
@file_option()
@click.pass_obj
def write(
    settings: Settings,
    *,
    refs: tuple[str, ...],
    names: tuple[str, ...],
    files: tuple[Path, ...],
    file: Path,
) -> int:
    """Decide every property of the models, and write what came out into the baseline.

    MODEL is an id that `downset models` lists, or the path of a file, which is executed.

    Exit code: 0 written, 2 bad input.
    """
    check_writable(file)
    known = settings.engine.load_properties(files)
    chosen = tuple(prop.id for prop in choose(known, names))
    plan = Plan(settings.engine, tuple(dict.fromkeys(refs)), chosen, files)
    verdicts = list(tracked(decide(plan, default_jobs() if settings.apart else 0), total=len(plan)))
    report = import_module("downset.report.baseline")
    kept = report.Baseline.of(plan.models, verdicts, everything=not names)
    write_whole(file, kept.text())
    click.echo(f"{len(verdicts)} verdicts written to {file}")
    return 0


@baseline.command(epilog=EPILOG)
@properties_file_option()
@format_option("text", "json", *CI_FORMATS)
@output_option()
@exit_zero_option()
@file_option()
@click.pass_obj
def check(  # noqa: PLR0913 -- one parameter for each option
    settings: Settings,
    *,
    files: tuple[Path, ...],
    form: str,
    output: Path | None,
    exit_zero: bool,
    file: Path,
) -> int:
    """Decide the models of the baseline again, and tell what has changed and which way.

    Exit code: 0 nothing has changed, 1 something has, 2 bad input.
    """
    kept: Baseline = import_module("downset.report.baseline").Baseline.read(file)
    known = settings.engine.load_properties(files)
    names = tuple(known) if kept.everything else tuple(n for n in kept.properties if n in known)
    plan = Plan(settings.engine, kept.models, names, files)
    verdicts = list(tracked(decide(plan, default_jobs() if settings.apart else 0), total=len(plan)))
    changes = kept.changes(verdicts)
    emit(_report(form, changes, known), output)
    return 1 if changes and not exit_zero else 0


def _report(form: str, changes: Sequence[Change], known: Mapping[str, Property]) -> str:
    from downset.commands import ci  # noqa: PLC0415 -- keeps `--help` quick
    from downset.report import baseline as report  # noqa: PLC0415 -- the same

    if form == "json":
        return report.changes_json(changes)
    if form == "text":
        return report.changes_text(changes)
    results = [report.change_result(one, ci.rule_of(known, one.prop)) for one in changes]
    verdicts = [change.verdict for change in changes if change.verdict is not None]
    shown = ci.diagrams(verdicts) if len(verdicts) == len(changes) else {}
    return ci.written(form, results, shown)
