"""Deciding many pairs, in this process or in several, always in the same order.

>>> default_jobs() >= 1
True
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from downset.commands.engine import Engine, Property
    from downset.verdicts import Verdict

MOST_JOBS: Final = 4
"""Each job holds a solver of its own in memory; more than this are used only when asked for."""


@dataclass(frozen=True)
class Plan:
    """What to decide: every model with every property, models first."""

    engine: Engine
    models: tuple[str, ...]
    properties: tuple[str, ...]
    files: tuple[Path, ...] = ()
    events: tuple[str, ...] | None = None
    timeout: float = 30.0

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.models) * len(self.properties)


def decide(plan: Plan, jobs: int = 1) -> Iterator[Verdict]:
    """The verdicts of a plan, model by model; each job takes whole models."""
    jobs = min(jobs, len(plan.models))
    if jobs > 1:
        yield from _decide_apart(plan, jobs)
    else:
        properties = plan.engine.load_properties(plan.files)
        for ref in plan.models:
            yield from _decide_model(plan, ref, properties)


def _decide_model(plan: Plan, ref: str, properties: Mapping[str, Property]) -> Iterator[Verdict]:
    model = plan.engine.load_model(ref)
    for name in plan.properties:
        yield plan.engine.prove(model, properties[name], plan.events, plan.timeout)


def default_jobs() -> int:
    """As many jobs as there are processors to use, within reason."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, MOST_JOBS)


def _decide_apart(plan: Plan, jobs: int) -> Iterator[Verdict]:
    fresh = multiprocessing.get_context("spawn")  # a fork would share the solver's state
    with ProcessPoolExecutor(jobs, mp_context=fresh, initializer=die_quietly) as pool:
        try:
            for verdicts in pool.map(_whole_model, [plan] * len(plan.models), plan.models):
                yield from verdicts
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _whole_model(plan: Plan, ref: str) -> Sequence[Verdict]:
    return list(_decide_model(plan, ref, plan.engine.load_properties(plan.files)))


def die_quietly() -> None:
    """Let an interrupt end a job without a traceback; the command reports it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
