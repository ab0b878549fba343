"""Deciding many pairs, in this process or in several, always in the same order.

>>> default_jobs() >= 1
True
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from downset.apart.calls import MIB, Call, Limits
from downset.apart.workers import each, in_order
from downset.verdicts import Scope, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from downset.apart.calls import Outcome
    from downset.commands.engine import Engine

MOST_JOBS: Final = 4
"""Each job holds a solver of its own in memory; more than this are used only when asked for."""
MEMORY: Final = 4096 * MIB
FORMULAS: Final = 20
"""A pair may take as long as so many formulas; then its process is taken to hang."""


@dataclass(frozen=True)
class Plan:
    """What to decide: every model with every property, models first."""

    engine: Engine
    models: tuple[str, ...]
    properties: tuple[str, ...]
    files: tuple[Path, ...] = ()
    events: tuple[str, ...] | None = None
    timeout: float = 30.0
    memory: int = MEMORY
    """Bytes that the process of a pair may have."""

    def __len__(self) -> int:
        """Count the pairs."""
        return len(self.models) * len(self.properties)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The models and properties, models first."""
        return [(ref, name) for ref in self.models for name in self.properties]

    @property
    def limits(self) -> Limits:
        """What deciding one pair may take."""
        return Limits(FORMULAS * self.timeout, self.memory)


def decide(plan: Plan, jobs: int = 1) -> Iterator[Verdict]:
    """The verdicts of a plan, model by model, each decided in a process that may be ended.

    A solver that hangs, crashes or takes too much memory makes its pair `unknown`; the others are
    decided. With 0 jobs all is decided in this process.
    """
    if jobs == 0:
        yield from decide_here(plan)
        return
    calls = (Call(decide_pair, (plan, *pair)) for pair in plan.pairs)
    outcomes = each(calls, min(jobs, len(plan)), plan.limits)
    for pair, outcome in zip(plan.pairs, in_order(outcomes), strict=True):
        yield outcome.value or undecided(plan, *pair, outcome)


def decide_here(plan: Plan) -> Iterator[Verdict]:
    """The verdicts of a plan, decided in this process."""
    properties = plan.engine.load_properties(plan.files)
    for ref in plan.models:
        model = plan.engine.load_model(ref)
        for name in plan.properties:
            yield plan.engine.prove(model, properties[name], plan.events, plan.timeout)


def decide_pair(plan: Plan, ref: str, name: str) -> Verdict:
    """The verdict of one model and one property."""
    engine: Any = plan.engine  # hashable, where it can travel to another process
    model, properties = loaded(engine, ref, plan.files)
    return plan.engine.prove(model, properties[name], plan.events, plan.timeout)


@lru_cache(maxsize=1)
def loaded(engine: Engine, ref: str, files: Sequence[Path]) -> tuple[Any, Any]:
    """A model and all properties; those asked for last are kept."""
    return engine.load_model(ref), engine.load_properties(files)


def undecided(plan: Plan, ref: str, name: str, outcome: Outcome) -> Verdict:
    """The verdict for a pair whose process gave no answer; the model is not loaded here again."""
    reason = f"the process that decides {outcome.failure}"
    scope = Scope(events=plan.events or plan.engine.load_properties(plan.files)[name].events)
    return Verdict(ref, name, Status.UNKNOWN, scope, reason)


def default_jobs() -> int:
    """As many jobs as there are processors to use, within reason."""
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1, MOST_JOBS)
