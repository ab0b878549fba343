"""Loading a configuration for the commands that look at one.

>>> from pathlib import Path
>>> project_of(Path("/no/such"), None)
Traceback (most recent call last):
downset.errors.InputError: there is no such file or directory
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.output import write_whole
from downset.config.reading import BOM, Reader
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, TypeVar

    from downset.config.project import Project

    Command = TypeVar("Command", bound=Callable[..., Any])


def project_of(
    path: Path,
    name: str | None,
    *,
    whole: bool = False,
    outside: bool = False,
    edited: Mapping[str, str] | None = None,
) -> Project:
    """The project at a path, read as a release reads it.

    With `whole` the user's own configuration and the environment count too. `edited` has texts
    that files are taken to have.
    """
    files = import_module("downset.config.files")  # only some commands read configurations
    releases = import_module("downset.config.releases")
    release = files.default_release(path) if name is None else releases.release(name)
    project: Project = files.load(
        path,
        release,
        home=str(Path.home()) if whole else None,
        environ=dict(os.environ) if whole else None,
        include_global=whole,
        allow_outside=outside,
        edited=edited,
    )
    return project


def text_of(file: str) -> str:
    """The text of a file that was read before, as it was read. Raises `InputError`."""
    return Reader((), allow_outside=True).text(Path(file))


def write_edited(files: Mapping[str, str], below: Path) -> None:
    """Write new texts into files, each in one step; a byte-order mark stays.

    Raises `InputError` for a file that is not below a directory, all links followed.
    """
    root = (below if below.is_dir() else below.parent).resolve()
    for file, text in files.items():
        target = Path(file).resolve()
        if not target.is_relative_to(root):
            raise InputError(
                f"`{file}` is outside of `{root}`, and is not edited",
                id="outside",
                help="check the directory in which the file is",
            )
        mark = BOM if target.read_bytes().startswith(BOM.encode()) else ""
        write_whole(target, mark + text)


def path_argument(name: str = "path", metavar: str = "PATH") -> Callable[[Command], Command]:
    """The directory of a project, or one file of settings."""
    return click.argument(name, metavar=metavar, type=click.Path(path_type=Path))


def release_option() -> Callable[[Command], Command]:
    """`--release R`: whose semantics to apply."""
    return click.option(
        "--release",
        "release",
        metavar="R",
        help="The release that reads the files, such as opencode@1.18.2 (the default; "
        "opencode@2.0 where a file has its list of permissions).",
    )


def reading_options() -> Callable[[Command], Command]:
    """`--global` and `--allow-outside`: what to read besides the project."""

    def both(command: Command) -> Command:
        command = click.option(
            "--allow-outside",
            "outside",
            is_flag=True,
            help="Follow links and references that lead out of the project, as the program does.",
        )(command)
        return click.option(
            "--global",
            "whole",
            is_flag=True,
            help="Count your own configuration (~/.config/opencode …) and the environment, too.",
        )(command)

    return both
