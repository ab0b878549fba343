"""Random scenarios that favour the corners in which readings of rules differ, from a seed.

Keys that are globs, keys that a later layer writes again, patterns that end in ` *` or begin with
`**/`, blanket denies behind and in front of narrow rules, session rules in any order; and stories
of every event that a release has. An event is only told if the model says that it can happen.

>>> Generator(release("1.18.34"), 1).document(1) == Generator(release("1.18.34"), 1).document(1)
True
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from downset.config.project import resolve
from downset.config.releases import release
from downset.config.surroundings import Surroundings
from downset.errors import InputError
from downset.program.staging import Staging
from downset.program.words import Words
from downset.scenarios.designs import of_release
from downset.scenarios.own import Document
from downset.scenarios.plays import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.releases import Release
    from downset.program.predicting import Predicted

Event = dict[str, Any]
OPENERS: Final = ("boss", "lead", "build", "plan")
HELPERS: Final = ("worker", "mid", "general", "explore", "boss")
KINDS: Final = ("spawn", "spawn", "spawn", "resume", "switch", "patch", "prompt", "fork", "approve")
DEEPEST: Final = 3
CALLS: Final = 9
TOOLS: Final = 6
PATCHABLE: Final = (1, 4, 4)


@dataclass
class Generator:
    """Scenarios for one release; the same seed gives the same ones."""

    row: Release
    seed: int

    def document(self, number: int) -> Document:
        """The scenario with a number, without expectations: the model has them."""
        chance = random.Random(f"{self.seed}/{number}")  # noqa: S311 -- examples, no secrets
        words = Words(chance, self.row)
        config = self.config(words)
        story = Story(self.row, words, config, f"random-{self.seed}-{number}")
        story.tell()
        return story.document(story.questions())

    def config(self, words: Words) -> dict[str, Any]:
        """A configuration that the release accepts, as far as this package knows."""
        while True:
            config = words.config()
            try:
                resolve(config, self.row)
            except InputError:
                continue
            return config


@dataclass
class Story:
    """A story in the making: every event is one that can happen."""

    row: Release
    words: Words
    config: Mapping[str, Any]
    name: str
    events: list[Event] = field(default_factory=list)
    sessions: dict[str, int] = field(default_factory=dict)
    """Session -> its depth."""

    @property
    def chance(self) -> random.Random:
        """Where choices come from."""
        return self.words.chance

    def document(self, questions: list[Event]) -> Document:
        """The story as a scenario."""
        values = {
            "id": self.name,
            "source": "downset conformance",
            "summary": "A generated story.",
            "config": dict(self.config),
            "events": self.events,
            "questions": questions,
        }
        return Document(values, f"{self.name}.yaml")

    @property
    def predicted(self) -> Predicted:
        """What the model says of the story so far."""
        document = self.document([{"session": "s1", "tool": "bash", "expect": "offered"}])
        return Staging(document, self.row, of_release(self.row), Surroundings()).predicted

    def tell(self) -> None:
        """Tell the events."""
        self.opened()
        for _ in range(self.chance.randint(2, 6)):
            kind = self.chance.choice(KINDS)
            getattr(self, f"_{kind}")()

    def opened(self) -> None:
        """A user opens a session."""
        name = f"s{len(self.sessions) + 1}"
        self.sessions[name] = 0
        event = {"event": "open", "session": name, "agent": self.chance.choice(OPENERS)}
        self.events.append(event | self.words.session_rules())

    # --- events that may be impossible, and then do not happen ---

    def _spawn(self) -> None:
        by, agent = self.someone(), self.chance.choice(HELPERS)
        predicted, at = self.predicted, len(self.events)
        way = predicted.way(by, at, agent)
        if self.sessions[by] >= DEEPEST or not predicted.possible(by, at, agent, way):
            return
        name = f"s{len(self.sessions) + 1}"
        self.sessions[name] = self.sessions[by] + 1
        self.events.append({"event": "spawn", "session": name, "by": by, "agent": agent})

    def _resume(self) -> None:
        children = [name for name, depth in self.sessions.items() if depth]
        if not children:
            return
        child, agent = self.chance.choice(children), self.chance.choice(HELPERS)
        by = self.chance.choice([n for n, d in self.sessions.items() if d < self.sessions[child]])
        predicted, at = self.predicted, len(self.events)
        way = predicted.way(by, at, agent)
        if way != "command" and predicted.possible(by, at, agent, way):
            event = {"event": "resume", "session": child, "by": by, "agent": agent}
            self.events.append(event)

    def _switch(self) -> None:
        agent = self.chance.choice((*OPENERS, *HELPERS))
        self.events.append({"event": "switch", "session": self.someone(), "agent": agent})

    def _patch(self) -> None:
        rules = self.words.session_rules().get("rules")
        if rules and self.row.since(*PATCHABLE):
            self.events.append({"event": "patch", "session": self.someone(), "rules": rules})

    def _prompt(self) -> None:
        tools = self.words.tools_map()
        self.events.append({"event": "prompt", "session": self.someone(), "tools": tools})

    def _fork(self) -> None:
        name = f"s{len(self.sessions) + 1}"
        self.events.append({"event": "fork", "session": name, "of": self.someone()})
        self.sessions[name] = 0

    def _approve(self) -> None:
        name, predicted = self.someone(), self.predicted
        for _ in range(10):
            permission, resource = self.words.query()
            pattern = self.chance.choice(["*", resource, self.words.pattern()])
            if predicted.asks(name, len(self.events), permission, resource, ()):
                rules = [[permission, pattern, "allow"]]
                if predicted.hides(name, len(self.events), "downset_probe"):
                    return
                if not askable(predicted, name, len(self.events), rules):
                    return
                self.events.append({"event": "approve", "session": name, "rules": rules})
                return

    def someone(self) -> str:
        """A session of the story."""
        return self.chance.choice(list(self.sessions))

    # --- questions ---

    def questions(self) -> list[Event]:
        """What is asked: of every session at the end, and of one at some time before."""
        found = [question for name in self.sessions for question in self.asked(name)]
        at = self.chance.randint(1, len(self.events))
        alive = [event["session"] for event in self.events[:at] if "session" in event]
        early = self.asked(self.chance.choice(alive)) if at < len(self.events) else []
        found += [{**question, "after": at} for question in early]
        who, target = self.someone(), self.chance.choice(HELPERS)
        found.append({"session": who, "dispatch": target, "expect": "possible"})
        return found

    def asked(self, session: str) -> list[Event]:
        """Calls and tools of one session, each once."""
        calls = dict.fromkeys(self.words.query() for _ in range(CALLS))
        tools = self.chance.sample(self.words.tools, TOOLS)
        return [
            *(
                {"session": session, "permission": name, "pattern": resource, "expect": "allow"}
                for name, resource in calls
            ),
            *({"session": session, "tool": name, "expect": "offered"} for name in tools),
        ]


def askable(predicted: Predicted, name: str, at: int, rules: list[list[str]]) -> bool:
    """Whether something is known that a session would ask for, so that rules can be approved."""
    from downset.program.asking import filled  # noqa: PLC0415 -- a cycle otherwise

    rule = rules_of(rules)[0]
    patterns = [rule.pattern, *predicted.patterns(name, at, rule.permission)]
    return any(predicted.asks(name, at, rule.permission, filled(p), ()) for p in patterns)


__all__ = ["Generator", "release"]
