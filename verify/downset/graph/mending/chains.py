"""Edits against chains of agents and against the shell: what an agent may start or run is limited.

A dispatch is denied in the block of the agent that starts, one target after the other; if that is
not enough, all of them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.graph.mending.bench import Bench, Candidate
    from downset.graph.records import Member, Problem

WRITING: Final = (
    (r">", "*>*"),
    (r" --output", "* --output*"),
    (r" -delete", "* -delete*"),
    (r" -exec", "* -exec*"),
    (r"git branch -D", "git branch -*"),
    (r"sed ", "sed *"),
    (r"sort ", "sort *"),
    (r"rg ", "* --pre *"),
    (r"awk", "awk *"),
)
"""What a command that writes has in it, and a pattern of such commands."""


def dispatch_denied(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """Without the dispatches that the chains of a finding use; then without any."""
    task = bench().world.task
    targets: dict[str, dict[str, None]] = {}
    for member in problem.members:
        agent, found = _steps(bench(), member, task)
        targets.setdefault(agent, {}).update(dict.fromkeys(found))
    named = bench()
    for agent, ones in targets.items():
        for target in ones:
            named.add(named.home(agent), (task, target, "deny"))
    yield named.candidate(_told(targets))
    whole = bench()
    for agent in targets:
        whole.add(whole.home(agent), (task, "*", "deny"))
    yield whole.candidate(f"deny `{task}` to " + ", ".join(f"`{agent}`" for agent in targets))


def _told(targets: dict[str, dict[str, None]]) -> str:
    parts = [
        ", ".join(f"`{target}`" for target in ones) + f" to `{agent}`"
        for agent, ones in targets.items()
    ]
    return "deny " + "; ".join(parts)


def _steps(work: Bench, member: Member, task: str) -> tuple[str, list[str]]:
    """The agent above, and what it may start that leads to what a finding is about."""
    agent = member.ancestor.agent
    place = member.chain.index(agent)
    first = member.chain[place + 1]
    column = work.world.own(agent, task)
    direct = [name for name in member.others if column.decide(name).value != "deny"]
    return agent, [first, *direct]


def shell_asked(problem: Problem, bench: Callable[[], Bench], shell: str) -> Iterator[Candidate]:
    """Agents that may not edit ask before they run anything that is not named."""
    work = bench()
    for agent in problem.subject.split(", "):
        work.add(work.home(agent), (shell, "*", "ask"))
    yield work.candidate(f"ask before any command under `{shell}` that no rule names")


def writes_asked(problem: Problem, bench: Callable[[], Bench], shell: str) -> Iterator[Candidate]:
    """Rules at the end that deny the commands that can write."""
    work = bench()
    commands = [found[1] for line in problem.details if (found := re.match("`([^`]*)`", line))]
    patterns = [pattern for sign, pattern in WRITING if any(re.search(sign, c) for c in commands)]
    for agent in problem.subject.split(", "):
        for pattern in patterns:
            work.add(work.home(agent), (shell, pattern, "deny"))
    yield work.candidate(f"deny {', '.join(f'`{pattern}`' for pattern in patterns)}")
