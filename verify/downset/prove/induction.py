"""From one dispatch to any depth: facts that every dispatch passes on.

While a callee runs its caller waits, so a stack of dispatches is a chain in which nothing else
moves. If the first dispatch establishes a fact about the callee, every dispatch by an *arbitrary*
session passes the fact on, and the fact implies the conclusion, then the conclusion holds at any
depth (`theory.md`, section 5).
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from downset.language.terms import Not

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.design.property import Descent, Fact
    from downset.design.story import Story
    from downset.language.terms import Formula


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


def obligations(prop: Descent, fact: Fact) -> list[Callable[[Story], list[Formula]]]:
    """What must be unsatisfiable: the fact fails to begin, to be passed on, or to imply."""

    def begins(story: Story) -> list[Formula]:
        subject = prop.about(story)
        start = prop.begin(story, subject)
        return [start.premise & Not(fact(story, subject, start.descendant))]

    def passes_on(story: Story) -> list[Formula]:
        subject = prop.about(story)
        above = story.arbitrary("middle")
        below = story.spawn(above, "below")
        return [fact(story, subject, above) & Not(fact(story, subject, below))]

    def implies(story: Story) -> list[Formula]:
        subject = prop.about(story)
        session = story.arbitrary("middle")
        return [fact(story, subject, session) & Not(prop.conclude(story, subject, session))]

    return [begins, passes_on] if fact is prop.conclude else [begins, passes_on, implies]
