"""Every finding has a page, and the example on the page shows it and the mended one does not."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.config.files import load
from downset.config.releases import release
from downset.graph.check import check
from downset.graph.lints import LINTS

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.graph.records import Problem

PAGES = Path(__file__).parents[2] / "docs" / "lints"
PROPERTIES = ("no-escalation", "ask-preserved", "no-lost-grant", "recursion", "approval-bounded",
              "resume-safe")  # fmt: skip
WAIVERS = ("waiver-expired", "waiver-unmatched")
LOADING = (
    *("header-dropped", "agent-skipped", "agent-twice", "no-header", "duplicate-key"),
    *("bad-default-agent", "outside-not-read", "file-skipped", "mixed-forms", "unknown-key"),
)
IDS = [*PROPERTIES, *(lint.id for lint in LINTS), *LOADING]


@dataclass(frozen=True)
class Page:
    severity: str
    title: str
    release: str
    example: dict[str, str]
    mended: dict[str, str]


def page(name: str) -> Page:
    text = (PAGES / f"{name}.md").read_text(encoding="utf-8")
    assert text.startswith(f"# {name}\n")
    head = re.search(r"^(error|warning|note) · (.+)$", text, re.MULTILINE)
    assert head is not None
    read_by = re.search(r"^Read by `opencode@(.+)`\.$", text, re.MULTILINE)
    first, _, second = text.partition("## Mended")
    return Page(
        head[1], head[2], read_by[1] if read_by else "1.18.2", blocks(first), blocks(second)
    )


def blocks(text: str) -> dict[str, str]:
    return dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL))


def found(folder: Path, files: dict[str, str], name: str) -> dict[str, Problem]:
    for path, content in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(content, encoding="utf-8")
    return {one.id: one for one in check(load(folder, release(name))).problems}


@pytest.mark.parametrize("name", IDS)
def test_the_example_shows_it(name: str, tmp_path: Path) -> None:
    about = page(name)
    problems = found(tmp_path, about.example, about.release)
    assert name in problems
    assert problems[name].help


@pytest.mark.parametrize("name", IDS)
def test_the_mended_example_does_not(name: str, tmp_path: Path) -> None:
    about = page(name)
    if about.mended:
        problems = found(tmp_path, about.mended, about.release)
        shown = problems.get(name)
        assert shown is None or shown.severity.value == "note"


@pytest.mark.parametrize("lint", LINTS, ids=lambda lint: lint.id)
def test_the_page_has_severity_and_title_of_the_lint(lint: object) -> None:
    about = page(lint.id)  # type: ignore[attr-defined]
    assert (about.severity, about.title) == (lint.severity.value, about.title)  # type: ignore[attr-defined]


def test_every_page_is_of_a_finding() -> None:
    pages = {file.stem for file in PAGES.glob("*.md")} - {"README"}
    assert pages == {*IDS, *WAIVERS}
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    assert all(f"({name}.md)" in index for name in pages)


@pytest.mark.parametrize(
    ("block", "wanted"),
    [
        ({"bash": {"a*": "deny", "*b": "deny", "*": "ask"}}, {"dead-deny"}),
        ({"bash": {"curl * | sh*": "deny"}}, {"never-matches"}),
        ({"bash": {"grep 'a|b' *": "deny"}}, set()),
        ({"external_directory": {"/srv": "deny"}}, {"never-matches"}),
        ({"external_directory": {"/srv/*": "deny"}}, set()),
        ({"edit": {"./x": "deny"}}, {"never-matches"}),
        ({"bash": {"cd *": "deny"}}, {"never-matches"}),
        ({"bash": {"git stash": "deny"}}, {"literal-for-prefix"}),
        ({"bash": {"git stash": "deny", "git stash *": "deny"}}, set()),
        ({"edit": {"**/.npmrc": "deny", ".npmrc": "deny"}}, set()),
        ({"bruno_run": "ask", "bruno_*": "allow"}, {"dead-rule"}),
        ({"todoread": "allow"}, {"inert-key"}),
    ],
)
def test_what_is_and_what_is_not_found(
    block: object, wanted: set[str], project: Callable[..., Path]
) -> None:
    folder = project({"permission": block})
    problems = check(load(folder, release("1.18.2"))).problems
    ids = {one.id for one in problems} & {lint.id for lint in LINTS}
    assert ids - {"repeated-rule", "release-dependent", "shell-spelling"} == wanted


def test_a_cover_of_two_rules_with_the_other_action_first(project: Callable[..., Path]) -> None:
    block = {"bash": {"?": "deny", "a": "ask", "??*": "allow", "*": "deny"}}
    folder = project({"permission": block})
    problems = {one.id: one for one in check(load(folder, release("1.18.2"))).problems}
    rules = json.dumps([rule.text for rule in problems["dead-rule"].rules])
    assert rules == '["bash a ask", "bash ??* allow", "bash * deny"]'


@pytest.mark.parametrize(
    ("bash", "found"),
    [
        ({"*": "allow", "git push *": "deny"}, True),
        ({"*": "ask", "git push *": "deny"}, False),
        ({"*": "deny", "ls *": "allow", "git push *": "deny"}, False),
        ({"*": "allow", "*push*": "deny"}, False),
        ({"*": "allow", "rm *": "deny", "rm x": "allow"}, False),
    ],
)
def test_spellings_that_run_unasked_are_found(
    bash: object, found: object, project: Callable[..., Path]
) -> None:
    problems = check(load(project({"permission": {"bash": bash}}), release("1.18.2"))).problems
    told = [one for one in problems if one.id == "shell-spelling"]
    assert bool(told) is found
    if told:
        assert "`/usr/bin/git push x`" in told[0].message
        assert told[0].locations
