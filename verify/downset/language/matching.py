r"""What a glob matches, exactly as the programs that are modelled decide it.

They build a JavaScript regular expression from the glob and test the whole text with it; the
matcher eras differ in small ways (opencode.md 1.3). JavaScript sees UTF-16 code units: `?` is one
unit, so a character outside the basic plane is two, and half of one is a legal text.

>>> W1.matches("ls", "ls *"), W0.matches("ls", "ls *")
(True, False)
>>> W2.matches("src\\a.ts", "src/*"), W2_WINDOWS.matches("EDIT", "edit")
(True, True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

_LAST_UNIT = "\uffff"
_ASCII = 128


@dataclass(frozen=True, slots=True)
class Matcher:
    r"""One way of matching texts with globs; hashable, so that it can be part of a key.

    `optional_tail`: a final space-star matches nothing, or a space and anything (` **` does not).
    `slashes`: every backslash becomes a slash first, in text and glob.
    `fold_case`: units are compared as a JavaScript regex with flag `i` and without `u` does.
    `segments`: stars stop at slashes, but for `**` between slashes, and match no leading dot.

    >>> Matcher(slashes=True).matches("a/b", "?\\b")
    True
    """

    optional_tail: bool = False
    slashes: bool = False
    fold_case: bool = False
    segments: bool = False

    def matches(self, text: str, glob: str) -> bool:
        """Whether `glob` matches the whole of `text`; both may be any string, the empty one too.

        `*` is any run of units and `?` is one unit, newlines and slashes included; everything
        else stands for itself (opencode.md 1.3). The time is polynomial in the lengths.

        >>> [W2.matches("git push", glob) for glob in ("git *", "git", "*", "??? *")]
        [True, False, True, True]
        >>> [WCMATCH.matches(text, "/a/**") for text in ("/a/b", "/a/b/c", "/a/.b", "/a")]
        [True, True, False, False]
        """
        return _compiled(self, glob)(self.normal(text)) is not None

    def is_literal(self, glob: str) -> bool:
        r"""Whether `glob` stands for one text, itself, up to what this matcher cannot tell apart.

        True if there is no `*` or `?` in it and, for a matcher with `slashes`, no backslash. Such
        a glob matches the texts whose normal form is its own, itself among them: only itself,
        but for backslashes in place of slashes, and other case if `fold_case`.

        >>> W2.is_literal("edit"), W2.is_literal("edi?"), W2.is_literal("a\\b")
        (True, False, False)
        >>> W0.is_literal("a\\b"), W2_WINDOWS.is_literal("Edit")
        (True, True)
        """
        return not any(sign in glob for sign in ("*?\\" if self.slashes else "*?"))

    def normal(self, text: str) -> str:
        r"""The form of a text or glob in which this matcher compares it: one character a unit.

        Two texts with the same normal form are matched by the same globs, and conversely.

        >>> W2_WINDOWS.normal("src\\ß.ts")
        'SRC/ß.TS'
        """
        units = to_units(text)
        if self.slashes:
            units = units.replace("\\", "/")
        if not self.fold_case:
            return units
        return units.upper() if units.isascii() else "".join(map(canonical, units))

    def has_optional_tail(self, glob: str) -> bool:
        """Whether the rule about a final space-star applies to `glob` (opencode.md 1.3, W1).

        >>> [W1.has_optional_tail(glob) for glob in ("ls *", "ls **", "ls ?*", " *")]
        [True, False, False, True]
        """
        return self.optional_tail and glob.endswith(" *")


W0 = Matcher()
W1 = Matcher(optional_tail=True)
W2 = Matcher(optional_tail=True, slashes=True)
W2_WINDOWS = Matcher(optional_tail=True, slashes=True, fold_case=True)
WCMATCH = Matcher(segments=True)
"""As wcmatch with GLOBSTAR and without DOTMATCH; classes and braces stand for themselves."""


def to_units(text: str) -> str:
    """The UTF-16 code units of `text`, one character each; halves of a character are kept.

    >>> len(to_units("\U0001f600")), to_units("plain")
    (2, 'plain')
    """
    if text.isascii() or max(text) <= _LAST_UNIT:
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[i] | data[i + 1] << 8) for i in range(0, len(data), 2))


def from_units(units: str) -> str:
    """The text with these UTF-16 code units: `to_units` undone, halves joined where they can be.

    >>> from_units(to_units("a\U0001f600")) == "a\U0001f600"
    True
    """
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


@cache
def canonical(unit: str) -> str:
    r"""What a JavaScript regex with flag `i` and without `u` compares in place of this unit.

    ECMAScript, *Canonicalize*: the upper-case form, unless that is not one unit, or would turn a
    unit outside ASCII into one inside. `unit` is one character of the basic plane. Letters newer
    than Python's Unicode tables are their own form (of Python 3.11's, 16 such letters matter).

    >>> ascii([canonical(unit) for unit in "a\xdf\u0131\u017f\xb5\u03bc"])
    "['A', '\\xdf', '\\u0131', '\\u017f', '\\u039c', '\\u039c']"
    """
    upper = unit.upper()
    if len(upper) != 1 or upper > _LAST_UNIT:
        return unit
    if ord(unit) >= _ASCII > ord(upper):
        return unit
    return upper


@lru_cache(maxsize=1 << 14)
def _compiled(matcher: Matcher, glob: str) -> Callable[[str], re.Match[str] | None]:
    if matcher.segments:
        return re.compile(_by_segment(matcher.normal(glob)), re.DOTALL).fullmatch
    branches = [matcher.normal(glob)]
    if matcher.has_optional_tail(branches[0]):
        branches.append(branches[0][: -len(" *")])
    return re.compile("|".join(map(_expression, branches)), re.DOTALL).fullmatch


def _expression(glob: str) -> str:
    """A regex which finds each piece between stars as early as it can and never reconsiders."""
    first, *others = [
        "".join("." if unit == "?" else re.escape(unit) for unit in piece)
        for piece in re.split(r"\*+", glob)
    ]
    if not others:
        return first
    return first + "".join(f"(?>.*?{piece})" for piece in others[:-1]) + ".*" + others[-1]


def _by_segment(glob: str) -> str:
    """A regex that matches segment by segment; several slashes count as one, final ones do not."""
    *outer, last = re.sub("/+", "/", glob).split("/")
    parts = [r"(?:(?!\.)[^/]+/+)*" if part == "**" else f"{_segment(part)}/+" for part in outer]
    within = r"(?:(?!\.)[^/]+/+)*(?:(?!\.)[^/]+)?" if last == "**" else _segment(last)
    return "".join(parts) + within + ("/*" if last else "")


def _segment(part: str) -> str:
    """A regex for one segment, which a star or question mark in front takes for no hidden one."""
    guard = r"(?!\.)(?=[^/])" if part[:1] in {"*", "?"} and part else ""
    signs = {"*": "[^/]*", "?": "[^/]"}
    return guard + "".join(signs.get(unit, re.escape(unit)) for unit in re.sub(r"\*+", "*", part))
