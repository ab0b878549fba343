"""Telling a scenario to the program, event by event, and comparing what it does with the model.

Users' events are requests to the server; what agents do, the scripted model does. Sessions have
the names that the scenario gives them.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from downset.program import outcomes
from downset.program.asking import Asking
from downset.program.chat import Hold, Probe
from downset.program.outcomes import NotExpressible
from downset.program.runs import child_of, task
from downset.program.sandbox import Live
from downset.scenarios.plays import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.program.chat import Call, Step
    from downset.program.runs import Plan
    from downset.program.sandbox import Run

FIRST_PATCHABLE: Final = (1, 4, 4)


@dataclass(frozen=True)
class Dispatch:
    """A dispatch about to happen: what the new session does, and the prompt that tells it so."""

    number: int
    made: Plan
    prompt: str
    inner: Dispatch | None = None


@dataclass
class Telling(Asking):
    """One telling of a scenario. With `strict`, what sessions store is compared as well."""

    def tell(self) -> None:
        """Tell everything. Raises `NotExpressible`, or `ProgramError` if the program fails.

        Stops at the first dispatch at which program and model part: nothing after it is the same
        story.
        """
        self.compare_agents()
        try:
            for number, event in enumerate(self.events, start=1):
                if number not in self.done:
                    self.happen(number, event)
                if any(step.kind == "dispatch" and not step.ok for step in self.steps):
                    return
                self.after(number)
        finally:
            self.let_go()

    def happen(self, number: int, event: Mapping[str, Any]) -> None:
        """Let one event happen."""
        kind, name = event["event"], event["session"]
        if {name, event.get("by"), event.get("of")} & set(self.refused):
            self.refused.setdefault(name, "the session that it needs was never started")
            return
        events = {
            "open": self._open,
            "switch": self._switch,
            "patch": self._patch,
            "fork": self._fork,
            "prompt": self._prompt,
            "approve": self._approve,
            "spawn": self._dispatch,
            "resume": self._dispatch,
        }
        if kind not in events:
            raise NotExpressible(f"nothing makes the program do a `{kind}`")
        events[kind](number, event)
        self.compare_rules(number, name)

    # --- what users do ---

    def _open(self, _number: int, event: Mapping[str, Any]) -> None:
        session = self.sandbox.open(rules_of(event.get("rules", ())))
        self.live[event["session"]] = Live(session, event["agent"])

    def _switch(self, _number: int, event: Mapping[str, Any]) -> None:
        name = event["session"]
        self.live[name] = replace(self.speaker(name), agent=event["agent"])

    def _patch(self, _number: int, event: Mapping[str, Any]) -> None:
        if not self.staging.row.since(*FIRST_PATCHABLE):
            raise NotExpressible("this release ignores rules that users add to a session")
        self.sandbox.patch(self.known(event["session"]).id, rules_of(event["rules"]))

    def _fork(self, _number: int, event: Mapping[str, Any]) -> None:
        original = self.known(event["of"])
        self.live[event["session"]] = replace(original, id=self.sandbox.fork(original.id))

    def _prompt(self, number: int, event: Mapping[str, Any]) -> None:
        if "read" in event or "by" in event:
            raise NotExpressible("the moment at which a prompt reads rules cannot be chosen")
        speaker = self.speaker(event["session"])
        made = self.planned(number, self.timetable.inside(number))
        run = self.sandbox.run(speaker, made.steps, tools=event["tools"])
        self.read(number, made, speaker.id, run)

    def _approve(self, number: int, event: Mapping[str, Any]) -> None:
        name, rules = event["session"], rules_of(event["rules"])
        for place, rule in enumerate(rules):
            step = self.approval(number - 1, name, rule, rules[:place])
            run = self.sandbox.start(self.speaker(name), [step])
            self.sandbox.finish(run, "always")
            given = [question.get("always") for question in run.asked]
            text = f"{name} asks, and `{rule.permission} {rule.pattern}` is approved"
            got = outcomes.ASK if given == [[rule.pattern]] else f"asked for {given}"
            self.compare(number, "call", text, outcomes.ASK, got)

    # --- what agents do ---

    def _dispatch(self, number: int, event: Mapping[str, Any]) -> None:
        if not event.get("prompted", True):
            raise NotExpressible("a dispatch cannot be stopped before its prompt")
        caller, agent = event["by"], event["agent"]
        resumed = self.known(event["session"]).id if event["event"] == "resume" else None
        via = event.get("via") or self.staging.predicted.way(caller, number - 1, agent)
        if self.changed_anew(number - 1, caller, {"dispatch": agent, "via": via}):
            raise NotExpressible(f"one more prompt would show {caller} what its last one hides")
        hold = Hold(threading.Event()) if self.timetable.held(number) else None
        coming = self.coming(number, hold)
        steps, parts = scripted(via, agent, coming.prompt, resumed)
        before = self.sandbox.children(self.known(caller).id)
        run = self.sandbox.start(self.speaker(caller), steps, parts)
        if hold is not None:
            child = resumed or self.first_seen(run, self.known(caller).id, before)
            self.wait_with(number, coming, hold, run, child)
        else:
            self.sandbox.finish(run)
            child = self.child(run, via, self.known(caller).id, before)
        self.begun(number, child, via)
        if child and hold is None:
            self.go_on(coming, child, run)

    def coming(self, number: int, hold: Hold | None = None) -> Dispatch:
        """What the session of a dispatch does in its first run, dispatches of its own included."""
        inner = self.coming(number + 1) if self.nests(number) else None
        places = self.timetable.inside(number) if hold is None else self.timetable.held(number)
        tasks: list[Call] = []
        if inner is not None:
            tasks.append(task(self.events[number]["agent"], inner.prompt))
        made = self.planned(number, places, tasks, hold)
        return Dispatch(number, made, self.sandbox.chat.script(made.steps), inner)

    def nests(self, number: int) -> bool:
        """Whether the next event happens inside the run that this one starts."""
        if not self.timetable.chained(number):
            return False
        following = self.events[number]
        way = self.staging.predicted.way(following["by"], number, following["agent"])
        return way == "model"

    def go_on(self, told: Dispatch, child: str, run: Run) -> None:
        """Read what a dispatched session did, and what became of its own dispatches."""
        script = self.sandbox.chat.told(told.prompt)
        reading = self.read(told.number, told.made, child, run, script)
        if told.inner is None:
            return
        self.done.add(told.inner.number)
        grandchild = child_of(reading.part(told.made.tasks[0]))
        self.begun(told.inner.number, grandchild, "model")
        if grandchild:
            self.compare_rules(told.inner.number, self.events[told.inner.number - 1]["session"])
            self.go_on(told.inner, grandchild, run)

    def begun(self, number: int, child: str, via: str) -> None:
        """Note whether a dispatch happened, and compare that with the model."""
        event = self.events[number - 1]
        caller, agent, name = event["by"], event["agent"], event["session"]
        expected = self.staging.predicted.possible(caller, number - 1, agent, via)
        words = {True: outcomes.POSSIBLE, False: outcomes.REFUSED}
        by = "" if via == "model" else f", by {via}"
        text = f"{caller} dispatches {agent} as {name}{by}"
        self.compare(number, "dispatch", text, words[expected], words[bool(child)])
        if child:
            self.live[name] = Live(child, agent)
        else:
            self.refused[name] = f"model and program both refuse that {caller} dispatches {agent}"

    def child(self, run: Run, via: str, caller: str, before: list[str]) -> str:
        """The session that a dispatch ran, or nothing."""
        if via == "command":
            fresh = [one for one in self.sandbox.children(caller) if one not in before]
            return fresh[-1] if fresh else ""
        return child_of(self.sandbox.parts(caller).get(run.script.calls.get(0, "")))

    @cached_property
    def done(self) -> set[int]:
        """The events that happened inside the run of an earlier one."""
        return set()


def scripted(
    via: str, agent: str, prompt: str, resumed: str | None
) -> tuple[list[Step], list[dict[str, object]]]:
    """What makes a session dispatch an agent: what its model does, and what its user adds.

    >>> scripted("command", "general", "[script 1]", None)[0]
    []
    """
    if via == "command" and resumed is None:
        asked: dict[str, object] = {"agent": agent, "description": "help", "prompt": prompt}
        return [], [{"type": "subtask", **asked}]
    parts: list[dict[str, object]] = [] if via == "model" else [{"type": "agent", "name": agent}]
    return [task(agent, prompt, resumed)], parts


__all__ = ["Dispatch", "Probe", "Telling", "scripted"]
