"""Tools in processes of their own: asked one question at a time, ended if they hang."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from select import select
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from types import TracebackType

    from bench.questions import Question

MEMORY: Final = 4 << 30
"""Bytes that a tool may have."""
GRACE: Final = 1.0
"""Seconds beyond its own limit after which a tool is ended."""
STARTING: Final = 60.0


@dataclass
class Asked:
    """A tool that answers questions, in a process that is started anew if it was ended."""

    tool: str
    process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        """Begin to ask."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Ask no more."""
        self.stop()

    def ask(self, question: Question, seconds: float) -> dict[str, Any]:
        """What the tool says, how long it took and what memory its process had by then."""
        process = self._running()
        begun = perf_counter()
        line = ""
        with suppress(BrokenPipeError):
            asked = json.dumps({"question": question.plain(), "seconds": seconds})
            print(asked, file=process.stdin, flush=True)
            line = self._line(process, seconds + GRACE)
        if line:
            found: dict[str, Any] = json.loads(line)
            return found
        hung = process.poll() is None
        self.stop()
        reason = "did not keep its time limit" if hung else "crashed"
        return {"said": "unknown", "seconds": perf_counter() - begun, "memory": 0, "why": reason}

    def stop(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _running(self) -> subprocess.Popen[str]:
        if self.process is None or self.process.poll() is not None:
            command = [sys.executable, "-m", "bench.answering", self.tool, str(MEMORY)]
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._line(self.process, STARTING)
        return self.process

    def _line(self, process: subprocess.Popen[str], seconds: float) -> str:
        if process.stdout is None or not select([process.stdout], [], [], seconds)[0]:
            return ""
        return process.stdout.readline()


@dataclass(frozen=True)
class Run:
    """A program that was run once: its output, wall-clock and processor seconds, peak memory."""

    code: int | None
    out: str
    err: str
    seconds: float
    cpu: float
    memory: int


def run(command: Sequence[str | Path], seconds: float, cwd: Path | None = None) -> Run:
    """Run a program to its end; `code` is `None` if the time was up. `memory` is in bytes."""
    watched = [sys.executable, "-m", "bench.watching", str(seconds), *map(str, command)]
    environment = {**os.environ, "PYTHONPATH": os.getcwd()}  # noqa: PTH109 -- from any folder
    done = subprocess.run(
        watched, check=False, capture_output=True, text=True, cwd=cwd, env=environment
    )
    found = json.loads(done.stdout)
    return Run(**found)
