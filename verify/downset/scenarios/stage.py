"""A story with real agents and settings: named, with rules, nothing left open.

>>> from downset.catalogue import load_model
>>> from downset.language.rules import DENY, Rule
>>> scene = Scene(load_model("baseline/independent"), {"plan": Cast((Rule("edit", "*", DENY),))})
>>> stage = Stage(scene.design, scene=scene)
>>> stage.agent("plan").name.literal
'plan'
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from downset.design.sessions import UNDECLARED, Agent, Config, Tool
from downset.design.story import Story
from downset.language.rules import DENY, Rule
from downset.language.terms import EMPTY, FALSE, TRUE, And, FixedMode, Number, Sort, Text
from downset.prove.replay import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from downset.design.design import Design
    from downset.design.sessions import Session
    from downset.language.rules import Ruleset
    from downset.language.terms import Formula, Mode, Word


@dataclass(frozen=True)
class Cast:
    """An agent as a scenario gives it."""

    rules: Ruleset = ()
    users_only: bool = False
    mode: str = UNDECLARED


@dataclass(frozen=True)
class Scene:
    """A design, the agents of the configuration, and the settings that all sessions share.

    An agent that `agents` does not have is made by `stranger`, by default one without rules.
    `mode` is that of new sessions, the design's usual one if it is empty.
    """

    design: Design
    agents: Mapping[str, Cast] = field(default_factory=dict)
    primary: tuple[str, ...] = ()
    limit: int = 1
    stranger: Callable[[str], Cast] = lambda _name: Cast()
    shared: Ruleset = ()
    managed: Ruleset = ()
    trusted: bool = True
    locked: bool = False
    mode: str = ""

    def cast(self, name: str) -> Cast:
        """The agent with a name."""
        return self.agents[name] if name in self.agents else self.stranger(name)


@dataclass
class Stage(Story):
    """A story whose agents and settings are those of a scene."""

    scene: Scene = field(kw_only=True)

    @property
    def config(self) -> Config:
        """The settings of the scene."""
        reserved = tuple(
            Rule(tool, "*", DENY, origin="primary tools") for tool in self.scene.primary
        )
        primary = literal(reserved) if self.design.primary_tools else EMPTY
        return Config(
            primary,
            Number(plus=self.scene.limit),
            TRUE if self.scene.trusted else FALSE,
            TRUE if self.scene.locked else FALSE,
            self.mode_named(self.scene.mode),
        )

    def mode_named(self, name: str) -> Mode:
        """A permission mode, the design's usual one if the name is empty."""
        return FixedMode(name or next(iter(self.design.permission_modes), ""))

    @property
    def shared(self) -> Word:
        """The shared rules of the scene."""
        return literal(tuple(replace(rule, origin="shared") for rule in self.scene.shared))

    @property
    def managed(self) -> Word:
        """The administrator's rules of the scene."""
        return literal(tuple(replace(rule, origin="managed") for rule in self.scene.managed))

    def agent(self, label: str, *, users_only: Formula | None = None) -> Agent:
        """The agent of the scene with a name; it is one of the story's from then on."""
        del users_only
        for known in self.agents:
            if known.label == label:
                return known
        cast = self.scene.cast(label)
        rules = tuple(replace(rule, origin=f"agent {label}") for rule in cast.rules)
        only = TRUE if cast.users_only and self.design.modes else FALSE
        name, mode = Text(Sort.PATTERN, literal=label), FixedMode(cast.mode)
        made = Agent(label, name, literal(rules), only, mode)
        self.agents.append(made)
        return made

    def opened(self, agent: str, rules: Iterable[Rule] = (), mode: str = "") -> Session:
        """A session that a user opens, with session rules, in a permission mode."""
        name = f"session s{self.made + 1}"
        stored = literal(tuple(replace(rule, origin=name) for rule in rules))
        return self.root(agent, stored, self.mode_named(mode or self.scene.mode))

    def prompted(self, session: Session, tools: Ruleset) -> Session:
        """A user prompts a session with a tools map, one `{tool} * {allow|deny}` for each entry."""
        sent = literal(tuple(replace(rule, origin="tools map") for rule in tools))
        stored = self.settle(self.design.prompt(session, sent))
        return replace(session, stored=stored, tools=sent)

    def added(self, session: Session, rules: Ruleset) -> Session:
        """A user adds rules to a session."""
        origin = f"added to {session.name}"
        more = literal(tuple(replace(rule, origin=origin) for rule in rules))
        return replace(session, stored=self.settle(self.design.patch(session, more)))

    def shared_too(self, session: Session, rules: Ruleset) -> Session:
        """A user adds rules to those that all sessions share."""
        more = literal(tuple(replace(rule, origin="added to the shared rules") for rule in rules))
        return session.sharing(self.settle(session.shared + more))

    def tool_named(self, name: str) -> Tool:
        """A tool, under the permissions by which the design looks it up and it asks."""
        gate, key = self.design.aliases.get(name), self.design.asks_as.get(name)
        return Tool.of(name, gate=gate, key=key)

    def dispatchable(self, caller: Session, agent: str, via: str | None) -> Formula:
        """Whether a dispatch is possible: the permission check, the depth, the target's mode."""
        before = len(self.assumptions)
        self.may_dispatch(caller, self.agent(agent), via)
        return And(tuple(self.assumptions[before:]))


def chain(stage: Stage, agents: Iterable[str], rules: Iterable[Rule] = ()) -> Session:
    """The last session of a chain of dispatches, each child after its first prompt."""
    first, *others = agents
    session = stage.opened(first, rules)
    for agent in others:
        session = stage.spawn(session, agent)
    return session


def approved(rules: Ruleset) -> Word:
    """What users approved with "always", as the rules that decisions look at."""
    return literal(tuple(replace(rule, origin="approvals") for rule in rules))
