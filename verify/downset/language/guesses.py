"""Searches for texts and globs of a matcher by segments: likely ones are tried, nothing is proved.

Where none will do, that is said as a limit of the search and never as a proof.

>>> from downset.language.matching import WCMATCH
>>> guessed(lambda glob: WCMATCH.matches("/a/b", glob), globs_for(["/a/b"]), ["/a/b"])
'/a/*'
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from downset.language.automata import SearchLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

PLAIN = ("a", "b", "c", "/a", "/src/app.ts", "/docs/guide.md", "/.env")
MORE = 40


def guessed(fits: Callable[[str], bool], candidates: Iterable[str], avoid: Collection[str]) -> str:
    """The first candidate that fits and is not to be avoided. Raises `SearchLimit` if none does."""
    numbered = (f"x{number}" for number in range(MORE))
    for word in chain(candidates, numbered):
        if word not in avoid and fits(word):
            return word
    message = "no likely text behaves as wanted; none was searched for beyond"
    raise SearchLimit(message)


def texts_for(globs: Sequence[str]) -> Iterator[str]:
    """Texts that globs may match: their stars filled in, and plain ones.

    >>> next(texts_for(["/a/**"]))
    '/a/a'
    """
    for filling in ("a", "b", "ab", ".a"):
        for glob in globs:
            yield glob.replace("**", filling).replace("*", filling).replace("?", filling[0])
    yield from PLAIN


def globs_for(texts: Sequence[str]) -> Iterator[str]:
    """Globs that may match texts: themselves, their folders, and everything.

    >>> list(globs_for(["/a/b"]))[:3]
    ['/a/b', '/a/*', '/a/**']
    """
    for text in texts:
        folder = text.rpartition("/")[0]
        yield from (text, f"{folder}/*", f"{folder}/**", f"{folder}/?*")
    yield from ("**", "/**", "*", "?*", "/*")
