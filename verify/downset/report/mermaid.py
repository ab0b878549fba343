"""A story as a sequence diagram in Mermaid: sessions are lifelines, events are messages.

>>> from downset.verdicts import Counterexample, EventRecord, QueryRecord, SessionRecord
>>> opened = EventRecord("open", "a user opens s1", (SessionRecord("s1", "lead", None, ()),),
...     (("session", "s1"),))
>>> print(sequence(Counterexample((), (opened,), QueryRecord("edit", "*"), (), "")), end="")
sequenceDiagram
  actor user
  participant p0 as s1 (lead)
  user->>p0: a user opens s1
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.report.words import query_text, rule_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from downset.verdicts import Counterexample, EventRecord

_RISKY: Final = re.compile(r"[^\w \-./(),=!?'^$~]")
LONGEST: Final = 120


def sequence(story: Counterexample) -> str:
    """The diagram of a story, with the rules that each event leaves and the last decisions."""
    names = _participants(story)
    lines = ["sequenceDiagram", "  actor user"]
    agents = {s.name: s.agent for event in reversed(story.events) for s in event.changed}
    lines += [f"  participant {p} as {_text(f'{n} ({agents[n]})')}" for n, p in names.items()]
    for event in story.events:
        lines += _event(event, names)
    asked = query_text(story.query)
    for decision in story.decisions:
        if decision.session in names:
            told = _text(f"{asked}: {decision.outcome}")
            lines.append(f"  Note over {names[decision.session]}: {told}")
    return "\n".join(lines) + "\n"


def _participants(story: Counterexample) -> dict[str, str]:
    sessions = [session.name for event in story.events for session in event.changed]
    return {name: f"p{number}" for number, name in enumerate(dict.fromkeys(sessions))}


def _event(event: EventRecord, names: Mapping[str, str]) -> Iterator[str]:
    details = dict(event.details)
    target = details.get("child") or details.get("session") or ""
    sender = names.get(details.get("caller", ""), "user")
    receiver = names.get(target, sender)
    yield f"  {sender}->>{receiver}: {_text(event.text)}"
    for session in event.changed:
        if session.rules:
            rules = [_text(rule_text(rule)) for rule in session.rules]
            yield f"  Note right of {names[session.name]}: {'<br/>'.join(rules)}"


def _text(text: str) -> str:
    """Text in which nothing means anything to Mermaid: its own escapes for all that could.

    >>> _text("a; b: #c")
    'a#59; b#58; #35;c'
    """
    short = text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
    return _RISKY.sub(lambda found: f"#{ord(found[0])};", " ".join(short.split()))
