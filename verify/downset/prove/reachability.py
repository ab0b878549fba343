"""When no single fact is passed on: all combinations of facts that dispatches can lead to.

A session is abstracted to which of finitely many facts hold of it. From the combinations after
the first dispatch, one dispatch by an arbitrary session of a known combination gives new ones,
until nothing new appears; the conclusion holds at any depth if no reached combination lacks it.
The abstraction can only add combinations, so a proof is a proof.
"""

from __future__ import annotations

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


def reaches_no_violation(anywhere: Sequence[Script], prop: Descent, ledger: Ledger) -> bool:
    """Whether every combination of facts that dispatches lead to has the conclusion.

    Raises `Undecided` if the solver gives up.
    """
    reached: set[Facts] = set()
    for script in anywhere:
        reached |= beginnings(script, prop, ledger)
    waiting = list(reached)
    while waiting:
        known = waiting.pop()
        if not known[0]:
            return False
        after = [successors(script, prop, known, ledger) for script in anywhere]
        new = set().union(*after) - reached
        reached |= new
        waiting += new
    return True


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


def beginnings(script: Script, prop: Descent, ledger: Ledger) -> set[Facts]:
    """The combinations that hold of the first descendant."""
    found: set[Facts] = set()

    def tell(story: Story) -> tuple[Formula, list[Formula]]:
        subject = prop.about(story)
        start = prop.begin(story, subject)
        return start.premise, facts_of(prop, story, subject, start.descendant)

    for told in every_way(script, tell):
        premise, facts = told.result
        found |= combinations(told.story.possible & premise, facts, script, ledger)
    return found


def successors(script: Script, prop: Descent, known: Facts, ledger: Ledger) -> set[Facts]:
    """The combinations to which a dispatch leads from a session of a known combination."""
    found: set[Facts] = set()

    def tell(story: Story) -> tuple[Formula, list[Formula]]:
        subject = prop.about(story)
        above = story.arbitrary("middle")
        below = story.spawn(above, "below")
        here = exactly(known, facts_of(prop, story, subject, above))
        return here, facts_of(prop, story, subject, below)

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
