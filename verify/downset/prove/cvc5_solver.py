"""cvc5 as a solver: scripts of SMT-LIB, given to a process that may crash, hang or grow too large.

Needs `pip install 'downset[cvc5]'`.
"""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib import metadata
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, Any, Final

from downset.errors import InputError
from downset.prove.logic import Values, conj, disj, in_order, neg, truth
from downset.prove.smtlib import Section, script, symbol
from downset.prove.solver import Undecided

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.prove.logic import Bool, Value

WORKER: Final = Path(__file__).with_name("cvc5_worker.py")
MEMORY: Final = 4 << 30
"""Bytes that the process may have."""
GRACE: Final = 5.0
"""Seconds beyond its limit after which a solver is taken to hang."""


@dataclass(frozen=True)
class Answer:
    """`sat`, `unsat` or `unknown`, with a model or a reason."""

    said: str
    values: dict[str, Value] = field(default_factory=dict)
    reason: str = ""


@dataclass
class Worker:
    """A process with cvc5 in it, started when first asked and again after it ended.

    >>> Worker().ask("(set-logic QF_BV)(assert false)(check-sat)", 10.0).said
    'unsat'
    """

    command: tuple[str, ...] = (sys.executable, "-P", str(WORKER), str(MEMORY))
    process: subprocess.Popen[str] | None = None

    def ask(self, text: str, seconds: float) -> Answer:
        """What cvc5 says to a script, within so many seconds."""
        process = self._running()
        request = {"script": text, "milliseconds": max(1, int(seconds * 1000))}
        try:
            line = exchanged(process, json.dumps(request) + "\n", seconds + GRACE)
        except OSError:
            line = ""
        if line:
            return answer_of(json.loads(line))
        return Answer("unknown", reason=self._ended(hung=line is None))

    def _running(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            refuse_absence()
            pipe = subprocess.PIPE
            self.process = subprocess.Popen(  # noqa: S603 -- this interpreter and a file of ours
                self.command,
                stdin=pipe,
                stdout=pipe,
                stderr=subprocess.DEVNULL,
                text=True,
            )
        return self.process

    def _ended(self, *, hung: bool) -> str:
        process, self.process = self.process, None
        if process is None:
            return "cvc5 did not start"
        with suppress(OSError):
            process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()
        return "cvc5 did not answer in time" if hung else f"cvc5 ended, code {code}"


def exchanged(process: subprocess.Popen[str], line: str, seconds: float) -> str | None:
    """What a process answers to a line; empty if it ended, `None` if it takes too long."""
    if process.stdin is None or process.stdout is None:
        return ""
    process.stdin.write(line)
    process.stdin.flush()
    ready, _, _ = select([process.stdout], [], [], seconds)
    return process.stdout.readline() if ready else None


def answer_of(line: dict[str, Any]) -> Answer:
    """An answer as the process wrote it."""
    return Answer(line["answer"], line.get("values", {}), line.get("reason", ""))


def refuse_absence() -> None:
    """Raise `InputError` if cvc5 is not installed."""
    if find_spec("cvc5") is None:
        raise InputError(
            "cvc5 is not installed", id="no-cvc5", help="install it: `pip install 'downset[cvc5]'`"
        )


def version() -> str:
    """The version of cvc5. Raises `InputError` if it is not installed."""
    refuse_absence()
    return metadata.version("cvc5")


@cache
def worker() -> Worker:
    """The process that all solvers of this program share."""
    return Worker()


class Cvc5:
    """A growing set of conditions that is asked as a whole each time."""

    def __init__(self) -> None:
        """Begin with nothing asserted."""
        refuse_absence()
        self.asserted: list[Bool] = []

    def add(self, *conditions: Bool) -> None:
        """Assert more conditions."""
        self.asserted += conditions

    def at_most(self, parts: Sequence[Bool], count: int) -> None:
        """Assert that no more than so many conditions hold."""
        reached: list[Bool] = [True, *(count + 1) * [False]]
        for part in parts:
            more = [disj((now, conj((fewer, part)))) for fewer, now in pairwise(reached)]
            reached = [True, *more]
        self.asserted.append(neg(reached[-1]))

    def check(self, seconds: float, *assumed: Bool) -> Values | None:
        """A model, `None` if there is none. Raises `Undecided` if cvc5 gives up or ends."""
        conditions = [*self.asserted, *assumed]
        answer = worker().ask(script([Section("", conditions)]), seconds)
        if answer.said == "unknown":
            raise Undecided(f"cvc5 gave up: {answer.reason}")
        if answer.said == "unsat":
            return None
        return Values(named(answer.values, conditions))


def named(values: dict[str, Value], conditions: Sequence[Bool]) -> dict[str, Value]:
    """The values of a script's symbols, by the names of the variables."""
    found: dict[str, Value] = {}
    for expr in in_order([truth(condition) for condition in conditions]):
        if expr.operator == "variable":
            spelled = symbol(str(expr.value))[1:-1]
            found[str(expr.value)] = values[spelled]
    return found


def make(*, strings: bool = False) -> Cvc5:
    """A new solver; cvc5 needs not be told what is asked of it."""
    del strings
    return Cvc5()
