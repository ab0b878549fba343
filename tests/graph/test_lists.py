"""The exact questions about lists, against trying every short text."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from downset.language import kinds
from downset.language.automata import SearchLimit
from downset.language.dead import State, fate
from downset.language.lists import NOT_DENY, GlobList, witness
from downset.language.matching import W0, W1, W2, W2_WINDOWS
from downset.language.rules import ALLOW, ASK, DENY

ENTRIES = st.lists(
    st.tuples(st.text("ab/* ?", max_size=4), st.sampled_from([DENY, ASK, ALLOW])), max_size=5
).map(tuple)
TEXTS = ["".join(t) for n in range(6) for t in itertools.product("ab/ c", repeat=n)]
MATCHERS = st.sampled_from([W0, W1, W2, W2_WINDOWS])
KINDS = st.sampled_from([kinds.PATH, kinds.COMMAND, kinds.TEXT])


@given(ENTRIES, ENTRIES, MATCHERS, KINDS)
@settings(max_examples=80, deadline=None)
def test_a_witness_is_right_and_none_is_a_proof(
    first: tuple[tuple[str, object], ...],
    second: tuple[tuple[str, object], ...],
    matcher: object,
    kind: kinds.Kind,
) -> None:
    a, b = (GlobList.of(matcher, entries) for entries in (first, second))  # type: ignore[arg-type]
    found = witness((a, b), ({DENY}, NOT_DENY), kind)
    if found is not None:
        assert a.decide(found) is DENY
        assert b.decide(found) is not DENY
        assert kind.contains(found)
        return
    for text in TEXTS:
        if kind.contains(text):
            assert a.decide(text) is not DENY or b.decide(text) is DENY, text


@given(ENTRIES, st.lists(st.sampled_from([DENY, ASK, ALLOW]), min_size=5), MATCHERS, MATCHERS)
@settings(max_examples=80, deadline=None)
def test_lists_of_the_same_globs_under_one_matcher_or_two(
    first: tuple[tuple[str, object], ...],
    actions: list[object],
    matcher: object,
    other: object,
) -> None:
    second = tuple((glob, action) for (glob, _), action in zip(first, actions, strict=False))
    a = GlobList.of(matcher, first)  # type: ignore[arg-type]
    b = GlobList.of(other, second)  # type: ignore[arg-type]
    try:
        found = witness((a, b), ({DENY}, NOT_DENY), kinds.TEXT)
    except SearchLimit:
        assume(matcher == other)
        raise
    right = [t for t in TEXTS if t and a.decide(t) is DENY and b.decide(t) is not DENY]
    if found is None:
        assert right == []
    else:
        assert a.decide(found) is DENY
        assert b.decide(found) is not DENY


def test_equal_globs_that_two_matchers_read_differently() -> None:
    entries = (("l? *", DENY), ("la", ALLOW))
    lists = [GlobList.of(matcher, entries) for matcher in (W1, W0)]
    found = witness(lists, ({DENY}, NOT_DENY), kinds.TEXT)
    assert found is not None
    assert [ls.decide(found) for ls in lists] == [DENY, ASK]


@given(ENTRIES, MATCHERS, KINDS)
@settings(max_examples=80, deadline=None)
def test_a_dead_rule_decides_nothing(
    entries: tuple[tuple[str, object], ...], matcher: object, kind: kinds.Kind
) -> None:
    ls = GlobList.of(matcher, entries)  # type: ignore[arg-type]
    for number in range(1, len(ls.entries)):
        found = fate(ls, number, kind)
        decided = [text for text in TEXTS if kind.contains(text) and ls.last(text) == number]
        if found.state is not State.ALIVE:
            assert decided == []
        if found.state is State.OVERRULED:
            assert found.text is not None
            assert ls.decide(found.text) is not ls.entries[number][1]
            assert ls.last(found.text) == found.cover[0]


@given(ENTRIES)
@settings(max_examples=60, deadline=None)
def test_a_cover_is_minimal(entries: tuple[tuple[str, object], ...]) -> None:
    """Without any rule of a cover but the one that shows it, the dead rule would decide."""
    ls = GlobList.of(W2, entries)  # type: ignore[arg-type]
    for number in range(1, len(ls.entries)):
        found = fate(ls, number, kinds.TEXT)
        if found.state is not State.REPEATED:
            continue
        for left_out in found.cover:
            rest = [ls.entries[number], *(ls.entries[i] for i in found.cover if i != left_out)]
            assert fate(GlobList.of(W2, tuple(rest)), 1, kinds.TEXT).state is State.ALIVE


def test_a_hard_question_ends() -> None:
    """`*a?????????b*`-like patterns have many states; the budget ends it."""
    globs = [f"*{a}{'?' * 14}{b}*" for a, b in itertools.product("abcd", repeat=2)]
    a = GlobList.of(W2, (*((glob, ALLOW) for glob in globs), ("zz", DENY)))
    b = GlobList.of(W2, (("*", DENY), *((glob, ASK) for glob in globs), ("?" * 40, DENY)))
    try:
        witness((a, b), ({ALLOW}, {ALLOW}), kinds.TEXT, budget=2_000)
    except SearchLimit:
        return


@pytest.mark.parametrize(
    ("kind", "legal", "illegal"),
    [
        (kinds.PATH, ["a", "../a", "a/.b", "..a/b", ".env"], ["", "/a", "./a", "a/../b", "a//b"]),
        (kinds.OUTER_PATH, ["/a", "/a/.b"], ["a", "/", "/a/../b", "/a/"]),
        (kinds.FOLDER, ["/a/*", "/a/b/*"], ["/a", "a/*", "/a/b*", "/*x"]),
        (kinds.COMMAND, ["ls", "a 'x | y' b", 'a "b;c"'], ["", " a", "a ", "a|b", "a && b", "cd'"]),
        (kinds.ADDRESS, ["https://a", "http://a/b"], ["ftp://a", "https://", "https://a b"]),
        (kinds.NAME, ["a_b-1"], ["", "a b", "ä", "a/b"]),
    ],
)
def test_kinds(kind: kinds.Kind, legal: list[str], illegal: list[str]) -> None:
    assert [text for text in legal if not kind.contains(text)] == []
    assert [text for text in illegal if kind.contains(text)] == []
    for text in kind.prefer:
        assert kind.contains(text)


def test_every_kind_has_a_text() -> None:
    anything = GlobList.of(W2, ())
    for kind in (
        kinds.PATH,
        kinds.OUTER_PATH,
        kinds.FOLDER,
        kinds.COMMAND,
        kinds.ADDRESS,
        kinds.NAME,
    ):
        none = GlobList.of(W2, tuple((text, DENY) for text in kind.prefer))
        found = witness((anything, none), ({ASK}, {ASK}), kind)
        assert found is not None
        assert kind.contains(found)
