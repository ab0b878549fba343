"""The events of a counterexample, in the words of the scenario format.

A counterexample is written for people: what an event brought is found in the rules that it left,
by their layer, and where no rule was left, in the sentence.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from downset.verdicts import Counterexample, EventRecord, RuleRecord

Event = dict[str, Any]
TOOLS: Final = re.compile(r"with the tools map \{(.*)\}")
ENTRY: Final = re.compile(r"(.+?): (true|false)(?:, |$)")
APPROVED: Final = re.compile(r"(?:which approves|all sessions share:) (.*)$")
QUOTED: Final = re.compile(r"`(.+?) (\S+) (allow|ask|deny)`")


@dataclass(frozen=True)
class Events:
    """The events of a counterexample."""

    story: Counterexample

    def variants(self) -> Iterator[list[Event]]:
        """The events in the ways in which the format can tell them, the plainest first.

        A dispatch with its prompt is one event or two, and a user's prompt read the session's
        rules when it came, or before the event in front of it.
        """
        yield self.merged()
        split = self.split()
        yield split
        yield [stale(place, event) for place, event in enumerate(split)]

    def merged(self) -> list[Event]:
        """Every dispatch together with its prompt."""
        return [told(event) for event in self.story.events if event.kind != "prompt"]

    def split(self) -> list[Event]:
        """Every dispatch and its prompt as events of their own."""
        prompts = {dict(e.details)["session"] for e in self.story.events if e.kind == "prompt"}
        callers: dict[str, str] = {}
        found: list[Event] = []
        for event in self.story.events:
            if event.kind == "prompt":
                name = dict(event.details)["session"]
                found.append({"event": "prompt", "session": name, "by": callers[name]})
                continue
            made = told(event)
            if "by" in made:
                callers[made["session"]] = made["by"]
                if made["session"] in prompts:
                    made["prompted"] = False
            found.append(made)
        return found


def stale(place: int, event: Event) -> Event:
    """A user's prompt that read the session's rules before the event in front of it."""
    late = event["event"] == "prompt" and "tools" in event and place > 1
    return {**event, "read": place - 1} if late else event


def told(event: EventRecord) -> Event:
    """One event in the words of the format."""
    details = dict(event.details)
    session = details.get("session", "")
    match event.kind:
        case "open":
            opened = {"event": "open", "session": session, "agent": details["agent"]}
            return opened | left(event) | mode_of(event)
        case "spawn" | "resume":
            return dispatched(event.kind, details)
        case "patch":
            added = [rule(r) for r in event.changed[0].rules if r.layer == f"added to {session}"]
            return {"event": "patch", "session": session, "rules": added}
        case "share":
            return {"event": "share", "session": session, "rules": approvals(event)}
        case "mode":
            return {"event": "mode", "session": session} | mode_of(event)
        case "restart":
            return {"event": "restart", "session": session}
        case "fork":
            return {"event": "fork", "session": details["copy"], "of": session}
        case "approve":
            return {"event": "approve", "session": session, "rules": approvals(event)}
        case "switch" | "queue":
            return {"event": event.kind, "session": session, "agent": details["agent"]}
    return {"event": "prompt", "session": session, "tools": tools_map(event)}


def dispatched(kind: str, details: Mapping[str, str]) -> Event:
    """A spawn or a resume."""
    made = {
        "event": kind,
        "session": details["child"],
        "by": details["caller"],
        "agent": details["agent"],
    }
    return made | ({"via": details["via"]} if details.get("via") else {})


def left(event: EventRecord) -> Event:
    """The session rules with which a user opened a session."""
    rules = [rule(found) for found in event.changed[0].rules]
    return {"rules": rules} if rules else {}


def mode_of(event: EventRecord) -> Event:
    """The permission mode in which an event left its session."""
    mode = event.changed[0].mode
    return {"mode": mode} if mode else {}


def tools_map(event: EventRecord) -> dict[str, bool]:
    """The tools map of a user's prompt."""
    found = TOOLS.search(event.text)
    inside = found[1] if found else ""
    return {name: on == "true" for name, on in ENTRY.findall(inside)}


def approvals(event: EventRecord) -> list[list[str]]:
    """What a user's "always" approved."""
    found = APPROVED.search(event.text)
    return [list(parts) for parts in QUOTED.findall(found[1] if found else "")]


def rule(found: RuleRecord) -> list[str | int]:
    """A rule as the format writes it."""
    rank = [found.priority] if found.priority else []
    return [found.permission, found.pattern, found.action, *rank]


def agents_of(story: Counterexample) -> dict[str, Event]:
    """The agents with their raw rules, and the modes that they declare."""
    return {
        agent.name: {
            "rules": [rule(r) for r in agent.rules],
            **({"mode": agent.mode} if agent.mode else {}),
        }
        for agent in story.agents
    }


def settings_of(story: Counterexample) -> Event:
    """The settings that the story depends on."""
    given = dict(story.config)
    found: Event = {}
    if "primary tools" in given:
        found["primary_tools"] = given["primary tools"].split(", ")
    if "depth limit" in given:
        found["depth_limit"] = int(given["depth limit"])
    if "mode of new sessions" in given:
        found["mode"] = given["mode of new sessions"]
    for layer in ("shared", "managed"):
        rules = [rule(r) for r in story.shared if r.layer == layer]
        if rules:
            found[layer] = rules
    return found | flags_of(story)


def flags_of(story: Counterexample) -> Event:
    """The settings that are so or not."""
    noted = {value for name, value in story.config if name == "note"}
    found: Event = {}
    if "the most permissive mode is switched off" in noted:
        found["locked"] = True
    modes = any(session.mode for event in story.events for session in event.changed)
    if modes and "the folder is trusted" not in noted:
        found["trusted"] = False
    return found
