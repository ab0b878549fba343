"""Comparing designs: who permits more, told in stories that both designs replay."""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from tests.strategies import designs

from downset.catalogue import load_model
from downset.comparisons import Relation
from downset.design.design import Design
from downset.language.concrete import Assignment, Concrete
from downset.language.matching import W2
from downset.language.rules import ALLOW, ASK, DENY, Rule
from downset.language.terms import EMPTY, Input, Pick
from downset.language.vocabulary import denied, permission, rules
from downset.prove import encoding
from downset.prove.alike import ONE, OTHER, apart
from downset.prove.comparing import compare
from downset.prove.deciding import Ledger
from downset.prove.equivalence import Equivalence
from downset.prove.refuting import ReadingsDiffer

if TYPE_CHECKING:
    from downset.comparisons import Comparison
    from downset.design.sessions import Agent, Config, Session
    from downset.language.rules import Action
    from downset.language.terms import Observation, Word

GUARD = rules(("task", "*", DENY), origin="guard")
FEW = settings(max_examples=3, suppress_health_check=[HealthCheck.too_slow])


class Carries(Design):
    """A child stores its caller's denies."""

    id = "test/carries"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return GUARD + caller.stored.where(denied)


class CarriesTwice(Carries):
    """The same rules once more in front, and none of them again behind."""

    id = "test/carries-twice"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        once = super().spawn(caller, callee, config)
        return caller.stored.where(denied) + once + GUARD.without(once)


class CarriesLess(Carries):
    """Only denies of other permissions than edit."""

    id = "test/carries-less"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return GUARD + caller.stored.where(denied & (permission != "edit"))


class GuardLast(Carries):
    """The other order, which nothing can see: all are denies."""

    id = "test/guard-last"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied) + GUARD


def relations(found: Comparison) -> dict[tuple[str, str], str]:
    return {(cell.event, cell.gate): cell.relation.value for cell in found.cells}


def directions(found: Comparison) -> set[tuple[str, str, str]]:
    return {(one.direction, one.event, one.gate) for one in found.differences}


MODELS = ("baseline/full-inheritance", "opencode/1.18.2", "pawwork/1132", "reference/ceiling")


@pytest.mark.parametrize("model", MODELS)
def test_a_model_against_itself(model: str) -> None:
    found = compare(load_model(model), load_model(model))
    assert found.equivalent
    assert found.relation is Relation.EQUAL
    assert (found.cells, found.differences, found.settings, found.undetermined) == ((), (), (), ())


KNOWN = (
    ("opencode/1.17.0", "opencode/1.17.2", ("spawn", "evaluate"), "looser"),
    ("opencode/1.17.2", "opencode/1.18.2", ("open", "dispatch"), "stricter"),
    ("opencode/1.14.31", "opencode/1.14.46", ("spawn", "evaluate"), "stricter"),
    ("pawwork/1132", "pawwork/maint-v1", ("approve", "evaluate"), "stricter"),
    ("pawwork/1132", "pawwork/1132-agent-first", ("spawn", "evaluate"), "looser"),
)


@pytest.mark.parametrize(("old", "new", "cell", "relation"), KNOWN)
def test_what_releases_are_known_to_have_changed(
    old: str, new: str, cell: tuple[str, str], relation: str
) -> None:
    found = compare(load_model(old), load_model(new))
    assert relations(found)[cell] == relation
    assert not found.undetermined


def test_the_edit_denies_that_1_17_2_stopped_carrying() -> None:
    found = compare(load_model("opencode/1.17.0"), load_model("opencode/1.17.2"))
    one = next(d for d in found.differences if (d.event, d.gate) == ("spawn", "evaluate"))
    assert (one.direction, one.query.permission) == ("gain", "edit")
    assert (one.old.decision, one.new.decision) == ("deny", "ask")
    assert one.old.rule is not None
    assert one.old.rule.layer == "agent lead"


def test_less_is_looser_and_the_other_way_stricter() -> None:
    looser, stricter = compare(Carries(), CarriesLess()), compare(CarriesLess(), Carries())
    cell = "spawn", "evaluate"
    assert (relations(looser)[cell], relations(stricter)[cell]) == ("looser", "stricter")
    assert {event for _, event, _ in directions(looser)} == {"spawn"}


def test_a_deny_that_is_not_carried_hides_again() -> None:
    """A carried deny of one file stands behind a blanket one, and un-hides the tool."""
    found = compare(Carries(), CarriesLess())
    assert relations(found)["spawn", "availability"] == "incomparable"


def test_what_cannot_be_told_apart_is_equivalent() -> None:
    assert compare(Carries(), CarriesTwice()).equivalent


def test_an_order_that_no_decision_sees_is_still_another_rule() -> None:
    """Which deny stands last is seen by filters that look for it, so it is not called alike."""
    found = compare(Carries(), GuardLast())
    assert not found.equivalent


def test_a_first_rule_is_not_taken_for_a_last_one() -> None:
    class First(Carries):
        def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
            seen = caller.stored.first(permission == "edit").seen(denied)
            return GUARD.when(seen)

    assert not Equivalence(First(), type("Other", (First,), {})()).holds()


@pytest.mark.parametrize(
    ("left", "right", "differ"),
    [
        ((DENY, ALLOW), (ALLOW, DENY), True),
        ((DENY, ALLOW), (DENY, ALLOW, DENY), True),
        ((ALLOW, DENY, ALLOW), (DENY, ALLOW), False),
        ((DENY,), (), True),
        ((ASK,), (DENY,), True),
    ],
)
def test_apart_sees_what_the_definition_says(
    left: tuple[Action, ...], right: tuple[Action, ...], *, differ: bool
) -> None:
    words = [
        EMPTY + rules(*(("edit", "*", action) for action in actions)) for actions in (left, right)
    ]
    assert (Ledger(10).solve(apart(*words), W2) is not None) == differ


def test_apart_on_real_rules() -> None:
    one, two = Input("one"), Input("two")
    edit, bash = Rule("edit", "*", DENY), Rule("bash", "*", DENY)
    texts = {f"permission of {ONE}": "edit", f"permission of {OTHER}": "bash"}
    texts |= {f"pattern of {name}": "*" for name in (ONE, OTHER)}
    flags = {f"{name} denies": True for name in (ONE, OTHER)}
    given = Assignment({"one": (edit, bash), "two": (bash, edit)}, texts, flags)
    assert Concrete(given).formula(apart(one, two))
    given = Assignment({"one": (edit, bash), "two": (edit, bash)}, texts, flags)
    assert not Concrete(given).formula(apart(one, two))


@FEW
@given(design=designs())
def test_any_design_against_itself_has_no_difference(design: Design) -> None:
    found = compare(design, design)
    assert not found.differences
    assert not found.settings


@FEW
@given(one=designs())
def test_what_one_gains_the_other_loses(one: Design) -> None:
    there, back = compare(Carries(), one), compare(one, Carries())
    turned = {"gain": "loss", "loss": "gain"}
    known = {what.split(":")[0] for what in (*there.undetermined, *back.undetermined)}
    mirrored = {(turned[way], event, gate) for way, event, gate in directions(back)}
    assert {
        found for found in directions(there) ^ mirrored if f"{found[1]}, {found[2]}" not in known
    } == set()


def test_a_wrong_solver_is_caught_by_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    true_observe = encoding.Encoder._observe

    def first(self: encoding.Encoder, seen: Observation) -> object:
        word, predicate = seen.word, seen.predicate
        return true_observe(self, word.first(predicate) if seen.pick is Pick.LAST else seen)

    monkeypatch.setattr(encoding.Encoder, "_observe", first)
    with pytest.raises(ReadingsDiffer):
        compare(load_model("baseline/deny-only"), load_model("baseline/full-inheritance"))
