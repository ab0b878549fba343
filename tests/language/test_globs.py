"""The two searches against brute force over short strings, and where they are needed."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from downset.language import globs
from downset.language.globs import SearchLimit, find_glob, find_text
from downset.language.matching import W0, W1, W2, W2_WINDOWS, from_units

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from downset.language.matching import Matcher

LONGEST = 4
matchers = st.sampled_from([W0, W1, W2, W2_WINDOWS])
some_globs = st.one_of(
    st.text(alphabet="ab*? ", max_size=4),
    st.sampled_from(["**", "* *", "edi?", "", "*", "A", "a\\b", "a/*", "a *", " *", "?\n", "*\n"]),
    st.sampled_from(["\U0001f600", "?\ude00", "\ud83d*", "a **", "AB", "aB", "S", "\u017f"]),
)
some_texts = st.one_of(
    st.text(alphabet="ab ", max_size=4),
    st.sampled_from(["", "A", "aB", "a\\b", "a/b", "*", "a*", "?", "\n", "\U0001f600", "\ud83d"]),
)


def fits(
    question: Callable[[str, str], bool], inside: Sequence[str], outside: Sequence[str], word: str
) -> bool:
    kept = all(question(word, other) for other in inside)
    return kept and not any(question(word, other) for other in outside)


def text_fits(matcher: Matcher, inside: Sequence[str], outside: Sequence[str], text: str) -> bool:
    return fits(matcher.matches, inside, outside, text)


def glob_fits(matcher: Matcher, inside: Sequence[str], outside: Sequence[str], glob: str) -> bool:
    return fits(lambda word, text: matcher.matches(text, word), inside, outside, glob)


def words(alphabet: str, longest: int = LONGEST) -> list[str]:
    """All words up to a length, halves of characters joined: the same units are the same word."""
    lengths = range(longest + 1)
    spelled = ("".join(word) for length in lengths for word in product(alphabet, repeat=length))
    return list(dict.fromkeys(map(from_units, spelled)))


SMALL_TEXTS = words("abAB /") + words("abz\\\n\U0001f600\ud83d\ude00S\u017f", 2)
SMALL_GLOBS = words("ab*? ") + words("abzAB*? /\\\n", 2)
slow = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@slow
@given(
    matchers,
    st.lists(some_globs, max_size=3),
    st.lists(some_globs, max_size=3),
    st.sets(some_texts, max_size=3),
)
def test_find_text_agrees_with_brute_force(
    matcher: Matcher, inside: list[str], outside: list[str], avoid: set[str]
) -> None:
    found = find_text(matcher, inside, outside, avoid)
    small = [
        text
        for text in SMALL_TEXTS
        if text not in avoid and text_fits(matcher, inside, outside, text)
    ]
    assert found is not None or not small
    if found is not None:
        assert found not in avoid
        assert text_fits(matcher, inside, outside, found)
        assert all(units(found) <= units(text) for text in small)


@slow
@given(
    matchers,
    st.lists(some_texts, max_size=2),
    st.lists(some_texts, max_size=3),
    st.sets(some_globs, max_size=3),
)
def test_find_glob_agrees_with_brute_force(
    matcher: Matcher, inside: list[str], outside: list[str], avoid: set[str]
) -> None:
    found = find_glob(matcher, inside, outside, avoid)
    small = [
        glob
        for glob in SMALL_GLOBS
        if glob not in avoid and glob_fits(matcher, inside, outside, glob)
    ]
    assert found is not None or not small
    if found is not None:
        assert found not in avoid
        assert glob_fits(matcher, inside, outside, found)
        assert all(units(found) <= units(glob) for glob in small)


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


@slow
@given(matchers, st.lists(some_globs, min_size=1, max_size=2), st.lists(some_globs, max_size=2))
def test_avoiding_each_answer_lists_all_short_texts(
    matcher: Matcher, inside: list[str], outside: list[str]
) -> None:
    """Where few texts fit, the search finds every one of them before it says there is none."""
    found: list[str] = []
    while (text := find_text(matcher, inside, outside, found)) is not None and len(found) < 12:
        assert text not in found
        found.append(text)
    if text is None:
        small = {text for text in SMALL_TEXTS if text_fits(matcher, inside, outside, text)}
        assert small <= set(found)


@slow
@given(matchers, st.lists(some_texts, min_size=1, max_size=2), st.lists(some_texts, max_size=2))
def test_avoiding_each_answer_lists_all_short_globs(
    matcher: Matcher, inside: list[str], outside: list[str]
) -> None:
    found: list[str] = []
    while (glob := find_glob(matcher, inside, outside, found)) is not None and len(found) < 12:
        assert glob not in found
        found.append(glob)
    if glob is None:
        small = {glob for glob in SMALL_GLOBS if glob_fits(matcher, inside, outside, glob)}
        assert small <= set(found)


@pytest.mark.parametrize(
    ("inside", "outside", "avoid", "answer"),
    [
        (["*"], [], [], ""),
        (["?*"], [], [], "a"),
        (["?*"], ["a*", "?b*"], [], "c"),
        (["src/*", "*.ts"], ["*test*"], [], "src/.ts"),
        (["ls *"], ["ls"], [], "ls "),
        (["ls *"], [], ["ls"], "ls "),
        (["ls **"], ["ls "], [], "ls a"),
        (["edit"], [], ["edit"], None),
        (["*"], ["?*", ""], [], None),
        (["a*"], ["?", "??", "*b"], [], "acc"),
        (["a/b"], [], ["a/b"], "a\\b"),
        (["??"], ["\U0001f600"], [], "aa"),
        (["\U0001f600*"], [], [], "\U0001f600"),
        (["\ud83d?"], [], [], "\ud83da"),
    ],
)
def test_texts(inside: list[str], outside: list[str], avoid: list[str], answer: str | None) -> None:
    assert find_text(W2, inside, outside, avoid) == answer


@pytest.mark.parametrize(
    ("inside", "outside", "avoid", "answer"),
    [
        (["edit"], ["bash"], ["edit"], "e*"),
        (["edit", "edit2"], ["bash"], [], "e*"),
        (["edit", "task"], ["todowrite"], [], "????"),
        (["edit", "task"], ["todowrite"], ["????"], "???? *"),
        (["edit", "bash"], ["task"], [], None),
        (["ls", "ls -la"], ["lsof", "ils", "l", "la"], [], "ls *"),
        ([], [""], [], "a"),
        ([], ["a"], [""], "b"),
        (["*"], ["a"], ["*"], None),
        (["a\\b"], ["a b", "acb"], ["a/b"], "a/*"),
    ],
)
def test_globs(inside: list[str], outside: list[str], avoid: list[str], answer: str | None) -> None:
    found = find_glob(W2, inside, outside, avoid)
    assert found == answer


def test_no_glob_separates_strings_without_common_letters_from_one_as_long() -> None:
    """A glob for `edit` and `bash` has no literals, so it sees only the length of `task`."""
    signs = words("*?edibashk ", 4)
    assert not [glob for glob in signs if glob_fits(W2, ["edit", "bash"], ["task"], glob)]
    assert find_glob(W2, ["edit", "bash"], ["task"]) is None


def test_preferences_come_first_and_must_fit() -> None:
    assert find_text(W2, ["*.md"], [], ["a.md"], prefer=["x", "a.md", "plans/p.md"]) == "plans/p.md"
    assert find_glob(W2, ["edit"], ["bash"], ["edit"], prefer=["edit", "*", "edi?"]) == "edi?"


def test_case_folding() -> None:
    """The Windows matcher cannot tell case apart, but a text to avoid is avoided as written."""
    assert find_text(W2_WINDOWS, ["edit"], ["EDIT"]) is None
    assert find_text(W2_WINDOWS, ["EDIT"], []) == "edit"
    assert find_text(W2_WINDOWS, ["b"], [], avoid=["b"]) == "B"
    assert find_text(W2_WINDOWS, ["b"], [], avoid=["b", "B"]) is None
    assert find_text(W2_WINDOWS, ["\u03c3"], [], avoid=["\u03c3", "\u03a3"]) == "\u03c2"
    assert find_glob(W2_WINDOWS, ["B"], ["a"], avoid=["b"]) == "B"
    assert find_text(W2_WINDOWS, ["?"], ["A"]) == "b"


@pytest.mark.parametrize("search", [find_text, find_glob])
def test_a_search_that_is_too_large_says_so(search: Callable[..., str | None]) -> None:
    with pytest.raises(SearchLimit, match="gave up"):
        search(W2, ["abcdefg", "abcdefg"], ["abcdefg"], limit=3)


def test_a_wrong_answer_is_an_internal_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(globs, "_first_word", lambda *_: "wrong")
    with pytest.raises(RuntimeError, match="internal error"):
        find_text(W2, ["right"], [])
