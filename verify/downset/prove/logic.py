"""Z3's connectives on conditions that may already be decided.

A condition is a Python truth value or a Z3 expression; most conditions of a design are decided
before the solver sees them, and folding them here keeps formulas small. The expressions are built
through Z3's own constructors, because its operators check sorts that are known here.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, TypeAlias

import z3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

Bool: TypeAlias = "bool | z3.BoolRef"
Number: TypeAlias = "int | z3.BitVecRef"
WIDTH = 10
WIDE = 32
"""Bits of the numbers of texts, and of priorities."""


def conj(parts: Iterable[Bool]) -> Bool:
    """All of several conditions.

    >>> conj([True, True]), conj([True, False])
    (True, False)
    """
    kept: list[z3.BoolRef] = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    return joined(z3.Z3_mk_and, kept) if kept else True


def disj(parts: Iterable[Bool]) -> Bool:
    """At least one of several conditions.

    >>> disj([False, True]), disj([])
    (True, False)
    """
    kept: list[z3.BoolRef] = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    return joined(z3.Z3_mk_or, kept) if kept else False


def joined(connective: Callable[..., object], parts: list[z3.BoolRef]) -> z3.BoolRef:
    """Several conditions under one connective."""
    if len(parts) == 1:
        return parts[0]
    context, count = parts[0].ctx, len(parts)
    arguments = (z3.Ast * count)(*(part.ast for part in parts))
    return z3.BoolRef(connective(context.ref(), count, arguments), context)


def neg(part: Bool) -> Bool:
    """The opposite of a condition.

    >>> neg(True)
    False
    """
    if isinstance(part, bool):
        return not part
    return z3.BoolRef(z3.Z3_mk_not(part.ctx.ref(), part.ast), part.ctx)


def same(left: Bool, right: Bool) -> Bool:
    """Whether two conditions have the same value."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return z3.BoolRef(z3.Z3_mk_iff(left.ctx.ref(), left.ast, right.ast), left.ctx)


def equal(left: Number, right: Number) -> Bool:
    """Whether two numbers are equal.

    >>> equal(3, 3), equal(3, 4)
    (True, False)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    one, two = alike(left, right)
    return z3.BoolRef(z3.Z3_mk_eq(one.ctx.ref(), one.ast, two.ast), one.ctx)


def below(left: Number, right: Number) -> Bool:
    """Whether one number is smaller than another."""
    if isinstance(left, int) and isinstance(right, int):
        return left < right
    one, two = alike(left, right)
    return one < two


def alike(left: Number, right: Number) -> tuple[z3.BitVecRef, z3.BitVecRef]:
    """Two numbers as Z3 sees them, in as many bits as the one that is not known."""
    width = next((n.size() for n in (left, right) if not isinstance(n, int)), WIDTH)
    return numeral(left, width), numeral(right, width)


def numeral(number: Number, width: int = WIDTH) -> z3.BitVecRef:
    """A number as Z3 sees it."""
    return fixed(number, width) if isinstance(number, int) else number


@cache
def fixed(number: int, width: int) -> z3.BitVecRef:
    """A known number as Z3 sees it."""
    return z3.BitVecVal(number, width)
