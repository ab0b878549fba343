"""A network of one's own: loopback and nothing else, as long as the context lasts.

Where the system permits it (on Linux, for root), the calling thread and every process and thread
that it starts see only a loopback device. Elsewhere the program is kept at home by its settings.
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

NEW_NETWORK: Final = 0x40000000
SET_FLAGS: Final = 0x8914
UP_AND_RUNNING: Final = 0x1 | 0x40


@contextmanager
def private_network() -> Iterator[bool]:
    """Enter an empty network namespace; gives whether that was permitted.

    >>> with private_network() as private:
    ...     isinstance(private, bool)
    True
    """
    before = _enter()
    try:
        yield before is not None
    finally:
        if before is not None:
            _libc().setns(before, NEW_NETWORK)
            os.close(before)


def _enter() -> int | None:
    """Enter a new namespace; returns the old one to go back to, `None` if that is not permitted."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    except OSError:
        return None
    if _libc().unshare(NEW_NETWORK) != 0:
        os.close(before)
        return None
    _loopback_up()
    return before


def _loopback_up() -> None:
    request = struct.pack("16sH14x", b"lo", UP_AND_RUNNING)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        fcntl.ioctl(control, SET_FLAGS, request)


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
