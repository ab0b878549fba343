"""A progress bar on standard error, if that is a terminal and nothing otherwise.

>>> list(tracked(iter("ab"), total=2))
['a', 'b']
"""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

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


@contextmanager
def counted(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A function that shows on the terminal how far something is."""
    if not _terminal():
        yield lambda _done: None
        return
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=total)
        yield lambda done: progress.update(task, completed=min(done, total))
