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
>>> approval_bounded(graph)[0][0].details[0]
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


def approval_bounded(graph: CallGraph) -> tuple[list[Problem], list[str]]:
    """One finding for all denies that a reply would lift, and the permissions left undecided."""
    if graph.world.spawner.design.approvals is not Approvals.PROJECT:
        return [], []
    lifts, unknown = [], []
    for asked in asked_of(graph.world):
        search = _Search(graph, asked)
        lift = search.first()
        if lift is not None:
            lifts.append(lift)
        elif search.is_cut:
            unknown.append(asked.permission)
    return [_problem(graph.world, lifts)] if lifts else [], unknown


@dataclass
class _Search:
    """The search for a deny of one permission that a reply would lift."""

    graph: CallGraph
    asked: Asked
    is_cut: bool = False
    """Whether a question was given up because its budget was spent."""

    def first(self) -> _Lift | None:
        """The first; those of users before those of the program."""
        if not self.asked.asks or self.asked.permission in {UNLISTED, "skill"}:
            return None
        first, world = None, self.graph.world
        for lift in self._lifts():
            if is_written(world.deciding(lift.denying, self.asked.permission, lift.text)):
                return lift
            first = first or lift
        return first

    def _lifts(self) -> Iterator[_Lift]:
        asking = _Lazy(self._deciding(ASK))
        for state, column in self._deciding(DENY):
            agent = self.graph.world.agents[state.agent]
            if column.hides or (agent.native and agent.hidden):
                continue
            for pattern, text in self._covered(column):
                other = self._asks(asking, pattern)
                if other is not None:
                    yield _Lift(other, state, self.asked, pattern, text)
                    break

    def _deciding(self, action: Action) -> Iterator[tuple[State, Column]]:
        """The sessions with different rules that decide so about something."""
        seen: set[int] = set()
        for state in self.graph.states:
            column = self.graph.world.column(state, self.asked.permission)
            if id(column.ls) in seen:
                continue
            seen.add(id(column.ls))
            if self._text((column.ls,), (action,)) is not None:
                yield state, column

    def _covered(self, column: Column) -> Iterator[tuple[str, str]]:
        """What replies could cover, and a denied text that is among it."""
        name = self.asked.permission
        if name != shell_name(self.graph.world.release):
            text = self._text((column.ls,), (DENY,))
            if text is not None:
                yield ("*" if name != "external_directory" else text), text
            return
        for glob in dict.fromkeys(g for g, action in column.ls.entries if action is DENY):
            text = self._text((column.ls, _only(column, glob)), (DENY, ALLOW))
            if text is not None:
                yield f"{first_words(text)} *", text

    def _asks(self, asking: _Lazy, pattern: str) -> State | None:
        """A session that asks about something to which the reply covers the pattern."""
        for state, column in asking:
            if self._text((column.ls, _only(column, pattern)), (ASK, ALLOW)) is not None:
                return state
        return None

    def _text(self, lists: tuple[GlobList, ...], actions: tuple[Action, ...]) -> str | None:
        try:
            return witness(lists, [{action} for action in actions], self.asked.kind)
        except SearchLimit:
            self.is_cut = True
            return None


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


def _only(column: Column, pattern: str) -> GlobList:
    return GlobList.of(column.ls.matcher, (("*", DENY), (pattern, ALLOW)))


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
