"""Search spaces: words read by several automata at once, one step a unit.

`Texts` grows a text against globs, `Globs` a glob against texts. Each has a `start` state, says
which states it `accepts`, and lists the `moves` out of a state: the unit to write and the state
it leads to, plainest first, leaving out those after which no answer can follow.

>>> from downset.language.matching import W1
>>> texts = Texts(W1, ["?s"], ["l*"])
>>> [unit for unit, _ in texts.moves(texts.start)]
['a']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

from downset.language.automata import (
    GlobPositions,
    TextPositions,
    fresh_units,
    plainness,
    spellings,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from downset.language.matching import Matcher

_State = TypeVar("_State")


class Texts:
    """Texts that all globs `inside` may match, and none of `outside`.

    A unit that no glob inside awaits is as good as any other such unit, and best if no glob
    outside awaits it either; so `spare` fresh ones, one more than there are texts to avoid, stand
    for all of them (theory.md 7). Raises `SearchLimit` if there are not so many.

    >>> from downset.language.matching import W1
    >>> texts = Texts(W1, ["?"], ["a"], spare=2)
    >>> [(unit, texts.accepts(state)) for unit, state in texts.moves(texts.start)]
    [('b', True), ('c', True)]
    """

    def __init__(
        self, matcher: Matcher, inside: Sequence[str], outside: Sequence[str], spare: int = 1
    ) -> None:
        self._matcher = matcher
        self._inside = [GlobPositions.of(matcher, glob) for glob in dict.fromkeys(inside)]
        self._outside = [GlobPositions.of(matcher, glob) for glob in dict.fromkeys(outside)]
        globs = self._inside + self._outside
        named = {unit for glob in globs for unit in glob.literals}
        self._fresh = _with_normal_forms(matcher, fresh_units(matcher, named, spare))
        self.start = tuple([glob.start for glob in globs])

    def accepts(self, state: tuple[int, ...]) -> bool:
        """Whether the text that leads to `state` is an answer."""
        inside, outside = state[: len(self._inside)], state[len(self._inside) :]
        if not all(glob.accepts(at) for glob, at in zip(self._inside, inside, strict=True)):
            return False
        return not any(glob.accepts(at) for glob, at in zip(self._outside, outside, strict=True))

    def moves(self, state: tuple[int, ...]) -> Iterator[tuple[str, tuple[int, ...]]]:
        """The units that may come next, and where they lead."""
        places = zip(self._inside, state[: len(self._inside)], strict=True)
        awaited = {unit for glob, at in places for unit in glob.awaited(at)}
        choices = _spelled(self._matcher, awaited) + self._fresh
        return _live(choices, lambda unit: self._step(state, unit))

    def _step(self, state: tuple[int, ...], unit: str) -> tuple[int, ...] | None:
        count = len(self._inside)
        inside = zip(self._inside, state[:count], strict=True)
        after = [glob.step(at, unit) for glob, at in inside]
        if not all(after):
            return None
        for glob, at in zip(self._outside, state[count:], strict=True):
            reached = glob.step(at, unit)
            if glob.accepts_all(reached):
                return None
            after.append(reached)
        return tuple(after)


class GlobState(NamedTuple):
    """A glob being written: its position set in each text, and the optional tail, if one began.

    `tail` is 0, or the number of signs of a final space-star that are written; `matched` has bit
    i if what stands before that tail matches text i.

    >>> GlobState((1, 1)).tail
    0
    """

    positions: tuple[int, ...]
    tail: int = 0
    matched: int = 0


class Globs:
    """Globs that may match all texts `inside`, and none of `outside`.

    Where no text inside can be lost, a literal that is in no text matches the least; so `spare`
    fresh ones stand for all literals then. Raises `SearchLimit` if there are not so many.

    >>> from downset.language.matching import W1
    >>> globs = Globs(W1, ["ls"], [])
    >>> [sign for sign, _ in globs.moves(globs.start)]
    ['l', '*', '?']
    """

    def __init__(
        self, matcher: Matcher, inside: Sequence[str], outside: Sequence[str], spare: int = 1
    ) -> None:
        self._matcher = matcher
        self._texts = [TextPositions.of(matcher, text) for text in (*inside, *outside)]
        self._inside = range(len(inside))
        used = {unit for text in self._texts for unit in text.places}
        fresh = [] if inside else fresh_units(matcher, used, spare)
        self._fresh = _with_normal_forms(matcher, fresh)
        self.start = GlobState(tuple([text.start for text in self._texts]))

    def accepts(self, state: GlobState) -> bool:
        """Whether the glob that leads to `state` is an answer."""
        short = state.matched if state.tail == len(" *") else 0
        return self._matched(state) | short == (1 << len(self._inside)) - 1

    def moves(self, state: GlobState) -> Iterator[tuple[str, GlobState]]:
        """The signs that may come next, literals before `*` before `?`, and where they lead."""
        choices = _spelled(self._matcher, self._literals(state)) + self._fresh
        yield from _live(choices, lambda sign: self._step(state, sign))
        for sign in ("*", "?"):
            target = self._step(state, sign)
            if target is not None:
                yield sign, target

    def _literals(self, state: GlobState) -> set[str]:
        """The literals worth writing; all others leave a text inside unmatched."""
        if not self._inside:
            return set()
        awaited = set(self._texts[0].awaited(state.positions[0]))
        return awaited | {" "} if self._matcher.optional_tail else awaited

    def _matched(self, state: GlobState) -> int:
        """The texts that the glob matches, but for its optional tail: bit i for text i."""
        matched = 0
        for i, (text, at) in enumerate(zip(self._texts, state.positions, strict=True)):
            matched |= text.accepts(at) << i
        return matched

    def _step(self, state: GlobState, sign: str) -> GlobState | None:
        steps = zip(self._texts, state.positions, strict=True)
        positions = tuple([text.step(at, sign) for text, at in steps])
        after = GlobState(positions)
        if sign == " " and self._matcher.optional_tail:
            after = GlobState(positions, 1, self._matched(state))
        elif sign == "*" and state.tail == 1:
            after = GlobState(positions, 2, state.matched)
        alive = all(positions[i] or after.matched >> i & 1 for i in self._inside)
        return after if alive else None


def _spelled(matcher: Matcher, units: Iterable[str]) -> list[tuple[str, str]]:
    return [(spelling, unit) for unit in units for spelling in spellings(matcher, unit)]


def _with_normal_forms(matcher: Matcher, units: Iterable[str]) -> list[tuple[str, str]]:
    return [(unit, matcher.normal(unit)) for unit in units]


def _live(
    choices: Iterable[tuple[str, str]], step: Callable[[str], _State | None]
) -> Iterator[tuple[str, _State]]:
    """For each unit and its normal form, plainest first, the state it leads to, if any."""
    targets: dict[str, _State | None] = {}
    for unit, normal in sorted(choices, key=lambda choice: plainness(choice[0])):
        if normal not in targets:
            targets[normal] = step(normal)
        target = targets[normal]
        if target is not None:
            yield unit, target
