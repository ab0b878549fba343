"""What is proved never fails on real rules: every model, exhaustively over a small vocabulary."""

from __future__ import annotations

from itertools import islice, product
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import strategies
from tests.answers import MODELS, answer
from tests.worlds import ORACLES, STACK, World, every_rule, failures, shown

from downset.catalogue import load_model
from downset.design.sessions import Query
from downset.language.rules import DENY, Rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.language.rules import Ruleset

RULES = every_rule(("edit", "*", "bash"), ("*", "a"))
SETS: list[Ruleset] = [
    (),
    *((rule,) for rule in RULES),
    *product(RULES, repeat=2),
]
SHORT = SETS[: 1 + len(RULES)]
QUERIES = [Query.of(key, resource) for key in ("edit", "bash") for resource in ("a", "b")]
TOOLS = ("edit", "bash", "write", "edit")
STRIDE = 2_654_435_761
SAMPLES = 80


def proved(model: str, properties: tuple[str, ...]) -> list[str]:
    """Which of some properties the prover claims of a model."""
    return [p for p in properties if answer(model, p).status.value == "proved"]


def sampled(choices: int) -> Iterator[list[Ruleset]]:
    """Evenly spread choices of rulesets from all combinations."""
    size = len(SETS) ** choices
    for step in range(SAMPLES):
        place, picked = step * STRIDE % size, []
        for _ in range(choices):
            place, which = divmod(place, len(SETS))
            picked.append(SETS[which])
        yield picked


def exhaustive() -> Iterator[list[Ruleset]]:
    """All roots (agent and session of one rule at most) with all callees, one after another."""
    found = product(SHORT, repeat=3)
    yield from (list(chosen) for chosen in islice(found, 0, None, 61))


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_no_chain_of_small_rulesets_refutes_what_is_proved(model: str) -> None:
    claimed = proved(model, tuple(ORACLES))
    world = World(load_model(model))
    tools = [world.tool(name) for name in TOOLS]
    for stored, *agents in [*sampled(4), *exhaustive()]:
        sessions = world.chain(agents, stored)
        found = list(failures(world, sessions, QUERIES, tools, claimed))
        assert not found, (found, shown(sessions, world))


CHAIN_QUERIES = [
    Query.of(key, resource)
    for key in ("edit", "bash", "task", "external_directory", "x")
    for resource in ("src/app.ts", "a")
]
CHAIN_TOOLS = ("write", "todowrite", "edit", "question", "task", "external_directory")


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_no_deep_chain_refutes_what_is_proved_of_descendants(model: str) -> None:
    claimed = proved(model, tuple(STACK))
    design = load_model(model)

    @given(
        st.lists(strategies.rulesets(3), min_size=2, max_size=6),
        strategies.rulesets(3),
        st.lists(st.sampled_from(["write", "question", "task", "edit"]), max_size=2, unique=True),
    )
    @settings(max_examples=12)
    def check(agents: list[Ruleset], stored: Ruleset, primary: list[str]) -> None:
        world = World(design, tuple(Rule(name, "*", DENY) for name in primary))
        tools = [world.tool(name) for name in CHAIN_TOOLS]
        sessions = world.chain(agents, stored)
        found = list(failures(world, sessions, CHAIN_QUERIES, tools, claimed))
        assert not found, (found, shown(sessions, world))

    check()


def test_the_search_finds_what_is_violated() -> None:
    world = World(load_model("baseline/independent"))
    tools = [world.tool(name) for name in TOOLS]
    found = {
        name
        for stored, *agents in islice(exhaustive(), 200)
        for name in failures(world, world.chain(agents, stored), QUERIES, tools, list(ORACLES))
    }
    assert {"no-escalation", "session-deny-inherited"} <= found
    assert "own-restriction-kept" not in found
