"""Every encoding of the question says what the design says, where its tool is installed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.peers import alloy, asp, explicit, spin
from bench.peers.world import World

if TYPE_CHECKING:
    from collections.abc import Callable

    from bench.peers.world import Said

ROOT = Path(__file__).parents[2]
ASK: dict[str, Callable[[World], Said]] = {
    "spin": lambda world: spin.ask(world, 60.0),
    "alloy": lambda world: alloy.ask(world, 60.0, ROOT),
    "clingo": lambda world: asp.ask(world, 60.0),
    "minicheck": lambda world: explicit.ask(world, 60.0),
}
MUTANTS = {
    "spin": (spin, "MODEL", "denies = denies | BIT(r)", "skip"),
    "alloy": (alloy, "MODEL", "s.prev.denies + guards", "guards"),
    "clingo": (asp, "RULES", "below(N, K, P) :- step(N), carried(N, K, P).", ""),
}


@pytest.mark.slow
@pytest.mark.parametrize("tool", ASK)
@pytest.mark.parametrize(("question", "answer"), [("inherit", "holds"), ("resume", "fails")])
def test_an_encoding_agrees_with_downset(tool: str, question: str, answer: str) -> None:
    said = ASK[tool](World(question, depth=2, tools=2))
    if said.answer == "skipped":
        pytest.skip(said.why)
    assert said.answer == answer


@pytest.mark.slow
@pytest.mark.parametrize("tool", MUTANTS)
def test_an_encoding_of_another_design_does_not(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where denies are not carried, the question is answered otherwise: it is not empty."""
    module, name, true, false = MUTANTS[tool]
    text = getattr(module, name)
    assert true in text
    monkeypatch.setattr(module, name, text.replace(true, false))
    world = World("inherit", depth=2, tools=2)
    if tool == "clingo":
        clingo = pytest.importorskip("clingo", reason="the package clingo is not installed")
        control = clingo.Control(["1"])
        control.add("base", [], asp.program(world))
        control.ground([("base", [])])
        assert control.solve().satisfiable
        return
    said = ASK[tool](world)
    if said.answer == "skipped":
        pytest.skip(said.why)
    assert said.answer == "fails"


def test_a_machine_that_forgets_denies_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = explicit.Machine(World("inherit", depth=1, tools=1, length=1))
    _, opened = machine.steps(("start", 0, frozenset(), (0, False), True))[0]
    assert all(below[4] for _, s in machine.steps(opened) for _, below in machine.steps(s))
    monkeypatch.setattr(explicit, "kept", lambda _rules: frozenset())
    assert not all(below[4] for _, s in machine.steps(opened) for _, below in machine.steps(s))
