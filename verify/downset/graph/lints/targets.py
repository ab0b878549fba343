"""What rules say about other agents and servers: dangling names, lifted guards, open servers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.graph.lints.blocks import Lint, problem, shown
from downset.graph.records import Problem, Severity, Witness
from downset.graph.sessions import State, is_for_users, location
from downset.graph.tools import UNLISTED, dispatch_name
from downset.language.rules import ALLOW, DENY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Location
    from downset.graph.sessions import World


def dangling(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Rules about agents that do not exist."""
    world = graph.world
    found = []
    for block in written:
        for _, rule in block.written:
            if rule.rule.permission == world.task and not _matches_any(world, rule):
                found.append(_dangling(block, rule))
    return found


def _matches_any(world: World, rule: PlacedRule) -> bool:
    return any(world.release.matcher.matches(name, rule.rule.pattern) for name in world.agents)


def _dangling(block: Block, rule: PlacedRule) -> Problem:
    gone = block.world.project.agents.get(rule.rule.pattern)
    why = "is disabled" if gone is not None and gone.disabled else "does not exist"
    return problem(
        "dangling-target",
        Severity.NOTE if rule.rule.action is DENY else Severity.WARNING,
        f"{shown(rule)} of {block.name} is about an agent that {why}",
        [rule],
        help="known are " + ", ".join(block.world.agents),
        subject=block.agent,
    )


def guard_lifted(graph: CallGraph, _written: Sequence[Block]) -> list[Problem]:
    """Agents of which a child may start others, because some rule mentions the dispatch tool.

    Any rule under that name switches off the default deny for children, whatever it says
    (opencode.md, H6).
    """
    world = graph.world
    if world.release.engine > 1 or not world.release.since(1, 1, 16):
        return []
    found: dict[PlacedRule, list[tuple[str, str]]] = {}
    for agent in world.agents.values():
        rule = next((r for r in agent.rules if _is_written_task(world, r)), None)
        target = _unnamed_target(world, agent.name)
        if rule is not None and target is not None:
            found.setdefault(rule, []).append((agent.name, target))
    return [_lifted(world, rule, pairs) for rule, pairs in found.items()]


def _is_written_task(world: World, rule: PlacedRule) -> bool:
    return rule.rule.permission == world.task and rule.place.file is not None


def _unnamed_target(world: World, name: str) -> str | None:
    """An agent that may be started though no rule under the tool's name allows it."""
    column = world.own(name, world.task)
    for target in world.agents:
        number = column.rule(target)
        rule = None if number is None else world.agents[name].rules[number].rule
        named = rule is not None and rule.permission == world.task
        if column.decide(target) is not DENY and not named:
            return target
    return None


def _lifted(world: World, rule: PlacedRule, pairs: Sequence[tuple[str, str]]) -> Problem:
    limited = world.limit is not None and world.limit <= 1
    name, target = pairs[0]
    many = f"{len(pairs)} agents" if len(pairs) > 1 else f"`{name}`"
    masked = f"; the limit of {world.limit} nested dispatches hides it for now" if limited else ""
    return problem(
        "guard-lifted",
        Severity.NOTE if limited else Severity.ERROR,
        f"{shown(rule)} lifts the default that children start no agents: as a child, {many} may "
        f"start any agent that it does not name, such as `{target}`{masked}",
        [rule],
        help=f'put a base rule first: "{world.task}": {{"*": "deny", …}}',
        witness=Witness(world.task, target),
        subject=name if len(pairs) == 1 else "",
    )


def open_servers(graph: CallGraph, _written: Sequence[Block]) -> list[Problem]:
    """Servers of tools about which no written rule decides, so that everything is allowed."""
    world = graph.world
    users = [agent.name for agent in world.agents.values() if is_for_users(agent)]
    found = {
        name: agents
        for name in world.project.mcp_servers
        if (agents := [agent for agent in users if _is_open(world, agent, f"{name}_tool")])
    }
    if not found:
        return []
    names = ", ".join(f"`{name}`" for name in found)
    first = next(iter(found))
    places = [location(world.project.mcp_servers[name]) for name in found]
    return [
        Problem(
            "open-server",
            Severity.WARNING,
            f"no rule is about the tools of {names}: {_agents(found[first])} may use all of them "
            "unasked",
            locations=tuple(_known(places)),
            help=f'add a rule for them: "{first}_*": "ask"',
            subject=", ".join(found),
            witness=Witness(f"{first}_tool", "*"),
        )
    ]


def _known(places: Sequence[Location | None]) -> list[Location]:
    return [place for place in places if place is not None]


def _agents(names: Sequence[str]) -> str:
    return f"`{names[0]}`" if len(names) == 1 else f"{len(names)} agents"


def _is_open(world: World, agent: str, tool: str) -> bool:
    column = world.own(agent, UNLISTED)
    number = column.rule(tool)
    rule = None if number is None else world.agents[agent].rules[number]
    written = rule is not None and rule.place.file is not None
    return column.decide(tool) is ALLOW and not written


def environment_files(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Written rules that allow reading `.env`, which is asked about by default."""
    found = []
    for block in written:
        column = block.table.column("read")
        number = column.rule(".env" if graph.world.release.read_base == "worktree" else "/a/.env")
        rule = None if number is None else block.rules[number]
        if number in block.numbers and rule is not None and _is_wide_allow(rule):
            found.append(_exposed(block, rule))
    return found


def _is_wide_allow(rule: PlacedRule) -> bool:
    return rule.rule.action is ALLOW and "env" not in rule.rule.pattern


def _exposed(block: Block, rule: PlacedRule) -> Problem:
    return problem(
        "env-exposed",
        Severity.WARNING,
        f"{shown(rule)} of {block.name} also allows to read `.env`, which the program would ask "
        "about",
        [rule],
        help='add behind it "*.env": "ask" and "*.env.*": "ask"',
        witness=Witness("read", ".env"),
        subject=block.agent,
    )


__all__ = ["LINTS", "State", "dispatch_name"]
LINTS: Final = (
    Lint("dangling-target", Severity.WARNING, "a rule about an unknown agent", dangling),
    Lint("guard-lifted", Severity.ERROR, "a rule lets children start agents", guard_lifted),
    Lint("open-server", Severity.WARNING, "a server of tools without a rule", open_servers),
    Lint("env-exposed", Severity.WARNING, "`.env` can be read unasked", environment_files),
)
