"""Asking the questions of a scenario, and comparing what the program answers with what it must."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

from downset.program import outcomes
from downset.program.calls import real_call
from downset.program.chat import PROBE, Hold, Probe
from downset.program.outcomes import NotExpressible, ProgramError
from downset.program.runs import Reading, Wanted, child_of, plan, task
from downset.program.steps import Step
from downset.program.timetable import Timetable
from downset.scenarios.told import about

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.language.rules import Rule, Ruleset
    from downset.program.chat import Call, Script
    from downset.program.runs import Plan
    from downset.program.sandbox import Live, Run, Sandbox
    from downset.program.staging import Staging

SECONDS: Final = 60.0
PAUSE: Final = 0.05


@dataclass(frozen=True)
class Held:
    """A run that waits: who is busy with it, in which session, its plan, and what ends it."""

    names: frozenset[str]
    session: str
    made: Plan
    hold: Hold
    run: Run
    script: Script


@dataclass
class Asking:
    """The questions of one telling, and what was answered so far."""

    staging: Staging
    sandbox: Sandbox
    strict: bool = False
    steps: list[Step] = field(default_factory=list)
    live: dict[str, Live] = field(default_factory=dict)
    held: list[Held] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    """Sessions that could not be started, and why."""
    unasked: dict[int, str] = field(default_factory=dict)
    """Questions that the program cannot be asked, and why."""

    @cached_property
    def events(self) -> Sequence[Mapping[str, Any]]:
        """The events of the scenario."""
        return list(self.staging.document.values["events"])

    @cached_property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """The questions of the scenario."""
        return list(self.staging.document.values["questions"])

    @cached_property
    def timetable(self) -> Timetable:
        """When each question is asked."""
        return Timetable(self.events, self.questions)

    # --- who speaks ---

    def known(self, name: str) -> Live:
        """A session that exists."""
        return self.live[name]

    def speaker(self, name: str) -> Live:
        """A session that can be prompted. Raises `NotExpressible` while a run of it waits."""
        if any(name in waiting.names for waiting in self.held):
            raise NotExpressible(f"{name} cannot do anything else while its run goes on")
        return self.live[name]

    # --- plans ---

    def planned(
        self,
        at: int,
        places: Sequence[int],
        tasks: Sequence[Call] = (),
        hold: Hold | None = None,
        *,
        anew: bool = False,
    ) -> Plan:
        """What a session is to do in one run, to answer questions and to dispatch."""
        wanted = []
        for place in places:
            try:
                means = self.means(at, place, anew=anew)
                wanted.append(Wanted(place, self.questions[place], means))
            except NotExpressible as why:
                self.unasked[place] = why.reason
        return plan(self.sandbox, wanted, tasks, hold)

    def means(self, at: int, place: int, *, anew: bool) -> Call | None:
        """The call of one of the program's own tools that asks a question; `None` for a probe.

        A tool that is not offered says that the call is not possible, and no more: where more is
        to be seen, the probing tool asks.
        """
        asked, predicted = self.questions[place], self.staging.predicted
        if "permission" not in asked:
            return None
        real = self.real(asked["permission"], asked["pattern"])
        name = asked["session"]
        probes = not predicted.hides(name, at, PROBE, anew=anew)
        if self.strict and probes and place % 4:
            return None
        if real is not None and predicted.hides(name, at, real.tool, anew=anew):
            real = real if self.staging.expected(place) == outcomes.DENY else None
        if real is None and not probes:
            raise NotExpressible(
                f"nothing that is offered to {name} asks for `{asked['permission']}`"
            )
        return real

    def real(self, permission: str, resource: str) -> Call | None:
        """The call of one of the program's own tools that asks for something, if there is one."""
        home, row = self.sandbox.server.home, self.staging.row
        return real_call(permission, resource, self.sandbox.path, home, row)

    # --- asking ---

    def after(self, number: int) -> None:
        """Ask what is asked after an event, and begin runs that wait."""
        for place in self.timetable.held(number):
            name = self.questions[place]["session"]
            if not any(name in waiting.names for waiting in self.held) and name in self.live:
                self.begin(number, name)
        for waiting in list(self.held):
            if self.timetable.at(waiting.made.wanted[0].place) == number:
                self.release(number, waiting)
        for name, places in self.timetable.apart(number).items():
            if name not in self.refused:
                self.ask(number, name, places)

    def ask(self, number: int, name: str, places: Sequence[int]) -> None:
        """Prompt a session for the answers to questions."""
        self.leave_out(number, name, places)
        others = [p for p in places if self.questions[p].get("via", "model") != "model"]
        plain = [p for p in places if p not in others and p not in self.unasked]
        if plain:
            speaker, made = self.speaker(name), self.planned(number, plain, anew=True)
            self.read(number, made, speaker.id, self.sandbox.run(speaker, made.steps))
        for place in others:
            self.try_way(number, name, place)

    def leave_out(self, number: int, name: str, places: Sequence[int]) -> None:
        """Leave questions out whose answer one more prompt would change.

        A map of tools hides them for the run of its prompt, whatever a session stores.
        """
        for place in places:
            if self.changed_anew(number, name, self.questions[place]):
                why = f"one more prompt would show {name} the tools that its last one hides"
                self.unasked[place] = why

    def changed_anew(self, number: int, name: str, asked: Mapping[str, Any]) -> bool:
        """Whether one more prompt changes what is offered, or what can be dispatched."""
        predicted = self.staging.predicted
        if "dispatch" in asked:
            agent, via = asked["dispatch"], asked.get("via", "model")
            now = predicted.possible(name, number, agent, via)
            return now != predicted.possible(name, number, agent, via, anew=True)
        if "tool" not in asked:
            return False
        tool = asked["tool"]
        now = predicted.hides(name, number, tool)
        return now != predicted.hides(name, number, tool, anew=True)

    def try_way(self, number: int, name: str, place: int) -> None:
        """Try a dispatch by a mention or a command."""
        asked, speaker = self.questions[place], self.speaker(name)
        prompt, agent = self.sandbox.chat.script(()), asked["dispatch"]
        part: dict[str, object] = {"type": "agent", "name": agent}
        if asked["via"] == "command":
            part = {"type": "subtask", "agent": agent, "description": "help", "prompt": prompt}
        steps = [task(agent, prompt)] if asked["via"] == "mention" else []
        before = self.sandbox.children(speaker.id)
        run = self.sandbox.run(speaker, steps, [part])
        went = [one for one in self.sandbox.children(speaker.id) if one not in before]
        if asked["via"] == "mention":
            call = run.script.calls.get(0, "")
            went = [child_of(self.sandbox.parts(speaker.id).get(call))]
        word = outcomes.POSSIBLE if any(went) else outcomes.REFUSED
        self.answered(number, place, word, f"by {asked['via']}")

    def read(
        self, number: int, made: Plan, session: str, run: Run, script: Script | None = None
    ) -> Reading:
        """Compare what a run answered; returns the reading."""
        parts = self.sandbox.parts(session)
        reading = Reading(self.sandbox, script or run.script, parts, run.asked)
        for place, (word, how) in reading.answers(made).items():
            self.answered(number, place, word, how)
        return reading

    def answered(self, number: int, place: int, word: str, how: str) -> None:
        """Compare one answer. A call of a tool that is not offered is one that is denied."""
        asked, expected = self.questions[place], self.staging.expected(place)
        if "permission" in asked and word == outcomes.HIDDEN and expected == outcomes.DENY:
            word, how = outcomes.DENY, f"{how}: not offered"
        kinds = {"tool": "tool", "dispatch": "dispatch-question"}
        kind = next((kinds[key] for key in kinds if key in asked), "call")
        self.compare(number, kind, about(asked), expected, word, how)

    def compare(  # noqa: PLR0913, PLR0917 -- the parts of a step
        self, number: int, kind: str, text: str, expected: str, got: str, how: str = ""
    ) -> None:
        """Note what was expected and what happened."""
        self.steps.append(Step(number, kind, text, expected, got, how))

    def compare_rules(self, number: int, name: str) -> None:
        """Compare the rules that a session stores with those of the model."""
        if not self.strict or name not in self.live:
            return
        expected = [str(rule) for rule in self.staging.predicted.stored(name, number)]
        got = [" ".join(rule) for rule in self.sandbox.stored(self.live[name].id)]
        self.compare(number, "rules", f"{name} stores", ", ".join(expected), ", ".join(got))

    def compare_agents(self) -> None:
        """Compare the rules of all agents, as the program and as this package resolve them."""
        if not self.strict:
            return
        found = {one["name"]: one["permission"] for one in self.sandbox.agents()}
        for agent in self.staging.project.active:
            got = [
                f"{rule['permission']} {rule['pattern']} {rule['action']}"
                for rule in found.get(agent.name, ())
            ]
            expected = [str(rule) for rule in agent.ruleset]
            text = f"the rules of {agent.name}"
            self.compare(0, "agent", text, ", ".join(expected), ", ".join(got))

    # --- runs that wait ---

    def begin(self, number: int, name: str) -> None:
        """Begin a run that waits before its first call."""
        speaker, hold = self.speaker(name), Hold(threading.Event())
        places = [p for p in self.timetable.held(number) if self.questions[p]["session"] == name]
        made = self.planned(number, places, (), hold, anew=True)
        run = self.sandbox.start(speaker, made.steps)
        self.held.append(Held(frozenset({name}), speaker.id, made, hold, run, run.script))
        self.reached(run.script)

    def wait_with(self, number: int, coming: Any, hold: Hold, run: Run, child: str) -> None:  # noqa: ANN401 -- a dispatch of the telling
        """Leave a dispatched session waiting before its first call, and its caller with it."""
        event = self.events[number - 1]
        names, script = (
            frozenset({event["session"], event["by"]}),
            self.sandbox.chat.told(coming.prompt),
        )
        self.held.append(Held(names, child, coming.made, hold, run, script))
        self.reached(script)

    def reached(self, script: Script) -> None:
        """Wait until a run is at its hold."""
        if not script.reached.wait(SECONDS):
            raise ProgramError("a run that should wait never asked its model")

    def first_seen(self, run: Run, caller: str, before: Sequence[str]) -> str:
        """The session that a dispatch starts, while it runs; nothing if the dispatch is over."""
        until = time.monotonic() + SECONDS
        while time.monotonic() < until:
            fresh = [one for one in self.sandbox.children(caller) if one not in before]
            if fresh or not run.thread.is_alive():
                return fresh[-1] if fresh else ""
            time.sleep(PAUSE)
        return ""

    def release(self, number: int, waiting: Held) -> None:
        """Let a run go on, and compare what it answered."""
        self.held.remove(waiting)
        waiting.hold.released.set()
        self.sandbox.finish(waiting.run)
        self.read(number, waiting.made, waiting.session, waiting.run, waiting.script)

    def let_go(self) -> None:
        """Let every run that waits go on, whatever becomes of it."""
        for waiting in self.held:
            waiting.hold.released.set()

    # --- approvals ---

    def approval(self, at: int, name: str, rule: Rule, given: Ruleset) -> Call | Probe:
        """A call for which "always" approves a rule, after some others were approved.

        Raises `NotExpressible`.
        """
        predicted, permission, pattern = self.staging.predicted, rule.permission, rule.pattern
        asked = [q["pattern"] for q in self.questions if q.get("permission") == permission]
        tried = [filled(pattern), *asked, *map(filled, predicted.patterns(name, at, permission))]
        found = (r for r in tried if predicted.asks(name, at, permission, r, given))
        resource = next(found, None)
        if resource is None:
            raise NotExpressible(f"nothing for which {name} would be asked is known")
        real = self.real(permission, resource)
        head = (resource.split() or [""])[0]
        usual = real is not None and {"write": "*", "bash": f"{head} *"}.get(real.tool) == pattern
        if real is not None and usual and not predicted.hides(name, at, real.tool):
            return real
        if predicted.hides(name, at, PROBE):
            raise NotExpressible(f"nothing that could ask is offered to {name}")
        return Probe(((permission, resource, pattern),))


def filled(pattern: str) -> str:
    """A resource that a pattern matches.

    >>> filled("src/*.ts")
    'src/a.ts'
    """
    return pattern.replace("*", "a").replace("?", "a")
