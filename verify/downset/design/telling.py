"""What a story leaves open: choices, assumptions, and rulesets, texts, agents that may be any."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING

from downset.design.sessions import Agent, Config, Query, Tool
from downset.design.traits import any_mode, declared_mode, traits
from downset.language.rules import ALLOW
from downset.language.terms import (
    ALWAYS,
    EMPTY,
    FALSE,
    TRUE,
    And,
    Flag,
    Formula,
    Input,
    IsPlain,
    Number,
    SameText,
    Sort,
    Text,
    TextIs,
    Word,
)
from downset.language.vocabulary import action, denied, pattern, text

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from downset.design.design import Design
    from downset.design.sessions import Session
    from downset.language.terms import Mode, Predicate

PLAIN_PATTERN = pattern == "*"
TOOLS_MAP = PLAIN_PATTERN & ((action == ALLOW) | denied)
TOOL_NAMES = (
    PLAIN_PATTERN
    & denied
    & IsPlain(Sort.PERMISSION)
    & ~TextIs(text("external_directory", "permission"))
)


class Reach(Enum):
    """Where the sessions of a story come from."""

    ROOT = "a session that a user opened"
    CHILD = "a child of a session that a user opened"
    SPAWNED = "a session that a user opened, or one that any session at all dispatched"
    ANY = "any session at all, its stored rules arbitrary"

    @property
    def arbitrary(self) -> bool:
        """Whether such sessions stand for all that there can be."""
        return self in {Reach.SPAWNED, Reach.ANY}


@dataclass(frozen=True)
class Event:
    """One thing that happened, and the sessions as it left them."""

    kind: str
    details: tuple[tuple[str, str], ...]
    sessions: tuple[Session, ...]
    agent: Agent | None = None
    words: tuple[tuple[str, Word], ...] = ()
    flags: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Choice:
    """One place where a story went one of several ways."""

    name: str
    options: tuple[str, ...]
    taken: int


@dataclass
class Telling:
    """A story in the telling: the part that knows nothing of sessions.

    `reach` says how sessions arise, `more` how many further dispatches a descending property
    adds, `allowed` which events may happen (`None`: all), `script` which way to go at each choice
    and `settle` what to do with the outcome of an event (nothing, or evaluate it).
    """

    design: Design
    reach: Reach = Reach.ROOT
    more: int = 0
    allowed: frozenset[str] | None = None
    script: Sequence[int] = ()
    settle: Callable[[Word], Word] = lambda word: word
    events: list[Event] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)
    assumptions: list[Formula] = field(default_factory=list)
    agents: list[Agent] = field(default_factory=list)
    variables: list[Text] = field(default_factory=list)
    inputs: dict[Input, None] = field(default_factory=dict)
    same: Mapping[str, str] = field(default_factory=dict)
    """Labels of agents that are one agent in this telling."""
    checks: list[Formula] = field(default_factory=list)
    """Whether each dispatch passed the permission check, in order."""
    made: int = 0
    bounded: str = ""
    """Why an answer about this story holds only up to a bound; empty if it does not."""

    def choose(self, name: str, options: Sequence[str]) -> str:
        """One of several ways to go on; the prover tries them all."""
        place = len(self.choices)
        taken = self.script[place] if place < len(self.script) else 0
        self.choices.append(Choice(name, tuple(options), taken))
        return options[taken]

    def assume(self, condition: Formula) -> None:
        """Consider only stories in which a condition holds."""
        self.assumptions.append(condition)

    def impossible(self) -> None:
        """Give up this way of telling the story."""
        self.assume(FALSE)

    @property
    def possible(self) -> Formula:
        """All that was assumed."""
        return And(tuple(self.assumptions))

    def happens(self, kind: str, *sessions: Session, **details: object) -> None:
        """Record an event, and give the story up if the event is not allowed."""
        if self.allowed is not None and kind not in self.allowed:
            self.impossible()
        words = tuple((k, v) for k, v in details.items() if isinstance(v, Word))
        flags = tuple(v for v in details.values() if isinstance(v, Formula))
        texts = tuple((k, v) for k, v in details.items() if isinstance(v, str))
        agent = next((v for v in details.values() if isinstance(v, Agent)), None)
        self.events.append(Event(kind, texts, sessions, agent, words, flags))

    def word(
        self,
        name: str,
        origin: str = "",
        shape: Predicate = ALWAYS,
        *,
        distinct: bool = False,
        names: bool = False,
    ) -> Input:
        """A ruleset about which nothing is known but its shape."""
        made = Input(name, origin, shape, distinct, names)
        self.inputs[made] = None
        return made

    @property
    def config(self) -> Config:
        """The configuration that all sessions of the story share."""
        primary = self.word("primary tools", "primary tools", TOOL_NAMES, distinct=True, names=True)
        return Config(
            primary if self.design.primary_tools else EMPTY,
            Number("depth limit"),
            Flag("the folder is trusted"),
            Flag("the most permissive mode is switched off"),
            any_mode("mode of new sessions", self.design.permission_modes),
        )

    def mode(self, name: str) -> Mode:
        """A permission mode about which nothing is known."""
        return any_mode(name, self.design.permission_modes)

    def mode_of(self, session: str) -> Mode:
        """The mode of a session of which nothing is told; that of all, where all are in one."""
        return self.mode("mode of all" if self.design.one_mode else f"mode of {session}")

    @property
    def shared(self) -> Word:
        """The rules that all sessions share, none if the design has no such rules."""
        return self.word("shared rules", "shared") if self.design.shares_rules else EMPTY

    @property
    def managed(self) -> Word:
        """The rules that an administrator set, none if the design has no such rules."""
        return self.word("managed rules", "managed") if self.design.managed_rules else EMPTY

    def agent(self, label: str, *, users_only: Formula | None = None) -> Agent:
        """An agent with arbitrary rules, its name different from those of the others."""
        label = self.same.get(label, label)
        for known in self.agents:
            if known.label == label:
                return known
        name = Text(Sort.PATTERN, variable=f"name of {label}")
        for other in self.agents:
            self.assume(~SameText(name, other.name))
        only = Flag(f"{label} is for users only") if users_only is None else users_only
        modes = self.design.permission_modes
        made = unnamed_agent(label, modes)
        made = replace(made, name=name, users_only=only & self._has_modes())
        self.agents.append(made)
        return made

    def name(self, label: str) -> Text:
        """The name of some agent, perhaps of one that the story tells of."""
        made = Text(Sort.PATTERN, variable=f"name of {label}")
        self.variables.append(made)
        return made

    def query(self, label: str = "query") -> Query:
        """An arbitrary query."""
        made = Query(
            Text(Sort.PERMISSION, variable=f"permission of {label}"),
            Text(Sort.PATTERN, variable=f"resource of {label}", plain=False),
        )
        self.variables += [made.permission, made.resource]
        return made

    def tool(self) -> Tool:
        """An arbitrary tool: one of each kind of alias, or any other name."""
        aliased = self._kinds_of_alias()
        name = self.choose("tool", [*aliased, "any other tool"])
        if name in aliased:
            return Tool.of(name, gate=self._gate(name), key=self._key(name))
        variable = Text(Sort.PERMISSION, variable="tool")
        self.variables.append(variable)
        for known in {**self.design.aliases, **self.design.asks_as}:
            self.assume(~SameText(variable, text(known, "permission")))
        return Tool(variable, variable, variable)

    def flag(self, name: str) -> Formula:
        """An arbitrary yes or no."""
        return Flag(name)

    def _name(self) -> str:
        self.made += 1
        return f"s{self.made}"

    def _has_modes(self) -> Formula:
        return TRUE if self.design.modes else FALSE

    def _gate(self, tool: str) -> str:
        return self.design.aliases.get(tool, tool)

    def _key(self, tool: str) -> str:
        return self.design.asks_as.get(tool, tool)

    def _kinds_of_alias(self) -> list[str]:
        kinds = {
            (self._gate(name), self._key(name)): name
            for name in reversed([*self.design.aliases, *self.design.asks_as])
            if (self._gate(name), self._key(name)) != (name, name)
        }
        return sorted({*kinds.values(), *traits(self.design).names_tools}, reverse=True)


def unnamed_agent(label: str, modes: tuple[str, ...] = ()) -> Agent:
    """An agent with arbitrary rules whose name nothing asks for; it may declare one of `modes`."""
    name = Text(Sort.PATTERN, variable=f"name of {label}")
    rules = Input(f"rules of {label}", f"agent {label}")
    return Agent(label, name, rules, FALSE, declared_mode(label, modes))
