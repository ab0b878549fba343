"""From a configuration object to the agents of a scene, for releases of opencode.

>>> from downset.config.releases import release
>>> newest_of_class(release("1.1.16")).name, newest_of_class(release("1.17.2")).name
('opencode@1.3.2', 'opencode@1.18.1')
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Final

from downset.config.project import resolve
from downset.config.releases import KeyOrder, release
from downset.errors import InputError
from downset.scenarios.stage import Cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.project import AgentConfig, Project
    from downset.config.releases import Release

NEWEST: Final = "1.18.34"
NO_LIMIT: Final = 30
MINORS, PATCHES = range(1, 19), range(66)


@dataclass(frozen=True)
class Company:
    """The agents of a configuration under one release, made when they are asked for."""

    project: Project

    @property
    def primary(self) -> tuple[str, ...]:
        """The tools reserved for sessions that users open."""
        return self.project.primary_tools

    @property
    def limit(self) -> int:
        """How many nested dispatches are permitted; many where there is no limit."""
        depth = self.project.subagent_depth
        return NO_LIMIT if depth is None else depth

    def cast(self, name: str) -> Cast:
        """The agent with a name, as the program would have it."""
        return cast_of(self.project.agent(name))


def cast_of(agent: AgentConfig) -> Cast:
    """An agent of a configuration as one of a scene."""
    return Cast(agent.ruleset, users_only=agent.mode == "primary")


def company(config: Mapping[str, object], row: Release) -> Company:
    """The agents of a configuration as one release has them. Raises `InputError`."""
    return Company(resolve(config, row))


def reading_row(row: Release, *, sorted_keys: bool = False) -> Release:
    """How a check reads a configuration: as the newest release, with the class's own built-ins.

    What a semantics names is a class of spawn rules; its built-in agents are those of the newest
    release of the class, so that `plan` may dispatch `general` until 1.17.2 as it really could.
    """
    if row.engine > 1:
        return row
    order = KeyOrder.WILDCARDS_FIRST if sorted_keys else KeyOrder.USER
    newest = release(NEWEST)
    return replace(newest, version=newest_of_class(row).version, key_order=order)


@cache
def newest_of_class(row: Release) -> Release:
    """The newest release with the same spawn rules."""
    same = [other for other in every_release() if other.spawn == row.spawn]
    return max(same, key=lambda other: other.version, default=row)


@cache
def every_release() -> tuple[Release, ...]:
    """Every release of the first engine that the table of releases knows."""
    rows = [known(f"1.{minor}.{patch}") for minor in MINORS for patch in PATCHES]
    return (release("1.0.224"), *(row for row in rows if row is not None))


def known(name: str) -> Release | None:
    """The release with a name, if there is one."""
    try:
        return release(name)
    except InputError:
        return None
