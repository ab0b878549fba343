"""Bugs planted on purpose: each is found by the law that is meant to find it."""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests import laws
from tests.models.test_expected import EXPECTED
from tests.worlds import STACK, World, failures

from downset.catalogue import load_model, load_properties
from downset.design.design import Design
from downset.design.sessions import Query
from downset.language.concrete import Assignment
from downset.language.matching import W2
from downset.language.rules import ALLOW, DENY, Rule
from downset.language.terms import AnyMode, FixedMode, Input, ModeChoice, Pick, Sort, Text, Where
from downset.language.vocabulary import (
    among,
    ceiling,
    denied,
    highest_priority,
    last_match,
    permission,
)
from downset.prove import argument, deciding, encoding, induction, letters, observations
from downset.prove.cutoff import cutoffs
from downset.prove.prover import prove
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from downset.design.property import Descent, Fact
    from downset.design.sessions import Agent, Config, Session
    from downset.design.story import Story
    from downset.language.terms import Formula, Mode, Observation, Word
    from downset.prove.letters import SymbolicRule
    from downset.prove.logic import Bool
    from downset.prove.observations import Observed, Piece

S, T = Input("S"), Input("T")
NAME, RESOURCE = Text(Sort.PERMISSION, variable="p"), Text(Sort.PATTERN, variable="r")
TEXTS = {"p": "edit", "r": "src/app.ts"}
DECIDED = last_match(S.where(permission != "bash") + T.where(among(S, "pattern")), NAME, RESOURCE)
GIVEN = Assignment(
    {
        "S": (Rule("edit", "*", ALLOW), Rule("edit", "*", DENY), Rule("*", "src/*", ALLOW)),
        "T": (Rule("bash", "src/*", DENY), Rule("edi?", "*", DENY)),
    },
    TEXTS,
)
MET = ceiling(last_match(S, NAME, RESOURCE), last_match(T, NAME, RESOURCE))
MAPPED = S.with_action(ALLOW).any(denied)
FILTERED = S.where(denied).last(permission == "edit").seen()
UNFILTERED = Assignment({"S": (Rule("edit", "*", DENY), Rule("edit", "*", ALLOW))}, TEXTS)
RANKED = highest_priority(S, NAME, RESOURCE)
MODE = FixedMode("plan").unless(S.any(denied), AnyMode("u", ("plan", "default")))


def check_readings() -> None:
    moded = (MODE.is_("default"), MODE.is_("plan"), RANKED.denies)
    for formula in (DECIDED.denies, DECIDED.allows, MET.allows, MAPPED, FILTERED, *moded):
        for rules in (GIVEN, UNFILTERED):
            given = replace(rules, modes={"u": "default"})
            laws.readings_agree(formula, given, W2)


def check_pieces() -> None:
    word = S.where(denied) + T.where(among(S, "pattern"))
    for pick in Pick:
        for given in (GIVEN, UNFILTERED):
            laws.pieces_see_the_same(word, permission == "edit", pick, given, W2)


def check_kept() -> None:
    for given in (GIVEN, UNFILTERED):
        laws.kept_rules_decide_alike(FILTERED & S.any(~denied), given, W2)
        laws.kept_rules_decide_alike(DECIDED.denies, given, W2)


def check_cutoff() -> None:
    both = S.any(denied & (permission == "edit")) & S.any(~denied & (permission == "bash"))
    given = Assignment({"S": (Rule("edit", "*", DENY), Rule("bash", "*", ALLOW))}, TEXTS)
    laws.nothing_lost_at_the_cutoff(both, given, W2)
    laws.longer_changes_nothing(both, W2)


class OneLevel(Design):
    """A child stores what its caller's agent denies, and not what its caller stored."""

    id = "test/one-level"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.agent.rules.where(denied)


def check_depth() -> None:
    """What is proved of a chain does not fail on one."""
    prop = load_properties()["agent-deny-inherited"]
    claimed = [prop.id] if prove(OneLevel(), prop).status is Status.PROVED else []
    world = World(OneLevel())
    sessions = world.chain([(Rule("edit", "*", DENY),), (), ()], ())
    queries, tools = [Query.of("edit", "a")], [world.tool("edit")]
    assert list(failures(world, sessions, queries, tools, list(STACK))), "nothing to find"
    assert not list(failures(world, sessions, queries, tools, claimed))


def check_model() -> None:
    """A model's verdicts are those typed by hand."""
    for prop in ("no-escalation", "session-deny-inherited", "todo-guard"):
        verdict = prove(load_model("baseline/deny-only"), load_properties()[prop])
        assert verdict.status.value == EXPECTED["baseline/deny-only", prop].verdict


CHECKS = [check_readings, check_pieces, check_kept, check_cutoff, check_depth, check_model]


@pytest.mark.parametrize("check", CHECKS)
def test_nothing_is_found_where_nothing_is_planted(check: Callable[[], None]) -> None:
    check()


def test_last_encoded_as_first(monkeypatch: pytest.MonkeyPatch) -> None:
    true_observe = encoding.Encoder._observe

    def first(self: encoding.Encoder, seen: Observation) -> object:
        word, predicate = seen.word, seen.predicate
        return true_observe(self, word.first(predicate) if seen.pick is Pick.LAST else seen)

    monkeypatch.setattr(encoding.Encoder, "_observe", first)
    with pytest.raises(AssertionError):
        check_readings()


def test_a_tie_of_priorities_that_the_last_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    true_best = encoding.best_of

    def last(pairs: Sequence[tuple[Bool, SymbolicRule]], pick: Pick) -> object:
        return true_best(pairs[::-1], pick)[::-1]

    monkeypatch.setattr(encoding, "best_of", last)
    with pytest.raises(AssertionError):
        check_readings()


def test_a_mode_that_forgets_its_condition(monkeypatch: pytest.MonkeyPatch) -> None:
    true_mode = encoding.Encoder._mode

    def otherwise(self: encoding.Encoder, mode: Mode) -> object:
        return true_mode(self, mode.otherwise if isinstance(mode, ModeChoice) else mode)

    monkeypatch.setattr(encoding.Encoder, "_mode", otherwise)
    with pytest.raises(AssertionError):
        check_readings()


def test_a_match_that_forgets_the_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(letters.Lexicon, "_unknown_matches", lambda *_: False)
    with pytest.raises(AssertionError):
        check_readings()


def test_a_filter_that_the_pull_back_drops(monkeypatch: pytest.MonkeyPatch) -> None:
    true_pieces = observations.pieces

    def unfiltered(word: Word) -> list[Piece]:
        return unfiltered(word.word) if isinstance(word, Where) else true_pieces(word)

    monkeypatch.setattr(observations, "pieces", unfiltered)
    with pytest.raises(AssertionError):
        check_pieces()
    with pytest.raises(AssertionError):
        check_kept()


def test_a_witness_that_the_pull_back_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(observations, "relate", lambda *_: None)
    with pytest.raises((AssertionError, KeyError)):
        check_kept()


def test_a_cutoff_that_counts_one_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    def fewer(observed: Observed) -> dict[Input, int]:
        return {word: count - 1 for word, count in cutoffs(observed).items()}

    monkeypatch.setattr(deciding, "cutoffs", fewer)
    for check in (check_cutoff, check_kept):
        with pytest.raises(AssertionError):
            check()


def test_an_induction_without_its_step(monkeypatch: pytest.MonkeyPatch) -> None:
    true_obligations = induction.obligations

    def without_step(prop: Descent, fact: Fact) -> list[Callable[[Story], list[Formula]]]:
        found = true_obligations(prop, fact)
        return [tell for tell in found if tell.__name__ != "passes_on"]

    monkeypatch.setattr(argument, "obligations", without_step)
    with pytest.raises(AssertionError):
        check_depth()


def test_a_model_without_one_of_its_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    model = type(load_model("baseline/deny-only"))

    def uncarried(_self: Design, caller: Session, callee: Agent, config: Config) -> Word:
        del callee
        return caller.stored.where(permission == "external_directory") + config.primary_tools

    broken = type("Broken", (model,), {"spawn": uncarried})
    monkeypatch.setattr(f"{__name__}.load_model", lambda _: broken())
    with pytest.raises(AssertionError):
        check_model()


def test_a_meet_that_is_its_first_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "strictest", lambda parts: parts[0])
    with pytest.raises(AssertionError):
        check_readings()


def test_a_letter_map_that_keeps_the_action(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding.Encoder, "mapped", lambda _self, _by, rule: rule)
    with pytest.raises(AssertionError):
        check_readings()
