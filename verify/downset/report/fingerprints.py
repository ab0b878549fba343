"""What stays the same of a verdict as long as its answer and its story do.

>>> from downset.verdicts import Scope, Status, Verdict
>>> fingerprint(Verdict("m", "p", Status.PROVED, Scope()))
'a5d62f7c23a3a26a'
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from downset.verdicts import (
        Counterexample,
        DecisionRecord,
        EventRecord,
        RuleRecord,
        Verdict,
    )


def fingerprint(verdict: Verdict) -> str:
    """16 hexadecimal digits of the property, the answer, and the shape of the story.

    They depend on the kinds of events, on who is called by whom, on all rules and on the
    decisions, and not on the names of sessions or agents, wording, times or line numbers.
    """
    parts = [verdict.property, verdict.status.value]
    story = verdict.counterexample
    if story is not None:
        names = _numbered(story)
        parts += [part for event in story.events for part in _told(event, names)]
        query = story.query
        parts.append(f"{query.permission}\0{query.resource}\0{query.tool}")
        parts += [_decided(decision, names) for decision in story.decisions]
    return sha256("\n".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _numbered(story: Counterexample) -> Mapping[str | None, str]:
    """A number for each session and agent, in order of appearance."""
    names = [session.name for event in story.events for session in event.changed]
    names += [agent.name for agent in story.agents]
    return {name: str(number) for number, name in enumerate(dict.fromkeys(names))}


def _told(event: EventRecord, names: Mapping[str | None, str]) -> Iterator[str]:
    yield event.kind
    for session in event.changed:
        who = [names.get(name, "") for name in (session.name, session.agent, session.caller)]
        yield "\0".join([*who, *map(_plain, session.rules)])


def _decided(decision: DecisionRecord, names: Mapping[str | None, str]) -> str:
    rule = "" if decision.rule is None else _plain(decision.rule)
    return f"{names.get(decision.session, '')}\0{decision.role}\0{decision.outcome}\0{rule}"


def _plain(rule: RuleRecord) -> str:
    return f"{rule.permission}\0{rule.pattern}\0{rule.action}"
