"""The other process: `python -m downset.apart.child BYTES` does one call after another.

It ends when whoever started it does, also in the middle of a call. What the work prints goes to
standard error, because standard output carries the answers.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO

from downset.apart.calls import receive, send

if TYPE_CHECKING:
    from downset.apart.calls import Call


def main(memory: int) -> None:
    """Answer until there are no more calls."""
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # whoever started it says what happened
    limit_memory(memory)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    calls: queue.SimpleQueue[Call] = queue.SimpleQueue()
    sys.path[:] = receive(sys.stdin.buffer)
    threading.Thread(target=listen, args=(sys.stdin.buffer, calls), daemon=True).start()
    while True:
        kind, value = answer(calls.get())
        deliver(answers, kind, value)
        if kind == "memory":
            return


def listen(stream: BinaryIO, calls: queue.SimpleQueue[Call]) -> None:
    """Take calls as they come; without anybody to answer to, end at once."""
    try:
        while True:
            calls.put(receive(stream))
    except EOFError:
        os._exit(0)


def answer(call: Call) -> tuple[str, Any]:
    """What came of a call: `value`, `raised` or `memory`, with the value or the exception."""
    try:
        return "value", call.run()
    except MemoryError:
        return "memory", None
    except Exception as error:  # noqa: BLE001 -- raised again where the call came from
        return "raised", error


def deliver(answers: BinaryIO, kind: str, value: object) -> None:
    """Send an answer; one that cannot travel is told in words."""
    try:
        send(answers, (kind, value))
    except MemoryError:
        send(answers, ("memory", None))
    except (TypeError, AttributeError, ValueError) as error:
        send(answers, ("raised", RuntimeError(f"{type(error).__name__}: {error}")))


def limit_memory(memory: int) -> None:
    """Take no more than so many bytes, where the system can see to it."""
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 -- not every system has it

        resource.setrlimit(resource.RLIMIT_AS, (memory, memory))


if __name__ == "__main__":
    main(int(sys.argv[1]))
