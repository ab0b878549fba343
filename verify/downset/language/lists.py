"""Exact questions about concrete ordered lists of globs, the last match decides.

"Is there a text that A denies and B does not?" and "can this rule ever decide?", over all texts of
a kind. A pair of rules that could be the deciding ones is searched for a common text; only those
later rules that match what was found are excluded, and the search repeated (theory.md, 7). The
default stands as `* ask` in front of every list.

>>> from downset.language.kinds import PATH
>>> from downset.language.matching import W2
>>> from downset.language.rules import DENY
>>> plan = GlobList.of(W2, (("*", DENY), ("plans/*", ALLOW)))
>>> build = GlobList.of(W2, (("*", ALLOW),))
>>> witness((plan, build), ({DENY}, {ASK, ALLOW}), PATH)
'src/app.ts'
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from downset.language.automata import SearchLimit
from downset.language.lazy import Finder
from downset.language.rules import ALLOW, ASK, Action

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from downset.language.kinds import Kind
    from downset.language.matching import Matcher

BUDGET: Final = 60_000
SAMPLES: Final = 40
NOT_DENY: Final = frozenset({ASK, ALLOW})
Entry = tuple[str, Action]
_ACTIONS: Final = frozenset(Action)


@dataclass(frozen=True, eq=False)
class GlobList:
    """A list of globs with actions; equal lists are one object, so that answers can be kept.

    Number 0 is the default; rule i of what was given has number i + 1.

    >>> from downset.language.matching import W2
    >>> from downset.language.rules import DENY
    >>> ls = GlobList.of(W2, (("*", DENY), ("src/*", ALLOW)))
    >>> ls.decide("src/a"), ls.last("b"), ls is GlobList.of(W2, (("*", DENY), ("src/*", ALLOW)))
    (<Action.ALLOW: 'allow'>, 1, True)
    """

    matcher: Matcher
    entries: tuple[Entry, ...]
    _last: dict[str, int] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(matcher: Matcher, entries: tuple[Entry, ...]) -> GlobList:
        """The list of these entries."""
        return _interned(matcher, entries)

    @cached_property
    def floor(self) -> int:
        """The number of the last rule that matches everything: none before it decides anything.

        >>> from downset.language.matching import W2
        >>> from downset.language.rules import DENY
        >>> GlobList.of(W2, (("src/*", ALLOW), ("**", DENY), ("a", ASK))).floor
        2
        """
        numbers = range(len(self.entries) - 1, 0, -1)
        return next(
            (i for i in numbers if not self.entries[i][0].strip("*") and self.entries[i][0]), 0
        )

    def last(self, text: str) -> int:
        """The number of the rule that decides a text."""
        found = self._last.get(text)
        if found is None:
            found = self._last[text] = next(self.matched(text))
        return found

    def decide(self, text: str) -> Action:
        """What the last rule that matches says."""
        return self.entries[self.last(text)][1]

    def matched(self, text: str) -> Iterator[int]:
        """The numbers of all rules that match, the last first; the default too."""
        normal = self.matcher.normal(text)
        for number in range(len(self.entries) - 1, -1, -1):
            start, end = self._ends[number]
            close = normal.startswith(start) and normal.endswith(end)
            if close and self.matcher.matches(text, self.entries[number][0]):
                yield number

    @cached_property
    def places(self) -> dict[str, int]:
        """The number of the last rule with each glob."""
        return {glob: number for number, (glob, _) in enumerate(self.entries)}

    @cached_property
    def _ends(self) -> list[tuple[str, str]]:
        return [_ends(self.matcher, glob) for glob, _ in self.entries]


@lru_cache(maxsize=1 << 16)
def _interned(matcher: Matcher, entries: tuple[Entry, ...]) -> GlobList:
    return GlobList(matcher, (("*", ASK), *entries))


def witness(
    lists: Sequence[GlobList],
    wanted: Sequence[Collection[Action]],
    kind: Kind,
    prefer: Sequence[str] = (),
    budget: int = BUDGET,
) -> str | None:
    """A text that each list decides as wanted of it, or `None`, which proves there is none.

    The first of `prefer` and of the kind's own that will do, else a plain one, else a shortest
    one for the last pair of rules. Raises `SearchLimit` if the budget is spent first.

    >>> from downset.language.kinds import COMMAND
    >>> from downset.language.matching import W2
    >>> lists = [GlobList.of(W2, (("*", ALLOW), (g, ASK))) for g in ("git push *", "git *")]
    >>> witness(lists, ({ALLOW}, {ASK}), COMMAND)
    'git'
    """
    wishes = tuple(frozenset(actions) for actions in wanted)
    return _witness(tuple(lists), wishes, kind, tuple(prefer), budget)


@lru_cache(maxsize=1 << 17)
def _witness(
    lists: tuple[GlobList, ...],
    wanted: tuple[frozenset[Action], ...],
    kind: Kind,
    prefer: tuple[str, ...],
    budget: int,
) -> str | None:
    if not all(_says(ls, actions) for ls, actions in zip(lists, wanted, strict=True)):
        return None
    search = _Search(lists, wanted, kind, budget)
    known = (*prefer, *(kind.prefer if kind.choices is None else kind.choices))
    for text in known:
        if search.decides(text):
            return text
    if kind.choices is not None:
        return None
    return next(filter(search.decides, search.samples()), None) or search.exact()


def _says(ls: GlobList, actions: frozenset[Action]) -> bool:
    return any(action in actions for _, action in ls.entries[ls.floor :])


class _Search:
    """One question; it tries the deciding rules of each list in turn, the last first."""

    def __init__(
        self,
        lists: Sequence[GlobList],
        wanted: Sequence[frozenset[Action]],
        kind: Kind,
        budget: int,
    ) -> None:
        self.lists = lists
        self.wanted = wanted
        self.kind = kind
        self.finder = Finder(lists[0].matcher, budget)
        self.one_matcher = len({ls.matcher for ls in lists}) == 1
        alike = len(lists) > 1 and self.one_matcher
        self.shared = _common_start(lists) if alike else 0
        self.alike = frozenset.intersection(*wanted)

    def decides(self, text: str) -> bool:
        """Whether a text is an answer."""
        pairs = zip(self.lists, self.wanted, strict=True)
        return all(ls.decide(text) in want for ls, want in pairs) and self._is_legal(text)

    def samples(self) -> Iterator[str]:
        """Plain texts that rules of the wanted actions match, worth a look before searching."""
        for ls, want in zip(self.lists, self.wanted, strict=True):
            live = [i for i in range(ls.floor, len(ls.entries)) if ls.entries[i][1] in want]
            for number in live[: -SAMPLES - 1 : -1]:
                yield from plain_texts(ls.entries[number][0])

    def exact(self) -> str | None:
        """The first answer of all combinations of deciding rules."""
        return self._with((), ())

    def _with(self, chosen: tuple[int, ...], globs: tuple[str, ...]) -> str | None:
        place = len(chosen)
        if place == len(self.lists):
            return self._between(chosen, globs)
        here, want = self.lists[place], self.wanted[place]
        entries, seen = here.entries, set[str]()
        for i in range(len(entries) - 1, self._first(here, globs) - 1, -1):
            glob, action = entries[i]
            if action not in want or glob in seen or self._same_for_all((*chosen, i)):
                continue
            if self._comes_again(chosen, glob):
                continue
            seen.add(glob)
            met = all(_may_meet(self.finder.matcher, glob, other) for other in globs)
            if met and can_decide(self.lists[place], i, want, self.kind):
                text = self._with((*chosen, i), (*globs, glob))
                if text is not None:
                    return text
        return None

    def _same_for_all(self, chosen: tuple[int, ...]) -> bool:
        """Whether these rules are in what the lists begin with alike, so that all say the same."""
        if len(chosen) < len(self.lists) or self.alike:
            return False
        return max(chosen) < self.shared

    def _first(self, here: GlobList, globs: tuple[str, ...]) -> int:
        """The first rule of a list that can decide a text which some globs match.

        It stands behind none of those globs in the list itself. Lists of one project are often
        one list changed in few places, and this leaves little more than those.
        """
        known = globs if self.one_matcher else ()
        return max([here.floor, *(here.places.get(glob, 0) for glob in known)])

    def _comes_again(self, chosen: tuple[int, ...], glob: str) -> bool:
        """Whether a glob stands in another list too, behind the rule chosen there.

        Then a rule with it and that rule cannot both be the last to match.
        """
        pairs = zip(self.lists, chosen, strict=False)
        return self.one_matcher and any(ls.places.get(glob, 0) > n for ls, n in pairs)

    def _between(self, chosen: tuple[int, ...], globs: tuple[str, ...]) -> str | None:
        for glob in globs if self.one_matcher else ():
            if self.finder.matcher.is_literal(glob):
                return glob if self.decides(glob) else None
        return refined(self.finder, globs, self.kind, lambda text: self._wrong(chosen, text))

    def _wrong(self, chosen: tuple[int, ...], text: str) -> str | None:
        """The glob of a later rule that decides a text otherwise than is wanted."""
        for ls, want, i in zip(self.lists, self.wanted, chosen, strict=True):
            last = ls.last(text)
            if last > i and ls.entries[last][1] not in want:
                return ls.entries[last][0]
        return None

    def _is_legal(self, text: str) -> bool:
        never = self.kind.never
        return self.kind.contains(text) and self.finder.fits(text, (), never)


@lru_cache(maxsize=1 << 17)
def can_decide(ls: GlobList, number: int, wanted: frozenset[Action], kind: Kind) -> bool:
    """Whether something that a rule matches is decided as wanted, for later rules permit it.

    True, too, where that takes too long to find out: this only saves searches.

    >>> from downset.language.kinds import PATH
    >>> from downset.language.matching import W2
    >>> from downset.language.rules import DENY
    >>> ls = GlobList.of(W2, (("src/*", ALLOW), ("*", DENY)))
    >>> can_decide(ls, 1, frozenset({ALLOW}), PATH)
    False
    """

    def wrong(text: str) -> str | None:
        last = ls.last(text)
        return ls.entries[last][0] if ls.entries[last][1] not in wanted else None

    finder = Finder(ls.matcher, BUDGET // 10)
    try:
        return refined(finder, [ls.entries[number][0]], kind, wrong) is not None
    except SearchLimit:
        return True


def refined(
    finder: Finder,
    inside: Sequence[str],
    kind: Kind,
    wrong: Callable[[str], str | None],
    used: list[str] | None = None,
) -> str | None:
    """A text inside all globs for which `wrong` names no glob to exclude; excluded ones to `used`.

    >>> from downset.language.kinds import PATH
    >>> from downset.language.matching import W2
    >>> refined(Finder(W2), ["*.ts"], PATH, lambda t: ".*" if t.startswith(".") else None)
    'a.ts'
    """
    outside = [] if used is None else used
    while True:
        text = finder.find(inside, outside, kind)
        if text is None:
            return None
        glob = wrong(text)
        if glob is None:
            return text
        if glob in outside:
            raise SearchLimit("the lists are read by different matchers; gave up")
        outside.append(glob)


@lru_cache(maxsize=1 << 16)
def plain_texts(glob: str) -> tuple[str, str]:
    """Two plain texts that a glob matches."""
    text = glob.removesuffix(" *").replace("?", "a")
    return text.replace("*", ""), text.replace("*", "a")


@lru_cache(maxsize=1 << 16)
def rare_text(glob: str) -> str:
    """A text that a glob matches and that few others do.

    >>> rare_text("*a??")
    'a~~'
    """
    return glob.removesuffix(" *").replace("*", "").replace("?", "~")


def _common_start(lists: Sequence[GlobList]) -> int:
    columns = zip(*(ls.entries for ls in lists), strict=False)
    return sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, columns))


@lru_cache(maxsize=1 << 16)
def _ends(matcher: Matcher, glob: str) -> tuple[str, str]:
    """What every text that the glob matches begins and ends with."""
    normal = matcher.normal(glob)
    if matcher.has_optional_tail(normal):
        return re.split(r"[*?]", normal[: -len(" *")], maxsplit=1)[0], ""
    pieces = re.split(r"[*?]", normal)
    return pieces[0], pieces[-1]


def _may_meet(matcher: Matcher, first: str, second: str) -> bool:
    """Whether two globs could match one text, by a quick look at their ends.

    >>> from downset.language.matching import W2
    >>> _may_meet(W2, "git *", "npm *"), _may_meet(W2, "src/*", "*.ts")
    (False, True)
    """
    (start, end), (other, other_end) = _ends(matcher, first), _ends(matcher, second)
    starts = start.startswith(other) or other.startswith(start)
    return starts and (end.endswith(other_end) or other_end.endswith(end))
