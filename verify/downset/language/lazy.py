"""The search behind every question about concrete lists: one text, found lazily.

A text of some kind that all globs `inside` match and none `outside`, shortest first. A unit that
no glob inside awaits is as good as any other such unit, and best if no glob outside awaits it
either, so that one fresh unit stands for all of them (theory.md, section 7).

>>> from downset.language.kinds import PATH
>>> from downset.language.matching import W2
>>> Finder(W2).find(["src/*", "*.ts"], ["*test*"], PATH)
'src/.ts'
>>> Finder(W2).find(["/*"], [], PATH) is None
True
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from downset.language.automata import (
    GlobPositions,
    SearchLimit,
    fresh_units,
    plainness,
    spellings,
)
from downset.language.kinds import DEAD
from downset.language.matching import from_units

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.language.kinds import Kind
    from downset.language.matching import Matcher

LIMIT: Final = 20_000
State = tuple[int, tuple[int, ...], tuple[int, ...]]


@lru_cache(maxsize=1 << 15)
def positions(matcher: Matcher, glob: str) -> GlobPositions:
    """The automaton of a glob, made once.

    >>> from downset.language.matching import W2
    >>> positions(W2, "a*") is positions(W2, "a*")
    True
    """
    return GlobPositions.of(matcher, glob)


@dataclass
class Finder:
    """Finds texts; `left` is how many partial texts it may still read, over all questions.

    With many globs to leave out a partial text counts as several, for it takes as long.
    """

    matcher: Matcher
    left: int = LIMIT
    _known: dict[object, str | None] = field(default_factory=dict)

    def find(self, inside: Sequence[str], outside: Sequence[str], kind: Kind) -> str | None:
        """A text that will do, or `None`, which is a proof that there is none.

        Raises `SearchLimit` once the budget is spent.
        """
        key = (frozenset(inside), frozenset(outside), kind)
        if key not in self._known:
            self._known[key] = self._search(inside, outside, kind)
        return self._known[key]

    def _search(self, inside: Sequence[str], outside: Sequence[str], kind: Kind) -> str | None:
        if kind.choices is not None:
            fits = (text for text in kind.choices if self.fits(text, inside, outside))
            return next(fits, None)
        return self._walk(_Space(self.matcher, inside, (*outside, *kind.never), kind))

    def _walk(self, space: _Space) -> str | None:
        """Breadth first, each state once."""
        queue = deque([("", space.start)])
        entered = {space.start}
        while queue:
            word, state = queue.popleft()
            for unit, target in space.moves(state):
                if target in entered:
                    continue
                if space.accepts(target):
                    return from_units(word + unit)
                entered.add(target)
                queue.append((word + unit, target))
                self._spend(space.weight)
        return None

    def _spend(self, weight: int) -> None:
        self.left -= weight
        if self.left < 0:
            raise SearchLimit("no answer within the budget; gave up")

    def fits(self, text: str, inside: Sequence[str], outside: Sequence[str]) -> bool:
        """Whether a text is matched by all of `inside` and none of `outside`.

        >>> from downset.language.matching import W2
        >>> Finder(W2).fits("a.ts", ["*.ts"], ["b*"])
        True
        """
        matches = self.matcher.matches
        if not all(matches(text, glob) for glob in inside):
            return False
        return not any(matches(text, glob) for glob in outside)


class _Space:
    """Texts read by all globs and the kind at once."""

    def __init__(
        self, matcher: Matcher, inside: Sequence[str], outside: Sequence[str], kind: Kind
    ) -> None:
        self._matcher = matcher
        self._kind = kind
        self.weight = 1 + len(outside) // 8
        self._inside = [positions(matcher, glob) for glob in dict.fromkeys(inside)]
        self._outside = [positions(matcher, glob) for glob in dict.fromkeys(outside)]
        globs = self._inside + self._outside
        used = {unit for glob in globs for unit in glob.literals}
        fresh = self._legal(fresh_units(matcher, used, 1)) | self._helpers()
        self._fresh = frozenset(map(matcher.normal, fresh))
        self._needs = {at: set(map(matcher.normal, units)) for at, units in kind.needs.items()}
        self._spelled = self._spellings()
        self.start: State = (
            0,
            tuple([glob.start for glob in self._inside]),
            tuple([glob.start for glob in self._outside]),
        )

    def _legal(self, fresh: Sequence[str]) -> set[str]:
        """The fresh unit; every unit of a name where a name cannot have the fresh one."""
        if self._kind.name != "name" or fresh[0].isascii():
            return set(fresh)
        return set(map(chr, range(128)))

    def _helpers(self) -> set[str]:
        kind = self._kind
        named = {unit for glob in self._inside for unit in glob.literals}
        return set(kind.helpers) if named & set(kind.helped) else set()

    def accepts(self, state: State) -> bool:
        """Whether the text that leads to `state` is an answer."""
        at, inside, outside = state
        if at not in self._kind.final:
            return False
        if not all(glob.accepts(i) for glob, i in zip(self._inside, inside, strict=True)):
            return False
        return not any(glob.accepts(i) for glob, i in zip(self._outside, outside, strict=True))

    def _spellings(self) -> dict[str, tuple[tuple[int, str], str, str]]:
        """For every unit that may be read its place in the order, its spelling and itself."""
        named = (glob.literals for glob in self._inside)
        units = self._fresh.union(*self._needs.values(), *named)
        spelled = {unit: spellings(self._matcher, unit)[0] for unit in units}
        return {unit: (plainness(text), text, unit) for unit, text in spelled.items()}

    def moves(self, state: State) -> Iterator[tuple[str, State]]:
        """The units that may come next, plainest first, and where they lead."""
        awaited = set(self._fresh)
        awaited.update(self._needs.get(state[0], ()))
        for glob, at in zip(self._inside, state[1], strict=True):
            awaited.update(glob.awaited(at))
        for _, spelling, unit in sorted(map(self._spelled.__getitem__, awaited)):
            target = self._step(state, spelling, unit)
            if target is not None:
                yield spelling, target

    def _step(self, state: State, spelling: str, unit: str) -> State | None:
        at = self._kind.step(state[0], spelling)
        if at == DEAD:
            return None
        inside = []
        for glob, i in zip(self._inside, state[1], strict=True):
            reached = glob.step(i, unit)
            if not reached:
                return None
            inside.append(reached)
        outside = []
        for glob, i in zip(self._outside, state[2], strict=True):
            reached = glob.step(i, unit)
            if glob.accepts_all(reached):
                return None
            outside.append(reached)
        return at, tuple(inside), tuple(outside)
