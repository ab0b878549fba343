"""Designs that ask Python, not the language: what the solver is told is not what is run.

An expression node, text, number or session can be compared with `==` and its fields be read, and
the answer is another one when the design is run on real sessions. Each fails on real rules.
"""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.worlds import World

from downset.catalogue import load_properties
from downset.design.design import Design
from downset.design.sessions import Query
from downset.errors import InputError
from downset.language.rules import ALLOW, DENY, Rule
from downset.language.terms import EMPTY, Fixed, LanguageError
from downset.language.vocabulary import denied
from downset.prove.prover import prove
from downset.verdicts import Status

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

    from downset.design.sessions import Agent, Config, Session
    from downset.language.terms import Decision, Formula, Word

EDIT = Query.of("edit", "src/app.ts")
NO_EDIT, MAY_EDIT = (Rule("edit", "*", DENY),), (Rule("edit", "*", ALLOW),)


class Fails(Design):
    """A design with a demonstration that a property does not hold of it."""

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return self.effective(caller)

    def fails(self) -> bool:
        """Whether it fails on real rules."""
        return lost(World(self), depth=1)


class LosesIfEmpty(Fails):
    """`==` with the empty ruleset is false of every ruleset that is not known yet."""

    id = "test/loses-if-empty"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY if caller.stored == EMPTY else self.effective(caller)

    def fails(self) -> bool:
        world = World(self)
        root, child = world.chain([NO_EDIT, MAY_EDIT], ())
        return (world.decides(root, EDIT), world.decides(child, EDIT)) == (DENY, ALLOW)


class LosesAtDepthOne(Fails):
    """The depth of a session that stands for all is a variable, plus nothing."""

    id = "test/loses-at-depth-one"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY if caller.depth.plus == 1 else caller.stored.where(denied)

    def fails(self) -> bool:
        return lost(World(self), depth=2)


class LosesAtTheThird(Fails):
    """Two callers above are more than a session that stands for all is given, or varied by."""

    id = "test/loses-at-the-third"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        above = caller.caller
        deep = above is not None and above.caller is not None
        return EMPTY if deep else caller.stored.where(denied)

    def fails(self) -> bool:
        return lost(World(self), depth=3)


class FreesALiteral(Fails):
    """A query that stands for all has no literal text."""

    id = "test/frees-a-literal"

    def decide(self, session: Session, query: Query) -> Decision:
        freed = session.dispatched and query.permission.literal == "edit"
        return Fixed(ALLOW) if freed else super().decide(session, query)


class LetsItselfThrough(Fails):
    """A dispatch of one's own agent skips the check; only what is stored is asked for names."""

    id = "test/lets-itself-through"

    def dispatches(self, caller: Session, callee: Agent, via: str) -> Formula:
        return super().dispatches(caller, callee, via) | callee.name.same(caller.agent.name)

    def fails(self) -> bool:
        world = World(self)
        agent = world.agent("a", (Rule("task", "a", DENY),))
        caller = world.opened(agent, ())
        denied_here = world.decides(caller, Query.of("task", "a")) is DENY
        return denied_here and world.dispatched(caller, agent) is not None


def lost(world: World, depth: int) -> bool:
    """Whether a root's session deny is gone so many dispatches below it."""
    sessions = world.chain([()] * depth + [MAY_EDIT], NO_EDIT)
    return world.decides(sessions[0], EDIT) is DENY is not world.decides(sessions[-1], EDIT)


CASES: list[tuple[Fails, str]] = [
    (LosesIfEmpty(), "no-escalation"),
    (LosesAtDepthOne(), "session-deny-inherited"),
    (LosesAtTheThird(), "session-deny-inherited"),
    (FreesALiteral(), "no-escalation"),
    (LetsItselfThrough(), "dispatch-gated"),
]


def listed() -> list[ParameterSet]:
    """The cases, by name."""
    return [pytest.param(design, prop, id=f"{design.id} {prop}") for design, prop in CASES]


@pytest.mark.parametrize(("design", "prop"), listed())
def test_the_design_fails_on_real_rules(design: Fails, prop: str) -> None:
    assert prop in load_properties()
    assert design.fails()


@pytest.mark.parametrize(("design", "prop"), listed())
def test_the_design_is_not_proved(design: Fails, prop: str) -> None:
    try:
        verdict = prove(design, load_properties()[prop])
    except (InputError, LanguageError):
        return  # refusing such a design is an honest answer
    assert verdict.status is not Status.PROVED


class AsksWhatIsSent(Fails):
    """A prompt that compares its map with the empty one is told one way and replayed another."""

    id = "test/asks-what-is-sent"

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        return callee.rules.where(denied)

    def prompt(self, session: Session, tools: Word) -> Word:
        return session.stored if tools == EMPTY else tools


def test_a_comparison_that_is_replayed_otherwise_is_the_designs_fault() -> None:
    with pytest.raises((InputError, LanguageError)):
        prove(AsksWhatIsSent(), load_properties()["no-escalation"])


def test_a_text_is_not_silently_different_from_a_string() -> None:
    with pytest.raises(LanguageError):
        bool(EDIT.permission == "edit")
