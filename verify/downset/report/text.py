"""Verdicts for the terminal: a proof says what it covers, a counterexample reads as a story.

>>> from downset.verdicts import Scope, Status, Verdict
>>> scope = Scope(events=("spawn",), cutoff=(("callee", 2),), obligations=1)
>>> print(verdict_text(Verdict("m", "p", Status.PROVED, scope, seconds=0.5)))
m  p  proved
<BLANKLINE>
  rulesets     any length (cutoff 2: callee 2)
  depth        any
  events       spawn
  obligations  1, decided in 0.50 s
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from downset.report.words import query_text, quoted, rule_text, tally
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from downset.verdicts import (
        AgentRecord,
        Counterexample,
        DecisionRecord,
        EventRecord,
        RuleRecord,
        Scope,
        SessionRecord,
        Verdict,
    )

WIDTH: Final = 100


def verdicts_text(verdicts: Sequence[Verdict]) -> str:
    """All verdicts, one after the other, and a last line that counts them."""
    return "\n\n".join([*map(verdict_text, verdicts), tally(verdicts)]) + "\n"


def verdict_text(verdict: Verdict) -> str:
    """One verdict: its reason, its counterexample, and what it quantifies over."""
    lines = [f"{verdict.model}  {verdict.property}  {verdict.status.value}", ""]
    if verdict.reason:
        lines += [*_paragraph(verdict.reason), ""]
    if verdict.counterexample is not None:
        lines += [*story_lines(verdict.counterexample), ""]
    if verdict.status is not Status.NOT_APPLICABLE:
        lines += _scope(verdict.scope, verdict.seconds)
    return "\n".join(lines).rstrip()


def story_text(story: Counterexample) -> str:
    """A counterexample alone."""
    return "\n".join(story_lines(story))


def story_lines(story: Counterexample) -> Iterator[str]:
    """The parts of a counterexample in the order in which they happen."""
    yield from _agents(story)
    yield "  what happens"
    for number, event in enumerate(story.events, start=1):
        yield from _event(number, event)
    yield ""
    yield f"  the question: {query_text(story.query)}"
    yield from _decisions(story)
    yield ""
    yield from _paragraph(story.conclusion)


def _agents(story: Counterexample) -> Iterator[str]:
    if story.agents:
        yield "  agents"
        for agent in story.agents:
            yield from _agent(agent)
        if story.form != "config":
            yield "    these rules can be given only as lists, not in a configuration file"
        yield ""
    if story.shared:
        yield "  rules that all sessions share"
        yield from _rules(story.shared, indent=4)
        yield ""
    if story.config:
        yield "  settings"
        yield from (f"    {name}: {value}" for name, value in story.config)
        yield ""


def _agent(agent: AgentRecord) -> Iterator[str]:
    mode = f"  (mode {agent.mode})" if agent.mode else ""
    yield f"    {quoted(agent.name)}{mode}" + ("" if agent.rules else "  (no rules)")
    yield from _rules(agent.rules, indent=6)
    if agent.config is not None:
        yield f'      as configuration: "permission": {agent.config}'


def _event(number: int, event: EventRecord) -> Iterator[str]:
    yield from textwrap.wrap(
        event.text, WIDTH, initial_indent=f"    {number}. ", subsequent_indent=" " * 7
    )
    for session in event.changed:
        yield f"         {_session(session)}"
        yield from _rules(session.rules, indent=11)


def _session(session: SessionRecord) -> str:
    called = f", called by {session.caller}" if session.caller is not None else ""
    empty = "" if session.rules or session.mode else ", has no rules"
    mode = f" in mode {session.mode}" if session.mode else ""
    return f"{session.name} runs {quoted(session.agent)}{mode}{called}{empty}"


def _rules(rules: Sequence[RuleRecord], indent: int) -> Iterator[str]:
    """Rules under each other, first to last, with the layer of each in front."""
    layers = max((len(rule.layer) for rule in rules), default=0)
    yield from (f"{' ' * indent}{rule.layer:{layers}}  {rule_text(rule)}" for rule in rules)


def _decisions(story: Counterexample) -> Iterator[str]:
    """One line for each decision; its query only where it is not the one asked above."""
    who = [_decider(decision) for decision in story.decisions]
    width = max(map(len, who), default=0)
    for name, decision in zip(who, story.decisions, strict=True):
        other = decision.query != story.query
        asked = f"{query_text(decision.query)}: " if other else ""
        yield f"    {name:{width}}  {asked}{decision.outcome}, {_because(decision, story)}"


def _decider(decision: DecisionRecord) -> str:
    if not decision.role or decision.role == decision.session:
        return decision.session
    return f"{decision.session} ({decision.role})"


def _because(decision: DecisionRecord, story: Counterexample) -> str:
    """By which rule, or why by none; the mode, where it decides or changes what the rule says."""
    decides = decision.outcome in {"allow", "ask", "deny"}
    mode = _mode(decision, story) if decides else ""
    if decision.rule is None:
        unruled = {"hidden": "by the prompt's tools map", "offered": "because no rule hides it"}
        if decision.outcome.startswith("may "):
            return "by its depth"
        if mode:
            return f"by its mode, {mode}"
        return unruled.get(decision.outcome, "by default, because no rule matches")
    other = f", in mode {mode}" if mode and decision.rule.action != decision.outcome else ""
    return f"by `{rule_text(decision.rule)}` ({decision.rule.layer}){other}"


def _mode(decision: DecisionRecord, story: Counterexample) -> str:
    """The mode of the session that decides, empty if the design has none."""
    changed = [session for event in story.events for session in event.changed]
    modes = [session.mode for session in changed if session.name == decision.session]
    return "" if not modes else modes[0 if decision.role == "before" else -1]


def _scope(scope: Scope, seconds: float) -> Iterator[str]:
    """What a verdict quantifies over, one labelled line each."""
    checked = f"{scope.obligations}, decided in {seconds:.2f} s"
    rows = [
        ("rulesets", scope.rules + _cutoff(scope)),
        ("depth", scope.depth),
        ("events", ", ".join(scope.events) or "none"),
        ("argument", scope.argument),
        ("obligations", checked if scope.obligations else ""),
    ]
    return (line for label, text in rows if text for line in _labelled(label, text))


def _cutoff(scope: Scope) -> str:
    if not scope.cutoff:
        return ""
    longest = max(length for _, length in scope.cutoff)
    each = ", ".join(f"{name} {length}" for name, length in scope.cutoff)
    return f" (cutoff {longest}: {each})"


def _labelled(label: str, text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent=f"  {label:11}  ", subsequent_indent=" " * 15)


def _paragraph(text: str) -> Iterable[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="  ", subsequent_indent="  ")
