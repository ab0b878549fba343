"""Agents that may not edit, and write through the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.graph.lints.blocks import Lint, problem
from downset.graph.records import Severity, Witness
from downset.graph.sessions import State
from downset.graph.tools import shell_name
from downset.language.automata import SearchLimit
from downset.language.kinds import PATH
from downset.language.lists import NOT_DENY, witness
from downset.language.rules import ALLOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Problem
    from downset.graph.sessions import World

OPEN: Final = "tee src/app.ts < new.ts"
"""A command that nobody allows by name."""
WRITING: Final = (
    "git log --output=src/app.ts",
    "git diff --output=src/app.ts",
    "git branch -D main",
    "find . -delete",
    "find . -exec rm {} +",
    "cat a > src/app.ts",
    "echo x > src/app.ts",
    "grep -r x . > src/app.ts",
    "ls > src/app.ts",
    "sed -i s/a/b/ src/app.ts",
    "sort -o src/app.ts a",
    "rg --pre sh x",
    "awk 'BEGIN{system(\"rm a\")}'",
)


def shell_open(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Agents whose edits are denied by a written rule, and whose commands are not limited."""
    world = graph.world
    found = [name for name in _cannot_edit(world, written) if _allowed(world, name, OPEN)]
    if not found:
        return []
    names = ", ".join(f"`{name}`" for name in found)
    verbs = ("denies", "runs") if len(found) == 1 else ("deny", "run")
    rules = [rule for name in found if (rule := _edit_rule(world, name)) is not None]
    return [
        problem(
            "shell-open",
            Severity.WARNING,
            f"{names} {verbs[0]} edit, but {verbs[1]} any command unasked, which can write as well",
            list(dict.fromkeys(rules)),
            help=f'limit "{shell_name(world.release)}" too: {{"*": "ask"}} or {{"*": "deny"}}',
            witness=Witness(shell_name(world.release), OPEN),
            subject=", ".join(found),
        )
    ]


def shell_writes(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Agents that are not to edit, whose few allowed commands can write files all the same."""
    world = graph.world
    groups: dict[tuple[str, ...], list[str]] = {}
    for name in _cannot_edit(world, written):
        leaks = tuple(command for command in WRITING if _allowed(world, name, command))
        if leaks and not _allowed(world, name, OPEN):
            groups.setdefault(leaks, []).append(name)
    return [_leak(world, agents, leaks) for leaks, agents in groups.items()]


def _leak(world: World, agents: Sequence[str], leaks: Sequence[str]) -> Problem:
    shell = shell_name(world.release)
    rules = [_rule(world, agents[0], shell, command) for command in leaks]
    names = ", ".join(f"`{name}`" for name in agents)
    verb = "denies" if len(agents) == 1 else "deny"
    found = [rule for rule in dict.fromkeys(rules) if rule is not None]
    return problem(
        "shell-writes",
        Severity.WARNING,
        f"{names} {verb} edit, but the commands that are allowed can write: `{leaks[0]}`",
        found,
        details=[
            f"`{command}`" + (f" by `{rule.rule}`" if rule else "")
            for command, rule in zip(leaks, rules, strict=True)
        ],
        help="deny what writes behind the allow rules: `* > *`, `* --output*`, `find * -delete*`",
        witness=Witness(shell, leaks[0]),
        subject=", ".join(agents),
    )


def _cannot_edit(world: World, written: Sequence[Block]) -> list[str]:
    """Agents that may edit nothing, because of a rule that somebody wrote."""
    found = []
    for agent in world.agents.values():
        column = world.own(agent.name, "edit")
        rule = _edit_rule(world, agent.name)
        if agent.hidden or rule is None or rule.place.file is None:
            continue
        try:
            if witness((column.ls,), (NOT_DENY,), PATH) is None:
                found.append(agent.name)
        except SearchLimit:
            written[0].give_up("shell-open", rule)
    return found


def _edit_rule(world: World, name: str) -> PlacedRule | None:
    return _rule(world, name, "edit", "src/app.ts")


def _rule(world: World, name: str, permission: str, text: str) -> PlacedRule | None:
    number = world.own(name, permission).rule(text)
    return None if number is None else world.agents[name].rules[number]


def _allowed(world: World, name: str, command: str) -> bool:
    column = world.column(State(name), shell_name(world.release))
    return not column.hides and column.decide(command) is ALLOW


LINTS: Final = (
    Lint("shell-open", Severity.WARNING, "edit denied, any command allowed", shell_open),
    Lint("shell-writes", Severity.WARNING, "allowed commands that write", shell_writes),
)
