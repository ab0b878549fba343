"""Designs with modes, shared rules and leaves that look proved and are not; and what is refused.

A design that the engine cannot decide may be refuted, bounded, unknown or refused, never proved.
"""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.catalogue import load_properties
from downset.design.design import Design, Resume
from downset.design.probe import probe
from downset.design.property import Claim, claims
from downset.errors import InputError
from downset.language.matching import WCMATCH
from downset.language.rules import ALLOW, DENY
from downset.language.terms import (
    EMPTY,
    Fixed,
    FixedMode,
    Input,
    LanguageError,
    Matches,
    Sort,
    Text,
)
from downset.language.vocabulary import denied, matching, permission
from downset.prove.prover import prove
from downset.verdicts import Status

if TYPE_CHECKING:
    from downset.design.sessions import Agent, Config, Query, Session
    from downset.design.story import Story
    from downset.language.terms import Decision, Mode, Word

ALL = load_properties()


class Moded(Design):
    """Two modes; the tight one denies what no rule allows. A child inherits the mode."""

    permission_modes = ("loose", "tight")
    dispatch = ""
    resumable = Resume.NOBODY
    stores_rules = False
    switchable = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        return Fixed(ALLOW).unless(mode.is_("tight"), Fixed(DENY))

    def decide(self, session: Session, query: Query) -> Decision:
        return self.mode_decides(session.mode, query)


class Sound(Moded):
    """The mode is inherited, and that is all."""

    id = "test/sound"


class Loosens(Moded):
    """Only an agent that does nothing but ask for it is looser."""

    id = "test/loosens"

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        return caller.mode.unless(callee.mode.is_("loose"), callee.mode)


class LoosensBelow(Moded):
    """Only a child of a child is looser."""

    id = "test/loosens-below"

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        return FixedMode("loose") if caller.dispatched else caller.mode


class LoosensWhereTrusted(Moded):
    """Only a trusted folder is looser."""

    id = "test/loosens-where-trusted"

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        return caller.mode.unless(config.trusted, FixedMode("loose"))


class LoosensByRule(Moded):
    """Only where a shared rule says so."""

    id = "test/loosens-by-rule"
    shares_rules = True

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        asked = caller.shared.any(permission == "loosen")
        return caller.mode.unless(asked, FixedMode("loose"))


class ChangesAlone(Moded):
    """A user makes the caller tight; the running child keeps its mode."""

    id = "test/changes-alone"
    changes_mode = True


class ChangesAll(ChangesAlone):
    """The same, where there is one mode for all."""

    id = "test/changes-all"
    one_mode = True


class StaleShared(Design):
    """Shared rules are copied at the dispatch, so what is added later does not reach the child."""

    id = "test/stale-shared"
    shares_rules = True
    stores_rules = False
    switchable = False
    resumable = Resume.NOBODY

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.shared

    def effective(self, session: Session) -> Word:
        return session.stored if session.dispatched else session.shared


class LiveShared(StaleShared):
    """They are read when a call is decided."""

    id = "test/live-shared"

    def effective(self, session: Session) -> Word:
        return session.shared


class Leaf(Design):
    """Children dispatch nothing, and the first dispatch loses every deny."""

    id = "test/leaf"
    children_dispatch = False
    resumable = Resume.NOBODY

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return EMPTY


class KeepingLeaf(Leaf):
    """The same, but denies are kept."""

    id = "test/keeping-leaf"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return (caller.agent.rules + caller.stored).where(denied)


class SilentAdmin(Moded):
    """An administrator's ask counts only in the loose mode."""

    id = "test/silent-admin"
    managed_rules = True

    def decide(self, session: Session, query: Query) -> Decision:
        default = Fixed(ALLOW)
        found = matching(query.permission, query.resource)
        by_rule = session.managed.last(found).or_default(ALLOW)
        return default.unless(session.mode.is_("loose"), by_rule)


WRONG = [
    (Loosens(), "mode-monotone"),
    (Loosens(), "no-escalation"),
    (LoosensBelow(), "mode-monotone"),
    (LoosensBelow(), "no-escalation"),
    (LoosensWhereTrusted(), "mode-monotone"),
    (LoosensByRule(), "no-escalation"),
    (ChangesAlone(), "live-revocation"),
    (StaleShared(), "live-revocation"),
    (Leaf(), "no-escalation"),
    (SilentAdmin(), "managed-wins"),
]
RIGHT = [
    (Sound(), "mode-monotone"),
    (Sound(), "no-escalation"),
    (ChangesAll(), "live-revocation"),
    (LiveShared(), "no-escalation"),
    (LiveShared(), "live-revocation"),
    (KeepingLeaf(), "no-escalation"),
]


@pytest.mark.parametrize(("design", "prop"), WRONG, ids=lambda x: getattr(x, "id", x))
def test_what_is_wrong_is_refuted(design: Design, prop: str) -> None:
    assert prove(design, ALL[prop]).status is Status.VIOLATED


@pytest.mark.parametrize(("design", "prop"), RIGHT, ids=lambda x: getattr(x, "id", x))
def test_the_same_without_the_fault_is_proved(design: Design, prop: str) -> None:
    assert prove(design, ALL[prop]).status is Status.PROVED


def test_leaves_never_dispatch() -> None:
    assert prove(Leaf(), ALL["recursion-guard"]).status is Status.VACUOUS


def test_a_mode_that_there_is_not_is_refused() -> None:
    class Misspelt(Moded):
        id = "test/misspelt"

        def mode_decides(self, mode: Mode, query: Query) -> Decision:
            return Fixed(ALLOW).unless(mode.is_("thight"), Fixed(DENY))

    with pytest.raises(LanguageError, match="thight"):
        probe(Misspelt())


def test_modes_are_not_compared_by_python() -> None:
    class Compares(Moded):
        id = "test/compares"

        def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
            return caller.mode if caller.mode == FixedMode("tight") else callee.mode

    with pytest.raises(InputError, match="compared by Python"):
        prove(Compares(), ALL["mode-monotone"])


def test_globs_that_were_not_searched_for_prove_nothing() -> None:
    class Plain(Sound):
        id = "test/plain"
        matcher = WCMATCH

    @claims("no-such-glob", "no glob is for both and not for the third", formula="(a test)")
    def no_such_glob(story: Story) -> Claim:
        story.session()
        ab, cd, xy = (Text(Sort.PATTERN, literal=t) for t in ("ab", "cd", "xy"))
        found = Input("S").any(Matches(ab) & Matches(cd) & ~Matches(xy))
        return Claim(found, ~found)

    verdict = prove(Plain(), no_such_glob)
    assert verdict.status is Status.UNKNOWN
    assert "no likely text" in verdict.reason
