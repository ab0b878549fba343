"""What a dispatched or resumed session stores, as the model of the release says.

The model is told a story on the real rules (as `prove/replay.py` does), once for every case that
it can tell apart: most look only at whether the callee mentions `task`.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> spawner = Spawner(resolve({}, release("1.18.2")))
>>> [str(rule) for rule in spawner.spawn("plan", (), "build")]
['todowrite * deny', 'task * deny']
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING

from downset.catalogue import load_model
from downset.design.sessions import Agent, Session
from downset.design.story import Story
from downset.design.telling import unnamed_agent
from downset.language.concrete import Assignment, Concrete
from downset.language.normal import mentions
from downset.language.rules import DENY, Rule
from downset.language.terms import (
    EMPTY,
    FALSE,
    Constant,
    Input,
    Node,
    RuleTerm,
    Sort,
    Text,
    When,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.config.project import Project
    from downset.language.rules import Ruleset
    from downset.language.terms import Formula, Word

CALLER, CALLEE = Input("rules of caller", "caller"), Input("rules of callee", "callee")
STORED = Input("stored by caller", "stored")


class Stored(tuple[Rule, ...]):  # noqa: SLOT001 -- it keeps its hash
    """The rules that a session stores; they are looked up often, so their hash is kept.

    >>> Stored() == ()
    True
    """

    def __hash__(self) -> int:
        found: int | None = self.__dict__.get("hash")
        if found is None:
            found = self.__dict__["hash"] = tuple.__hash__(self)
        return found


class Spawner:
    """Asks the model of a project's release; answers are kept."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.design = load_model(project.release.model)
        self._rules = {agent.name: agent.ruleset for agent in project.active}
        self._primary = tuple(Rule(name, "*", DENY) for name in project.primary_tools)
        words = list(self._told())
        self._sees_caller = any(mentions(word, CALLER) for word in words)
        self._sees_callee = any(_outside_conditions(word) for word in words)
        self._conditions = [c for word in words for c in _conditions(word)]
        self._known: dict[object, Ruleset] = {}
        self._classes: dict[str, object] = {}
        self._stored: dict[Stored, Stored] = {}

    def spawn(self, caller: str, stored: Ruleset, callee: str) -> Ruleset:
        """What a new child of a session stores once it has its first prompt."""
        key = (caller if self._sees_caller else "", stored, self._class(callee))
        if key not in self._known:
            story, session, reading = self._story(caller, stored, callee)
            rules = reading.word(story.spawn(session, "callee").stored)
            self._known[key] = self._kept(rules)
        return self._known[key]

    def resume(self, caller: str, stored: Ruleset, child: Ruleset, callee: str) -> Ruleset:
        """What a session that stores `child` stores once it is resumed as `callee`."""
        key = (caller if self._sees_caller else "", stored, child, self._class(callee))
        if key not in self._known:
            self._known[key] = self._resumed(caller, stored, child, callee)
        return self._known[key]

    def _resumed(self, caller: str, stored: Ruleset, child: Ruleset, callee: str) -> Ruleset:
        story, session, reading = self._story(caller, stored, callee)
        earlier = unnamed_agent("earlier")
        kept = Session("child", earlier, earlier, constant(child), caller=session, dispatched=True)
        return self._kept(reading.word(story.resume(session, kept, "callee").stored))

    def _kept(self, rules: Ruleset) -> Ruleset:
        """Without the earlier of equal rules; equal lists are one object."""
        stored = Stored(_last_of_each(rules))
        return self._stored.setdefault(stored, stored) if stored else ()

    def visible_is_agents(self) -> bool:
        """Whether the availability gate looks at agents' rules alone (opencode.md 1.4, G1)."""
        return self.project.release.hides_over == "G1"

    def _class(self, callee: str) -> object:
        """What the model can see of a callee."""
        if callee not in self._classes:
            reading = self._reading("", callee)
            seen = tuple([reading.formula(condition) for condition in self._conditions])
            self._classes[callee] = (callee, seen) if self._sees_callee else seen
        return self._classes[callee]

    def _told(self) -> Iterator[Word]:
        """What the model says of a spawn, of rules that are not known."""
        story = Story(self.design, agents=_agents())
        caller = replace(_session(CALLER), stored=STORED)
        yield self.design.spawn(caller, story.agent("callee"), story.config)
        sent = self.design.dispatch_tools(caller, story.agent("callee"), story.config)
        if sent is not None:
            yield sent

    def _story(self, caller: str, stored: Ruleset, callee: str) -> tuple[Story, Session, Concrete]:
        reading = self._reading(caller, callee)
        story = Story(
            self.design,
            settle=lambda word: constant(reading.word(word)),
            agents=_agents(),
        )
        return story, replace(_session(CALLER), stored=constant(stored)), reading

    def _reading(self, caller: str, callee: str) -> Concrete:
        inputs = {
            CALLER.name: self._rules.get(caller, ()),
            CALLEE.name: self._rules.get(callee, ()),
            "primary tools": self._primary,
        }
        texts = {"name of caller": caller, "name of callee": callee}
        return Concrete(Assignment(inputs=inputs, texts=texts), self.project.release.matcher)


def constant(ruleset: Sequence[Rule]) -> Word:
    """A word that is just these rules, their origins kept.

    >>> constant(()) == EMPTY
    True
    """
    word: Word = EMPTY
    for origin, group in groupby(ruleset, key=lambda rule: rule.origin):
        part = Constant(tuple(_term(rule) for rule in group), origin)
        word = part if word is EMPTY else word + part
    return word


def _term(rule: Rule) -> RuleTerm:
    name = Text(Sort.PERMISSION, literal=rule.permission)
    return RuleTerm(name, Text(Sort.PATTERN, literal=rule.pattern), rule.action, rule.priority)


def _agents() -> list[Agent]:
    return [
        Agent(label, Text(Sort.PATTERN, variable=f"name of {label}"), rules, FALSE)
        for label, rules in (("caller", CALLER), ("callee", CALLEE))
    ]


def _session(rules: Word) -> Session:
    agent = replace(_agents()[0], rules=rules)
    return Session("session", agent, agent)


def _last_of_each(rules: Ruleset) -> Ruleset:
    """Without the earlier of equal rules, which changes no decision of either gate."""
    kept = dict.fromkeys(reversed(rules))
    return tuple(reversed(kept))


def _conditions(node: object) -> Iterator[Formula]:
    """The conditions on the callee's rules alone under which parts of a word are there."""
    if isinstance(node, When) and mentions(node.condition, CALLEE):
        yield node.condition
    for part in _parts(node):
        yield from _conditions(part)


def _outside_conditions(node: object) -> bool:
    """Whether a word looks at the callee's rules other than in such a condition."""
    if node == CALLEE:
        return True
    if isinstance(node, When):
        others = (CALLER, STORED)
        mixed = any(mentions(node.condition, other) for other in others)
        both = mixed and mentions(node.condition, CALLEE)
        return both or _outside_conditions(node.word)
    return any(_outside_conditions(part) for part in _parts(node))


def _parts(node: object) -> tuple[object, ...]:
    if isinstance(node, Node):
        return node.content()
    return node if isinstance(node, tuple) else ()
