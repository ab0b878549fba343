"""Checking many projects: in processes here, or on the workers of a Dask cluster.

Records come as they are done. Paths are taken as they are needed, so that any number of projects
needs no more memory than a few.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from downset.apart.calls import Call
from downset.apart.workers import each
from downset.errors import InputError
from downset.fleet.checking import look, unanswered

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from downset.apart.calls import Limits
    from downset.fleet.checking import Record, Settings

AT_ONCE: Final = 16
"""Projects in one task of a cluster."""
AHEAD: Final = 4
"""Tasks that wait for each thread of a cluster."""


def here(paths: Iterable[str], settings: Settings, jobs: int, limits: Limits) -> Iterator[Record]:
    """The records of projects that are checked in so many processes of this machine."""
    taken: dict[int, str] = {}

    def calls() -> Iterator[Call]:
        for number, path in enumerate(paths):
            taken[number] = path
            yield Call(look, (path, settings))

    for number, outcome in each(calls(), jobs, limits, quiet=True):
        path = taken.pop(number)
        yield outcome.value or unanswered(path, settings, outcome.failure)


def on_cluster(
    paths: Iterable[str], settings: Settings, address: str, limits: Limits
) -> Iterator[Record]:
    """The records of projects that are checked by the workers of a Dask scheduler.

    Every worker needs downset, in the same version, and sees the projects at the same paths. A
    worker that dies is replaced by the others; tasks that kill worker after worker are given up.
    Raises `InputError` if there is no such scheduler.
    """
    distributed = imported()
    waiting = iter(paths)
    with connected(distributed, address) as client:
        running = distributed.as_completed(loop=client.loop)
        tasks: dict[str, list[str]] = {}
        while True:
            width = AHEAD * max(1, sum(client.nthreads().values()))
            while len(tasks) < width and (some := list(islice(waiting, AT_ONCE))):
                future = client.submit(look_at, some, settings, limits, pure=False)
                tasks[future.key] = some
                running.add(future)
            if not tasks:
                return
            future = next(running)
            some = tasks.pop(future.key)
            if future.exception() is None:
                yield from future.result()
            else:
                why = f"ended with its worker: {type(future.exception()).__name__}"
                yield from (unanswered(path, settings, why) for path in some)


def look_at(paths: list[str], settings: Settings, limits: Limits) -> list[Record]:
    """The records of a few projects, checked one after another in a process beside this one."""
    return list(here(paths, settings, 1, limits))


def imported() -> Any:  # noqa: ANN401 -- a module without types
    """Dask's part for clusters. Raises `InputError` if it is not installed."""
    try:
        import distributed  # noqa: PLC0415 -- an extra
    except ImportError as error:
        raise InputError(
            "Dask is not installed",
            id="no-dask",
            help="python3 -m pip install 'downset[dask]'",
        ) from error
    return distributed


def connected(distributed: Any, address: str) -> Any:  # noqa: ANN401 -- the same
    """A client of a scheduler. Raises `InputError` if there is none at the address."""
    try:
        return distributed.Client(address, timeout="5s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise InputError(
            f"no Dask scheduler answers at `{address}`",
            id="no-scheduler",
            help="start one with `dask scheduler`, and workers with `dask worker ADDRESS`",
        ) from error
