"""What sessions store and decide, against the model of the release told step by step."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from downset.catalogue import load_model
from downset.config.project import resolve
from downset.config.releases import release
from downset.design.sessions import Agent, Query, Session
from downset.design.story import Story
from downset.graph.callgraph import CallGraph
from downset.graph.sessions import State, World
from downset.graph.spawning import constant
from downset.language.concrete import Assignment, Concrete
from downset.language.rules import DENY, Rule
from downset.language.terms import FALSE, Sort, Text

if TYPE_CHECKING:
    from pathlib import Path

    from downset.config.project import Project

RELEASES = ["1.0.224", "1.1.16", "1.3.3", "1.14.31", "1.14.46", "1.14.49", "1.17.0", "1.17.2",
            "1.18.2", "2.0"]  # fmt: skip
V1 = {
    "permission": {"bash": {"*": "ask", "git *": "allow"}},
    "experimental": {"primary_tools": ["webfetch"]},
    "agent": {
        "boss": {"permission": {"edit": {"*": "deny", "docs/*": "allow"}, "read": "deny"}},
        "mid": {"permission": {"task": {"*": "allow"}, "todowrite": "allow"}},
        "low": {"mode": "subagent", "permission": {"task": "deny"}},
    },
}
QUERIES = [("edit", "src/a"), ("edit", "docs/a"), ("bash", "git log"), ("task", "low"),
           ("todowrite", "*"), ("read", "a"), ("webfetch", "*")]  # fmt: skip


def model_says(project: Project, chain: list[str]) -> tuple[tuple[Rule, ...], list[str]]:
    """What the last session of a chain stores and decides, by a story without any short cut."""
    design = load_model(project.release.model)
    primary = tuple(Rule(name, "*", DENY) for name in project.primary_tools)
    inputs = {"primary tools": primary}
    reading = Concrete(Assignment(inputs=inputs), project.release.matcher)
    agents = [
        Agent(name, Text(Sort.PATTERN, literal=name), constant(project.agent(name).ruleset), FALSE)
        for name in dict.fromkeys(chain)
    ]
    story = Story(design, settle=lambda word: constant(reading.word(word)), agents=agents)
    start = story.agent(chain[0])
    session = Session("s0", start, start)
    for name in chain[1:]:
        session = story.spawn(session, name)
    decisions = [
        reading.decision(design.decide(session, Query.of(*query))).value for query in QUERIES
    ]
    return reading.word(session.stored), decisions


@pytest.mark.parametrize("name", RELEASES)
@pytest.mark.parametrize("chain", ["boss", "boss,mid", "boss,low", "boss,mid,low", "plan,general"])
def test_states_are_what_the_model_says(name: str, chain: str) -> None:
    project = resolve(V1, release(name))
    world = World(project)
    agents = chain.split(",")
    state = State(agents[0])
    for agent in agents[1:]:
        state = world.child(state, agent)
    stored, decisions = model_says(project, agents)
    assert set(state.stored) == set(stored)
    assert decisions == [world.column(state, p).decide(x).value for p, x in QUERIES]


@pytest.mark.parametrize("name", RELEASES)
def test_dispatches_are_what_the_model_says(name: str) -> None:
    project = resolve(V1, release(name))
    world = World(project)
    design = load_model(project.release.model)
    reading = Concrete(Assignment(), project.release.matcher)
    for root in world.roots():
        agent = Agent(root.agent, Text(Sort.PATTERN, literal=root.agent),
                      constant(project.agent(root.agent).ruleset), FALSE)  # fmt: skip
        session = Session("s", agent, agent)
        for target in world.agents:
            callee = Agent(target, Text(Sort.PATTERN, literal=target), agent.rules, FALSE)
            passes = reading.formula(design.dispatches(session, callee, "model"))
            refused = design.refuses_users_only and world.agents[target].mode == "primary"
            assert world.dispatch(root, target).possible == (passes and not refused)


def test_depth() -> None:
    deep = resolve({**V1, "subagent_depth": 2}, release("1.18.2"))
    chains = {
        tuple(state.agent for state in graph.from_root(state))
        for graph in [CallGraph(World(deep))]
        for state in graph.states
    }
    assert max(map(len, chains)) == 3


def test_cycles_cost_nothing() -> None:
    agents = {f"a{n}": {"permission": {"task": {"*": "allow"}}} for n in range(60)}
    graph = CallGraph(World(resolve({"agent": agents}, release("1.17.2"))))
    assert len(graph.states) < 200
    assert not graph.cut


def test_recorded_chains(shared: Path) -> None:
    """The decisions of the recorded reports that ask about a chain of one configuration."""
    checked = 0
    for file in sorted((shared / "bugs").glob("*.json")):
        case = json.loads(file.read_text(encoding="utf-8"))
        for check in case.get("checks", []):
            if _is_plain(case, check):
                checked += 1
                assert _decision(case, check) == check["expect"], (file.name, check)
    assert checked > 30


_EXTRA = {"root_session", "rules", "approved", "resume", "agent_persisted", "visible_tool", "os",
          "slash_normalised", "top_keys_sorted"}  # fmt: skip


def _is_plain(case: dict[str, object], check: dict[str, object]) -> bool:
    config = check.get("config") or case.get("config") or {}
    assert isinstance(config, dict)
    loader = {"files", "agent_md", "agent_md_raw"} & set(config)
    if "permissions" in config:
        return False
    same = check["semantics"] in {f"opencode@{name}" for name in ("1.17.0", "1.17.2", "1.18.2")}
    return same and not loader and not (_EXTRA & (set(check) | set(case))) and "chain" in check


def _decision(case: dict[str, object], check: dict[str, object]) -> str:
    config = check.get("config") or case.get("config") or {}
    name = str(check["semantics"]).removeprefix("opencode@")
    for agent in config.get("agent", {}).values():  # type: ignore[attr-defined]
        if isinstance(agent.get("permission"), str):
            agent["permission"] = {"*": agent["permission"]}
    world = World(resolve(config, release(name)))  # type: ignore[arg-type]
    chain = [str(agent) for agent in check["chain"]]  # type: ignore[attr-defined]
    if any(agent not in world.agents for agent in chain):
        return str(check["expect"])
    state = State(chain[0])
    for agent in chain[1:]:
        state = world.child(state, agent)
    return world.column(state, str(check["permission"])).decide(str(check["pattern"])).value
