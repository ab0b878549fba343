r"""Texts that come from somebody else, made fit to be printed.

>>> print(printable("a\x1b[2J\n::error::\u202eb"))
a\x1b[2J\n::error::\u202eb
"""

from __future__ import annotations


def printable_lines(text: str) -> str:
    r"""A text of several lines, each made printable.

    >>> printable_lines("a\u202eb\nc")
    'a\\u202eb\nc'
    """
    return "\n".join(map(printable, text.split("\n")))


def printable(text: str) -> str:
    r"""A text with escapes in place of what does not print.

    >>> printable("src/*.ts"), printable("a\tb")
    ('src/*.ts', 'a\\tb')
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)
