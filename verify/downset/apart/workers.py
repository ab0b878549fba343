"""Calls in several processes, each ended if it takes too long, and started anew if it ended.

>>> from downset.apart.calls import Call
>>> [done.value for _, done in each([Call(len, ("ab",)), Call(sum, ([1, 2],))], jobs=1)]
[2, 3]
"""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from select import select
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from downset.apart.calls import Limits, Outcome, receive, send

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from downset.apart.calls import Call

Value = TypeVar("Value")
DYING: float = 5.0
"""Seconds that an ended process has to be gone."""


@dataclass
class Worker:
    """One process, which does one call at a time; started when first asked."""

    limits: Limits
    quiet: bool = False
    """Whether what the work writes to standard error is dropped."""
    number: int = -1
    deadline: float = 0.0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def busy(self) -> bool:
        """Whether it has a call to do."""
        return self.number >= 0

    def ask(self, number: int, call: Call) -> None:
        """Begin with a call; its outcome will be told with the number."""
        process = self._running()
        self.number, self.deadline = number, monotonic() + self.limits.seconds
        if process.stdin is not None:
            with suppress(OSError):  # an ended process is noticed when its answer is read
                send(process.stdin, call)  # type: ignore[arg-type]

    def fileno(self) -> int:
        """What becomes readable when there is an answer."""
        return (
            -1
            if self.process is None or self.process.stdout is None
            else (self.process.stdout.fileno())
        )

    def outcome(self) -> Outcome:
        """What came of the call. Raises what the call raised."""
        process, self.number = self._running(), -1
        try:
            kind, value = receive(process.stdout)  # type: ignore[arg-type]
        except EOFError:
            return Outcome(failure=self._death())
        if kind == "value":
            return Outcome(value)
        if kind == "memory":
            self.end()
            return Outcome(failure=self.limits.too_much())
        raise value

    def overdue(self) -> Outcome:
        """Give up on the call."""
        self.number = -1
        self.end()
        return Outcome(failure=self.limits.too_long())

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            for stream in (self.process.stdin, self.process.stdout):
                if stream is not None:
                    with suppress(OSError):
                        stream.close()
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(DYING)
            self.process = None

    def _death(self) -> str:
        process, self.process = self._running(), None
        code = process.wait(DYING)
        if code < 0:
            with suppress(ValueError):
                return f"crashed ({signal.Signals(-code).name})"
        return f"crashed (exit code {code})"

    def _running(self) -> subprocess.Popen[bytes]:
        if self.process is None:
            command = [sys.executable, "-P", "-m", "downset.apart.child", str(self.limits.memory)]
            self.process = subprocess.Popen(  # noqa: S603 -- this program itself
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL if self.quiet else None,
            )
            send(self.process.stdin, sys.path)  # type: ignore[arg-type]
        return self.process


def each(
    calls: Iterable[Call], jobs: int, limits: Limits | None = None, *, quiet: bool = False
) -> Iterator[tuple[int, Outcome]]:
    """Do calls in so many processes; each outcome comes with the number of its call, from 0.

    Outcomes come as they are done. No more calls are taken than there are processes, so that any
    number of them needs no more memory. Raises what a call raises, and then ends all others.
    """
    waiting = enumerate(calls)
    workers = [Worker(limits or Limits(), quiet) for _ in range(jobs)]
    try:
        while True:
            for worker in workers:
                if not worker.busy and (following := next(waiting, None)) is not None:
                    worker.ask(*following)
            at_work = [worker for worker in workers if worker.busy]
            if not at_work:
                return
            yield from finished(at_work)
    finally:
        for worker in workers:
            worker.end()


def finished(at_work: list[Worker]) -> Iterator[tuple[int, Outcome]]:
    """The calls that are done, or given up, after waiting for one."""
    patience = max(0.0, min(worker.deadline for worker in at_work) - monotonic())
    ready = select(at_work, [], [], patience)[0]
    for worker in at_work:
        number = worker.number
        if worker in ready:
            yield number, worker.outcome()
        elif monotonic() >= worker.deadline:
            yield number, worker.overdue()


def in_order(outcomes: Iterable[tuple[int, Value]]) -> Iterator[Value]:
    """What belongs to the numbers 0, 1, 2 …, in this order.

    >>> list(in_order([(1, "b"), (0, "a"), (2, "c")]))
    ['a', 'b', 'c']
    """
    early: dict[int, Any] = {}
    following = 0
    for number, value in outcomes:
        early[number] = value
        while following in early:
            yield early.pop(following)
            following += 1
