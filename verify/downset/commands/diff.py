"""`downset diff`: what two configurations, or two releases, decide differently.

>>> diff.name
'diff'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from downset.commands.configuration import path_argument, project_of, reading_options
from downset.commands.options import exit_zero_option, format_option, output_option
from downset.commands.output import emit

if TYPE_CHECKING:
    from pathlib import Path

    from downset.graph.diffing import Diff

EPILOG = """\b
Examples:
  downset diff main/opencode.json opencode.json --no-new-access
  downset diff . . --old-release opencode@1.17.0 --new-release opencode@1.18.2
"""


@click.command(epilog=EPILOG)
@path_argument("old", "OLD")
@path_argument("new", "NEW")
@click.option("--release", metavar="R", help="The release that reads both.")
@click.option("--old-release", metavar="R", help="The release that reads OLD.")
@click.option("--new-release", metavar="R", help="The release that reads NEW.")
@click.option("--no-new-access", is_flag=True, help="Exit with 1 for gains only, not for losses.")
@click.option("-v", "--verbose", is_flag=True, help="Show every chain.")
@format_option("text", "json")
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
    """Compare two configurations: every chain and tool whose decision changed.

    OLD and NEW are directories of projects, or files of settings; they may be the same, for two
    releases.

    Exit code: 0 no change (with --no-new-access: no gain), 1 some, 2 bad input, 3 undetermined.
    """
    projects = [
        project_of(path, name or release, whole=whole, outside=outside)
        for path, name in ((old, old_release), (new, new_release))
    ]
    found = import_module("downset.graph.diffing").diff(*projects)
    reports = import_module("downset.report.check_diff")
    text = reports.diff_json(found) if form == "json" else reports.diff_text(found, verbose=verbose)
    emit(text, output)
    return 0 if exit_zero else _exit_code(found, gains_only=no_new_access)


def _exit_code(found: Diff, *, gains_only: bool) -> int:
    counted = [c for c in found.changes if c.direction == "gain" or not gains_only]
    if counted:
        return 1
    return 3 if found.undetermined else 0
