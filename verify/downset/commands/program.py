"""What the commands that run the real program share: where it is kept, which one to run.

>>> list(progress([1]))
[1]
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.progress import counted, tracked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeVar

    Command = TypeVar("Command", bound=Callable[..., Any])
    Item = TypeVar("Item")


def cache_option() -> Callable[[Command], Command]:
    """`--cache DIR`: where programs are installed and transcripts are kept."""
    return click.option(
        "--cache",
        type=click.Path(file_okay=False, path_type=Path),
        callback=_cache,
        metavar="DIR",
        help="Where programs are installed and transcripts are kept; default: `downset` in the "
        "XDG cache directory, ~/.cache/downset.",
    )


def program_option() -> Callable[[Command], Command]:
    """`--program PATH`: a program that is there already."""
    return click.option(
        "--program",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        metavar="PATH",
        help="The program to run, if it is there already; nothing is installed then.",
    )


def _cache(_ctx: click.Context, _param: click.Parameter, given: Path | None) -> Path:
    from downset.program.installing import default_cache  # noqa: PLC0415 -- quick `--help`

    return (given or default_cache()).resolve()


def tell_cache(cache: Path) -> None:
    """Say where programs and transcripts are, before any is installed or written."""
    click.echo(f"programs and transcripts are kept in {cache}", err=True)


def progress(items: Sequence[Item]) -> Iterator[Item]:
    """The same items, counted on a terminal."""
    return tracked(iter(items), total=len(items))


@contextmanager
def spinning(name: str, total: int) -> Iterator[Callable[[int], None]]:
    """Show on a terminal how many decisions of a release were compared so far."""
    with counted(f"measuring {name}", total) as tell:
        yield tell
