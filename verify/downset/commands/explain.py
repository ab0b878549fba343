"""`downset explain`: why a request is decided as it is, along a chain of agents.

>>> explain.name
'explain'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import click

from downset.commands.configuration import (
    path_argument,
    project_of,
    reading_options,
    release_option,
)
from downset.commands.options import format_option, output_option
from downset.commands.output import emit

if TYPE_CHECKING:
    from pathlib import Path

EPILOG = """\b
Example:
  downset explain . --chain plan,general --permission edit --pattern src/app.ts
"""


@click.command(epilog=EPILOG)
@path_argument()
@click.option("--chain", required=True, metavar="A,B", help="Agents, the first opened by a user.")
@click.option("--permission", required=True, metavar="P", help="What is asked, such as edit.")
@click.option("--pattern", required=True, metavar="X", help="The resource, such as src/app.ts.")
@release_option()
@format_option("text", "json")
@reading_options()
@output_option()
def explain(  # noqa: PLR0913 -- one parameter for each option
    *,
    path: Path,
    chain: str,
    permission: str,
    pattern: str,
    release: str | None,
    form: str,
    whole: bool,
    outside: bool,
    output: Path | None,
) -> None:
    """Explain a decision: who decides, by which rule of which layer, and what it overrode."""
    project = project_of(path, release, whole=whole, outside=outside)
    names = [name.strip() for name in chain.split(",")]
    told = import_module("downset.graph.explaining").explain(project, names, permission, pattern)
    if form == "json":
        report = import_module("downset.report.check_json").explain_json(told)
    else:
        report = import_module("downset.report.check_text").explain_text(told)
    emit(report, output)
