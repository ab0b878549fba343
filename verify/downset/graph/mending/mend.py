"""Suggestions: edits that were tried, remove their finding, and take nothing else away.

An edit is suggested if, read again, the files no longer have the finding, permit nothing more than
before, forbid only what the rules that the edit writes or moves are about, and have no new finding
of its severity or worse, but for those that are no worse and only about those rules: what an agent
now asks about, one below it may still do unasked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.config.edits import NotEditable
from downset.errors import InputError
from downset.graph.diffing import diff
from downset.graph.mending.bench import Bench
from downset.graph.mending.candidates import NONE, candidates
from downset.graph.records import Severity, Suggestion
from downset.graph.sessions import World

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downset.config.project import Project
    from downset.graph.check import Checked
    from downset.graph.diffing import Change
    from downset.graph.mending.bench import Candidate
    from downset.graph.records import Problem


@dataclass(frozen=True)
class Sources:
    """The files of a project: their texts, the project that they would be, and its findings.

    `check` leaves out what is waived, which no edit has to remove or to avoid.
    """

    text_of: Callable[[str], str]
    project: Callable[[Mapping[str, str]], Project]
    check: Callable[[Project], Checked]


def suggested(checked: Checked, project: Project, sources: Sources) -> Checked:
    """The findings, each with the smallest edit that was found, or why there is none."""
    tried = _Trial(checked, project, sources)
    problems = tuple(replace(p, suggestion=tried.suggestion(p)) for p in checked.problems)
    return replace(checked, problems=problems)


def fixed(checked: Checked, project: Project, sources: Sources) -> dict[str, str]:
    """The texts of the files with all suggestions in them, one after the other."""
    edited: dict[str, str] = {}
    done: set[str] = set()
    now = sources
    while (found := _next(checked, project, now, done)) is not None:
        problem, suggestion = found
        done.add(problem.fingerprint)
        edited.update({file: new for file, _, new in suggestion.files})
        now = _edited(sources, dict(edited))
        project = now.project({})
        checked = now.check(project)
    return edited


def _next(
    checked: Checked, project: Project, sources: Sources, done: set[str]
) -> tuple[Problem, Suggestion] | None:
    tried = _Trial(checked, project, sources)
    for problem in checked.problems:
        if problem.fingerprint in done:
            continue
        suggestion = tried.suggestion(problem)
        if suggestion.files:
            return problem, suggestion
        done.add(problem.fingerprint)
    return None


def _edited(sources: Sources, edited: Mapping[str, str]) -> Sources:
    """The files as they would be with some of them edited."""

    def text_of(file: str) -> str:
        return edited[file] if file in edited else sources.text_of(file)

    return replace(
        sources, text_of=text_of, project=lambda more: sources.project({**edited, **more})
    )


@dataclass(frozen=True)
class _Trial:
    checked: Checked
    project: Project
    sources: Sources

    def suggestion(self, problem: Problem) -> Suggestion:
        """The first edit that passes."""
        if problem.id in NONE:
            return Suggestion(NONE[problem.id])
        if problem.is_property and problem.severity is Severity.NOTE:
            return Suggestion("nothing in the files is at fault: that is how the program is made")
        why = "no edit is known that removes it"
        world = World(self.project)
        try:
            for candidate in candidates(problem, lambda: Bench(world, self.sources.text_of)):
                objection = self._objection(problem, candidate)
                if objection is None:
                    return self._shown(candidate)
                why = f"to {candidate.summary} {objection}"
        except NotEditable:
            why = "it is written in a way that is left to a person to edit"
        return Suggestion(why)

    def _shown(self, candidate: Candidate) -> Suggestion:
        files = [(file, self.sources.text_of(file), new) for file, new in candidate.edited.items()]
        return Suggestion(candidate.summary, tuple(files))

    def _objection(self, problem: Problem, candidate: Candidate) -> str | None:
        """Why an edit is not suggested; `None` if it is."""
        try:
            project = self.sources.project(candidate.edited)
        except InputError as error:
            return f"would make the file unreadable: {error.message}"
        checked = self.sources.check(project)
        if set(checked.undetermined) - set(self.checked.undetermined):
            return "leaves open whether it helps: the budget was spent"
        if any(_is_still(problem, found) for found in checked.problems):
            return "would not be enough"
        new = [found for found in checked.problems if self._is_new(problem, found)]
        new = [found for found in new if not self._is_about(found, candidate, problem)]
        if new:
            return f"would bring about `{new[0].id}`: {new[0].message}"
        return self._side_effect(project, candidate)

    def _is_new(self, problem: Problem, found: Problem) -> bool:
        """Whether a finding as bad was not there before, not even as a part of another.

        Of the cycles of one group only one is told, and edits that permit nothing make none.
        """
        if found.severity.rank > problem.severity.rank or found.id == "recursion":
            return False
        return not any(_is_part(found, old) for old in self.checked.problems if old != problem)

    def _is_about(self, found: Problem, candidate: Candidate, problem: Problem) -> bool:
        """Whether a finding, no worse than the old one, is only about rules that an edit wrote."""
        same = [old for old in self.checked.problems if old.id == found.id]
        known = {text for old in same for text in _rules(old)}
        rules = [
            {side.rule.text for side in (member.ancestor, member.descendant) if side.rule}
            for member in found.members
        ]
        rules = rules or [{rule.text} for rule in found.rules if rule.text not in known]
        is_worse = found.severity.rank < problem.severity.rank
        return bool(rules) and not is_worse and all(texts & candidate.rules for texts in rules)

    def _side_effect(self, project: Project, candidate: Candidate) -> str | None:
        found = diff(self.project, project)
        if found.undetermined:
            return "leaves open what else it does: the budget was spent"
        other = next((one for one in found.changes if not _is_meant(one, candidate)), None)
        if other is None:
            return None
        verb = "permit" if other.direction == "gain" else "take away"
        return f"would {verb} more: {other.witness.text} of {' -> '.join(other.chain)}"


def _is_meant(change: Change, candidate: Candidate) -> bool:
    rule = change.new_rule
    if rule is None:
        return False
    file = rule.place.file if rule.place else ""
    if f"in {file}" in candidate.rules:
        return True
    return change.direction == "loss" and rule.text in candidate.rules


def _is_still(problem: Problem, found: Problem) -> bool:
    """Whether a finding says what the old one said, perhaps of fewer agents or rules."""
    if found.id != problem.id:
        return False
    if problem.members:
        return bool(_members(problem) & _members(found))
    return found.fingerprint == problem.fingerprint or (
        problem.subject == found.subject and bool(_rules(problem) & _rules(found))
    )


def _is_part(found: Problem, old: Problem) -> bool:
    if found.id != old.id or found.severity.rank < old.severity.rank:
        return False
    if found.fingerprint == old.fingerprint:
        return True
    if found.members:
        return _members(found) <= _members(old)
    return bool(found.rules) and _rules(found) <= _rules(old)


def _members(problem: Problem) -> set[tuple[str, str, str]]:
    """Who, what and below whom."""
    return {
        (member.ancestor.agent, member.witness.permission, member.descendant.agent)
        for member in problem.members
    }


def _rules(problem: Problem) -> set[str]:
    return {rule.text for rule in problem.rules}
