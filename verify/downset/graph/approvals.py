"""Denies that an "always" reply would lift: approvals stand behind all rules, for every session.

The reply to a request covers more than the request (opencode.md 1.8): everything, for most tools;
for a command its first words and anything behind them. Of commands one text for each deny is
tried.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> config = {"permission": {"bash": {"*": "ask", "git push --force*": "deny"}}}
>>> graph = CallGraph(World(resolve(config, release("1.18.2"))))
>>> approval_bounded(graph)[0].details[0]
'`git push *`, asked about in `build`, also allows `bash git push --force`, which `build` denies'
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from downset.design.design import Approvals
from downset.graph.escalations import is_written
from downset.graph.pairs import asked_of, request, side
from downset.graph.records import Member, Problem, Severity
from downset.graph.tools import UNLISTED, shell_name
from downset.language.automata import SearchLimit
from downset.language.lists import GlobList, witness
from downset.language.rules import ALLOW, ASK, DENY

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from downset.graph.callgraph import CallGraph
    from downset.graph.columns import Column
    from downset.graph.sessions import State, World
    from downset.graph.tools import Asked
    from downset.language.rules import Action

_TWO_WORDS: Final = frozenset(
    (
        *("git", "npm", "pnpm", "yarn", "bun", "docker", "kubectl", "cargo", "go", "python"),
        *("pip", "terraform", "systemctl", "brew"),
    )
)
_THREE_WORDS: Final = frozenset({"gh", "aws", "gcloud"})
HELP: Final = "reply `once`, or deny with the pattern `*` at the end: that hides the tool"


@dataclass(frozen=True)
class _Lift:
    asking: State
    denying: State
    asked: Asked
    pattern: str
    text: str


def approval_bounded(graph: CallGraph) -> list[Problem]:
    """One finding for all denies that a reply would lift, if approvals are of that kind."""
    if graph.world.spawner.design.approvals is not Approvals.PROJECT:
        return []
    lifts = [lift for asked in asked_of(graph.world) if (lift := _first(graph, asked)) is not None]
    return [_problem(graph.world, lifts)] if lifts else []


def _first(graph: CallGraph, asked: Asked) -> _Lift | None:
    """The first deny of a permission that a reply would lift; those of users first."""
    if not asked.asks or asked.permission in {UNLISTED, "skill"}:
        return None
    first = None
    for lift in _lifts(graph, asked):
        if is_written(graph.world.deciding(lift.denying, asked.permission, lift.text)):
            return lift
        first = first or lift
    return first


def _lifts(graph: CallGraph, asked: Asked) -> Iterator[_Lift]:
    asking = _Lazy(_deciding(graph, asked, ASK))
    for state, column in _deciding(graph, asked, DENY):
        agent = graph.world.agents[state.agent]
        if column.hides or (agent.native and agent.hidden):
            continue
        for pattern, text in _covered(graph.world, asked, column):
            other = _asks(asking, asked, pattern)
            if other is not None:
                yield _Lift(other, state, asked, pattern, text)
                break


class _Lazy:
    """What an iterator gives, kept, to be gone through again."""

    def __init__(self, items: Iterator[tuple[State, Column]]) -> None:
        self._items = items
        self._known: list[tuple[State, Column]] = []

    def __iter__(self) -> Iterator[tuple[State, Column]]:
        yield from self._known
        for item in self._items:
            self._known.append(item)
            yield item


def _deciding(graph: CallGraph, asked: Asked, action: Action) -> Iterator[tuple[State, Column]]:
    """The sessions with different rules that decide so about something."""
    seen: set[int] = set()
    for state in graph.states:
        column = graph.world.column(state, asked.permission)
        if id(column.ls) in seen:
            continue
        seen.add(id(column.ls))
        if _text((column.ls,), (action,), asked) is not None:
            yield state, column


def _covered(world: World, asked: Asked, column: Column) -> Iterator[tuple[str, str]]:
    """What replies could cover, and a denied text that is among it."""
    if asked.permission != shell_name(world.release):
        text = _text((column.ls,), (DENY,), asked)
        if text is not None:
            yield ("*" if asked.permission != "external_directory" else text), text
        return
    for glob in dict.fromkeys(g for g, action in column.ls.entries if action is DENY):
        text = _text((column.ls, _only(column, glob)), (DENY, ALLOW), asked)
        if text is not None:
            yield f"{first_words(text)} *", text


def _asks(asking: _Lazy, asked: Asked, pattern: str) -> State | None:
    """A session that asks about something to which the reply covers the pattern."""
    for state, column in asking:
        if _text((column.ls, _only(column, pattern)), (ASK, ALLOW), asked) is not None:
            return state
    return None


def _only(column: Column, pattern: str) -> GlobList:
    return GlobList.of(column.ls.matcher, (("*", DENY), (pattern, ALLOW)))


def _text(lists: tuple[GlobList, ...], actions: tuple[Action, ...], asked: Asked) -> str | None:
    try:
        return witness(lists, [{action} for action in actions], asked.kind)
    except SearchLimit:
        return None


def first_words(command: str) -> str:
    """The words of a command that an "always" reply keeps.

    >>> first_words("git push --force"), first_words("ls -la")
    ('git push', 'ls')
    """
    words = command.split()
    count = 3 if words[0] in _THREE_WORDS else 2 if words[0] in _TWO_WORDS else 1
    return " ".join(words[:count])


def _problem(world: World, lifts: list[_Lift]) -> Problem:
    members = [_member(world, lift) for lift in lifts]
    ours = any(is_written(member.ancestor.rule) for member in members)
    places = [m.ancestor.rule.place for m in members if m.ancestor.rule and m.ancestor.rule.place]
    return Problem(
        id="approval-bounded",
        severity=Severity.WARNING if ours else Severity.NOTE,
        message=f"an `always` reply would lift denies of {_listed(lift.asked for lift in lifts)}: "
        "in this release it stands behind all rules, for every agent of the project",
        locations=tuple(dict.fromkeys(places)),
        members=tuple(members),
        details=tuple(_line(lift) for lift in lifts),
        help=HELP,
        subject=_listed(lift.asked for lift in lifts),
        witness=members[0].witness,
        is_property=True,
    )


def _listed(asked: Iterable[Asked]) -> str:
    return ", ".join(one.permission for one in asked)


def _line(lift: _Lift) -> str:
    return (
        f"`{lift.pattern}`, asked about in `{lift.asking.agent}`, also allows "
        f"`{lift.asked.permission} {lift.text}`, which `{lift.denying.agent}` denies"
    )


def _member(world: World, lift: _Lift) -> Member:
    query = request(lift.asked, lift.text)
    asks = side(world, lift.asking, lift.asked, request(lift.asked, lift.pattern))
    return Member((lift.denying.agent,), query, side(world, lift.denying, lift.asked, query), asks)
