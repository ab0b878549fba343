"""Z3's connectives on conditions that may already be decided.

A condition is a Python truth value or a Z3 expression; most conditions of a design are decided
before the solver sees them, and folding them here keeps formulas small.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import z3

if TYPE_CHECKING:
    from collections.abc import Iterable

Bool = bool | z3.BoolRef


def conj(parts: Iterable[Bool]) -> Bool:
    """All of several conditions.

    >>> conj([True, True]), conj([True, False])
    (True, False)
    """
    kept = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    if not kept:
        return True
    return kept[0] if len(kept) == 1 else z3.And(*kept)


def disj(parts: Iterable[Bool]) -> Bool:
    """At least one of several conditions.

    >>> disj([False, True]), disj([])
    (True, False)
    """
    kept = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    if not kept:
        return False
    return kept[0] if len(kept) == 1 else z3.Or(*kept)


def neg(part: Bool) -> Bool:
    """The opposite of a condition.

    >>> neg(True)
    False
    """
    return not part if isinstance(part, bool) else z3.Not(part)


def same(left: Bool, right: Bool) -> Bool:
    """Whether two conditions have the same value."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return left == right
