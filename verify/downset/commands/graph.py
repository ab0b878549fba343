"""`downset graph`: who may start whom, as text or as a picture.

>>> graph.name
'graph'
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
from downset.report.harmless import harmless

if TYPE_CHECKING:
    from pathlib import Path

    from downset.graph.drawing import Drawing

EPILOG = """\b
Examples:
  downset graph .
  downset graph . --format html -o agents.html
"""


@click.command(epilog=EPILOG)
@path_argument()
@release_option()
@format_option("text", "svg", "html", "mermaid", "dot")
@reading_options()
@output_option()
def graph(  # noqa: PLR0913 -- one parameter for each option
    *,
    path: Path,
    release: str | None,
    form: str,
    whole: bool,
    outside: bool,
    output: Path | None,
) -> None:
    """Draw the call graph of a configuration's agents.

    An arrow is a dispatch that is not denied, dashed if a person is asked first, red if it gets
    around a deny. With each agent stands what it can do without asking.
    """
    project = project_of(path, release, whole=whole, outside=outside)
    callgraph = import_module("downset.graph.callgraph")
    drawn = import_module("downset.graph.drawing").drawing(
        callgraph.CallGraph(callgraph.World(project))
    )
    emit(_written(drawn, form), output)


def _written(drawn: Drawing, form: str) -> str:
    modules = {"svg": ("graph_svg", "svg"), "html": ("graph_html", "html_page")}
    text = {"text": "graph_text", "mermaid": "mermaid", "dot": "dot"}
    module, name = modules.get(form) or ("graph_text", text[form])
    written: str = getattr(import_module(f"downset.report.{module}"), name)(harmless(drawn))
    return written
