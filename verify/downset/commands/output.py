r"""Where results go: coloured to a terminal, plain to a pipe, whole or not at all to a file.

>>> first_line("proved.\nAnd more.")
'proved.'
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import contextmanager
from importlib import import_module
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console
from rich.highlighter import RegexHighlighter
from rich.theme import Theme

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

FORMATS: Final = ("text", "json", "markdown")
CI_FORMATS: Final = ("sarif", "junit", "markdown", "github")

THEME: Final = Theme(
    {
        "verdict.good": "green",
        "verdict.bad": "bold red",
        "verdict.open": "yellow",
        "verdict.head": "bold",
    }
)


class VerdictHighlighter(RegexHighlighter):
    """Colours the words and signs of verdicts and decisions."""

    base_style = "verdict."
    highlights = (
        r"(?P<good>\bproved\b|✓|\ballow\b)",
        r"(?P<bad>\bviolated\b|✗|\bdeny\b)",
        r"(?P<open>\b(?:bounded|vacuous|unknown|ask)\b|[∅~])",
        r"(?m)(?P<head>^\S+  \S+(?=  \S+$))",
    )


def emit(text: str, output: Path | None) -> None:
    """Write a finished report to a file, or to standard output."""
    if output is not None:
        write_whole(output, text)
    elif sys.stdout.isatty():
        console = Console(highlighter=VerdictHighlighter(), theme=THEME)
        console.print(text, end="", markup=False, emoji=False, soft_wrap=True)
    else:
        click.echo(text, nl=False)


@contextmanager
def failure_told(form: str, output: Path | None) -> Iterator[None]:
    """Leave a valid SARIF log behind even if a run comes to nothing."""
    try:
        yield
    except InputError as error:
        if form == "sarif":
            emit(import_module("downset.report.sarif").sarif_of_failure(error.format()), output)
        raise


def write_whole(path: Path, text: str) -> None:
    """Write a file in one step, so that nobody reads half of it.

    What is not a regular file, a device or a pipe, is written to and stays what it is.
    """
    target = path.resolve()
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")
            return
        partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
        try:
            partial.write_text(text, encoding="utf-8")
            partial.replace(target)
        finally:
            partial.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error


def check_writable(path: Path) -> None:
    """Refuse, before any work is done, a file that cannot be written when it is done."""
    target = path.resolve()
    if target.is_dir():
        raise _unwritable(path, "it is a folder")
    if not target.parent.is_dir():
        raise _unwritable(path, f"there is no folder `{path.parent}`")
    if not os.access(target if target.exists() else target.parent, os.W_OK):
        raise _unwritable(path, "permission denied")


def check_new_folder(path: Path) -> None:
    """Refuse, before any work is done, a folder that has something in it or cannot be made."""
    instead = "choose a new folder"
    if path.exists() and not path.is_dir():
        raise _unwritable(path, "it is no folder", instead)
    if path.is_dir() and any(path.iterdir()):
        raise _unwritable(path, "the folder is not empty", instead)
    if not path.is_dir() and not path.resolve().parent.is_dir():
        raise _unwritable(path, f"there is no folder `{path.parent}`", instead)
    if not os.access(path if path.is_dir() else path.resolve().parent, os.W_OK):
        raise _unwritable(path, "permission denied", instead)


def _unwritable(path: Path, why: str, instead: str = "choose another file for `-o`") -> InputError:
    return InputError(f"cannot write `{path}`: {why}", id="cannot-write", help=instead)


def first_line(text: str) -> str:
    """The first line of a text, for lists of one line each."""
    return next(iter(re.split(r"\r?\n", text.strip(), maxsplit=1)))
