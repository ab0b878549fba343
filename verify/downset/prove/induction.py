"""From one dispatch to any depth: facts that every dispatch passes on.

While a callee runs its caller waits, so a stack of dispatches is a chain in which nothing else
moves. If the first dispatch establishes a fact about the callee, every dispatch by an *arbitrary*
session passes the fact on, and the fact implies the conclusion, then the conclusion holds at any
depth (`theory.md`, section 5).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from downset.design.story import Reach
from downset.language.terms import And, Not
from downset.prove.paths import every_way
from downset.prove.replay import Script

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.design.property import Descent, Fact
    from downset.design.story import Story
    from downset.language.terms import Formula
    from downset.prove.deciding import Ledger


def carried_by(script: Script, prop: Descent, ledger: Ledger) -> str | None:
    """The name of a fact that carries the conclusion to any depth, `None` if none does.

    Raises `Undecided` if the solver gives up.
    """
    anywhere = Script(script.design, prop, Reach.ANY, allowed=script.allowed)
    for fact in candidates(prop):
        if all(unsatisfiable(anywhere, tell, ledger) for tell in obligations(prop, fact)):
            return fact.__doc__ or fact.__name__
    return None


def candidates(prop: Descent) -> Iterator[Fact]:
    """The facts that are tried: the conclusion, the invariants, and both together."""
    yield prop.conclude
    yield from prop.invariants
    for one, two in combinations((prop.conclude, *prop.invariants), 2):
        yield both(one, two)


def both(one: Fact, two: Fact) -> Fact:
    """Two facts as one."""

    def fact(story: Story, subject: object, session: object) -> Formula:
        return one(story, subject, session) & two(story, subject, session)  # type: ignore[arg-type]

    fact.__doc__ = f"{one.__doc__} {two.__doc__}"
    return fact


def obligations(prop: Descent, fact: Fact) -> list[Callable[[Story], Formula]]:
    """What must be unsatisfiable: the fact fails to begin, to be passed on, or to imply."""

    def begins(story: Story) -> Formula:
        subject = prop.about(story)
        start = prop.begin(story, subject)
        return start.premise & Not(fact(story, subject, start.descendant))

    def passes_on(story: Story) -> Formula:
        subject = prop.about(story)
        above = story.any_session("middle")
        below = story.spawn(above, "below")
        return fact(story, subject, above) & Not(fact(story, subject, below))

    def implies(story: Story) -> Formula:
        subject = prop.about(story)
        session = story.any_session("middle")
        return And((fact(story, subject, session), Not(prop.conclude(story, subject, session))))

    return [begins, passes_on] if fact is prop.conclude else [begins, passes_on, implies]


def unsatisfiable(script: Script, tell: Callable[[Story], Formula], ledger: Ledger) -> bool:
    """Whether no way of telling a story makes its formula true."""
    matcher = script.design.matcher
    return all(
        ledger.solve(told.story.possible & told.result, matcher) is None
        for told in every_way(script, tell)
    )
