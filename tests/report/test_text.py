"""The story that a person reads in a terminal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from downset.report.text import verdict_text, verdicts_text
from downset.verdicts import RuleRecord, Status

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.verdicts import Counterexample, Verdict


def test_a_counterexample_reads_as_a_story(
    violated: Verdict, golden: Callable[[str, str], None]
) -> None:
    golden("violated.txt", verdict_text(violated) + "\n")


def test_a_proof_says_what_it_covers(proved: Verdict, golden: Callable[[str, str], None]) -> None:
    golden("proved.txt", verdict_text(proved) + "\n")


def test_several_verdicts_are_counted(proved: Verdict, unknown: Verdict) -> None:
    text = verdicts_text([proved, unknown])
    assert text.endswith("\n\n2 verdicts: 1 proved, 1 unknown\n")
    assert "  the solver gave up after 30 s" in text


def test_lines_fit_the_page(violated: Verdict, proved: Verdict, unknown: Verdict) -> None:
    lines = verdicts_text([violated, proved, unknown]).splitlines()
    assert max(map(len, lines)) <= 100
    assert all(line == line.rstrip() for line in lines)


def test_every_part_of_the_story_is_told_in_order(violated: Verdict) -> None:
    text = verdict_text(violated)
    parts = [
        "opencode/1.17.2  resume-safe  violated",
        '"permission": {"edit": "deny"}',
        "depth limit: 1",
        "1. a user opens",
        "session  edit src/* deny",
        "2. A dispatches general",
        "B runs general, called by A",
        "3. A resumes B",
        "the question: edit on src/app.ts",
        "A (caller)  deny, by `edit src/* deny` (session)",
        "edit on * (tool write): offered, because no rule hides it",
        "A denies `edit` on `src/app.ts`",
        "spawn, resume, switch, patch",
    ]
    places = [text.find(part) for part in parts]
    assert -1 not in places
    assert places == sorted(places)


def test_what_makes_no_sense_covers_nothing(unknown: Verdict) -> None:
    verdict = replace(unknown, status=Status.NOT_APPLICABLE, reason="the design has no fork")
    assert verdict_text(verdict) == (
        "opencode/2.0  rebuild-stable-user  not-applicable\n\n  the design has no fork"
    )


def test_a_story_may_be_bare(violated: Verdict, story: Counterexample) -> None:
    bare = verdict_text(replace(violated, counterexample=replace(story, agents=(), config=())))
    assert "  agents\n" not in bare
    assert "settings" not in bare


def test_raw_rule_lists_are_marked(violated: Verdict, story: Counterexample) -> None:
    raw = replace(violated, counterexample=replace(story, form="rules"))
    assert "not in a configuration file" in verdict_text(raw)
    assert "not in a configuration file" not in verdict_text(violated)


def test_letters_that_do_not_print_are_escaped(violated: Verdict, story: Counterexample) -> None:
    hostile = RuleRecord("edit\x1b[2J", "a\u202eb", "deny", layer="agent")
    agent = replace(story.agents[0], rules=(hostile,), config=None)
    shown = verdict_text(replace(violated, counterexample=replace(story, agents=(agent,))))
    assert r'"edit\u001b[2J" "a\u202eb" deny' in shown
