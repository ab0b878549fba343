"""Position sets: where in a glob, or where in a text, a match can stand after some units.

A set is an integer whose bit i says that position i is possible. `GlobPositions` reads texts,
`TextPositions` reads globs; the two are dual, and `products.py` combines several of either.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice
from typing import TYPE_CHECKING

from downset.language.matching import canonical

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from downset.language.matching import Matcher

_LOWER = "abcdefghijklmnopqrstuvwxyz"
_PLAIN = _LOWER + "0123456789" + _LOWER.upper()
_LETTERS_FROM, _LETTERS_TO = 0xC0, 0xD7FF
_UNITS = 1 << 16


class SearchLimit(Exception):
    """A search stopped before it had an answer; whether there is one is not known."""


@dataclass(frozen=True, slots=True)
class GlobPositions:
    """The positions of one glob, for texts in the matcher's normal form, read unit by unit.

    >>> from downset.language.matching import W1
    >>> glob = GlobPositions.of(W1, "ls *")
    >>> after = glob.step(glob.step(glob.start, "l"), "s")
    >>> glob.accepts(after), glob.accepts(glob.step(after, "o")), list(glob.awaited(after))
    (True, False, [' '])
    """

    start: int
    literals: Mapping[str, int]
    single: int
    stars: int
    final: int
    endless: int

    @classmethod
    def of(cls, matcher: Matcher, glob: str) -> GlobPositions:
        """The positions of `glob` as `matcher` reads it; the optional tail is a second end."""
        normal = matcher.normal(glob)
        units = re.sub(r"\*+", "*", normal)
        literals: defaultdict[str, int] = defaultdict(int)
        for position, unit in enumerate(units):
            literals[unit] |= 1 << position
        stars, single = literals.pop("*", 0), literals.pop("?", 0)
        end = len(units)
        tail = 1 << (end - len(" *")) if matcher.has_optional_tail(normal) else 0
        endless = stars & (1 << end >> 1)
        return cls(1 | (stars & 1) << 1, dict(literals), single, stars, 1 << end | tail, endless)

    def step(self, positions: int, unit: str) -> int:
        """The positions after one more unit; 0 if no match is left.

        Positions before the last star that is reached are dropped: from that star on everything
        can be matched that they could match (theory.md 7), so equal futures are equal sets.
        """
        taken = positions & (self.literals.get(unit, 0) | self.single)
        reached = taken << 1 | positions & self.stars
        stars = reached & self.stars
        if not stars:
            return reached
        reached |= stars << 1
        last = stars.bit_length() - 1
        return reached >> last << last

    def accepts(self, positions: int) -> bool:
        """Whether the text that was read is matched."""
        return bool(positions & self.final)

    def accepts_all(self, positions: int) -> bool:
        """Whether the text that was read is matched however it goes on."""
        return bool(positions & self.endless)

    def awaited(self, positions: int) -> Iterator[str]:
        """The units that lead further than any other unit does."""
        return (unit for unit, places in self.literals.items() if places & positions)


@dataclass(frozen=True, slots=True)
class TextPositions:
    """The prefixes of one text that a growing glob can match, as a set of their lengths.

    >>> from downset.language.matching import W1
    >>> text = TextPositions.of(W1, "edit")
    >>> text.accepts(text.step(text.step(text.start, "E"), "*"))
    False
    >>> text.accepts(text.step(text.step(text.start, "e"), "*"))
    True
    """

    start: int
    places: Mapping[str, int]
    full: int

    @classmethod
    def of(cls, matcher: Matcher, text: str) -> TextPositions:
        """The prefixes of `text` as `matcher` reads it."""
        places: defaultdict[str, int] = defaultdict(int)
        normal = matcher.normal(text)
        for position, unit in enumerate(normal):
            places[unit] |= 1 << position
        return cls(1, dict(places), (2 << len(normal)) - 1)

    def step(self, positions: int, sign: str) -> int:
        """The prefixes after one more sign of the glob: `*`, `?` or a unit in normal form."""
        if sign == "*":
            return self.full & -(positions & -positions)
        if sign == "?":
            return positions << 1 & self.full
        return (positions & self.places.get(sign, 0)) << 1

    def accepts(self, positions: int) -> bool:
        """Whether the glob that was read matches the whole text."""
        return positions > self.full >> 1

    def awaited(self, positions: int) -> Iterator[str]:
        """The units which, as literals of the glob, match here; a literal cannot be a sign."""
        return (
            unit for unit, at in self.places.items() if at & positions and unit not in ("*", "?")
        )


def plainness(unit: str) -> tuple[int, str]:
    """A sort key: lower-case letters, digits, punctuation, space, capitals, everything else.

    >>> "".join(sorted("é A/z0a", key=plainness))
    'az0/ Aé'
    """
    if not unit.isascii() or not unit.isprintable():
        return 5, unit
    kinds = (unit.islower(), unit.isdigit(), not unit.isalnum() and unit != " ", unit == " ")
    return (kinds.index(True) if True in kinds else len(kinds)), unit


def spellings(matcher: Matcher, unit: str) -> tuple[str, ...]:
    r"""All units whose normal form is `unit` (itself in normal form), plainest first.

    >>> from downset.language.matching import W2, W2_WINDOWS
    >>> spellings(W2, "/"), spellings(W2_WINDOWS, "E"), spellings(W2_WINDOWS, "K")
    (('/', '\\'), ('e', 'E'), ('k', 'K'))
    """
    found = _case_variants().get(unit, (unit,)) if matcher.fold_case else (unit,)
    return ("/", "\\") if matcher.slashes and unit == "/" else found


def fresh_units(matcher: Matcher, used: Collection[str], count: int) -> list[str]:
    """The `count` plainest letters and digits whose normal form is not in `used`.

    Raises `SearchLimit` if there are no more: then the globs name nearly every letter there is.

    >>> from downset.language.matching import W2_WINDOWS
    >>> fresh_units(W2_WINDOWS, {"A", "C"}, 3)
    ['b', 'd', 'e']
    """
    letters = chain(_PLAIN, map(chr, range(_LETTERS_FROM, _LETTERS_TO)))
    unused = (u for u in letters if u.isalnum() and matcher.normal(u) not in used)
    found = list(islice(unused, count))
    if len(found) < count:
        raise SearchLimit(f"the strings leave fewer than {count} letters unused")
    return found


@lru_cache(maxsize=1)
def _case_variants() -> dict[str, tuple[str, ...]]:
    """For every unit that two or more units are compared as, those units."""
    variants: defaultdict[str, list[str]] = defaultdict(list)
    for unit in map(chr, range(_UNITS)):
        variants[canonical(unit)].append(unit)
    return {
        unit: tuple(sorted(group, key=plainness))
        for unit, group in variants.items()
        if len(group) > 1
    }
