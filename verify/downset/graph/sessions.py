"""The sessions that a configuration can lead to: an agent, and what its session stores.

Sessions that run the same agent on the same stored rules are one state, whatever chain leads to
it, so that cycles and depth cost nothing.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> world = World(resolve({"agent": {"ro": {"permission": {"edit": "deny"}}}}, release("1.18.2")))
>>> plan = world.roots()[1]
>>> world.column(plan, "edit").decide("src/a.ts"), world.dispatch(plan, "general").decision
(<Action.DENY: 'deny'>, <Action.DENY: 'deny'>)
>>> str(world.child(plan, "ro").stored[-1])
'task * deny'
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from downset.config.nodes import Place
from downset.config.rules_from import Layer
from downset.graph.columns import Table, joined
from downset.graph.records import Location, RuleAt
from downset.graph.spawning import Spawner
from downset.graph.tools import dispatch_name, permissions, unlisted
from downset.language.rules import DENY, Rule

if TYPE_CHECKING:
    from downset.config.agents import AgentConfig
    from downset.config.project import Project
    from downset.config.rules_from import PlacedRule
    from downset.graph.columns import Column
    from downset.graph.tools import Asked
    from downset.language.rules import Action, Ruleset

__all__ = ["Dispatch", "Place", "Rule", "State", "World", "location"]


_PROGRAM = frozenset({Layer.DEFAULTS, Layer.BUILT_IN, Layer.TOOL_OUTPUT})


class State(NamedTuple):
    """A session: its agent, the rules it stores, and how many sessions are above it.

    The depth is 0 wherever it does not matter.
    """

    agent: str
    stored: Ruleset = ()
    depth: int = 0


@dataclass(frozen=True)
class Dispatch:
    """Whether one session may start another agent, and which rule says so.

    `why` says what else stands in the way: the tool is hidden, the depth, the mode of the target.
    """

    target: str
    decision: Action
    rule: RuleAt | None
    why: str = ""

    @property
    def possible(self) -> bool:
        """Whether the dispatch can happen, perhaps after a question."""
        return self.decision is not DENY and not self.why


class World:
    """The agents of a project, their rules by permission, and what dispatches make of them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.release = project.release
        self.spawner = Spawner(project)
        self.agents: dict[str, AgentConfig] = {agent.name: agent for agent in project.active}
        self.task = dispatch_name(project.release)
        self._tables: dict[object, Table] = {}
        self._columns: dict[tuple[str, int, str], tuple[Ruleset, Column]] = {}
        self._places = {
            placed.rule.origin: placed for agent in project.active for placed in agent.rules
        }

    @cached_property
    def asked(self) -> tuple[Asked, ...]:
        """The permissions there are; the last stands for all tools that are not the program's."""
        written = {
            placed.rule.permission
            for agent in self.agents.values()
            for placed in agent.rules
            if placed.layer not in _PROGRAM and not set("*?") & set(placed.rule.permission)
        }
        known = permissions(self.project)
        others = sorted(written - {asked.permission for asked in known})
        return (*known, unlisted(self.project, others))

    # --- sessions ---

    def roots(self) -> list[State]:
        """A session of each agent that users can start, as it begins."""
        return [State(agent.name) for agent in self.agents.values() if is_for_users(agent)]

    def child(self, state: State, target: str) -> State:
        """The session that a dispatch leads to."""
        stored = self.spawner.spawn(state.agent, state.stored, target)
        return State(target, stored, state.depth + 1 if self.limit is not None else 0)

    @property
    def limit(self) -> int | None:
        """How many dispatches can be nested, `None` if any number."""
        return self.project.subagent_depth

    # --- rules ---

    def table(self, state: State) -> Table:
        """The agent's own rules."""
        found = self._tables.get(state.agent)
        return found or self._table(state.agent, self.agents[state.agent].ruleset)

    def column(self, state: State, permission: str) -> Column:
        """The rules in force for a permission, the agent's and then the session's."""
        key = (state.agent, id(state.stored), permission)
        stored, found = self._columns.get(key, (None, None))
        if found is None or stored is not state.stored:
            found = self._joined(state, permission)
            self._columns[key] = (state.stored, found)
        return found

    def _joined(self, state: State, permission: str) -> Column:
        own = self.table(state)
        stored = self._table(state.stored, state.stored)
        return joined(own.column(permission), stored.column(permission), len(own.rules))

    def own(self, agent: str, permission: str) -> Column:
        """The rules of an agent alone for a permission."""
        return self.column(State(agent), permission)

    def rule_at(self, state: State, number: int | None) -> RuleAt | None:
        """A rule in force, with its layer and place."""
        if number is None:
            return None
        rules = self.agents[state.agent].rules
        if number < len(rules):
            return placed_rule(rules[number])
        return self._stored_rule(state.stored[number - len(rules)])

    def deciding(self, state: State, permission: str, resource: str) -> RuleAt | None:
        """The rule that decides a query in a session."""
        return self.rule_at(state, self.column(state, permission).rule(resource))

    # --- dispatches ---

    def dispatch(self, state: State, target: str) -> Dispatch:
        """Whether a session may start an agent, by the model's own choice."""
        column = self.column(state, self.task)
        rule = self.deciding(state, self.task, target)
        return Dispatch(target, column.decide(target), rule, self._obstacle(state, target, column))

    def dispatches(self, state: State) -> list[str]:
        """The agents that a session may start."""
        column = self.column(state, self.task)
        return [
            target
            for target in self.agents
            if column.decide(target) is not DENY and not self._obstacle(state, target, column)
        ]

    def may_start(self, state: State) -> bool:
        """Whether a session is not yet at the limit of nested dispatches."""
        return self.limit is None or state.depth < self.limit

    def _obstacle(self, state: State, target: str, column: Column) -> str:
        if not self.may_start(state):
            return f"the limit of {self.limit} nested dispatches"
        if self.spawner.design.refuses_users_only and self.agents[target].mode == "primary":
            return "its mode, primary"
        own = self.spawner.visible_is_agents()
        hides = self.own(state.agent, self.task).hides if own else column.hides
        return "that the tool is hidden" if hides else ""

    # --- details ---

    def _table(self, key: object, rules: Ruleset) -> Table:
        if key not in self._tables:
            self._tables[key] = Table(self.release.matcher, rules)
        return self._tables[key]

    def _stored_rule(self, rule: Rule) -> RuleAt:
        placed = self._places.get(rule.origin)
        fields = rule.permission, rule.pattern, rule.action.value
        if placed is None:
            return RuleAt(*fields, f"session: {rule.origin or 'carried over'}")
        layer = f"session: carried over from {placed.layer.value}"
        return RuleAt(*fields, layer, location(placed.place))


def is_for_users(agent: AgentConfig) -> bool:
    """Whether a user can start a session with an agent."""
    return not (agent.disabled or agent.hidden or agent.mode == "subagent")


def placed_rule(placed: PlacedRule) -> RuleAt:
    """A rule of a configuration as plain data."""
    rule = placed.rule
    place = location(placed.place)
    return RuleAt(rule.permission, rule.pattern, rule.action.value, placed.layer.value, place)


def location(place: Place) -> Location | None:
    """A place as plain data, `None` if there is none.

    >>> str(location(Place("a.json", 2, 3)))
    'a.json:2:3'
    """
    return None if place.file is None else Location(place.file, place.line, place.column)
