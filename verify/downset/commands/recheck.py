"""`downset recheck`: certificates, checked with another solver.

>>> recheck.name
'recheck'
"""

from __future__ import annotations

import multiprocessing
import signal
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from downset.commands.options import (
    exit_zero_option,
    format_option,
    output_option,
    properties_file_option,
)
from downset.commands.output import emit
from downset.commands.progress import tracked
from downset.commands.run import default_jobs
from downset.report.recheck import recheck_json, recheck_text
from downset.verdicts import worst_exit_code

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.prove.recheck import Rechecker
    from downset.verdicts import Rechecked

EPILOG = """\b
Examples:
  downset prove opencode/1.17.2 --certificate proof && downset recheck proof
  downset recheck proof --digest 9f86d0… --format json
"""


@click.command(epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--model",
    "models",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A model of your own that the certificate is about; it is executed. Repeatable.",
)
@properties_file_option()
@click.option("--digest", metavar="SHA256", help="The digest that the certificate must have.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="Give up on a formula after so long.",
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    default=default_jobs,
    metavar="N",
    help="Check in N processes.  [default: one per processor, at most 4]",
)
@format_option("text", "json")
@output_option()
@exit_zero_option()
def recheck(  # noqa: PLR0913 -- one parameter for each option
    *,
    folder: Path,
    models: tuple[Path, ...],
    files: tuple[Path, ...],
    digest: str | None,
    timeout: float,
    jobs: int,
    form: str,
    output: Path | None,
    exit_zero: bool,
) -> int:
    """Check the certificates that `--certificate DIR` wrote, without Z3.

    Every obligation is derived once more from the model and the property and must be the one that
    DIR has; cvc5 decides it; every story is replayed on real rules. Models and properties are
    those of this installation; of your own only the files that you name here are executed, and
    only if they are those that the certificate was made of. docs/certificates.md says what a
    check shows and what it trusts.

    Exit code: 0 everything is accepted, 1 something is rejected, 2 bad input, 3 cvc5 gave up.
    """
    plan = Checking(folder, models, files, timeout)
    checker = plan.checker()
    results = [checker.overall(digest)]
    if checker.readable:
        count = len(checker.manifest["verdicts"])
        results += tracked(plan.results(count, jobs), total=count)
        results += [checker.theorem(place) for place in range(checker.theorems)]
    emit(recheck_json(results) if form == "json" else recheck_text(results), output)
    code = worst_exit_code(EXIT_CODES[result.outcome] for result in results)
    return 0 if exit_zero else code


EXIT_CODES = {"accepted": 0, "rejected": 1, "undetermined": 3}


@dataclass(frozen=True)
class Checking:
    """What to check, in a form that can be given to other processes."""

    folder: Path
    models: tuple[Path, ...]
    files: tuple[Path, ...]
    timeout: float

    def checker(self) -> Rechecker:
        """The checker of the folder. Raises `InputError` if it holds nothing, or cvc5 is absent."""
        from downset.prove.cvc5_solver import refuse_absence, worker  # noqa: PLC0415 -- for `--help`
        from downset.prove.manifest import read  # noqa: PLC0415 -- the same
        from downset.prove.recheck import Rechecker  # noqa: PLC0415 -- the same

        whole = read(self.folder)
        refuse_absence()
        return Rechecker(self.folder, whole, worker().ask, self.timeout)

    def results(self, count: int, jobs: int) -> Iterator[Rechecked]:
        """What became of each verdict, in order."""
        jobs = min(jobs, count)
        if jobs <= 1:
            yield from self.some(range(count))
            return
        fresh = multiprocessing.get_context("spawn")
        parts = [range(first, min(first + PART, count)) for first in range(0, count, PART)]
        with ProcessPoolExecutor(jobs, mp_context=fresh, initializer=die_quietly) as pool:
            for part in pool.map(self.some, parts):
                yield from part

    def some(self, places: range) -> list[Rechecked]:
        """What became of the verdicts at some places."""
        from downset.prove.sources import Sources  # noqa: PLC0415 -- for `--help`

        checker = self.checker()
        sources = Sources(checker.manifest, self.models, self.files)
        return [checker.entry(place, sources) for place in places]


PART = 27
"""Verdicts that a process is given at a time."""


def die_quietly() -> None:
    """Let an interrupt end a job without a traceback; the command reports it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
