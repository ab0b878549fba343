"""A progress bar on standard error, if that is a terminal and nothing otherwise.

>>> list(tracked(iter("ab"), total=2))
['a', 'b']
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Iterator

Item = TypeVar("Item")


def tracked(items: Iterator[Item], total: int) -> Iterator[Item]:
    """The same items, counted on the terminal while they come."""
    if total < 2 or not _terminal():  # noqa: PLR2004 -- one step is no progress to show
        yield from items
        return
    console = Console(stderr=True)
    columns = (TextColumn("deciding"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=total)
        for item in items:
            progress.advance(task)
            yield item


def _terminal() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
