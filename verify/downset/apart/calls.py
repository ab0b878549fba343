"""What is asked of another process, what comes of it, and how both travel.

>>> Call(sorted, ("ba",)).run()
['a', 'b']
>>> Limits(seconds=5.0).too_long()
'took longer than 5 s and was stopped'
"""

from __future__ import annotations

import pickle
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO, Final

if TYPE_CHECKING:
    from collections.abc import Callable

HEAD: Final = struct.Struct("!Q")
"""The length of what follows."""
MIB: Final = 1 << 20


@dataclass(frozen=True)
class Call:
    """A function that another process can import, and its arguments."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()

    def run(self) -> Any:  # noqa: ANN401 -- whatever the function returns
        """Call it here."""
        return self.function(*self.arguments)


@dataclass(frozen=True)
class Limits:
    """What one call may take: seconds on the clock, and bytes of memory of its process."""

    seconds: float = 60.0
    memory: int = 2048 * MIB

    def too_long(self) -> str:
        """What is said of a call that was stopped."""
        return f"took longer than {self.seconds:g} s and was stopped"

    def too_much(self) -> str:
        """What is said of a call that ran out of memory."""
        return f"needed more than {self.memory // MIB} MiB of memory"


@dataclass(frozen=True)
class Outcome:
    """What came of a call: a value, or why there is none (`failure`, a phrase with a verb)."""

    value: Any = None
    failure: str = ""


def send(stream: BinaryIO, message: object) -> None:
    """Write one message. Raises `OSError` if nobody reads any more."""
    data = pickle.dumps(message)
    stream.write(HEAD.pack(len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:  # noqa: ANN401 -- whatever was sent
    """Read one message. Raises `EOFError` if the other side ended.

    Messages come from a process of this program only, which was started for this.
    """
    head = stream.read(HEAD.size)
    if len(head) < HEAD.size:
        raise EOFError
    (length,) = HEAD.unpack(head)
    data = stream.read(length)
    if len(data) < length:
        raise EOFError
    return pickle.loads(data)  # noqa: S301 -- from our own process
