"""What is no claim at all, and claims that rest on nothing."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from tests.certificates.test_arguments import Carries, Rendered

from downset.catalogue import load_properties
from downset.language.concrete import Assignment
from downset.language.rules import DENY, Rule
from downset.language.terms import Sort
from downset.prove import certifying
from downset.prove.argument import Argument
from downset.prove.certificate import Claimed
from downset.prove.certifying import certificate, certified
from downset.prove.cvc5_worker import decide
from downset.prove.forms import (
    argument_form,
    argument_of,
    assignment_form,
    assignment_of,
    exclusion_form,
    exclusion_of,
)
from downset.prove.grounds import groundless
from downset.prove.problem import NoRuleText, NoVariableText
from downset.prove.query import Undecided
from downset.prove.recheck import MALFORMED, claimed_of
from downset.prove.refuting import ReadingsDiffer
from downset.prove.stories import Stories
from downset.verdicts import Status

if TYPE_CHECKING:
    from downset.prove.problem import Exclusion

PROPERTIES = load_properties()
PROVED = Stories(Carries(), PROPERTIES["session-deny-inherited"])
MISREAD = Stories(Rendered(), PROPERTIES["result-unforgeable"])
GIVEN = Assignment({"S": (Rule("e\ud800", "*", DENY, 3, "x"),)}, {"p": "a"}, {"f": True}, {"n": 2})
EXCLUDED: list[Exclusion] = [
    NoRuleText(Sort.PATTERN, (1,), 4, (True, False), plain=False),
    NoVariableText(Sort.PERMISSION, (), (True,), ()),
]


def claimed(stories: Stories) -> Claimed:
    made = certified(stories).certificate
    assert made is not None
    return claimed_of(json.loads(json.dumps(made.entry)), stories.design, stories.prop)


def test_forms_come_back_as_they_were() -> None:
    assert assignment_of(json.loads(json.dumps(assignment_form(GIVEN)))) == GIVEN
    for exclusion in EXCLUDED:
        assert exclusion_of(json.loads(json.dumps(exclusion_form(exclusion)))) == exclusion
    argument = Argument("combinations", states=((True, False), (False, True)))
    assert argument_of(json.loads(json.dumps(argument_form(argument)))) == argument


@pytest.mark.parametrize(
    "form",
    [
        {"kind": "hope"},
        {"kind": "descent", "fact": "0"},
        {"kind": "descent", "fact": True},
        {"kind": "combinations", "states": [[1, 0]]},
        {"kind": "dispatch", "sessions": "some"},
        {},
    ],
)
def test_what_is_no_argument(form: dict[str, Any]) -> None:
    with pytest.raises(MALFORMED):
        argument_of(form)


@pytest.mark.parametrize(
    "change", [{"no": "luck"}, {"matches": [1]}, {"number": 1.5}, {"sort": "colour"}]
)
def test_what_is_no_exclusion(change: dict[str, Any]) -> None:
    with pytest.raises(MALFORMED):
        exclusion_of({**exclusion_form(EXCLUDED[0]), **change})


@pytest.mark.parametrize("text", [7, None, ["a"]])
def test_what_is_no_text(text: object) -> None:
    with pytest.raises(MALFORMED):
        assignment_of({**assignment_form(GIVEN), "texts": {"p": text}})


def test_a_claim_as_it_was_rests_on_something() -> None:
    for stories in (PROVED, MISREAD):
        assert list(groundless(claimed(stories))) == []


def complaint(claim: Claimed) -> str:
    return "; ".join(groundless(claim))


def test_a_proof_needs_an_argument_that_covers_everything() -> None:
    proof = claimed(PROVED)
    assert "no argument for a proof" in complaint(replace(proof, argument=Argument("bound")))
    assert "no argument for the verdict" in complaint(replace(proof, status=Status.VACUOUS))
    unlucky = Argument("combinations", states=((False,),))
    with pytest.raises(ValueError, match="zip"):
        complaint(replace(proof, argument=unlucky))


def test_a_verdict_has_the_reason_of_its_kind() -> None:
    proof = claimed(PROVED)
    assert "the reason is not" in complaint(replace(proof, reason="trust me"))
    absent = Claimed(PROVED, Status.NOT_APPLICABLE, "no sessions")
    assert "makes no sense" in complaint(absent)
    other = Stories(Carries(), PROPERTIES["result-unforgeable"])
    assert "not applicable" in complaint(replace(proof, stories=other, argument=Argument("none")))


def test_numbers_are_not_negative_and_stories_not_endless() -> None:
    premise = claimed(PROVED).premise
    assert premise is not None
    script, given = premise
    low = replace(given, numbers={"depth limit": -1})
    assert "negative" in complaint(replace(claimed(PROVED), premise=(script, low)))
    deep = replace(script, more=99)
    assert "does not begin" in complaint(replace(claimed(PROVED), premise=(deep, given)))


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ((("id", "a"), ("text", "b")), "read back as it was"),
        ((("id", "a"),), ""),
    ],
)
def test_a_result_that_is_read_well_refutes_nothing(
    result: tuple[tuple[str, str], ...], said: str
) -> None:
    claim = claimed(MISREAD)
    assert claim.refutation is not None
    changed = replace(claim, refutation=replace(claim.refutation, result=result))
    if said:
        assert said in complaint(changed)
    else:
        with pytest.raises(KeyError):
            complaint(changed)


def test_a_result_of_a_story_without_one_refutes_nothing() -> None:
    claim = claimed(MISREAD)
    assert claim.refutation is not None
    script = replace(claim.refutation.script, prop=PROPERTIES["gates-agree"])
    changed = replace(claim, refutation=replace(claim.refutation, script=script))
    assert "no result" in complaint(changed)


def test_what_is_decided_only_once_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def tired(*_: object) -> str:
        raise Undecided("tired")

    monkeypatch.setattr(certifying, "answer", tired)
    verdict = certified(PROVED)
    assert verdict.status is Status.UNKNOWN
    assert "could not be certified: tired" in verdict.reason
    assert verdict.certificate is not None
    assert verdict.certificate.scripts == {}
    assert complaint(Claimed(PROVED, Status.UNKNOWN, verdict.reason)) == ""


def test_what_is_decided_otherwise_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certifying, "answer", lambda *_: "sat")
    with pytest.raises(ReadingsDiffer):
        certified(PROVED)


def test_a_premise_that_does_not_happen_is_a_fault() -> None:
    claim = claimed(PROVED)
    assert claim.premise is not None
    nothing = replace(claim, premise=(claim.premise[0], Assignment()))
    with pytest.raises(ReadingsDiffer):
        certifying.confirm(nothing, 10.0, "z3")


def test_the_worker_reads_and_answers() -> None:
    head = "(set-logic QF_BV)(set-info :status unsat)(declare-const n (_ BitVec 4))"
    found = decide(head + "(assert (= n (_ bv15 4)))(check-sat)", 5000)
    assert found == {"answer": "sat", "values": {"n": -1}}
    assert decide(head + "(assert false)(check-sat)", 5000) == {"answer": "unsat"}
    assert decide(head, 5000)["answer"] == "unknown"
    with pytest.raises(RuntimeError):
        decide("(assert n)", 5000)


def test_an_entry_is_the_same_if_made_twice() -> None:
    claim = claimed(PROVED)
    assert certificate(claim).entry == certificate(claimed(PROVED)).entry
