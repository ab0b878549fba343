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

    from downset.design.design import Design
    from downset.language.rules import Ruleset

KEYS = 2
TOOLS = ("edit", "bash", "write", "edit")
STRIDE = 2_654_435_761
SAMPLES = 80


def rules_for(design: Design) -> list[Rule]:
    """All rules over two permissions of a design and everything."""
    return every_rule((*design.tools[:KEYS], "*"), ("*", "a"))


def sets(design: Design) -> list[Ruleset]:
    """All rulesets of two rules at most."""
    rules = rules_for(design)
    return [(), *((rule,) for rule in rules), *product(rules, repeat=2)]


def queries(design: Design) -> list[Query]:
    """A few calls."""
    return [Query.of(key, resource) for key in design.tools[:KEYS] for resource in ("a", "b")]


def proved(model: str, properties: tuple[str, ...]) -> list[str]:
    """Which of some properties the prover claims of a model."""
    return [p for p in properties if answer(model, p).status.value == "proved"]


def sampled(design: Design, choices: int) -> Iterator[list[Ruleset]]:
    """Evenly spread choices of rulesets from all combinations."""
    options = sets(design)
    size = len(options) ** choices
    for step in range(SAMPLES):
        place, picked = step * STRIDE % size, []
        for _ in range(choices):
            place, which = divmod(place, len(options))
            picked.append(options[which])
        yield picked


def exhaustive(design: Design) -> Iterator[list[Ruleset]]:
    """All roots (agent and session of one rule at most) with all callees, one after another."""
    found = product(sets(design)[: 1 + len(rules_for(design))], repeat=3)
    yield from (list(chosen) for chosen in islice(found, 0, None, 61))


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_no_chain_of_small_rulesets_refutes_what_is_proved(model: str) -> None:
    claimed = proved(model, tuple(ORACLES))
    design = load_model(model)
    world = World(design)
    tools = [world.tool(name) for name in (*TOOLS, *design.tools[:KEYS])]
    for stored, *agents in [*sampled(design, 4), *exhaustive(design)]:
        world.managed = agents[-1]
        sessions = world.chain(agents, stored)
        found = list(failures(world, sessions, queries(design), tools, claimed))
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
        st.integers(0, 200),
    )
    @settings(max_examples=12)
    def check(agents: list[Ruleset], stored: Ruleset, primary: list[str], turn: int) -> None:
        world = World(design, tuple(Rule(name, "*", DENY) for name in primary))
        world.turn = turn
        tools = [world.tool(name) for name in CHAIN_TOOLS]
        sessions = world.chain(agents, stored)
        asked = [*CHAIN_QUERIES, *queries(design)]
        found = list(failures(world, sessions, asked, tools, claimed))
        assert not found, (found, shown(sessions, world))

    check()


def test_the_search_finds_what_is_violated() -> None:
    world = World(load_model("baseline/independent"))
    tools = [world.tool(name) for name in TOOLS]
    asked = queries(world.design)
    found = {
        name
        for stored, *agents in islice(exhaustive(world.design), 200)
        for name in failures(world, world.chain(agents, stored), asked, tools, list(ORACLES))
    }
    assert {"no-escalation", "session-deny-inherited"} <= found
    assert "own-restriction-kept" not in found


@pytest.mark.parametrize(
    ("model", "wanted"),
    [
        ("claude-code/2.1.328", {"no-escalation", "mode-monotone", "own-restriction-kept"}),
        ("claude-code/2.1.197", {"managed-wins", "mode-monotone"}),
        ("gemini-cli/0.61", {"no-escalation", "own-restriction-kept"}),
        ("codex/0.171", {"own-restriction-kept"}),
        ("deepagents/0.7", {"no-escalation", "ask-preserved"}),
    ],
)
def test_the_search_finds_what_is_violated_with_modes(model: str, wanted: set[str]) -> None:
    world = World(load_model(model))
    asked, tools = queries(world.design), [world.tool("edit")]
    found = {
        name
        for stored, *agents in [*sampled(world.design, 4), *exhaustive(world.design)]
        for name in failures(world, world.chain(agents, stored), asked, tools, list(ORACLES))
    }
    assert wanted <= found
