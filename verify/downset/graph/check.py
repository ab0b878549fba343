"""Everything there is to find in a configuration: the properties of its chains, and the lints.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> checked = check(resolve({"agent": {"ro": {"permission": {"edit": "deny"}}}},
...     release("1.18.2")))
>>> [problem.id for problem in checked.problems if problem.severity is Severity.ERROR]
['no-escalation']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.graph.approvals import approval_bounded
from downset.graph.callgraph import CallGraph
from downset.graph.escalations import ask_preserved, no_escalation
from downset.graph.grants import no_lost_grant
from downset.graph.lints import run_lints
from downset.graph.records import Problem, Severity, ordered
from downset.graph.recursion import recursion
from downset.graph.resuming import resume_safe
from downset.graph.sessions import World, location

if TYPE_CHECKING:
    from downset.config.findings import Finding
    from downset.config.project import Project

__all__ = ["Checked", "Severity", "check"]


@dataclass(frozen=True)
class Checked:
    """What was found, and in how much was looked for it."""

    release: str
    agents: int
    users: int
    states: int
    problems: tuple[Problem, ...]
    undetermined: tuple[str, ...] = ()
    files: tuple[str, ...] = ()


def check(project: Project) -> Checked:
    """Check the chains and the rules of a project; the worst comes first."""
    world = World(project)
    graph = CallGraph(world)
    problems = [_of_loader(finding) for finding in project.findings]
    unknown = [f"more than {len(graph.states)} sessions"] if graph.cut else []
    for prop in (no_escalation, ask_preserved, no_lost_grant, approval_bounded, resume_safe):
        found, given_up = prop(graph)
        problems += found
        unknown += [f"{prop.__name__.replace('_', '-')}: {what}" for what in given_up]
    problems += recursion(graph)
    found, given_up = run_lints(graph)
    problems, unknown = problems + found, unknown + given_up
    return Checked(
        release=project.release.name,
        agents=len(world.agents),
        users=len(world.roots()),
        states=len(graph.states),
        problems=tuple(ordered(problems)),
        undetermined=tuple(unknown),
        files=tuple(f"{file.path} ({file.layer.value})" for file in project.files_read),
    )


def _of_loader(finding: Finding) -> Problem:
    """What loading the files had to say."""
    place = location(finding.place)
    return Problem(
        id=finding.id,
        severity=Severity(finding.severity.value),
        message=finding.message,
        locations=(place,) if place else (),
        help=finding.help or "",
        subject=place.file if place else "",
    )
