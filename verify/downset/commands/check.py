"""`downset check`: what any chain of a configuration's agents can do that was denied.

>>> check.name
'check'
"""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.configuration import (
    project_of,
    reading_options,
    release_option,
    text_of,
    write_edited,
)
from downset.commands.many import Many, limits_of, many_options
from downset.commands.options import (
    exit_zero_option,
    format_option,
    no_models_option,
    output_option,
)
from downset.commands.output import CI_FORMATS, emit, failure_told

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.project import Project
    from downset.fleet.checking import Settings
    from downset.graph.check import Checked

BAD_INPUT = 2
EPILOG = """\b
Examples:
  downset check .
  downset check ~/.config/opencode --release opencode@1.17.0 --fail-on warning
  downset check . --suggest
  downset check --jobs 2 --projects-from list.txt --format jsonl -o found.jsonl --resume
"""


@click.command(epilog=EPILOG)
@click.argument("paths", metavar="PATH...", nargs=-1, type=click.Path(path_type=Path))
@release_option()
@format_option("text", "json", "jsonl", *CI_FORMATS)
@click.option(
    "--fail-on",
    type=click.Choice(["error", "warning"]),
    default="error",
    show_default=True,
    help="Exit with 1 from this severity on.",
)
@click.option("-v", "--verbose", is_flag=True, help="Show every instance, and the files read.")
@click.option(
    "--waivers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Findings to live with: a list of {id, reason, until} in YAML or JSON.",
)
@click.option(
    "--suggest",
    is_flag=True,
    help="Show for each finding the smallest edit that was tried and removes it, as a patch.",
)
@click.option(
    "--fix", "fix", is_flag=True, help="Write such edits into the project's files, then check."
)
@reading_options()
@many_options()
@output_option()
@no_models_option()
@exit_zero_option()
def check(  # noqa: PLR0913 -- one parameter for each option
    *,
    paths: tuple[Path, ...],
    release: str | None,
    form: str,
    fail_on: str,
    verbose: bool,
    waivers: Path | None,
    suggest: bool,
    fix: bool,
    whole: bool,
    outside: bool,
    source: Path | None,
    jobs: int,
    go_on: bool,
    scheduler: str | None,
    seconds: float,
    memory: int,
    output: Path | None,
    exit_zero: bool,
) -> int:
    """Check whether any chain of a configuration's agents can do what was denied.

    PATH is the directory of a project, or one file of settings. Nothing in it is executed.

    Many projects are checked in processes that may not take more than a time and a memory, and
    each is told of as soon as it is done: in a line of text, or of JSON with --format jsonl.

    Exit code: 0 nothing at or above --fail-on, 1 something is, 2 bad input, 3 undetermined.
    """
    many = Many(jobs, source, go_on, scheduler, limits_of(seconds, memory))
    if many.asked or len(paths) > 1 or form == "jsonl":
        if suggest or fix:
            raise click.UsageError("--suggest and --fix are for one project at a time")
        shared = _shared(release, waivers, fail_on, whole=whole, outside=outside)
        code = many.run(paths, shared, _of_many(form, output), output)
        return 0 if exit_zero and code != BAD_INPUT else code
    if not paths:
        raise click.UsageError("which project? Give a PATH or --projects-from FILE")
    path = paths[0]

    def project(edited: Mapping[str, str]) -> Project:
        return project_of(path, release, whole=whole, outside=outside, edited=edited)

    def found(loaded: Project) -> tuple[Checked, int]:
        return _without_waived(_check(loaded), waivers)

    with failure_told(form, output):
        loaded = project({})
        checked, waived = found(loaded)
        if fix or suggest:
            mend = import_module("downset.graph.mending.mend")
            sources = mend.Sources(text_of, project, lambda edited: found(edited)[0])
            if fix:
                write_edited(mend.fixed(checked, loaded, sources), path)
                loaded = project({})
                checked, waived = found(loaded)
            if suggest:
                checked = mend.suggested(checked, loaded, sources)
        if form == "text":
            texts = import_module("downset.report.check_text")
            report = texts.check_text(checked, waived, verbose=verbose)
        else:
            report = _report(form, checked, path)
        emit(report, output)
    return 0 if exit_zero else _exit_code(checked, fail_on)


def _report(form: str, checked: Checked, path: Path) -> str:
    if form == "json":
        found: str = import_module("downset.report.check_json").check_json(checked)
    else:
        found = import_module("downset.commands.ci").checked_written(form, checked, path)
    return found


def _check(project: Project) -> Checked:
    found: Checked = import_module("downset.graph.check").check(project)
    return found


def _shared(
    release: str | None, waivers: Path | None, fail_on: str, *, whole: bool, outside: bool
) -> Settings:
    """What is the same for many projects. Raises `InputError` before any of them is looked at."""
    if release is not None:
        import_module("downset.config.releases").release(release)
    if waivers is not None:
        import_module("downset.graph.waivers").read(waivers)
    make = import_module("downset.fleet.checking").Settings
    settings: Settings = make(release, whole, outside, str(waivers) if waivers else None, fail_on)
    return settings


def _of_many(form: str, output: Path | None) -> str:
    """The format for many projects: a document of JSON would have to be kept until the end."""
    if form not in {"text", "jsonl"} or (form == "text" and output is not None):
        raise click.UsageError("many projects are written to a file as --format jsonl")
    return form


def _without_waived(checked: Checked, file: Path | None) -> tuple[Checked, int]:
    if file is None:
        return checked, 0
    waivers = import_module("downset.graph.waivers")
    today = datetime.now(UTC).date()
    left, count = waivers.apply(waivers.read(file), checked.problems, today)
    return replace(checked, problems=tuple(left)), count


def _exit_code(checked: Checked, fail_on: str) -> int:
    bad = {"error"} if fail_on == "error" else {"error", "warning"}
    if any(problem.severity.value in bad for problem in checked.problems):
        return 1
    return 3 if checked.undetermined else 0
