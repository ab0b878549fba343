"""The matcher against its definition, written naively, and against JavaScript's own answers."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import time
from functools import cache
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from downset.language.matching import W0, W1, W2, W2_WINDOWS, Matcher, from_units, to_units

HERE = Path(__file__).parent
ERAS = {"W0": W0, "W1": W1, "W2": W2, "W2_WINDOWS": W2_WINDOWS}
matchers = st.sampled_from(list(ERAS.values()))
strings = st.text(alphabet="abAB */\\?\n.\u017fsS\U0001f600\ud83d\ude00", max_size=7)


def units_of(text: str) -> tuple[int, ...]:
    data = text.encode("utf-16-le", "surrogatepass")
    return struct.unpack(f"<{len(data) // 2}H", data)


def same(matcher: Matcher, one: int, other: int) -> bool:
    if matcher.slashes:
        one, other = (ord("/") if unit == ord("\\") else unit for unit in (one, other))
    fold = matcher.fold_case and one < 128 and other < 128
    return one == other or (fold and chr(one).lower() == chr(other).lower())


@cache
def naive(matcher: Matcher, text: tuple[int, ...], glob: tuple[int, ...]) -> bool:
    if matcher.optional_tail and glob[-2:] == (ord(" "), ord("*")):
        without = Matcher(slashes=matcher.slashes, fold_case=matcher.fold_case)
        return naive(without, text, glob[:-2]) or naive(without, text, glob)
    if not glob:
        return not text
    if glob[0] == ord("*"):
        return any(naive(matcher, text[i:], glob[1:]) for i in range(len(text) + 1))
    if not text:
        return False
    if glob[0] != ord("?") and not same(matcher, text[0], glob[0]):
        return False
    return naive(matcher, text[1:], glob[1:])


def surprises(matcher: Matcher, row: list[str]) -> bool:
    text, glob, answers = row
    expected = answers[list(ERAS.values()).index(matcher)] == "1"
    return matcher.matches(text, glob) != expected


@given(matchers, strings, strings)
@example(W1, "a", "a *")
@example(W1, "", " *")
@example(W1, "a", "a **")
@example(W2, "\U0001f600", "??")
@example(W0, "\ud83d\ude00", "\U0001f600")
def test_matches_is_its_definition(matcher: Matcher, text: str, glob: str) -> None:
    assert matcher.matches(text, glob) is naive(matcher, units_of(text), units_of(glob))


@given(matchers, strings, st.data())
def test_a_glob_blurred_from_a_text_matches_as_defined(
    matcher: Matcher, text: str, data: st.DataObject
) -> None:
    blur = st.sampled_from(["?", "*", "**", None, None])
    glob = "".join(data.draw(blur) or unit for unit in text)
    glob += data.draw(st.sampled_from(["", " *", "* *", " **"]))
    assert matcher.matches(text, glob) is naive(matcher, units_of(text), units_of(glob))


@pytest.mark.parametrize("name", ERAS)
def test_recorded_answers_of_javascript(name: str) -> None:
    recorded = json.loads((HERE / "matches.json").read_text(encoding="ascii"))
    assert recorded["eras"] == list(ERAS)
    assert len(recorded["rows"]) > 5000
    assert [row for row in recorded["rows"] if surprises(ERAS[name], row)] == []


@pytest.mark.node
def test_the_recording_is_what_node_says_today(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no `node` on the path")
    fresh = tmp_path / "matches.json"
    with fresh.open("wb") as output:
        subprocess.run(  # noqa: S603 -- our own script
            [node, HERE / "record_matches.mjs"], stdout=output, check=True, timeout=120
        )
    assert fresh.read_bytes() == (HERE / "matches.json").read_bytes()


@pytest.mark.parametrize(
    ("text", "glob", "answers"),
    [
        ("ls", "ls *", "0111"),
        ("ls -la", "ls *", "1111"),
        ("lsof", "ls *", "0000"),
        ("ls", "ls **", "0000"),
        ("a\\b", "a/b", "0011"),
        ("a\\b", "a\\b", "1111"),
        ("EDIT", "edit", "0001"),
        ("a/b/.env", "*.env", "1111"),
        (".env", "**/.env", "0000"),
        ("", "", "1111"),
        ("x", "", "0000"),
        ("a\nb", "a?b", "1111"),
        ("\u212a", "k", "0000"),
        ("\u017f", "s", "0000"),
        ("\xb5", "\u03bc", "0001"),
        ("\U00010400", "\U00010428", "0000"),
        ("\ud83d", "?", "1111"),
    ],
)
def test_the_eras_differ_where_documented(text: str, glob: str, answers: str) -> None:
    got = "".join("01"[matcher.matches(text, glob)] for matcher in ERAS.values())
    assert got == answers


@pytest.mark.parametrize("glob", ["*a" * 40 + "*b", "*?a" * 40 + "b", "*" * 3000, "a*" * 40 + " *"])
def test_hostile_globs_are_quick(glob: str) -> None:
    began = time.perf_counter()
    W2.matches("a" * 3000, glob)
    assert time.perf_counter() - began < 1


@given(matchers, strings, strings)
def test_a_literal_matches_exactly_its_equals(matcher: Matcher, text: str, glob: str) -> None:
    if matcher.is_literal(glob):
        assert matcher.matches(glob, glob)
        assert matcher.matches(text, glob) is (matcher.normal(text) == matcher.normal(glob))
    elif "\\" not in glob:
        extra = glob.replace("*", "xy").replace("?", "x")
        assert matcher.matches(extra, glob)
        assert matcher.normal(extra) != matcher.normal(glob)


@given(st.text(alphabet="a\ud83d\ude00\U0001f600\uffff\U00010000", max_size=6))
def test_units_there_and_back(text: str) -> None:
    assert tuple(map(ord, to_units(text))) == units_of(text)
    assert to_units(from_units(to_units(text))) == to_units(text)
