"""The matchers of shell text say what the programs were seen to do, and the page shows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downset.report.shell_text import page
from downset.shelltext.matchers import MATCHERS, asked_by_opencode, caught
from downset.shelltext.reading import commands, parts
from downset.shelltext.spellings import SPELLINGS, SYSTEMS, spelled

PAGE = Path(__file__).parents[2] / "docs" / "shell-text.md"
SIGNS = " ab'\"\\$(){}|&;<>!=\n"
LINES = [(spelled(one, "touch p"), system, one) for one in SPELLINGS for system in SYSTEMS]


@pytest.mark.parametrize(("line", "system"), [(line, system) for line, system, _ in LINES])
def test_every_spelling_is_caught_where_it_was(line: str, system: str) -> None:
    seen = {(found, name): one.denied_by(name) for found, name, one in LINES}
    assert caught(system, line, ("touch",)) is seen[line, system]


@pytest.mark.parametrize(
    ("system", "line", "denied", "expected"),
    [
        ("gemini-cli", "rm  -rf x", "rm -rf", False),
        ("gemini-cli", "rm -r -f x", "rm -rf", False),
        ("gemini-cli", "X=1 rm -rf x", "rm -rf", False),
        ("gemini-cli", "env rm -rf x", "rm -rf", False),
        ("gemini-cli", "bash -c 'rm -rf x'", "rm -rf", True),
        ("gemini-cli", "echo $(rm -rf x)", "rm -rf", True),
        ("codex", "git push --force", "git push --force", True),
        ("codex", "git -C /x push --force", "git push --force", False),
        ("qwen-code", "git -C x push", "git push", False),
        ("qwen-code", "env git push", "git push", False),
        ("claude-code", "cd x && git push", "git push", True),
    ],
)
def test_other_runs(system: str, line: str, denied: str, *, expected: bool) -> None:
    assert caught(system, line, denied.split()) is expected


def test_every_system_has_a_spelling_that_escapes_it() -> None:
    for system in MATCHERS:
        lines = [spelled(one, "touch p") for one in SPELLINGS]
        assert not all(caught(system, line, ("touch",)) for line in lines)


def test_no_system_denies_what_does_not_run_the_command() -> None:
    for system in MATCHERS:
        for line in ("ls", "echo touch p", "touchy p", "true && ls", "git touch", "# touch"):
            assert not caught(system, line, ("touch",)), (system, line)


def test_what_is_asked_of_opencode() -> None:
    assert asked_by_opencode("a && (b; c) | d $(e f)") == ["a", "b", "c", "e f", "d $(e f)"]
    assert asked_by_opencode("> p") == []


@given(st.text(alphabet=SIGNS, max_size=20))
def test_every_text_is_read_to_its_end(line: str) -> None:
    for command in commands(line):
        assert command.raw
        assert len(command.raw) == len(command.words)
    assert len(parts(line)) >= 1
    for system in MATCHERS:
        caught(system, line, ("a",))


def test_the_page_is_what_the_matchers_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == page()
