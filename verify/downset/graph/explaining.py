"""Why a request is decided as it is, along a chain of agents.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> project = resolve({"permission": {"edit": "ask"}}, release("1.18.2"))
>>> told = explain(project, ["plan", "general"], "edit", "src/app.ts")
>>> [(step.agent, step.decision, step.rule.text) for step in told.steps]
[('plan', 'ask', 'edit * ask'), ('general', 'ask', 'edit * ask')]
>>> [rule.text for rule in told.steps[0].overrode]
['edit * deny', '* * allow']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.errors import InputError
from downset.graph.records import Witness
from downset.graph.sessions import State, World, is_for_users

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.config.project import Project
    from downset.graph.records import RuleAt

__all__ = ["Explained", "Step", "World", "explain"]


@dataclass(frozen=True)
class Step:
    """One session of the chain: what it decides, and how it came to be.

    `overrode` are the other rules that match, the strongest first. `dispatch` is the decision of
    the session above about starting this agent; `refused` says what else forbids it.
    """

    agent: str
    decision: str
    rule: RuleAt | None
    overrode: tuple[RuleAt, ...]
    hidden: bool
    stored: tuple[RuleAt, ...]
    dispatch: str | None = None
    dispatch_rule: RuleAt | None = None
    refused: str = ""


@dataclass(frozen=True)
class Explained:
    """The answer of `downset explain`."""

    release: str
    request: Witness
    steps: tuple[Step, ...]


def explain(project: Project, chain: Sequence[str], permission: str, resource: str) -> Explained:
    """What each session of a chain decides about a request, the first opened by a user."""
    world = World(project)
    for name in chain:
        if name not in world.agents:
            raise _no_agent(name, world)
    query = Witness(permission, resource)
    state = State(chain[0])
    note = "" if is_for_users(world.agents[chain[0]]) else "users cannot start it"
    steps = [_step(world, state, query, refused=note)]
    for name in chain[1:]:
        found = world.dispatch(state, name)
        state = world.child(state, name)
        steps.append(_step(world, state, query, found.decision.value, found.rule, found.why))
    return Explained(project.release.name, query, tuple(steps))


def _step(  # noqa: PLR0913, PLR0917 -- the parts of a dispatch
    world: World,
    state: State,
    query: Witness,
    dispatch: str | None = None,
    rule: RuleAt | None = None,
    refused: str = "",
) -> Step:
    column = world.column(state, query.permission)
    found = [world.rule_at(state, number) for number in column.matched(query.pattern)]
    rules = [one for one in found if one is not None]
    gate = world.column(state, world.release.gate(query.permission))
    count = len(world.table(state).rules)
    stored = [world.rule_at(state, count + number) for number in range(len(state.stored))]
    return Step(
        agent=state.agent,
        decision=column.decide(query.pattern).value,
        rule=rules[0] if rules else None,
        overrode=tuple(rules[1:]),
        hidden=gate.hides,
        stored=tuple(one for one in stored if one is not None),
        dispatch=dispatch,
        dispatch_rule=rule,
        refused=refused,
    )


def _no_agent(name: str, world: World) -> InputError:
    known = ", ".join(world.agents)
    return InputError(f"unknown agent `{name}`", id="unknown-agent", help=f"known: {known}")
