"""Runs one program and prints what it took: `python -m bench.watching SECONDS COMMAND…`.

In a process of its own, because the peak memory of children is only known for all together.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from contextlib import suppress
from time import perf_counter


def main(seconds: float, command: list[str]) -> None:
    """Print as JSON the exit code (none after a time-out), output, times and peak memory."""
    begun = perf_counter()
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        out, err = process.communicate(timeout=seconds)
        code: int | None = process.returncode
    except subprocess.TimeoutExpired:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        code = None
    took = perf_counter() - begun
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = {
        "code": code,
        "out": out,
        "err": err,
        "seconds": took,
        "cpu": used.ru_utime + used.ru_stime,
        "memory": used.ru_maxrss * 1024,
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main(float(sys.argv[1]), sys.argv[2:])
