"""The command line: one group, its commands, and what becomes of errors.

>>> main(["--version"])
downset 0.1.0
0
"""

from __future__ import annotations

import os
import re
import sys
import traceback
from typing import TYPE_CHECKING, Final

import click

from downset import __version__
from downset.commands.baseline import baseline
from downset.commands.certificate import keep_formula
from downset.commands.check import check
from downset.commands.conformance import conformance
from downset.commands.diff import diff
from downset.commands.explain import explain
from downset.commands.graph import graph
from downset.commands.listing import models, properties
from downset.commands.matrix import matrix
from downset.commands.options import no_models_option
from downset.commands.prove import prove
from downset.commands.recheck import recheck
from downset.commands.replay import replay
from downset.commands.scenarios import scenarios
from downset.commands.settings import Settings
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

BAD_INPUT: Final = 2
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141

EPILOG: Final = """\b
Example:
  downset prove opencode/1.17.2 --property resume-safe
"""


@click.group(epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, message="%(prog)s %(version)s")
@no_models_option()
@click.option("--debug", is_flag=True, help="Show the traceback of an internal error.")
@click.pass_obj
def downset(settings: Settings, *, debug: bool) -> None:
    """Prove that permission only goes down an agent call tree, or show how it does not.

    WARNING: a model file is Python code, and it is executed. Give only files that you would run.
    """
    settings.debug = debug


for command in (
    *(models, properties, prove, matrix, baseline, recheck, scenarios, replay, conformance),
    *(check, explain, graph, diff),
):
    downset.add_command(command)


def main(args: Sequence[str] | None = None, settings: Settings | None = None) -> int:
    """Run the program and return its exit code; nothing is raised."""
    settings = settings or Settings()
    for stream in (sys.stdout, sys.stderr):
        _never_fail_on_a_letter(stream)
    try:
        code = _invoke(sys.argv[1:] if args is None else list(args), settings)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort):
        return INTERRUPTED
    except BrokenPipeError:
        _close_pipe()
        return PIPE_CLOSED
    except (Exception, SystemExit) as error:  # noqa: BLE001 -- no traceback unasked, no false 0
        if settings.debug:
            traceback.print_exc()
        click.echo(_as_input_error(error).format(), err=True)
        keep_formula(error)
        return BAD_INPUT
    return code


def _invoke(args: list[str], settings: Settings) -> int:
    """Run a command; not with `click`'s own `main`, which has other exit codes."""
    try:
        with downset.make_context("downset", args, obj=settings) as context:
            return int(downset.invoke(context) or 0)
    except click.exceptions.Exit as done:
        return done.exit_code


def _as_input_error(error: BaseException) -> InputError:
    """Any error in the form of the house."""
    if isinstance(error, InputError):
        return error
    if isinstance(error, click.ClickException):
        return _usage_error(error)
    message = " ".join(f"{type(error).__name__}: {error}".split())
    return InputError(
        message,
        id="internal",
        help="this is a fault of downset: run `downset --debug ...` for the traceback, and "
        "report it in the project's issue tracker with the command and the model",
    )


def _usage_error(error: click.ClickException) -> InputError:
    """A wrong option or argument, with the help page that tells the right one."""
    text = re.sub(r"'([^']*)'", r"`\1`", " ".join(error.format_message().split())).rstrip(".")
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = "downset" if context is None else context.command_path
    return InputError(text[:1].lower() + text[1:], id="usage", help=f"see `{command} --help`")


def _never_fail_on_a_letter(stream: object) -> None:
    """Write what the stream's encoding lacks as an escape instead of failing."""
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _close_pipe() -> None:
    """Keep the interpreter from complaining, at its end, that nobody reads any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
