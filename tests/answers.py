"""Verdicts of the models of the package, each computed once in a run of the tests."""

from __future__ import annotations

import os
import pickle
from functools import cache
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING

from downset.catalogue import all_models, load_model, load_properties
from downset.prove.prover import prove
from downset.verdicts import Status

if TYPE_CHECKING:
    from downset.verdicts import Counterexample, Verdict

SECONDS = 20.0
MODELS = [model.id for model in all_models()]
PROPERTIES = list(load_properties())


@cache
def answer(model: str, prop: str) -> Verdict:
    """The verdict for a model and a property."""
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID")
    if run is None:
        return prove(load_model(model), load_properties()[prop], timeout=SECONDS)
    return shared(model, prop, Path(gettempdir()) / f"downset-answers-{run}")


def shared(model: str, prop: str, folder: Path) -> Verdict:
    """The verdict that another process of this run left in a folder, or a new one, left there."""
    folder.mkdir(mode=0o700, exist_ok=True)
    file = folder / f"{model}-{prop}".replace("/", "-")
    if file.is_file():
        found: Verdict = pickle.loads(file.read_bytes())  # noqa: S301 -- written by this run
        return found
    verdict = prove(load_model(model), load_properties()[prop], timeout=SECONDS)
    part = file.with_suffix(f".{os.getpid()}")
    part.write_bytes(pickle.dumps(verdict))
    part.replace(file)
    return verdict


def status(model: str, prop: str) -> str:
    """The verdict in a word."""
    return answer(model, prop).status.value


def story(model: str, prop: str) -> Counterexample:
    """The counterexample of a violated property."""
    verdict = answer(model, prop)
    assert verdict.status is Status.VIOLATED, verdict.status
    assert verdict.counterexample is not None
    return verdict.counterexample


def kinds(found: Counterexample) -> list[str]:
    """The kinds of a story's events."""
    return [event.kind for event in found.events]


def rule_count(found: Counterexample) -> int:
    """How many rules a story's agents and users bring."""
    own = sum(len(agent.rules) for agent in found.agents)
    opened = [s for event in found.events if event.kind == "open" for s in event.changed]
    return own + sum(len(session.rules) for session in opened)
