"""How long downset itself takes: a proof in a new process, the same again, and the whole matrix."""

from __future__ import annotations

import sys
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final

from bench.processes import run

MODEL: Final = "opencode/1.17.2"
PROPERTY: Final = "resume-safe"
TIMES: Final = 5
LIMIT: Final = 1800.0


def measure(*, whole: bool = True) -> dict[str, Any]:
    """Cold and warm times of one pair, and the matrix with one job and with two."""
    found: dict[str, Any] = {
        "pair": f"{MODEL} {PROPERTY}",
        "cold": cold(),
        "warm": warm(MODEL, PROPERTY),
    }
    if whole:
        found["matrix"] = [matrix(jobs) for jobs in (1, 2)]
    return found


def cold() -> dict[str, float]:
    """`downset prove` of one pair from the command line."""
    command = [sys.executable, "-m", "downset", "prove", MODEL, "--property", PROPERTY]
    runs = [run(command, LIMIT) for _ in range(TIMES)]
    return {
        "seconds": median(one.seconds for one in runs),
        "cpu": median(one.cpu for one in runs),
        "memory": max(one.memory for one in runs),
    }


def warm(ref: str, name: str) -> dict[str, float]:
    """One pair in a process that has proved it before."""
    from downset.catalogue import load_model, load_properties  # noqa: PLC0415 -- not for the peers
    from downset.prove.prover import prove  # noqa: PLC0415

    model, prop = load_model(ref), load_properties()[name]
    prove(model, prop)
    begun, used = perf_counter(), process_time()
    for _ in range(TIMES):
        prove(model, prop)
    return {
        "seconds": (perf_counter() - begun) / TIMES,
        "cpu": (process_time() - used) / TIMES,
    }


def matrix(jobs: int) -> dict[str, float]:
    """All models and all properties."""
    command = [sys.executable, "-m", "downset", "matrix", "--jobs", str(jobs), "--exit-zero"]
    found = run(command, LIMIT)
    return {
        "jobs": jobs,
        "seconds": found.seconds,
        "cpu": found.cpu,
        "memory": found.memory,
        "code": -1 if found.code is None else found.code,
    }
