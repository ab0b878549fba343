"""From a solver's answer to a counterexample: replayed, shrunk, with as few rules as can be."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from downset.prove.query import Undecided
from downset.prove.rendering import misread_story
from downset.prove.replay import replay
from downset.prove.shrink import Shrinker, size
from downset.prove.trace import Teller

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.language.concrete import Assignment
    from downset.language.terms import Formula
    from downset.prove.query import Query
    from downset.prove.replay import Script
    from downset.verdicts import Counterexample


MERGES = (("earlier", "callee"), ("other caller", "caller"), ("callee 2", "callee"))


class ReadingsDiffer(Exception):
    """The concrete reading does not confirm what the solver found: one of the two is wrong."""


@dataclass(frozen=True)
class Refutation:
    """A story that refutes a property: its rules and texts, or a result that is misread."""

    script: Script
    given: Assignment
    result: tuple[tuple[str, str], ...] = ()

    def counterexample(self) -> Counterexample:
        """The story for people."""
        told = Teller(self.script, replay(self.script, self.given)).counterexample()
        return misread_story(told, self.script, dict(self.result)) if self.result else told


def refutation(script: Script, query: Query, wish: Formula) -> Refutation | None:
    """The smallest refutation found of the story's claim, `None` if there is none.

    `wish` is what the story should be like if it can. Raises `ReadingsDiffer` if the replay does
    not confirm what the solver found, `Undecided` if the solver gives up.
    """
    given = query.solve()
    if given is None:
        return None
    query.prefer(wish)
    given = smallest(query, query.solve() or given, partial(confirmed, script))
    return Refutation(with_fewer_agents(script, given), given)


def smallest(
    query: Query, given: Assignment, confirm: Callable[[Assignment], Assignment]
) -> Assignment:
    """An assignment with as few rules as possible; `confirm` replays one and makes it plainer."""
    best = confirm(given)
    while size(best) > 0:
        query.at_most(size(best) - 1)
        try:
            fewer = query.solve()
        except Undecided:
            break
        if fewer is None:
            break
        best = confirm(fewer)
    return best


def confirmed(script: Script, given: Assignment) -> Assignment:
    """The assignment, shrunk, after the concrete reading has confirmed it."""
    told = replay(script, given)
    if not told.fails:
        message = f"{script.design.id} {script.prop.id}: the replay does not confirm the solver"
        raise ReadingsDiffer(message)

    def fails(candidate: Assignment) -> bool:
        tried = replay(script, candidate)
        return tried.fails and tried.skipped <= told.skipped

    design = script.design
    return Shrinker(fails, design.tools, design.permission_modes).shrink(given)


def with_fewer_agents(script: Script, given: Assignment) -> Script:
    """The same way of telling, with agents merged that need not be different."""
    for merged in MERGES:
        fewer = replace(script, same=(*script.same, merged))
        if replay(fewer, given).fails:
            script = fewer
    return script
