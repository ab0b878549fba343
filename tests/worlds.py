"""Real sessions of a design, run event by event on real rules, without stories and solvers.

A second opinion: what `prove` calls proved must never fail here.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

from downset.design.sessions import UNDECLARED, Agent, Config, Query, Session, Tool
from downset.language.concrete import Assignment, Concrete
from downset.language.rules import ALLOW, ASK, DENY, Action, Rule
from downset.language.terms import EMPTY, FALSE, TRUE, FixedMode, Number, Sort, Text
from downset.prove.replay import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from downset.design.design import Design
    from downset.language.rules import Ruleset
    from downset.language.terms import Formula, Mode, Word

R = TypeVar("R")
LIMIT = 9
SPREAD = 2_654_435_761


@dataclass
class World:
    """A design, and the configuration that all its sessions share."""

    design: Design
    primary: Ruleset = ()
    managed: Ruleset = ()
    turn: int = 0
    """Which modes the sessions and agents of the next chain have, and whether it is trusted."""
    reading: Concrete = field(init=False)
    known: dict[tuple[object, ...], object] = field(default_factory=dict)
    """Answers about the sessions of the newest chain."""

    def __post_init__(self) -> None:
        self.reading = Concrete(Assignment(), self.design.matcher)

    @property
    def config(self) -> Config:
        """The settings."""
        primary = literal(self.primary) if self.design.primary_tools else EMPTY
        trusted, locked = (TRUE if self.turn & bit else FALSE for bit in (1, 2))
        return Config(primary, Number(plus=LIMIT), trusted, locked, self.mode(0))

    def mode(self, place: int, *, declared: bool = False) -> Mode:
        """A mode, another one for each turn and place."""
        there = self.design.permission_modes or ("",)
        options = (UNDECLARED, *there) if declared else there
        return FixedMode(options[(self.turn * SPREAD >> (7 + place)) % len(options)])

    def settled(self, word: Word) -> Word:
        """A word as the real rules it comes to."""
        return literal(self.reading.word(word))

    def agent(self, name: str, rules: Ruleset) -> Agent:
        """An agent with a name and rules."""
        mode = self.mode(len(rules), declared=bool(self.design.permission_modes))
        ranked = tuple(replace(rule, priority=4001) for rule in rules)
        return Agent(name, Text(Sort.PATTERN, literal=name), literal(ranked), FALSE, mode)

    def opened(self, agent: Agent, rules: Ruleset) -> Session:
        """A session that a user opened; where rules are shared, these are."""
        ranked = tuple(replace(r, priority=4000 + (7 * n) % 5) for n, r in enumerate(rules))
        return Session(
            "s0",
            agent,
            agent,
            literal(rules),
            shared=literal(ranked if self.design.shares_rules else ()),
            managed=literal(self.managed if self.design.managed_rules else ()),
            mode=self.mode(3),
        )

    def dispatched(self, caller: Session, callee: Agent) -> Session | None:
        """A new child that got its prompt, `None` if nothing can dispatch it."""
        design, ways = self.design, self.design.ways()
        if caller.dispatched and not design.children_dispatch:
            return None
        if not any(self.holds(design.dispatches(caller, callee, way)) for way in ways):
            return None
        stored = self.settled(design.spawn(caller, callee, self.config))
        row = callee if design.row_agent_follows else None
        depth = Number(plus=caller.depth.plus + 1)
        child = Session("child", callee, row, stored, EMPTY, caller, depth, dispatched=True)
        mode = design.spawn_mode(caller, callee, self.config)
        child = replace(child, shared=caller.shared, managed=caller.managed, mode=mode)
        return self.prompted(child, caller)

    def prompted(self, child: Session, caller: Session) -> Session:
        """A child after the prompt of a dispatch."""
        sent = self.design.dispatch_tools(caller, child.agent, self.config)
        if sent is None:
            return child
        tools = self.settled(sent)
        stored = self.settled(self.design.prompt(child, tools))
        return replace(child, stored=stored, tools=tools)

    def resumed(self, caller: Session, child: Session, callee: Agent) -> Session:
        """A child of the caller, resumed under an agent."""
        stored = self.settled(self.design.resume(caller, child, callee, self.config))
        row = callee if self.design.row_agent_follows else child.row_agent
        mode = self.design.resume_mode(caller, child, callee, self.config)
        opened = replace(child, agent=callee, row_agent=row, stored=stored, tools=EMPTY, mode=mode)
        return self.prompted(replace(opened, caller=caller), caller)

    def patched(self, session: Session, rules: Ruleset) -> Session:
        """A session to whose rules a user added some."""
        stored = self.settled(self.design.patch(session, literal(rules)))
        return replace(session, stored=stored)

    def chain(self, agents: Sequence[Ruleset], stored: Ruleset) -> list[Session]:
        """A root and as many dispatches below it as are possible."""
        self.known.clear()
        self.turn += 1
        made = [self.agent(f"a{place}", rules) for place, rules in enumerate(agents)]
        sessions = [self.opened(made[0], stored)]
        for callee in made[1:]:
            child = self.dispatched(sessions[-1], callee)
            if child is None:
                break
            sessions.append(child)
        return sessions

    # --- what is asked ---

    def holds(self, formula: Formula) -> bool:
        """Whether a formula of a design holds."""
        return self.reading.formula(formula)

    def decides(self, session: Session, query: Query) -> Action:
        """What a session decides."""
        return self._once(
            ("decides", id(session), query),
            lambda: self.reading.decision(self.design.decide(session, query)),
        )

    def owns(self, agent: Agent, query: Query) -> Action:
        """What an agent's own rules decide."""
        return self._once(
            ("owns", id(agent), query),
            lambda: self.reading.decision(self.design.own(agent, query)),
        )

    def hides(self, session: Session, tool: Tool) -> bool:
        """Whether a tool is kept from a session."""
        return self._once(
            ("hides", id(session), tool), lambda: self.holds(self.design.hidden(session, tool))
        )

    def _once(self, key: tuple[object, ...], make: Callable[[], R]) -> R:
        if key not in self.known:
            self.known[key] = make()
        return self.known[key]  # type: ignore[return-value]

    def tool(self, name: str) -> Tool:
        """A tool of the design."""
        gate, key = self.design.aliases.get(name, name), self.design.asks_as.get(name, name)
        return Tool.of(name, gate=gate, key=key)


# --- what a property says of a stack, at one query or tool --------------------------------------


def no_escalation(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    return w.decides(s, q) is not DENY or w.decides(c, q) is DENY


def session_deny_inherited(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    return not w.holds(w.design.session_layer_denies(s, q)) or w.decides(c, q) is DENY


def agent_deny_inherited(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    return not w.holds(w.design.agent_layer_denies(s, q)) or w.decides(c, q) is DENY


def ask_preserved(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    return w.decides(s, q) is not ASK or w.decides(c, q) is not ALLOW


def hidden_stays_hidden(w: World, s: Session, c: Session, _: Query, t: Tool) -> bool:
    return not w.hides(s, t) or w.hides(c, t)


def own_restriction_kept(w: World, _s: Session, c: Session, q: Query, _: Tool) -> bool:
    return w.owns(c.agent, q) is not DENY or w.decides(c, q) is DENY


def own_ask_kept(w: World, _s: Session, c: Session, q: Query, _: Tool) -> bool:
    if q.permission.literal == "external_directory":
        return True
    return w.owns(c.agent, q) is not ASK or w.decides(c, q) is not ALLOW


def own_hidden_kept(w: World, _s: Session, c: Session, _: Query, t: Tool) -> bool:
    return not w.holds(w.design.own_hidden(c.agent, t)) or w.hides(c, t)


def no_lost_grant(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    reserved = {"todowrite", w.design.dispatch, *w.design.asks_as.values()}
    reserved |= {rule.permission for rule in w.primary}
    above = w.decides(s, q)
    if q.permission.literal in reserved or above is DENY or w.owns(c.agent, q) is not ALLOW:
        return True
    below = w.decides(c, q)
    return below is not DENY and (above is not ALLOW or below is ALLOW)


def gates_agree(w: World, _s: Session, c: Session, q: Query, t: Tool) -> bool:
    bare = replace(c, tools=EMPTY)
    hidden = w.holds(w.design.hidden(bare, t))
    return not hidden or w.decides(c, Query(t.key, q.resource)) is DENY


def todo_guard(w: World, _s: Session, c: Session, _q: Query, _t: Tool) -> bool:
    if any(rule.permission == "todowrite" for rule in w.reading.word(c.agent.rules)):
        return True
    denied = w.decides(c, Query.of("todowrite", "*")) is DENY
    return denied and w.hides(c, Tool.of("todowrite"))


def mode_monotone(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    above, below = (w.reading.decision(w.design.mode_decides(x.mode, q)) for x in (s, c))
    return below <= above


def managed_wins(w: World, s: Session, c: Session, q: Query, _: Tool) -> bool:
    if w.holds(w.design.switched_off(s, w.config)):
        return True
    held = all(
        not w.holds(w.design.managed_says(x, q, action)) or w.decides(x, q) <= action
        for x in (s, c)
        for action in (DENY, ASK)
    )
    return held and not w.holds(w.design.switched_off(c, w.config))


STACK = {
    "no-escalation": no_escalation,
    "session-deny-inherited": session_deny_inherited,
    "agent-deny-inherited": agent_deny_inherited,
    "ask-preserved": ask_preserved,
    "hidden-stays-hidden": hidden_stays_hidden,
}
"""Properties of any two sessions of a stack."""
DISPATCH = {
    "own-restriction-kept": own_restriction_kept,
    "own-ask-kept": own_ask_kept,
    "own-hidden-kept": own_hidden_kept,
    "no-lost-grant": no_lost_grant,
    "gates-agree": gates_agree,
    "todo-guard": todo_guard,
    "mode-monotone": mode_monotone,
    "managed-wins": managed_wins,
}
"""Properties of a session and the one that dispatched it."""
ORACLES = {**STACK, **DISPATCH}


def failures(
    world: World,
    sessions: Sequence[Session],
    queries: Sequence[Query],
    tools: Sequence[Tool],
    properties: Sequence[str],
) -> Iterator[str]:
    """The properties that fail somewhere on a stack."""
    asked = [(q, tools[place % len(tools)]) for place, q in enumerate(queries)]
    for name in properties:
        for above, below in pairs(sessions, adjacent=name in DISPATCH):
            if not all(ORACLES[name](world, above, below, q, t) for q, t in asked):
                yield name
                break


def pairs(sessions: Sequence[Session], *, adjacent: bool) -> Iterator[tuple[Session, Session]]:
    """Sessions and those below them."""
    for place, above in enumerate(sessions):
        for below in sessions[place + 1 : place + 2 if adjacent else None]:
            yield above, below


def shown(sessions: Sequence[Session], world: World) -> list[str]:
    """A stack, for people who read a failure."""
    read = world.reading.word
    return [
        ", ".join(map(str, read(s.agent.rules))) + " + " + ", ".join(map(str, read(s.stored)))
        for s in sessions
    ]


def every_rule(keys: Sequence[str], patterns: Sequence[str]) -> list[Rule]:
    """All rules over some keys and patterns."""
    return [Rule(key, pattern, a) for key in keys for pattern in patterns for a in Action]


__all__ = ["ORACLES", "STACK", "World", "every_rule", "failures", "shown"]
