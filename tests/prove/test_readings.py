"""One text, three readings: concrete, symbolic and observational agree on random expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests import laws, strategies

from downset.language.concrete import Assignment, Concrete
from downset.language.matching import W2, W2_WINDOWS
from downset.language.rules import ALLOW, DENY, Rule
from downset.language.terms import (
    ALWAYS,
    Below,
    Constant,
    Input,
    IsPlain,
    Matches,
    Number,
    Pick,
    RuleTerm,
    Sort,
    Text,
    TextIs,
)
from downset.language.vocabulary import action, among, denied, rules, text
from downset.prove.deciding import Ledger

if TYPE_CHECKING:
    from downset.language.matching import Matcher
    from downset.language.terms import Formula, Predicate, Word

S, T = Input("S"), Input("T")
NAME = Text(Sort.PERMISSION, variable="p")
RESOURCE = Text(Sort.PATTERN, variable="r", plain=False)
OTHER = Text(Sort.PATTERN, variable="r2", plain=False)
EDIT = text("edit", "permission")
ANY = text("*", "pattern")
PLAIN = IsPlain(Sort.PERMISSION)


@given(strategies.formulas(), strategies.assignments(), strategies.matchers)
@settings(max_examples=80)
def test_the_encoder_says_of_fixed_rules_what_the_concrete_reading_says(
    formula: Formula, assignment: Assignment, matcher: Matcher
) -> None:
    assume(laws.plain_only_by_name(formula, assignment, matcher))
    laws.readings_agree(formula, assignment, matcher)


@given(strategies.formulas(), strategies.matchers)
@settings(max_examples=80)
def test_what_a_query_answers_satisfies_the_formula_on_real_rules(
    formula: Formula, matcher: Matcher
) -> None:
    laws.answers_satisfy(formula, matcher)


def test_a_pattern_that_has_to_be_plain_is() -> None:
    found = Ledger(20.0).solve(S.any(IsPlain(Sort.PATTERN)), W2)
    assert found is not None
    assert W2.is_literal(found.inputs["S"][0].pattern)


@given(
    strategies.words(),
    strategies.predicates(),
    st.sampled_from(list(Pick)),
    strategies.assignments(),
    strategies.matchers,
)
@example(S.with_action(DENY) + T, denied, Pick.SEVERITY, Assignment(), W2)
@settings(max_examples=80)
def test_a_word_is_observed_as_its_pieces_are(
    word: Word, predicate: Predicate, pick: Pick, assignment: Assignment, matcher: Matcher
) -> None:
    laws.pieces_see_the_same(word, predicate, pick, assignment, matcher)


def constant(*priorities: int) -> Word:
    """Denies for `edit *` with some priorities."""
    return Constant(tuple(RuleTerm(EDIT, ANY, DENY, priority) for priority in priorities))


MEMBERS = strategies.MAP.where(among(strategies.PRIMARY, "permission"))
MANY = [text(f"k{i}", "permission") for i in range(300)]
MENTIONED = Constant(tuple(RuleTerm(one, ANY, DENY) for one in MANY))


GAPS: dict[str, tuple[Formula, Assignment, Matcher]] = {
    "the empty text is literal": (rules(("", "*", DENY)).any(PLAIN), Assignment(), W2),
    "a name in other case is plain and matches": (
        S.any(PLAIN & Matches(EDIT) & ~TextIs(EDIT)),
        Assignment({"S": (Rule("Edit", "*", DENY),)}),
        W2_WINDOWS,
    ),
    "a literal constant matches the same path with backslashes": (
        rules(("edit", "src/a", DENY)).any(Matches(RESOURCE))
        & ~RESOURCE.same(text("src/a", "pattern")),
        Assignment(texts={"r": "src\\a"}),
        W2,
    ),
    "a literal constant matches a name in other case": (
        rules(("edit", "*", DENY)).any(Matches(NAME)) & ~NAME.same(EDIT),
        Assignment(texts={"p": "EDIT"}),
        W2_WINDOWS,
    ),
    "two resources that differ in case match each other": (
        Constant((RuleTerm(EDIT, RESOURCE, DENY),)).any(Matches(OTHER)) & ~RESOURCE.same(OTHER),
        Assignment(texts={"r": "A", "r2": "a"}),
        W2_WINDOWS,
    ),
    "a resource may be empty": (
        ~rules(("edit", "?*", DENY)).any(Matches(RESOURCE)),
        Assignment(texts={"r": ""}),
        W2,
    ),
    "a resource may be `*`, with which tools ask": (
        RESOURCE.same(ANY),
        Assignment(texts={"r": "*"}),
        W2,
    ),
    "a priority above 255": (
        (S + constant(255)).best(ALWAYS, Pick.PRIORITY).seen(action == ALLOW),
        Assignment({"S": (Rule("a", "*", ALLOW, 1000),)}),
        W2,
    ),
    "a priority below 0": (
        (constant(0) + S).best(ALWAYS, Pick.PRIORITY).seen(denied) & S.any() & ~S.any(denied),
        Assignment({"S": (Rule("a", "*", ALLOW, -1),)}),
        W2,
    ),
    "more than 256 constants": (
        MENTIONED.any() & S.any(TextIs(MANY[299])) & ~S.any(TextIs(MANY[299 - 256])),
        Assignment({"S": (Rule("k299", "*", DENY),)}),
        W2,
    ),
    "a number above 40": (
        Below(Number(None, 100), Number("n")),
        Assignment(numbers={"n": 101}),
        W2,
    ),
    "two entries of a map, both of them unnamed primary tools": (
        MEMBERS.any(denied) & MEMBERS.any(action == ALLOW),
        Assignment(
            {
                "map": (Rule("deploy", "*", DENY), Rule("lint", "*", ALLOW)),
                "primary": (Rule("deploy", "*", DENY), Rule("lint", "*", DENY)),
            }
        ),
        W2,
    ),
    "an input whose shape looks at another": (
        Input("X", "", among(T, "pattern")).any(),
        Assignment({"X": (Rule("a", "*", DENY),), "T": (Rule("a", "*", DENY),)}),
        W2,
    ),
}


@pytest.mark.parametrize("gap", GAPS)
def test_what_real_rules_do_is_satisfiable(gap: str) -> None:
    formula, assignment, matcher = GAPS[gap]
    assert Concrete(assignment, matcher).formula(formula)
    assert Ledger(20.0).solve(formula, matcher) is not None


def test_a_glob_that_matches_nothing_asked_is_no_plain_name() -> None:
    glob = S.any(~PLAIN & ~Matches(NAME))
    assignment = Assignment({"S": (Rule("zz*", "*", DENY),)}, {"p": "edit"})
    assert Concrete(assignment, W2).formula(glob)
    assert Ledger(20.0).solve(glob, W2) is not None
