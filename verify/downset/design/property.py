"""The central idea: a property is a function that tells a story and makes a claim about its end.

From the claim comes one formula, `violation`, which is unsatisfiable exactly when the property
holds of every story of that shape. Everything else in the toolkit (the encoding, the cutoff, the
induction over depth) exists to decide that formula for rulesets of any length and call trees of
any depth.

>>> @claims("tool-free", "a session never denies", formula="E_s(q) != deny")
... def tool_free(story):
...     session, query = story.session(), story.query()
...     return Claim(TRUE, ~story.design.decide(session, query).denies)
>>> tool_free.id
'tool-free'
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from downset.design.sessions import Query, Session, Tool
from downset.language.terms import EMPTY, TRUE, Formula

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.rendering import Rendering
    from downset.design.story import Story
    from downset.language.terms import Word

SPAWN_EVENTS = ("open", "spawn", "prompt")
CHANGES = ("patch", "switch", "user-prompt", "mode", "share")
"""What users do to a session that has begun."""
RESUME_EVENTS = (*SPAWN_EVENTS, "resume", *CHANGES)


@dataclass(frozen=True)
class Claim:
    """What a story is about (`premise`) and what must then hold (`conclusion`).

    `query`, `tool` and `shown` say for people which decisions the claim is about.
    """

    premise: Formula
    conclusion: Formula
    query: Query | None = None
    tool: Tool | None = None
    shown: tuple[tuple[str, Session], ...] = ()
    approved: Word = EMPTY
    rendering: Rendering | None = None
    nesting: bool = False
    """Whether the claim is about how deep the shown sessions may dispatch."""
    modes: bool = False
    """Whether the claim is about what the modes of the shown sessions decide, rules apart."""
    documented: bool = False
    """Whether the claim compares with what the documentation says."""


def violation(story: Story, claim: Claim) -> Formula:
    """The formula that is unsatisfiable exactly when the claim holds of the story."""
    return story.possible & claim.premise & ~claim.conclusion


def premise(story: Story, claim: Claim) -> Formula:
    """The formula that is unsatisfiable exactly when the claim is vacuous for the story."""
    return story.possible & claim.premise


@dataclass(frozen=True)
class Property:
    """A named property: what it says, who asked for it, and the claim it makes of a story.

    `needs` returns the reason why the property makes no sense for a design, or an empty text.
    `events` are those it quantifies over.
    """

    id: str
    sentence: str
    formula: str
    asked_by: str
    claim: Callable[[Story], Claim]
    events: tuple[str, ...] = SPAWN_EVENTS
    needs: Callable[[Design], str] = lambda _: ""


Subject = Query | Tool


@dataclass(frozen=True)
class Beginning:
    """How a story that goes down a stack of dispatches begins: what the ancestor has."""

    premise: Formula
    ancestor: Session
    descendant: Session


Fact = Callable[["Story", Any, Session], Formula]
"""Something that may be said of one session and a subject (a query or a tool)."""


@dataclass(frozen=True)
class Descent(Property):
    """A property of every descendant on the stack below a session.

    `about` makes the subject, `begin` tells the first dispatch (or resume), `conclude` is what
    must hold of the descendant. `invariants` are facts about one session that may be passed on by
    every dispatch and so carry the proof to any depth; the conclusion itself is always tried.
    """

    about: Callable[[Story], Subject] = lambda story: story.query()
    begin: Callable[[Story, Any], Beginning] = lambda *_: NotImplemented
    conclude: Fact = lambda *_: TRUE
    invariants: tuple[Fact, ...] = ()


def claims(
    name: str,
    sentence: str,
    *,
    formula: str,
    asked_by: str = "",
    events: tuple[str, ...] = SPAWN_EVENTS,
    needs: Callable[[Design], str] = lambda _: "",
) -> Callable[[Callable[[Story], Claim]], Property]:
    """Make a property out of a function from a story to a claim."""

    def make(claim: Callable[[Story], Claim]) -> Property:
        return Property(name, sentence, formula, asked_by, claim, events, needs)

    return make


def descends(
    name: str,
    sentence: str,
    *,
    formula: str,
    asked_by: str = "",
    events: tuple[str, ...] = SPAWN_EVENTS,
    needs: Callable[[Design], str] = lambda _: "",
    about: Callable[[Story], Subject] = lambda story: story.query(),
    conclude: Fact,
    invariants: tuple[Fact, ...] = (),
) -> Callable[[Callable[[Story, Any], Beginning]], Property]:
    """Make a property of all descendants out of a function that tells the first dispatch."""

    def make(begin: Callable[[Story, Any], Beginning]) -> Property:
        def claim(story: Story) -> Claim:
            subject = about(story)
            start = begin(story, subject)
            last = start.descendant
            for step in range(story.more):
                last = story.spawn(last, f"callee {step + 2}")
            return Claim(
                start.premise,
                conclude(story, subject, last),
                subject if isinstance(subject, Query) else None,
                subject if isinstance(subject, Tool) else None,
                (("ancestor", start.ancestor), ("descendant", last)),
            )

        columns = (name, sentence, formula, asked_by, claim, events, needs)
        return Descent(*columns, about, begin, conclude, invariants)

    return make
