"""What `check` and `explain` found, as results of the schema `downset/1`.

>>> from downset.graph.records import Location, Problem, Severity
>>> problem = Problem("dead-rule", Severity.ERROR, "m", (Location("a.json", 2, 3),))
>>> problem_result(problem)["locations"]
[{'file': 'a.json', 'line': 2, 'column': 3}]
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from downset.report.json_report import document

if TYPE_CHECKING:
    from downset.graph.check import Checked
    from downset.graph.explaining import Explained, Step
    from downset.graph.records import Member, Problem, RuleAt, Side, Suggestion


def check_json(checked: Checked) -> str:
    """All findings."""
    return document("check", [problem_result(problem) for problem in checked.problems])


def problem_result(problem: Problem) -> dict[str, object]:
    """One finding as an element of `results`; its first instance stands for it."""
    first = problem.members[0] if problem.members else None
    return {
        "id": problem.id,
        "severity": problem.severity.value,
        "property": problem.id,
        "message": problem.message,
        "locations": [asdict(place) for place in problem.locations],
        "chain": list(first.chain) if first else [],
        "witness": asdict(problem.witness) if problem.witness else None,
        "deciding": _deciding(first) if first else None,
        "fingerprint": problem.fingerprint,
        "kind": "property" if problem.is_property else "lint",
        "subject": problem.subject,
        "help": problem.help,
        "rules": [rule_result(rule) for rule in problem.rules],
        "details": list(problem.details),
        "members": [_member(member) for member in problem.members],
        "suggestion": _suggestion(problem.suggestion) if problem.suggestion else None,
    }


def _suggestion(suggestion: Suggestion) -> dict[str, object]:
    return {"summary": suggestion.summary, "patch": suggestion.patch}


def _member(member: Member) -> dict[str, object]:
    return {
        "chain": list(member.chain),
        "witness": asdict(member.witness),
        "deciding": _deciding(member),
        "dispatch": _side(member.dispatch) if member.dispatch else None,
        "others": list(member.others),
    }


def _deciding(member: Member) -> dict[str, object]:
    return {"ancestor": _side(member.ancestor), "descendant": _side(member.descendant)}


def _side(side: Side) -> dict[str, object]:
    rule = rule_result(side.rule) if side.rule else None
    return {"agent": side.agent, "decision": side.decision, "rule": rule}


def rule_result(rule: RuleAt) -> dict[str, object]:
    """A rule with its layer and place.

    >>> from downset.graph.records import RuleAt
    >>> rule_result(RuleAt("edit", "*", "deny", "defaults"))["place"] is None
    True
    """
    return asdict(rule)


def explain_json(explained: Explained) -> str:
    """One result: the request, and each session of the chain."""
    result = {
        "release": explained.release,
        "witness": asdict(explained.request),
        "decision": explained.steps[-1].decision,
        "steps": [_step(step) for step in explained.steps],
    }
    return document("explain", [result])


def _step(step: Step) -> dict[str, object]:
    return {**asdict(step), "overrode": [asdict(rule) for rule in step.overrode]}
