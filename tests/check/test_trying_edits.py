"""An edit is suggested only if it does what it is for and nothing else: bad edits of each kind."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from downset.config.files import load
from downset.config.releases import release
from downset.graph.check import check
from downset.graph.mending import mend
from downset.graph.mending.bench import Candidate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path

    from downset.config.project import Project
    from downset.graph.records import Problem, Suggestion

BEFORE = {"rm *": "deny", "*": "allow"}
AFTER = {"*": "allow", "rm *": "deny"}
MOVED = frozenset({"bash rm * deny"})


def block(bash: Mapping[str, str], **others: object) -> str:
    return json.dumps({"permission": {"bash": dict(bash), **others}})


@pytest.fixture
def tried(
    project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> Callable[[str, frozenset[str]], Suggestion]:
    """What is suggested for a dead deny if this is the only edit that is known."""
    folder = project({"permission": {"bash": BEFORE}})
    file = str(folder / "opencode.json")

    def loaded(edited: Mapping[str, str]) -> Project:
        return load(folder, release("1.18.2"), edited=edited)

    def suggestion(text: str, rules: frozenset[str]) -> Suggestion:
        def only(_problem: Problem, _bench: object) -> Iterator[Candidate]:
            yield Candidate("edit", {file: text}, rules)

        monkeypatch.setattr(mend, "candidates", only)
        now = loaded({})
        sources = mend.Sources(lambda _file: block(BEFORE), loaded, check)
        problems = mend.suggested(check(now), now, sources).problems
        found = next(one for one in problems if one.id == "dead-deny").suggestion
        assert found is not None
        return found

    return suggestion


def test_a_good_edit(tried: Callable[[str, frozenset[str]], Suggestion]) -> None:
    assert tried(block(AFTER), MOVED).files


@pytest.mark.parametrize(
    ("text", "rules", "why"),
    [
        (block(BEFORE), MOVED, "would not be enough"),
        ('{"permission": {', MOVED, "would make the file unreadable"),
        (block(AFTER), frozenset(), "would take away more: bash rm"),
        (block(AFTER, webfetch="deny"), MOVED, "would take away more: webfetch"),
        (block(AFTER, external_directory="allow"), MOVED, "would permit more: external_directory"),
        (block(AFTER, edit={"x": "deny", "*": "allow"}), MOVED, "would bring about `dead-deny`"),
    ],
    ids=["nothing", "broken", "not meant", "loss", "gain", "new finding"],
)
def test_a_bad_edit(
    tried: Callable[[str, frozenset[str]], Suggestion], text: str, rules: frozenset[str], why: str
) -> None:
    found = tried(text, rules)
    assert not found.files
    assert found.summary.startswith(f"to edit {why}")
