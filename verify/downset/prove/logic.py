"""Conditions and numbers of the symbolic reading, as plain data that any solver can be given.

A condition is a Python truth value or an expression over named Booleans and bit-vectors; most
conditions of a design are decided before a solver sees them, and folding them here keeps formulas
small. The operators are those of SMT-LIB and carry its names.

>>> a, b = boolean("a"), boolean("b")
>>> Values({"a": True}).holds(conj((a, neg(b))))
True
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

Bool: TypeAlias = "bool | Expr"
Number: TypeAlias = "int | Expr"
WIDTH: Final = 10
WIDE: Final = 32
"""Bits of the numbers of texts, and of priorities."""
BOOL: Final = 0
STRING: Final = -1
"""In place of a number of bits: the sort of conditions, and that of strings."""
Value: TypeAlias = "bool | int | str"


@dataclass(slots=True, eq=False)
class Expr:
    """An operator and its parts, or a variable, or a constant.

    `width` is the number of bits of a number, `BOOL` or `STRING`; `value` is a variable's name or
    what a constant is. Variables with the same name are the same variable.
    """

    operator: str
    parts: tuple[Expr, ...] = ()
    width: int = BOOL
    value: Value = ""


def boolean(name: str) -> Expr:
    """A condition that may be either."""
    return Expr("variable", value=name)


def vector(name: str, width: int = WIDTH) -> Expr:
    """A number of so many bits, with a sign, that may be any."""
    return Expr("variable", width=width, value=name)


def conj(parts: Iterable[Bool]) -> Bool:
    """All of several conditions.

    >>> conj([True, True]), conj([True, False])
    (True, False)
    """
    kept: list[Expr] = []
    for part in parts:
        if part is False:
            return False
        if part is not True:
            kept.append(part)
    return joined("and", kept) if kept else True


def disj(parts: Iterable[Bool]) -> Bool:
    """At least one of several conditions.

    >>> disj([False, True]), disj([])
    (True, False)
    """
    kept: list[Expr] = []
    for part in parts:
        if part is True:
            return True
        if part is not False:
            kept.append(part)
    return joined("or", kept) if kept else False


def joined(operator: str, parts: list[Expr]) -> Expr:
    """Several conditions under one connective."""
    return parts[0] if len(parts) == 1 else Expr(operator, tuple(parts))


def neg(part: Bool) -> Bool:
    """The opposite of a condition.

    >>> neg(True)
    False
    """
    return not part if isinstance(part, bool) else Expr("not", (part,))


def same(left: Bool, right: Bool) -> Bool:
    """Whether two conditions have the same value."""
    if isinstance(left, bool):
        return right if left else neg(right)
    if isinstance(right, bool):
        return left if right else neg(left)
    return Expr("=", (left, right))


def equal(left: Number, right: Number) -> Bool:
    """Whether two numbers are equal.

    >>> equal(3, 3), equal(3, 4)
    (True, False)
    """
    if isinstance(left, int) and isinstance(right, int):
        return left == right
    return Expr("=", alike(left, right))


def below(left: Number, right: Number) -> Bool:
    """Whether one number is smaller than another."""
    if isinstance(left, int) and isinstance(right, int):
        return left < right
    return Expr("bvslt", alike(left, right))


def plus(left: Number, right: Number) -> Number:
    """The sum of two numbers, which must not need more bits than they have.

    >>> plus(1, 2)
    3
    """
    if isinstance(left, int) and isinstance(right, int):
        return left + right
    one, two = alike(left, right)
    return Expr("bvadd", (one, two), one.width)


def either(condition: Expr, then: Number, otherwise: Number) -> Number:
    """One number if a condition holds, another otherwise."""
    one, two = alike(then, otherwise)
    return Expr("ite", (condition, one, two), one.width)


def alike(left: Number, right: Number) -> tuple[Expr, Expr]:
    """Two numbers as expressions, in as many bits as the one that is not known."""
    width = next((n.width for n in (left, right) if not isinstance(n, int)), WIDTH)
    return numeral(left, width), numeral(right, width)


def numeral(number: Number, width: int = WIDTH) -> Expr:
    """A number as an expression."""
    return Expr("constant", (), width, number) if isinstance(number, int) else number


def truth(condition: Bool) -> Expr:
    """A condition as an expression.

    >>> truth(True).value
    True
    """
    return Expr("constant", value=condition) if isinstance(condition, bool) else condition


def in_order(roots: Iterable[Expr]) -> Iterator[Expr]:
    """All parts of some expressions, each once and behind its own parts."""
    done: set[int] = set()
    waiting = [(root, False) for root in reversed(list(roots))]
    while waiting:
        expr, opened = waiting.pop()
        if id(expr) in done:
            continue
        if opened or not expr.parts:
            done.add(id(expr))
            yield expr
        else:
            waiting.append((expr, True))
            waiting.extend((part, False) for part in reversed(expr.parts))


@dataclass(frozen=True)
class Values:
    """What a solver chose for the variables; those it does not name are false, or 0.

    >>> Values({"n": 3}).number(plus(vector("n"), 1))
    4
    """

    chosen: Mapping[str, Value]
    _known: dict[int, tuple[Expr, Value]] = field(default_factory=dict, compare=False)

    def holds(self, condition: Bool) -> bool:
        """Whether a condition holds."""
        return condition if isinstance(condition, bool) else bool(self._value(condition))

    def number(self, number: Number) -> int:
        """What a number is."""
        return number if isinstance(number, int) else int(self._value(number))

    def _value(self, root: Expr) -> Value:
        if id(root) not in self._known:
            for expr in in_order([root]):
                if id(expr) not in self._known:
                    self._known[id(expr)] = expr, self._evaluated(expr)
        return self._known[id(root)][1]

    def _evaluated(self, expr: Expr) -> Value:
        if expr.operator == "variable":
            absent: dict[int, Value] = {BOOL: False, STRING: ""}
            return self.chosen.get(str(expr.value), absent.get(expr.width, 0))
        if expr.operator == "constant":
            return expr.value
        parts = [self._known[id(part)][1] for part in expr.parts]
        return wrapped(OPERATORS[expr.operator](*parts), expr.width)


OPERATORS: Final[Mapping[str, Callable[..., Value]]] = {
    "and": lambda *parts: all(parts),
    "or": lambda *parts: any(parts),
    "not": lambda part: not part,
    "=": lambda left, right: left == right,
    "ite": lambda condition, then, otherwise: then if condition else otherwise,
    "bvslt": lambda left, right: left < right,
    "bvadd": lambda left, right: left + right,
    "str.++": lambda *parts: "".join(parts),
    "str.contains": lambda whole, part: part in whole,
}


def wrapped(value: Value, width: int) -> Value:
    """A number as so many bits hold it, its sign included; other values are left alone.

    >>> wrapped(600, 10)
    -424
    """
    if width <= 0 or not isinstance(value, int):
        return value
    half = 1 << (width - 1)
    return (value + half) % (2 * half) - half


class Table:
    """Numbers expressions, parts before wholes, so that equal ones have the same number.

    >>> table = Table()
    >>> table.number(boolean("a")), table.number(boolean("b")), table.number(boolean("a"))
    (0, 1, 0)
    """

    def __init__(self) -> None:
        """Begin with no expression."""
        self.rows: list[tuple[Expr, tuple[int, ...]]] = []
        """Each expression with the numbers of its parts."""
        self._numbers: dict[tuple[object, ...], int] = {}
        self._seen: dict[Expr, int] = {}

    def number(self, root: Expr) -> int:
        """The number of an expression."""
        seen, waiting = self._seen, [root]
        while waiting:
            expr = waiting[-1]
            missing = [part for part in expr.parts if part not in seen]
            if missing:
                waiting += reversed(missing)
            elif waiting.pop() not in seen:
                seen[expr] = self._row(expr)
        return seen[root]

    def _row(self, expr: Expr) -> int:
        parts = tuple([self._seen[part] for part in expr.parts])
        key = (expr.operator, expr.width, type(expr.value), expr.value, *parts)
        found = self._numbers.setdefault(key, len(self.rows))
        if found == len(self.rows):
            self.rows.append((expr, parts))
        return found
