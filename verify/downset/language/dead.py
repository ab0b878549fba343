"""Rules of a concrete list that can never decide anything, and which later rules see to that.

>>> from downset.language.kinds import COMMAND
>>> from downset.language.matching import W2
>>> from downset.language.rules import ALLOW, DENY
>>> ls = GlobList.of(W2, (("rm *", DENY), ("git *", ALLOW), ("*", ALLOW)))
>>> fate(ls, 1, COMMAND)
Fate(number=1, state=<State.OVERRULED: 'overruled'>, cover=(3,), text='rm')
>>> fate(ls, 3, COMMAND).state
<State.ALIVE: 'alive'>
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import TYPE_CHECKING

from downset.language.automata import SearchLimit
from downset.language.lazy import Finder
from downset.language.lists import BUDGET, GlobList, plain_texts, rare_text, refined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.language.kinds import Kind

__all__ = ["Fate", "GlobList", "State", "dead_rules", "fate"]


class State(Enum):
    """What becomes of a rule."""

    ALIVE = "alive"
    OVERRULED = "overruled"
    """Later rules decide all its texts, some of them otherwise."""
    REPEATED = "repeated"
    """Later rules decide all its texts, and say the same."""
    UNMATCHED = "unmatched"
    """No text of the kind is matched by it."""
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Fate:
    """What becomes of one rule.

    `cover` is a smallest set of later rules that decide all its texts, one of another action
    first; `text` is one that such a rule decides otherwise.
    """

    number: int
    state: State
    cover: tuple[int, ...] = ()
    text: str | None = None


def dead_rules(ls: GlobList, kind: Kind, budget: int = BUDGET) -> list[Fate]:
    """The fates of all rules that are not alive, in order.

    >>> from downset.language.kinds import PATH
    >>> from downset.language.matching import W2
    >>> from downset.language.rules import DENY
    >>> rules = GlobList.of(W2, (("/etc/*", DENY), ("a*", DENY), ("?*", DENY)))
    >>> [(found.number, found.state.value) for found in dead_rules(rules, PATH)]
    [(1, 'unmatched'), (2, 'repeated')]
    """
    fates = [fate(ls, number, kind, budget) for number in range(1, len(ls.entries))]
    return [found for found in fates if found.state is not State.ALIVE]


@lru_cache(maxsize=1 << 16)
def fate(ls: GlobList, number: int, kind: Kind, budget: int = BUDGET) -> Fate:
    """What becomes of one rule among all texts of a kind."""
    try:
        return _Question(ls, number, kind, Finder(ls.matcher, budget)).fate()
    except SearchLimit:
        return Fate(number, State.UNKNOWN)


@dataclass
class _Question:
    ls: GlobList
    number: int
    kind: Kind
    finder: Finder

    def fate(self) -> Fate:
        """Look for a text that the rule decides; else for the rules that keep it from that."""
        glob = self.ls.entries[self.number][0]
        if any(map(self._decides, (*plain_texts(glob), rare_text(glob)))):
            return Fate(self.number, State.ALIVE)
        used: list[str] = []
        if refined(self.finder, [glob], self.kind, self._broadest, used) is not None:
            return Fate(self.number, State.ALIVE)
        if not used:
            return Fate(self.number, State.UNMATCHED)
        text = self._contradiction(glob)
        state = State.REPEATED if text is None else State.OVERRULED
        cover = self._ordered(self._minimal(used), text)
        return Fate(self.number, state, cover, text)

    def _decides(self, text: str) -> bool:
        """Whether the rule decides a text that can be asked about."""
        legal = self.kind.contains(text) and self.finder.fits(text, (), self.kind.never)
        return legal and self.ls.last(text) == self.number

    def _broadest(self, text: str) -> str | None:
        """Of the later rules that match a text, the glob with the fewest letters."""
        later = [
            glob
            for i in self.ls.matched(text)
            if i > self.number
            for glob in [self.ls.entries[i][0]]
        ]
        return min(later, key=lambda glob: (len(glob.replace("*", "")), glob), default=None)

    def _contradiction(self, glob: str) -> str | None:
        """A text of the rule that is decided otherwise than the rule says."""
        action = self.ls.entries[self.number][1]

        def alike(text: str) -> str | None:
            last = self.ls.last(text)
            same = self.ls.entries[last][1] is action
            return self.ls.entries[last][0] if same else None

        for i in range(len(self.ls.entries) - 1, max(self.number, self.ls.floor - 1), -1):
            other, verb = self.ls.entries[i]
            if verb is not action:
                text = refined(self.finder, [glob, other], self.kind, alike)
                if text is not None:
                    return text
        return None

    def _minimal(self, used: Sequence[str]) -> list[int]:
        """A smallest part of the cover: those that say the same are left out first."""
        numbers = [self._number(glob) for glob in dict.fromkeys(used)]
        action = self.ls.entries[self.number][1]
        for i in sorted(numbers, key=lambda n: (self.ls.entries[n][1] is not action, n)):
            rest = [n for n in numbers if n != i]
            globs = [self.ls.entries[n][0] for n in rest]
            if self.finder.find([self.ls.entries[self.number][0]], globs, self.kind) is None:
                numbers = rest
        return numbers

    def _number(self, glob: str) -> int:
        """The last rule with a glob."""
        return max(i for i, (other, _) in enumerate(self.ls.entries) if other == glob)

    def _ordered(self, cover: Sequence[int], text: str | None) -> tuple[int, ...]:
        """The rule that decides the text first, then those of other actions, then the rest."""
        decider = self.ls.last(text) if text is not None else 0
        numbers = {*cover, decider} - {0} if decider not in cover and text else set(cover)
        action = self.ls.entries[self.number][1]

        def rank(i: int) -> tuple[bool, bool, int]:
            return i != decider, self.ls.entries[i][1] is action, -i

        return tuple(sorted(numbers, key=rank))
