"""One run of a session: what its script does, and how to read what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from downset.program import outcomes
from downset.program.calls import shown
from downset.program.chat import PROBE, Call, Probe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.program.chat import Hold, Script, Step
    from downset.program.sandbox import Sandbox

NOTHING: Final = "no answer"
Parts = "Mapping[str, Mapping[str, Any]]"


@dataclass(frozen=True)
class Wanted:
    """A question that a run is to answer; `real` is the call of the program's own tools for it."""

    place: int
    question: Mapping[str, Any]
    real: Call | None = None

    @property
    def probed(self) -> bool:
        """Whether the probing tool asks it."""
        return "permission" in self.question and self.real is None


@dataclass(frozen=True)
class Plan:
    """The script of one run: a hold, one probe for many questions, own calls, dispatches."""

    steps: tuple[Step, ...]
    wanted: tuple[Wanted, ...]
    places: Mapping[int, int]
    """Question -> the call that asks it."""
    tasks: tuple[int, ...]
    """The calls that are events of the story."""


def plan(
    sandbox: Sandbox,
    wanted: Sequence[Wanted],
    tasks: Sequence[Call] = (),
    hold: Hold | None = None,
) -> Plan:
    """The plan of a run that answers questions and then dispatches."""
    probed = [one for one in wanted if one.probed]
    queries = tuple((w.question["permission"], w.question["pattern"], "") for w in probed)
    calls: list[Call | Probe] = [Probe(queries)] if queries else []
    places = {one.place: 0 for one in probed}
    for one in wanted:
        call = one.real
        if "dispatch" in one.question:
            call = task(one.question["dispatch"], sandbox.chat.script(()))
        if call is not None:
            places[one.place] = len(calls)
            calls.append(call)
    own = len(calls)
    steps = ([] if hold is None else [hold], calls, tasks)
    return Plan(
        tuple(step for some in steps for step in some),
        tuple(wanted),
        places,
        tuple(range(own, own + len(tasks))),
    )


@dataclass(frozen=True)
class Reading:
    """What a run left: its script, the parts of its session's messages, the questions asked."""

    sandbox: Sandbox
    script: Script
    parts: Mapping[str, Mapping[str, Any]]
    asked: Sequence[Mapping[str, Any]]

    def part(self, place: int) -> Mapping[str, Any] | None:
        """What became of a call of the script; nothing if it was not made."""
        return self.parts.get(self.script.calls.get(place, ""))

    def answers(self, made: Plan) -> dict[int, tuple[str, str]]:
        """Question -> what the program answered, and what asked it."""
        probes = iter(self.probes(sum(one.probed for one in made.wanted)))
        found = {}
        for one in made.wanted:
            if "tool" in one.question:
                offered = one.question["tool"] in self.script.offered
                found[one.place] = (outcomes.OFFERED if offered else outcomes.HIDDEN, "")
            elif one.probed:
                found[one.place] = (next(probes), "asked by a probing tool")
            elif one.real is None:
                went = child_of(self.part(made.places[one.place]))
                found[one.place] = (outcomes.POSSIBLE if went else outcomes.REFUSED, "")
            else:
                found[one.place] = self.called(one.real, made.places[one.place])
        return found

    def probes(self, count: int) -> list[str]:
        """What the probing tool was answered; `hidden` if it was not offered."""
        given = self.sandbox.answers(self.script.calls[0]) if count and self.script.calls else []
        if given:
            return [of_probe(answer) for answer in given]
        return [NOTHING if PROBE in self.script.offered else outcomes.HIDDEN] * count

    def called(self, call: Call, place: int) -> tuple[str, str]:
        """What became of a call of one of the program's own tools."""
        part, how = self.part(place), shown(call, self.sandbox.path)
        if part is None:
            return (NOTHING if call.tool in self.script.offered else outcomes.HIDDEN), how
        name = self.script.calls[place]
        if any((question.get("tool") or {}).get("callID") == name for question in self.asked):
            return outcomes.ASK, how
        word = outcomes.of_part(part)
        left = self.script.left.get(place, False)
        return (NOTHING if word == outcomes.ALLOW and not left else word), how


def of_probe(answer: str) -> str:
    """The word for what the probing tool noted.

    >>> of_probe("ran"), of_probe("PermissionDeniedError: ..."), of_probe("TypeError: x")
    ('allow', 'deny', 'no answer: TypeError: x')
    """
    if answer == "ran":
        return outcomes.ALLOW
    word = outcomes.of_part({"tool": PROBE, "state": {"error": answer}})
    return word if word != outcomes.ALLOW else f"{NOTHING}: {answer[:80]}"


def task(agent: str, prompt: str, resumed: str | None = None) -> Call:
    """The call that dispatches an agent, perhaps resuming a session.

    >>> dict(task("general", "[script 1]").arguments)["subagent_type"]
    'general'
    """
    given = {"description": "help", "prompt": prompt, "subagent_type": agent}
    return Call("task", given if resumed is None else {**given, "task_id": resumed})


def child_of(part: Mapping[str, Any] | None) -> str:
    """The session that a dispatch ran, from the part that records the call; empty if none did.

    >>> child_of({"tool": "task", "state": {"status": "error"}})
    ''
    """
    if part is None or part["tool"] != "task" or part["state"]["status"] == "error":
        return ""
    return str((part["state"].get("metadata") or {}).get("sessionId") or "")
