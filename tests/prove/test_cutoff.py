"""The cutoff theorem: rules beyond the counted ones change no answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import laws, strategies
from tests.answers import MODELS, answer

from downset.catalogue import load_model, load_properties
from downset.language.rules import DENY
from downset.language.terms import Among, Input, Sort, Text
from downset.language.vocabulary import action, among, denied, last_match, matching, permission
from downset.prove import deciding
from downset.prove.cutoff import NoCutoff, cutoffs
from downset.prove.observations import observations
from downset.prove.prover import prove

if TYPE_CHECKING:
    from downset.language.concrete import Assignment
    from downset.language.matching import Matcher
    from downset.language.terms import Formula
    from downset.prove.observations import Observed

S, T = Input("S"), Input("T")
NAME, RESOURCE = Text(Sort.PERMISSION, variable="p"), Text(Sort.PATTERN, variable="r")
SAMPLE = (
    ("no-escalation", "own-hidden-kept"),
    ("session-deny-inherited", "no-lost-grant"),
    ("gates-agree", "caller-independent"),
    ("own-restriction-kept", "own-ask-kept"),
    ("todo-guard", "ask-preserved"),
    ("external-directory-kept", "dispatch-gated"),
)


@given(strategies.formulas(), strategies.assignments(most=6), strategies.matchers)
@settings(max_examples=80)
def test_what_long_rulesets_do_is_found_at_the_cutoff(
    formula: Formula, assignment: Assignment, matcher: Matcher
) -> None:
    if laws.plain_only_by_name(formula, assignment, matcher):
        laws.nothing_lost_at_the_cutoff(formula, assignment, matcher)


@given(strategies.formulas(), strategies.matchers)
@settings(max_examples=40)
def test_longer_rulesets_change_no_answer(formula: Formula, matcher: Matcher) -> None:
    laws.longer_changes_nothing(formula, matcher)


@given(strategies.formulas(), strategies.assignments(most=6), strategies.matchers)
@settings(max_examples=100)
def test_the_deciding_rules_alone_decide_alike(
    formula: Formula, assignment: Assignment, matcher: Matcher
) -> None:
    laws.kept_rules_decide_alike(formula, assignment, matcher)


@st.composite
def circles(draw: strategies.Draw) -> Formula:
    """Filters that look at each other, all by the same equality of fields."""
    same = draw(strategies.same_fields)
    simple = strategies.simple_predicates
    one = S.where(Among(S.where(draw(simple)), same, draw(simple)) & draw(simple))
    two = T.where(~Among(one, same) | Among(S, same, draw(simple)))
    three = one.where(Among(two, same)) + two
    name, resource = draw(strategies.names), draw(strategies.resources)
    return draw(
        st.sampled_from(
            [one.any(denied), three.any(draw(simple)), last_match(three, name, resource).denies]
        )
    )


@given(circles(), strategies.assignments(most=5), strategies.matchers)
@settings(max_examples=80)
def test_filters_in_a_circle_need_no_more_than_is_counted(
    formula: Formula, assignment: Assignment, matcher: Matcher
) -> None:
    laws.kept_rules_decide_alike(formula, assignment, matcher)


def test_each_observation_counts_one_rule() -> None:
    found = matching(NAME, RESOURCE)
    two = S.last(found).seen(denied) & S.any(permission == "edit")
    assert cutoffs(observations(two)) == {S: 2}
    assert cutoffs(observations(two & S.first(found).seen())) == {S: 3}
    assert cutoffs(observations((S + S).last(found).seen())) == {S: 1}


def test_each_rule_that_looks_elsewhere_counts_a_witness_there() -> None:
    word = S.where(among(T, "pattern", where=denied))
    both = word.any(permission == "edit") & word.any(permission == "bash")
    assert cutoffs(observations(both)) == {S: 2, T: 2}


def test_circles_of_different_equalities_have_no_cutoff() -> None:
    inner = S.where(among(S, "permission", where=denied))
    mixed = S.where(among(inner, "pattern", where=action == DENY))
    with pytest.raises(NoCutoff):
        cutoffs(observations(mixed.any()))
    with pytest.raises(NoCutoff):
        cutoffs(observations(S.where(among(S.with_pattern("*"), "pattern")).any()))
    with pytest.raises(NoCutoff):
        cutoffs(observations(S.where(among(S, where=denied)).any(action == DENY)))


@pytest.mark.slow
@pytest.mark.parametrize("longer", [1, 2])
@pytest.mark.parametrize("place", range(len(MODELS)), ids=MODELS)
def test_longer_rulesets_change_no_verdict(
    place: int, longer: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    model, pair = MODELS[place], SAMPLE[place % len(SAMPLE)]
    prop = pair[longer - 1]
    expected = answer(model, prop).status

    def more(observed: Observed) -> dict[Input, int]:
        found = cutoffs(observed)
        return {word: count + longer for word, count in found.items()}

    monkeypatch.setattr(deciding, "cutoffs", more)
    verdict = prove(load_model(model), load_properties()[prop], timeout=30.0)
    assert verdict.status is expected
