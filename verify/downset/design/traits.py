"""What a design looks at, found out by asking it about sessions that differ in one thing.

Proofs speak of arbitrary sessions. That is sound only if the design cannot tell what an arbitrary
session leaves open, so every such thing is varied here: where an answer changes, either both
variants are told as stories, or nothing is claimed for every depth.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from downset.design.sessions import UNDECLARED, Agent, Config, Query, Session, Tool
from downset.language.terms import (
    FALSE,
    NO_MODE,
    AnyMode,
    FixedMode,
    Flag,
    Input,
    Node,
    Number,
    Sort,
    Text,
)
from downset.language.vocabulary import last_match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.design.design import Design
    from downset.language.terms import Decision, Formula, Mode

T = TypeVar("T")


def settings(design: Design) -> Config:
    """Settings about which nothing is known."""
    mode = any_mode("some mode", design.permission_modes)
    return Config(
        Input("primary tools"), Number("depth limit"), Flag("trusted"), Flag("locked"), mode
    )


QUERY = Query(
    Text(Sort.PERMISSION, variable="some permission"),
    Text(Sort.PATTERN, variable="some resource"),
)
TOOL = Tool.of(Text(Sort.PERMISSION, variable="some tool"))


@dataclass(frozen=True)
class Traits:
    """What the answers of a design depend on.

    `irregular` says why an arbitrary session cannot stand for all, and is empty if it can.
    """

    irregular: str
    tells_dispatched: bool
    tells_rows: bool
    tells_agents: bool
    names_tools: frozenset[str]


@cache
def traits(design: Design) -> Traits:
    """Ask a design about sessions that differ in one thing.

    >>> from downset.design.design import Design
    >>> from downset.language.vocabulary import denied
    >>> class Plain(Design):
    ...     def spawn(self, caller, callee, config):
    ...         return caller.stored.where(denied)
    >>> traits(Plain()).irregular
    ''
    """
    asked = sealed(design) if design.reads_callers else design
    one = session("x", design.permission_modes)
    base = answers(asked, one)
    dispatched = answers(asked, replace(one, dispatched=False)) != base
    dispatched = dispatched or not design.children_dispatch
    rows = answers(asked, replace(one, row_agent=None)) != base
    return Traits(
        irregular(asked, base, told_apart=design.reads_callers and (dispatched or rows)),
        dispatched,
        rows,
        tells_agents(asked),
        frozenset(literals(base)) & {*design.aliases, *design.asks_as},
    )


def irregular(design: Design, base: tuple[object, ...], *, told_apart: bool) -> str:
    """Why an arbitrary session cannot stand for all sessions, or an empty text."""
    modes = design.permission_modes
    one = session("x", modes)
    below = replace(one, caller=session("y", modes))
    if told_apart or answers(design, below) != base:
        return "the design looks at more of its callers than what they decide and store"
    deeper = answers(design, replace(one, depth=Number("some depth")))
    if replaced(deeper, Number("some depth"), Number()) != base:
        return "the design treats sessions of some depths apart"
    return ""


def tells_agents(design: Design) -> bool:
    """Whether an answer depends on which agent is which, not only on their rules."""
    modes = design.permission_modes
    one, callee = session("x", modes), agent("b", modes)
    stored = names_in((changes(design, one), *design_decides(design, one)))
    asked = names_in(tuple(design.dispatches(one, callee, way) for way in design.ways()))
    named = bool(stored) or asked > {"name of b"}
    apart = changes(design, one)
    other = replace(one, agent=callee, row_agent=callee)
    together = changes(design, other)
    alike = exchanged(apart, one.agent, callee) == together
    return named or not alike or not keeps_agents_apart(design, one)


def keeps_agents_apart(design: Design, one: Session) -> bool:
    """Whether a resume under the same agent is as one under another with the same rules."""
    modes, config = design.permission_modes, settings(design)
    earlier, callee = agent("e", modes), agent("b", modes)
    child = replace(session("c", modes), agent=earlier, row_agent=earlier, caller=one)
    same = replace(child, agent=callee, row_agent=callee)
    apart, together = (
        (design.resume(one, c, callee, config), design.resume_mode(one, c, callee, config))
        for c in (child, same)
    )
    return exchanged(apart, earlier, callee) == together


def exchanged(answer: T, one: Agent, other: Agent) -> T:
    """An answer with what one agent has replaced by what another has."""
    return replaced(replaced(answer, one.rules, other.rules), one.mode, other.mode)


def answers(design: Design, above: Session) -> tuple[object, ...]:
    """Everything that a design says about a session and a child of it."""
    modes, config = design.permission_modes, settings(design)
    callee = agent("b", modes)
    child = replace(session("c", modes), agent=callee, row_agent=callee, caller=above)
    return (
        *changes(design, above),
        design.prompt(above, Input("some map")),
        design.patch(above, Input("some rules")),
        design.fork(above).stored,
        design.fork(above).mode,
        design.resume(above, child, callee, config),
        design.resume_mode(above, child, callee, config),
        design.restart_mode(above, config),
        design.switched_off(above, config),
        *design_decides(design, child),
        *(() if design.reads_callers else design_decides(design, above)),
        *(design.dispatches(above, callee, way) for way in design.ways()),
    )


def changes(design: Design, above: Session) -> tuple[object, ...]:
    """What a dispatch stores and sends."""
    callee, config = agent("b", design.permission_modes), settings(design)
    return (
        design.spawn(above, callee, config),
        design.dispatch_tools(above, callee, config),
        design.spawn_mode(above, callee, config),
        design.documents_mode(above, callee, config),
    )


def design_decides(design: Design, session: Session) -> tuple[object, ...]:
    """How both gates decide in a session."""
    return (
        design.effective(session),
        design.visible(session),
        design.decide(session, QUERY),
        design.hidden(session, TOOL),
        design.decide_with(session, QUERY, Input("some approvals")),
        design.documents(session, QUERY),
        design.mode_decides(session.mode, QUERY),
    )


def session(name: str, modes: tuple[str, ...] = ()) -> Session:
    """A dispatched session with arbitrary rules, in one of some modes, and no caller."""
    return Session(
        name,
        agent(name, modes),
        agent(name, modes),
        Input(f"rules stored in {name}"),
        Input(f"tools of {name}"),
        dispatched=True,
        shared=Input("rules of all"),
        managed=Input("rules of the administrator"),
        mode=any_mode(f"mode in {name}", modes),
    )


def agent(label: str, modes: tuple[str, ...] = ()) -> Agent:
    """An agent with arbitrary rules, which may declare one of some modes."""
    name = Text(Sort.PATTERN, variable=f"name of {label}")
    return Agent(label, name, Input(f"rules of {label}"), FALSE, declared_mode(label, modes))


def any_mode(name: str, modes: tuple[str, ...]) -> Mode:
    """A mode about which nothing is known, none where there are no modes.

    >>> any_mode("mode of s1", ()), any_mode("mode of s1", ("ask",)).options
    (FixedMode(name=''), ('ask',))
    """
    return AnyMode(name, modes) if modes else NO_MODE


def declared_mode(label: str, modes: tuple[str, ...]) -> Mode:
    """The mode that an agent declares, if it declares one."""
    return AnyMode(f"mode of {label}", (UNDECLARED, *modes)) if modes else FixedMode(UNDECLARED)


def sealed(design: Design) -> Design:
    """The design, for which what the session `x` decides is one thing that cannot be opened."""

    class Sealed(type(design)):  # type: ignore[misc] # the class is the design's own
        def decide(self, session: Session, query: Query) -> Decision:
            if session.name == "x":
                word = Input("what x decides")
                return last_match(word, query.permission, query.resource)
            return super().decide(session, query)  # type: ignore[no-any-return]

        def hidden(self, session: Session, tool: Tool) -> Formula:
            if session.name == "x":
                return Flag("hidden in x")
            return super().hidden(session, tool)  # type: ignore[no-any-return]

    return Sealed()


# --- looking into answers -----------------------------------------------------------------------


def inside(node: object) -> Iterator[object]:
    """A node and everything in it."""
    yield node
    content = node if isinstance(node, tuple) else node.content() if isinstance(node, Node) else ()
    for part in content:
        yield from inside(part)


def texts(answer: object) -> list[Text]:
    """The texts in an answer."""
    return [node for node in inside(answer) if isinstance(node, Text)]


def names_in(answer: object) -> set[str]:
    """The variables of agents' names in an answer."""
    found = {text.variable for text in texts(answer) if text.variable}
    return {name for name in found if name.startswith("name of")}


def literals(answer: object) -> list[str]:
    """The literal permissions in an answer."""
    return [t.literal for t in texts(answer) if t.literal and t.sort is Sort.PERMISSION]


def replaced(node: T, old: Node, new: Node) -> T:
    """A node with one part replaced by another wherever it stands.

    >>> replaced((Number("d"), 3), Number("d"), Number())
    (Number(variable=None, plus=0), 3)
    """
    if node == old:
        return new  # type: ignore[return-value]
    if isinstance(node, tuple):
        return tuple(replaced(part, old, new) for part in node)  # type: ignore[return-value]
    if is_dataclass(node) and isinstance(node, Node):
        parts: dict[str, Any] = {f.name: getattr(node, f.name) for f in fields(node)}
        return type(node)(**{name: replaced(part, old, new) for name, part in parts.items()})
    return node
