"""When each question of a scenario is asked: in the run that an event starts, or in one of its own.

A dispatched session runs once, when it is dispatched. What is asked of it later is asked in that
run as long as nothing happened in between that could change the answer; else the session is
prompted once more, as users can.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

PROMPTING: Final = frozenset({"spawn", "resume", "prompt"})
CHANGING: Final = frozenset({"patch", "switch"})
OTHERS_WAY: Final = frozenset({"mention", "command"})


@dataclass(frozen=True)
class Timetable:
    """The questions of a scenario, by when they are asked. Events count from 1.

    >>> made = Timetable(
    ...     [{"event": "open", "session": "s1"}, {"event": "spawn", "session": "s2", "by": "s1"}],
    ...     [{"session": "s1", "tool": "edit"}, {"session": "s2", "tool": "edit"}])
    >>> made.inside(2), made.apart(2)
    ([1], {'s1': [0]})
    """

    events: Sequence[Mapping[str, Any]]
    questions: Sequence[Mapping[str, Any]]

    def at(self, place: int) -> int:
        """The event after which a question is asked."""
        return int(self.questions[place].get("after", len(self.events)))

    def inside(self, event: int) -> list[int]:
        """The questions that the run answers which an event starts."""
        return [place for place in range(len(self.questions)) if self._where[place] == event]

    def held(self, event: int) -> list[int]:
        """The questions to a run that begins after an event and waits."""
        return [place for place, q in enumerate(self.questions) if q.get("began") == event]

    def apart(self, event: int) -> dict[str, list[int]]:
        """The questions for which a session is prompted after an event, by session."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, question in enumerate(self.questions):
            if self._where[place] == 0 and self.at(place) == event and "began" not in question:
                found[question["session"]].append(place)
        return dict(found)

    @cached_property
    def _where(self) -> dict[int, int]:
        """Question -> the event whose run answers it, 0 if it has a run of its own."""
        return {place: self._run_of(place) for place in range(len(self.questions))}

    def _run_of(self, place: int) -> int:
        question, at = self.questions[place], self.at(place)
        if question.get("via") in OTHERS_WAY or "began" in question:
            return 0
        name = question["session"]
        started = [n for n in range(1, at + 1) if prompts(self.events[n - 1], name)]
        if not started or any(disturbs(event, name) for event in self.events[started[-1] : at]):
            return 0
        return started[-1]

    def chained(self, event: int) -> bool:
        """Whether the session that an event starts makes the next dispatch in that run."""
        if event >= len(self.events) or self.apart(event) or self.held(event):
            return False
        now, following = self.events[event - 1], self.events[event]
        return (
            now["event"] in {"spawn", "resume"}
            and following["event"] == "spawn"
            and following["by"] == now["session"]
            and "via" not in following
            and not self.held(event + 1)
        )


def prompts(event: Mapping[str, Any], name: str) -> bool:
    """Whether an event starts a run of a session."""
    return event["event"] in PROMPTING and event["session"] == name


def disturbs(event: Mapping[str, Any], name: str) -> bool:
    """Whether what a session may do can be another after an event.

    >>> disturbs({"event": "patch", "session": "s1"}, "s2")
    False
    """
    kind = event["event"]
    return kind == "approve" or (kind in CHANGING and event["session"] == name)
