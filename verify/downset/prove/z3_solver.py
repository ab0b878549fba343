"""Z3 as a solver: expressions as Z3 sees them, built through its own constructors.

>>> from downset.prove.logic import boolean, neg
>>> solver = make()
>>> solver.add(boolean("a"))
>>> solver.check(10.0).chosen, solver.check(10.0, neg(boolean("a")))
({'a': True}, None)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import z3

from downset.prove.logic import BOOL, STRING, Table, Values, truth
from downset.prove.solver import Undecided

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from downset.prove.logic import Bool, Expr, Value

MEGABYTES: Final = 4096
"""Memory that Z3 may have; beyond it gives up."""


class Z3:
    """One solver of Z3's, for finite domains or for strings.

    It has a context of its own, so that its models do not depend on what was asked before.
    """

    def __init__(self, *, strings: bool = False) -> None:
        """Begin with nothing asserted."""
        context = z3.Context()
        self.translation = Translation(context)
        self.solver = z3.Solver(ctx=context) if strings else z3.SolverFor("QF_FD", ctx=context)
        self.solver.set("random_seed", 0)
        self.solver.set("max_memory", MEGABYTES)

    def add(self, *conditions: Bool) -> None:
        """Assert more conditions."""
        self.solver.add(*map(self.translation.condition, conditions))

    def at_most(self, parts: Sequence[Bool], count: int) -> None:
        """Assert that no more than so many conditions hold."""
        if len(parts) > count:
            self.solver.add(z3.AtMost(*map(self.translation.condition, parts), count))

    def check(self, seconds: float, *assumed: Bool) -> Values | None:
        """A model, `None` if there is none. Raises `Undecided` if Z3 gives up."""
        self.solver.set("timeout", max(1, int(seconds * 1000)))
        try:
            answer = self.solver.check(*map(self.translation.condition, assumed))
            if answer == z3.sat:
                return values(self.solver.model())
        except z3.Z3Exception as error:
            raise Undecided(f"the solver gave up: {error}") from error
        if answer == z3.unsat:
            return None
        raise Undecided(f"the solver gave up: {self.solver.reason_unknown()}")


def make(*, strings: bool = False) -> Z3:
    """A new solver."""
    return Z3(strings=strings)


def version() -> str:
    """The version of Z3.

    >>> version().count(".")
    3
    """
    return str(z3.get_full_version()).removeprefix("Z3 ").split()[0]


class Translation:
    """Expressions as Z3 sees them, each built once."""

    def __init__(self, context: z3.Context) -> None:
        """Begin with none."""
        self.context = context
        self.table = Table()
        self.made: list[z3.ExprRef] = []

    def condition(self, condition: Bool) -> z3.BoolRef:
        """A condition as Z3 sees it."""
        return self.expr(truth(condition))

    def expr(self, expr: Expr) -> z3.ExprRef:
        """An expression as Z3 sees it."""
        number = self.table.number(expr)
        for row, parts in self.table.rows[len(self.made) :]:
            self.made.append(self.built(row, [self.made[part] for part in parts]))
        return self.made[number]

    def built(self, expr: Expr, parts: list[z3.ExprRef]) -> z3.ExprRef:
        """One expression, its parts being built."""
        if expr.operator == "variable":
            return self.variable(str(expr.value), expr.width)
        if expr.operator == "constant":
            return self.constant(expr.value, expr.width)
        if expr.operator in {"and", "or"}:
            return joined(z3.Z3_mk_and if expr.operator == "and" else z3.Z3_mk_or, parts)
        return OPERATORS[expr.operator](*parts)

    def variable(self, name: str, width: int) -> z3.ExprRef:
        """A variable as Z3 sees it."""
        if width == BOOL:
            return z3.Bool(name, self.context)
        return (
            z3.String(name, self.context)
            if width == STRING
            else z3.BitVec(name, width, self.context)
        )

    def constant(self, value: Value, width: int) -> z3.ExprRef:
        """A known value as Z3 sees it."""
        if width == BOOL:
            return z3.BoolVal(value, self.context)
        return (
            z3.StringVal(value, self.context)
            if width == STRING
            else z3.BitVecVal(value, width, self.context)
        )


OPERATORS: Final[Mapping[str, Callable[..., z3.ExprRef]]] = {
    "not": z3.Not,
    "=": lambda left, right: left == right,
    "bvslt": lambda left, right: left < right,
    "bvadd": lambda left, right: left + right,
    "ite": z3.If,
    "str.++": z3.Concat,
    "str.contains": z3.Contains,
}


def joined(connective: object, parts: list[z3.ExprRef]) -> z3.BoolRef:
    """Several conditions under one connective; Z3's own operators check sorts known here."""
    context, count = parts[0].ctx, len(parts)
    arguments = (z3.Ast * count)(*(part.ast for part in parts))
    return z3.BoolRef(connective(context.ref(), count, arguments), context)  # type: ignore[operator]


def values(model: z3.ModelRef) -> Values:
    """What a model chose for the variables."""
    return Values({decl.name(): value(model[decl]) for decl in model.decls()})


def value(chosen: z3.ExprRef) -> Value:
    """A value of a model."""
    if z3.is_bool(chosen):
        return bool(z3.is_true(chosen))
    if z3.is_bv_value(chosen):
        return int(chosen.as_signed_long())
    return unescaped(str(chosen.as_string()))


def unescaped(text: str) -> str:
    r"""A string of a model, its escapes undone.

    >>> unescaped("a\\u{62}")
    'ab'
    """
    return re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda found: chr(int(found[1], 16)), text)
