"""Designs that look proved and are not: each fails on real rules, shown beside it.

A design that the engine cannot decide may be refuted, bounded or refused, but never proved.
"""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.worlds import World

from downset.catalogue import load_properties
from downset.design.design import Design, Resume
from downset.design.sessions import Query
from downset.errors import InputError
from downset.language.matching import W2, W2_WINDOWS
from downset.language.rules import ALLOW, DENY, Rule
from downset.language.terms import EMPTY, Fixed, LanguageError
from downset.language.vocabulary import (
    denied,
    deny_over_ask_over_allow,
    last_match,
    permission,
    rules,
)
from downset.prove.prover import prove
from downset.verdicts import Status

if TYPE_CHECKING:
    from _pytest.mark.structures import ParameterSet

    from downset.design.sessions import Agent, Config, Session
    from downset.language.terms import Decision, Formula, Word

EDIT = Query.of("edit", "src/app.ts")
NO_EDIT = (Rule("edit", "*", DENY),)
MAY_EDIT = (Rule("edit", "*", ALLOW),)


class Fails(Design):
    """A design with a demonstration that a property does not hold of it."""

    def fails(self) -> bool:
        """Whether it fails on real rules."""
        raise NotImplementedError


class RootOnly(Fails):
    """Only a root's children inherit: `caller.caller` is `None` in what is told of any session."""

    id = "test/root-only"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied) if caller.caller is None else EMPTY

    def fails(self) -> bool:
        return lost(World(self), depth=2)


class RootOnlyByFlag(RootOnly):
    """The same, told by whether the caller was dispatched."""

    id = "test/root-only-by-flag"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY if caller.dispatched else caller.stored.where(denied)


class RootOnlyByRow(RootOnly):
    """The same, told by whether the caller's row names an agent, which no child's does."""

    id = "test/root-only-by-row"
    row_agent_follows = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied) if caller.row_agent is not None else EMPTY


class RootLosesOthers(Fails):
    """A root's children inherit two tools' rules only; of three kinds of tool two are tried."""

    id = "test/root-loses-others"
    aliases = {"write": "edit", "shell": "bash"}  # noqa: RUF012 -- as models write it
    asks_as = aliases

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        whole = self.effective(caller)
        two = permission.matches("edit") | permission.matches("bash")
        return whole if caller.dispatched else whole.where(two)

    def fails(self) -> bool:
        world = World(self)
        root, child = world.chain([(), ()], (Rule("webfetch", "*", DENY),))
        tool = world.tool("webfetch")
        return world.hides(root, tool) and not world.hides(child, tool)


class TwoUp(Fails):
    """A child reads its caller and its caller's caller, and nobody above."""

    id = "test/two-up"
    reads_callers = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY

    def decide(self, session: Session, query: Query) -> Decision:
        decision, above = super().decide(session, query), session.caller
        for _ in range(2):
            if above is not None:
                decision = decision.meet(super().decide(above, query))
                above = above.caller
        return decision

    def fails(self) -> bool:
        return lost(World(self), depth=3)


class ChildReadsRoot(Fails):
    """A root's child reads its caller; what it denies is not its own to pass on."""

    id = "test/child-reads-root"
    reads_callers = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied) if caller.dispatched else EMPTY

    def decide(self, session: Session, query: Query) -> Decision:
        own = super().decide(session, query)
        if session.caller is None or session.caller.dispatched:
            return own
        return own.meet(super().decide(session.caller, query))

    def fails(self) -> bool:
        return lost(World(self), depth=2)


class Snapshot(Fails):
    """A child copies two levels and reads one; a change of the root never reaches a grandchild."""

    id = "test/snapshot"
    reads_callers = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        above = EMPTY if caller.caller is None else self.effective(caller.caller)
        return self.effective(caller) + above

    def decide(self, session: Session, query: Query) -> Decision:
        word = self.effective(session)
        if session.caller is not None:
            word += self.effective(session.caller)
        return deny_over_ask_over_allow(word, query.permission, query.resource)

    def fails(self) -> bool:
        world = World(self)
        root, child, grandchild = world.chain([(), (), MAY_EDIT], ())
        stricter = world.patched(root, NO_EDIT)
        running = replace(grandchild, caller=replace(child, caller=stricter))
        decided = world.decides(stricter, EDIT), world.decides(running, EDIT)
        return decided == (DENY, ALLOW)


class KeepsUnderTheSameAgent(Fails):
    """A resume recomputes only under another agent; a story's agents always differ."""

    id = "test/keeps-under-the-same-agent"
    resumable = Resume.OWN_CHILDREN

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied)

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        same = callee.name.same(child.agent.name)
        return child.stored.when(same) + self.effective(caller).when(~same)

    def fails(self) -> bool:
        world = World(self)
        root, child = world.chain([(), MAY_EDIT], ())
        stricter = world.patched(root, NO_EDIT)
        resumed = world.resumed(stricter, child, child.agent)
        return (world.decides(stricter, EDIT), world.decides(resumed, EDIT)) == (DENY, ALLOW)


class KeepsUnderAnEqualAgent(KeepsUnderTheSameAgent):
    """The same, with Python's own comparison of agents."""

    id = "test/keeps-under-an-equal-agent"

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        return child.stored if callee == child.agent else self.effective(caller)


class NotToItself(Fails):
    """An agent that dispatches itself gives itself nothing."""

    id = "test/not-to-itself"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return self.effective(caller).when(~callee.name.same(caller.agent.name))

    def fails(self) -> bool:
        world = World(self)
        agent = world.agent("a", MAY_EDIT)
        caller = world.opened(agent, NO_EDIT)
        child = world.dispatched(caller, agent)
        assert child is not None
        return (world.decides(caller, EDIT), world.decides(child, EDIT)) == (DENY, ALLOW)


class ForgetsATool(Fails):
    """Of two tools with the permission `edit` the prompt's map knows only the first."""

    id = "test/forgets-a-tool"
    aliases = {"write": "edit", "apply_patch": "edit"}  # noqa: RUF012 -- as models write it
    asks_as = aliases
    primary_tools = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        primary = config.primary_tools
        write = rules(("write", "*", DENY)).when(primary.any(permission == "write"))
        return write + primary.where(~permission.in_(["write", "apply_patch"]))

    def prompt(self, session: Session, tools: Word) -> Word:
        return tools

    def fails(self) -> bool:
        world = World(self, (Rule("apply_patch", "*", DENY),))
        _, child = world.chain([(), MAY_EDIT], ())
        offered = not world.hides(child, world.tool("apply_patch"))
        return offered and world.decides(child, EDIT) is ALLOW


class Exempt(Fails):
    """Everything is inherited, but for one query that is decided by its text."""

    key, resource, asked = "edit", "*", Query.of("edit", "*")

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return self.effective(caller)

    def decide(self, session: Session, query: Query) -> Decision:
        inherited = super().decide(session, query)
        if session.caller is None:
            return inherited
        word = self.effective(session) + rules((self.key, self.resource, ALLOW))
        freed = last_match(word, query.permission, query.resource, self.default)
        return freed.unless(self.spared(query), inherited)

    def spared(self, query: Query) -> Formula:
        raise NotImplementedError

    def fails(self) -> bool:
        world = World(self)
        root, child = world.chain([(), ()], (Rule("*", "*", DENY), Rule("task", "*", ALLOW)))
        decided = world.decides(root, self.asked), world.decides(child, self.asked)
        return decided == (DENY, ALLOW)


class ExemptStar(Exempt):
    """The query for the resource `*`, which many tools ask with."""

    id = "test/exempt-star"

    def decide(self, session: Session, query: Query) -> Decision:
        decision = Design.decide(self, session, query)
        if session.caller is None:
            return decision
        return decision.unless(query.resource.same(self.asked.resource), Fixed(ALLOW))


class ExemptSlash(Exempt):
    """A path written with backslashes: matched by the constant, and not equal to it."""

    id = "test/exempt-backslash"
    resource, asked = "a/b", Query.of("edit", "a\\b")

    def spared(self, query: Query) -> Formula:
        return query.resource.same(Query.of("x", self.resource).resource)


class ExemptCase(Exempt):
    """A name in other case, on Windows: matched by the constant, and not equal to it."""

    id = "test/exempt-case"
    matcher = W2_WINDOWS
    key, asked = "webfetch", Query.of("WEBFETCH", "a")

    def spared(self, query: Query) -> Formula:
        return query.permission.same(Query.of(self.key, "*").permission)


def lost(world: World, depth: int) -> bool:
    """Whether a root's session deny is gone so many dispatches below it."""
    sessions = world.chain([()] * depth + [MAY_EDIT], NO_EDIT)
    return world.decides(sessions[0], EDIT) is DENY is not world.decides(sessions[-1], EDIT)


CASES: list[tuple[Fails, str]] = [
    (RootOnly(), "session-deny-inherited"),
    (RootOnlyByFlag(), "session-deny-inherited"),
    (RootOnlyByRow(), "session-deny-inherited"),
    (RootLosesOthers(), "hidden-stays-hidden"),
    (ChildReadsRoot(), "session-deny-inherited"),
    (TwoUp(), "no-escalation"),
    (TwoUp(), "resume-safe"),
    (Snapshot(), "live-revocation"),
    (KeepsUnderTheSameAgent(), "resume-safe"),
    (KeepsUnderAnEqualAgent(), "resume-safe"),
    (NotToItself(), "no-escalation"),
    (ForgetsATool(), "primary-tools-reserved"),
    (ExemptStar(), "no-escalation"),
    (ExemptSlash(), "no-escalation"),
    (ExemptCase(), "no-escalation"),
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


def test_the_same_shape_without_the_fault_is_proved() -> None:
    class Sound(RootOnly):
        id = "test/sound"

        def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
            return caller.stored.where(denied)

    assert Sound.matcher is W2
    assert not Sound().fails()
    verdict = prove(Sound(), load_properties()["session-deny-inherited"])
    assert verdict.status is Status.PROVED
