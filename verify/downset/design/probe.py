"""A first look at a design: each of its methods is called once, and must answer in the language."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from downset.design.sessions import Fork, Query
from downset.design.traits import CONFIG, QUERY, TOOL, traits
from downset.design.traits import agent as some_agent
from downset.design.traits import session as some_session
from downset.language.terms import EMPTY, Decision, Formula, Word

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.design.design import Design

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
    session, agent, query, tool = some_session("x"), some_agent("b"), QUERY, TOOL
    answers(Word, design.spawn, session, agent, CONFIG)
    answers(Word, design.resume, session, session, agent, CONFIG)
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
    if design.dispatch_tools(session, agent, CONFIG) is not None:
        answers(Word, design.dispatch_tools, session, agent, CONFIG)
    traits(design)


def answers(wanted: type[T], method: Callable[..., object], *arguments: object) -> T:
    """What a method returns. Raises `WrongAnswer` if it is not what is wanted."""
    got = method(*arguments)
    if not isinstance(got, wanted):
        raise WrongAnswer(method, got, wanted)
    return got
