"""A first look at a design: each of its methods is called once, and must answer in the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from downset.design.sessions import UNDECLARED, Fork, Query
from downset.design.traits import QUERY, TOOL, inside, settings, traits
from downset.design.traits import agent as some_agent
from downset.design.traits import session as some_session
from downset.language.terms import (
    EMPTY,
    NO_MODE,
    Decision,
    FixedMode,
    Formula,
    LanguageError,
    Mode,
    ModeIs,
    Word,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.design.design import Design
    from downset.design.sessions import Agent, Config, Session

T = TypeVar("T")


class WrongAnswer(TypeError):
    """A method of a design returned something that is not of the language.

    `line` is where the method is defined.
    """

    def __init__(self, method: Callable[..., object], got: object, wanted: type) -> None:
        name = getattr(method, "__name__", "a method")
        super().__init__(
            f"`{name}` must return a {wanted.__name__} of the design language, "
            f"not {type(got).__name__}"
        )
        code = getattr(method, "__code__", None)
        self.line: int | None = getattr(code, "co_firstlineno", None)


def probe(design: Design) -> None:
    """Call every method of a design once. Raises `WrongAnswer`, or whatever the method raises.

    >>> from downset.design.design import Design
    >>> class Nothing(Design):
    ...     def spawn(self, caller, callee, config):
    ...         return []
    >>> probe(Nothing())
    Traceback (most recent call last):
    downset.design.probe.WrongAnswer: `spawn` must return a Word of the design language, not list
    """
    modes, config, query, tool = design.permission_modes, settings(design), QUERY, TOOL
    session, agent = some_session("x", modes), some_agent("b", modes)
    answers(Word, design.spawn, session, agent, config)
    answers(Word, design.resume, session, session, agent, config)
    answers(Word, design.prompt, session, EMPTY)
    answers(Word, design.patch, session, EMPTY)
    answers(Word, design.effective, session)
    answers(Word, design.visible, session)
    answers(Fork, design.fork, session)
    answers(Decision, design.decide, session, query)
    answers(Decision, design.decide_with, session, query, EMPTY)
    answers(Decision, design.own, agent, Query.of("probe", "probe"))
    answers(Formula, design.hidden, session, tool)
    answers(Formula, design.own_hidden, agent, tool)
    for way in design.ways():
        answers(Formula, design.dispatches, session, agent, way)
    if design.dispatch_tools(session, agent, config) is not None:
        answers(Word, design.dispatch_tools, session, agent, config)
    probe_modes(design, session, agent, config)
    traits(design)


def probe_modes(design: Design, session: Session, agent: Agent, config: Config) -> None:
    """Call every method about modes once; they may speak of the design's own modes only."""
    found = (
        answers(Mode, design.spawn_mode, session, agent, config),
        answers(Mode, design.resume_mode, session, session, agent, config),
        answers(Mode, design.restart_mode, session, config),
        answers(Mode, design.documents_mode, session, agent, config),
        answers(Decision, design.mode_decides, session.mode, QUERY),
        answers(Decision, design.documents, session, QUERY),
        answers(Formula, design.switched_off, session, config),
        design.decide(session, QUERY),
        design.own(agent, QUERY),
    )
    known = {*design.permission_modes, UNDECLARED, *NO_MODE.content()}
    for node in inside(found):
        named = node.names if isinstance(node, ModeIs) else ()
        named = (node.name,) if isinstance(node, FixedMode) else named
        if not known.issuperset(named):
            message = f"there is no mode {' or '.join(sorted({*named} - known))}"
            raise LanguageError(message)


def answers(wanted: type[T], method: Callable[..., object], *arguments: object) -> T:
    """What a method returns. Raises `WrongAnswer` if it is not what is wanted."""
    got = method(*arguments)
    if not isinstance(got, wanted):
        raise WrongAnswer(method, got, wanted)
    return got
