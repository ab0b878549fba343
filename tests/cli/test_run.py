"""Deciding in several processes gives what one process gives, and the real engine is reached."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from downset.apart.calls import MIB
from downset.commands.engine import Prover
from downset.commands.run import Plan, decide, default_jobs
from downset.errors import InputError
from downset.verdicts import Scope, Status, Verdict

if TYPE_CHECKING:
    from downset.commands.engine import Engine

APART = """
import os
import signal
import time
from types import SimpleNamespace
from downset.errors import InputError
from downset.verdicts import Scope, Status, Verdict

class Engine:
    def load_model(self, ref):
        if ref == "bad":
            raise InputError("no good", id="bad", file="bad.py", line=3)
        return SimpleNamespace(id=ref)

    def load_properties(self, extra):
        return {name: SimpleNamespace(id=name, events=("spawn",)) for name in ("p", "q")}

    def prove(self, model, prop, events, timeout):
        if model.id == "hang":
            time.sleep(1000)
        if model.id == "grow":
            bytearray(1 << 40)
        if model.id == "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        return Verdict(model.id, prop.id, Status.PROVED, Scope(), reason=str(os.getpid()))
"""


@pytest.fixture
def apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Engine:
    """An engine that another process can import."""
    (tmp_path / "engine_apart.py").write_text(APART)
    monkeypatch.syspath_prepend(tmp_path)
    engine: Engine = importlib.import_module("engine_apart").Engine()
    return engine


def pairs(verdicts: list[Verdict]) -> list[tuple[str, str]]:
    return [(verdict.model, verdict.property) for verdict in verdicts]


def test_jobs_do_not_change_the_order(apart: Engine) -> None:
    plan = Plan(apart, ("a", "b", "c"), ("q", "p"))
    here, together = list(decide(plan, jobs=0)), list(decide(plan, jobs=2))
    assert pairs(here) == pairs(together)
    assert len(here) == len(plan) == 6
    assert {verdict.reason for verdict in here}.isdisjoint(verdict.reason for verdict in together)


def test_an_error_in_a_job_is_the_users_error(apart: Engine) -> None:
    with pytest.raises(InputError) as caught:
        list(decide(Plan(apart, ("a", "bad"), ("p",)), jobs=2))
    assert caught.value.format() == "bad.py:3: error[bad]: no good"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("hang", "took longer than 2 s and was stopped"),
        ("grow", "needed more than 512 MiB of memory"),
        ("crash", "crashed (SIGSEGV)"),
    ],
)
def test_a_solver_out_of_hand_makes_its_pair_unknown(apart: Engine, fault: str, said: str) -> None:
    plan = Plan(apart, (fault, "a"), ("p",), timeout=0.1, memory=512 * MIB)
    bad, good = decide(plan, jobs=1)
    assert (bad.model, bad.status, bad.reason) == (
        fault,
        Status.UNKNOWN,
        f"the process that decides {said}",
    )
    assert good.status is Status.PROVED


def test_jobs_by_default() -> None:
    assert 1 <= default_jobs() <= 4


def test_the_real_engine_is_reached(monkeypatch: pytest.MonkeyPatch) -> None:
    verdict = Verdict("m", "p", Status.PROVED, Scope())
    fakes = {
        "catalogue": SimpleNamespace(
            load_model=lambda ref: ref, all_models=lambda: ["m"], load_properties=dict.fromkeys
        ),
        "prove.prover": SimpleNamespace(
            prove=lambda model, prop, *, events, timeout, solver: (
                verdict,
                model,
                prop,
                events,
                timeout,
                solver,
            )
        ),
        "prove.theorems": SimpleNamespace(theorems=lambda _solver: ["meet"]),
    }
    for name, fake in fakes.items():
        monkeypatch.setitem(sys.modules, f"downset.{name}", fake)
    assert Prover().load_model("m") == "m"  # type: ignore[comparison-overlap]
    assert Prover().all_models() == ["m"]  # type: ignore[comparison-overlap]
    assert list(Prover().load_properties([Path("x")])) == [Path("x")]  # type: ignore[comparison-overlap]
    assert Prover().theorems() == ["meet"]  # type: ignore[comparison-overlap]
    asked: object = Prover().prove("m", "p", ("spawn",), 1.0)  # type: ignore[arg-type]
    assert asked == (verdict, "m", "p", ("spawn",), 1.0, "z3")
