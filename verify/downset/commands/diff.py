"""`downset diff`: what two configurations, two releases or two designs decide differently.

>>> diff.name
'diff'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from downset.commands.configuration import path_argument, project_of, reading_options
from downset.commands.designs import both_designs
from downset.commands.options import exit_zero_option, format_option, output_option
from downset.commands.output import emit
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from downset.comparisons import Comparison
    from downset.graph.diffing import Diff

EPILOG = """\b
Examples:
  downset diff main/opencode.json opencode.json --no-new-access
  downset diff . . --old-release opencode@1.17.0 --new-release opencode@1.18.2
  downset diff opencode/1.17.0 opencode/1.17.2
  downset diff opencode/1.18.2 ./my_model.py --no-new-access
"""


@click.command(epilog=EPILOG)
@path_argument("old", "OLD")
@path_argument("new", "NEW")
@click.option("--release", metavar="R", help="The release that reads both.")
@click.option("--old-release", metavar="R", help="The release that reads OLD.")
@click.option("--new-release", metavar="R", help="The release that reads NEW.")
@click.option("--no-new-access", is_flag=True, help="Exit with 1 for gains only, not for losses.")
@click.option("-v", "--verbose", is_flag=True, help="Show every chain, or every story.")
@format_option("text", "json", "markdown")
@reading_options()
@output_option()
@exit_zero_option()
def diff(  # noqa: PLR0913 -- one parameter for each option
    *,
    old: Path,
    new: Path,
    release: str | None,
    old_release: str | None,
    new_release: str | None,
    no_new_access: bool,
    verbose: bool,
    form: str,
    whole: bool,
    outside: bool,
    output: Path | None,
    exit_zero: bool,
) -> int:
    """Compare two configurations, or two designs: who may do more, who may do less.

    OLD and NEW are directories of projects, or files of settings; they may be the same, for two
    releases. Or both are designs: ids that `downset models` lists, or files that end in `.py`,
    which are Python code and are executed. Designs are compared at each gate after each event,
    for all rulesets, with a story for each difference.

    Exit code: 0 no change (with --no-new-access: no gain), 1 some, 2 bad input, 3 undetermined.
    """
    designs = both_designs(old, new)
    if designs is not None:
        refuse(designs=True, given=[release, old_release, new_release, whole, outside])
        compared = import_module("downset.prove.comparing").compare(*designs)
        emit(_designs(compared, form, verbose=verbose), output)
        return 0 if exit_zero else _code(compared, gains_only=no_new_access)
    refuse(designs=False, given=[form == "markdown"])
    projects = [
        project_of(path, name or release, whole=whole, outside=outside)
        for path, name in ((old, old_release), (new, new_release))
    ]
    found = import_module("downset.graph.diffing").diff(*projects)
    reports = import_module("downset.report.check_diff")
    text = reports.diff_json(found) if form == "json" else reports.diff_text(found, verbose=verbose)
    emit(text, output)
    return 0 if exit_zero else _exit_code(found, gains_only=no_new_access)


def refuse(*, designs: bool, given: Iterable[object]) -> None:
    """Refuse options that make no sense for what is compared. Raises `InputError`."""
    if not any(given):
        return
    if designs:
        message = "a design is a release already, and reads no configuration"
        hint = "leave out --release, --old-release, --new-release, --global, --allow-outside"
    else:
        message = "configurations are compared as text or JSON"
        hint = "choose `--format text` or `--format json`; designs have Markdown, too"
    raise InputError(message, id="usage", help=hint)


def _designs(found: Comparison, form: str, *, verbose: bool) -> str:
    reports = import_module("downset.report.design_diff")
    if form == "text":
        return str(reports.designs_text(found, verbose=verbose))
    return str(reports.designs_json(found) if form == "json" else reports.designs_markdown(found))


def _exit_code(found: Diff, *, gains_only: bool) -> int:
    directions = [change.direction for change in found.changes]
    return _worst(directions, undetermined=bool(found.undetermined), gains_only=gains_only)


def _code(found: Comparison, *, gains_only: bool) -> int:
    if found.equivalent:
        return 0
    directions = [one.direction for one in found.differences]
    directions += [one.direction for one in found.settings]
    unproved = bool(found.undetermined) or not directions
    return _worst(directions, undetermined=unproved, gains_only=gains_only)


def _worst(directions: Iterable[str], *, undetermined: bool, gains_only: bool) -> int:
    if [one for one in directions if one == "gain" or not gains_only]:
        return 1
    return 3 if undetermined else 0
