"""When no single fact is passed on: all combinations of facts that dispatches can lead to.

A session is abstracted to which of finitely many facts hold of it. From the combinations after
the first dispatch, one dispatch by an arbitrary session of a known combination gives new ones,
until nothing new appears; the conclusion holds at any depth if no reached combination lacks it.
The abstraction can only add combinations, so a proof is a proof.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from downset.design.sessions import Query
from downset.language.rules import Action
from downset.language.terms import And, Not
from downset.language.vocabulary import action, matching
from downset.prove.paths import every_way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.design.property import Descent, Fact
    from downset.design.sessions import Session
    from downset.design.story import Story
    from downset.language.terms import Formula
    from downset.prove.deciding import Ledger
    from downset.prove.replay import Script

Facts = tuple[bool, ...]
Telling = Callable[["Story"], "tuple[Formula, list[Formula]]"]


def reached(anywhere: Sequence[Script], prop: Descent, ledger: Ledger) -> set[Facts] | None:
    """All combinations of facts that dispatches lead to, `None` if one lacks the conclusion.

    Raises `Undecided` if the solver gives up.
    """
    known: set[Facts] = set()
    for script in anywhere:
        known |= beginnings(script, prop, ledger)
    waiting = list(known)
    while waiting:
        here = waiting.pop()
        if not here[0]:
            return None
        after = [successors(script, prop, here, ledger) for script in anywhere]
        new = set().union(*after) - known
        known |= new
        waiting += new
    return known


def facts_of(prop: Descent, story: Story, subject: object, session: Session) -> list[Formula]:
    """The facts of the abstraction: the conclusion first, then what the session observes."""
    facts: list[Fact] = [prop.conclude, *prop.invariants]
    found = [fact(story, subject, session) for fact in facts]
    if isinstance(subject, Query):
        decision = story.design.decide(session, subject)
        seen = session.stored.last(matching(subject.permission, subject.resource))
        found += [decision.is_(a) for a in (Action.DENY, Action.ALLOW)]
        found += [seen.seen(action == a) for a in Action]
    return found


def beginning(prop: Descent) -> Telling:
    """Tells of a first dispatch: what is said of the ancestor, and the facts of the descendant."""

    def tell(story: Story) -> tuple[Formula, list[Formula]]:
        subject = prop.about(story)
        start = prop.begin(story, subject)
        return start.premise, facts_of(prop, story, subject, start.descendant)

    return tell


def successor(prop: Descent, known: Facts) -> Telling:
    """Tells of a dispatch by a session of a known combination, and the facts of its callee."""

    def tell(story: Story) -> tuple[Formula, list[Formula]]:
        subject = prop.about(story)
        above = story.arbitrary("middle")
        below = story.spawn(above, "below")
        here = exactly(known, facts_of(prop, story, subject, above))
        return here, facts_of(prop, story, subject, below)

    return tell


def beginnings(script: Script, prop: Descent, ledger: Ledger) -> set[Facts]:
    """The combinations that hold of the first descendant."""
    return led_to(script, beginning(prop), ledger)


def successors(script: Script, prop: Descent, known: Facts, ledger: Ledger) -> set[Facts]:
    """The combinations to which a dispatch leads from a session of a known combination."""
    return led_to(script, successor(prop, known), ledger)


def led_to(script: Script, tell: Telling, ledger: Ledger) -> set[Facts]:
    """The combinations of facts in all ways of telling a story."""
    found: set[Facts] = set()
    for told in every_way(script, tell):
        here, facts = told.result
        found |= combinations(told.story.possible & here, facts, script, ledger)
    return found


def combinations(
    formula: Formula, facts: list[Formula], script: Script, ledger: Ledger
) -> set[Facts]:
    """All combinations of facts that a formula permits."""
    found: set[Facts] = set()
    query = ledger.query(formula & total(facts), script.design.matcher)
    while (combination := query.combination(facts)) is not None:
        found.add(combination)
    return found


def exactly(values: Facts, facts: list[Formula]) -> Formula:
    """The condition that facts have these values."""
    pairs = zip(values, facts, strict=True)
    return And(tuple(fact if value else Not(fact) for value, fact in pairs))


def total(facts: list[Formula]) -> Formula:
    """A condition that always holds and mentions all facts, so that they are observed."""
    return And(tuple(fact | ~fact for fact in facts))
