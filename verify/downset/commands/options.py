"""Options that several commands share, so that they look and mean the same everywhere.

>>> format_option("text", "json").__name__
'decorator'
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.output import check_new_folder, check_writable
from downset.trust import only_our_own

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    Command = TypeVar("Command", bound=Callable[..., Any])


def _checked(_ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None:
        check_writable(path)
    return path


def solver_option() -> Callable[[Command], Command]:
    """`--solver`: which solver decides."""
    return click.option(
        "--solver",
        type=click.Choice(["z3", "cvc5", "both"]),
        default="z3",
        show_default=True,
        help="Which solver decides; `both` must agree. cvc5 is an extra: `downset[cvc5]`.",
    )


def certificate_option() -> Callable[[Command], Command]:
    """`--certificate`: what the verdicts rest on, for `downset recheck`."""
    return click.option(
        "--certificate",
        type=click.Path(path_type=Path),
        callback=_checked_folder,
        metavar="DIR",
        help="Also write what every verdict rests on into a new folder, for `downset recheck`.",
    )


def _checked_folder(_ctx: click.Context, _param: click.Parameter, path: Path | None) -> Path | None:
    if path is not None:
        check_new_folder(path)
    return path


def output_option() -> Callable[[Command], Command]:
    """`-o FILE`: write the report to a file instead of standard output."""
    return click.option(
        "-o",
        "--output",
        type=click.Path(path_type=Path),
        callback=_checked,
        metavar="FILE",
        help="Write to FILE, whole or not at all.",
    )


def format_option(*formats: str) -> Callable[[Command], Command]:
    """`--format`: the first one is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(formats),
        default=formats[0],
        show_default=True,
        help="How to write the results.",
    )


def _refuse_strangers(ctx: click.Context, _param: click.Parameter, *, value: bool) -> None:
    if value:
        ctx.with_resource(only_our_own())


def no_models_option() -> Callable[[Command], Command]:
    """`--no-models`: for projects, scenarios and models of people one does not know."""
    return click.option(
        "--no-models",
        is_flag=True,
        expose_value=False,
        is_eager=True,
        callback=lambda ctx, param, value: _refuse_strangers(ctx, param, value=value),
        help="Execute no file of models or properties, only what comes with downset.",
    )


def exit_zero_option() -> Callable[[Command], Command]:
    """`--exit-zero`: for CI steps that upload results."""
    return click.option(
        "--exit-zero", is_flag=True, help="Exit with 0 whatever the results; bad input is still 2."
    )


def properties_file_option() -> Callable[[Command], Command]:
    """`--properties-file`: more properties, from files of the user's own."""
    return click.option(
        "--properties-file",
        "--extra",
        "files",
        multiple=True,
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Also load the properties of FILE: Python code, which is executed. Repeatable.",
    )


def property_option() -> Callable[[Command], Command]:
    """`--property`: only these properties."""
    return click.option(
        "--property",
        "names",
        multiple=True,
        metavar="P",
        help="Only this property. Repeatable; default: all.",
    )
