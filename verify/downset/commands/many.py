r"""`downset check` with many projects: which, how many at a time, where the records go.

>>> from io import StringIO
>>> list(lines(StringIO("a\n\nb\n")))
['a', 'b']
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from downset.apart.calls import MIB, Limits
from downset.commands.run import default_jobs
from downset.errors import InputError
from downset.printable import printable
from downset.report.words import quoted
from downset.verdicts import worst_exit_code

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import TextIO, TypeVar

    from downset.fleet.checking import Settings
    from downset.fleet.journal import Journal

    Command = TypeVar("Command", bound=Callable[..., Any])
    Record = dict[str, Any]


@dataclass(frozen=True)
class Many:
    """How to check many projects."""

    jobs: int
    source: Path | None
    go_on: bool
    scheduler: str | None
    limits: Limits

    @property
    def asked(self) -> bool:
        """Whether something was said that only makes sense for many projects."""
        return self.source is not None or self.go_on or self.scheduler is not None

    def run(self, paths: Sequence[Path], settings: Settings, form: str, output: Path | None) -> int:
        """Check all projects and tell of each as it is done; the worst of their exit codes."""
        codes: Counter[int] = Counter()
        with journal_at(output, settings, self) as journal, listed(self.source) as more:
            codes = codes if journal is None else journal.codes
            for record in self._records(undone(chain(map(str, paths), more), journal), settings):
                if journal is None:
                    codes[record["exit_code"]] += 1
                    click.echo(json.dumps(record) if form == "jsonl" else line_of(record))
                else:
                    journal.add(record)
        click.echo(told(codes), err=True)
        return worst_exit_code(codes)

    def _records(self, paths: Iterator[str], settings: Settings) -> Iterator[Record]:
        runs = import_module("downset.fleet.runs")
        if self.scheduler is None:
            found: Iterator[Record] = runs.here(paths, settings, self.jobs, self.limits)
        else:
            found = runs.on_cluster(paths, settings, self.scheduler, self.limits)
        return found


@contextmanager
def journal_at(output: Path | None, settings: Settings, many: Many) -> Iterator[Journal | None]:
    """The file that records go to, if there is one. Raises `InputError`."""
    if output is not None:
        make = import_module("downset.fleet.journal").Journal
        with make(output, settings.fingerprint, go_on=many.go_on) as journal:
            yield journal
    elif many.go_on:
        raise InputError(
            "there is nothing to resume without a file",
            id="usage",
            help="name the file of the first run with `-o FILE`",
        )
    else:
        yield None


@contextmanager
def listed(source: Path | None) -> Iterator[Iterable[str]]:
    """The projects that a file lists, or standard input (`-`). Raises `InputError`."""
    if source is None:
        yield ()
    elif str(source) == "-":
        yield lines(sys.stdin)
    else:
        try:
            with source.open(encoding="utf-8", errors="surrogateescape") as file:
                yield lines(file)
        except OSError as error:
            raise InputError(
                f"cannot be read: {error.strerror or error}", id="unreadable", file=source
            ) from error


def lines(file: TextIO) -> Iterator[str]:
    """The lines of a file that are not empty, one at a time."""
    return (path for line in file if (path := line.rstrip("\r\n")))


def undone(paths: Iterable[str], journal: Journal | None) -> Iterator[str]:
    """Each project once, those left out that are done."""
    taken = import_module("downset.fleet.journal").key
    seen: set[bytes] = set()
    for path in paths:
        if taken(path) not in seen and (journal is None or path not in journal):
            seen.add(taken(path))
            yield path


def line_of(record: Record) -> str:
    """A project in one line of text.

    >>> line_of({"path": "a b", "status": "error", "error": {"id": "not-found", "message": "no"}})
    '"a b"  error[not-found]: no'
    >>> line_of({"path": "app", "status": "checked", "results": [{"severity": "error"}]})
    'app  1 error'
    """
    path, error = quoted(record["path"]), record.get("error")
    if error is not None:
        return f"{path}  {record['status']}[{error['id']}]: {printable(error['message'])}"
    counts = Counter(found["severity"] for found in record["results"])
    parts = [f"{n} {severity}{'s' * (n > 1)}" for severity, n in sorted(counts.items())]
    return f"{path}  {', '.join(parts) or 'nothing found'}"


def told(codes: Counter[int]) -> str:
    """How a run over many projects went.

    >>> told(Counter({0: 3, 1: 1, 2: 1}))
    '5 projects: 3 in order, 1 with findings, 1 not readable'
    """
    words: Final = {0: "in order", 1: "with findings", 2: "not readable", 3: "undetermined"}
    parts = [f"{codes[code]} {said}" for code, said in words.items() if codes[code]]
    total = codes.total()
    return f"{total} project{'s' * (total != 1)}: {', '.join(parts) or 'nothing to do'}"


def many_options() -> Callable[[Command], Command]:
    """The options for many projects, and what one of them may take."""
    options = (
        click.option(
            "--projects-from",
            "source",
            type=click.Path(path_type=Path),
            metavar="FILE",
            help="Also check the projects that FILE lists, one path a line (- for standard input).",
        ),
        click.option(
            "--jobs",
            type=click.IntRange(min=1),
            default=default_jobs,
            metavar="N",
            help="Check so many projects at a time.  [default: one per processor, at most 4]",
        ),
        click.option(
            "--resume",
            "go_on",
            is_flag=True,
            help="Go on with the run that wrote the file of -o; what is done is not done again.",
        ),
        click.option(
            "--scheduler",
            metavar="ADDRESS",
            help="Check on the workers of this Dask scheduler, which see the same paths.",
        ),
        click.option(
            "--max-seconds",
            "seconds",
            type=click.FloatRange(min=0, min_open=True),
            default=60.0,
            show_default=True,
            help="Give up on a project, of many, after so long.",
        ),
        click.option(
            "--max-memory",
            "memory",
            type=click.IntRange(min=128),
            default=2048,
            show_default=True,
            metavar="MIB",
            help="Give up on a project, of many, that needs more memory.",
        ),
    )

    def all_of_them(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return all_of_them


def limits_of(seconds: float, memory: int) -> Limits:
    """What one project may take; `memory` is in MiB."""
    return Limits(seconds, memory * MIB)
