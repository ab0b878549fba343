"""Z3 as a solver: expressions as Z3 sees them, built through its own constructors.

>>> from downset.prove.logic import boolean, neg
>>> solver = make()
>>> solver.add(boolean("a"))
>>> solver.check(10.0).chosen, solver.check(10.0, neg(boolean("a")))
({'a': True}, None)
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final

import z3

from downset.prove.logic import BOOL, STRING, Table, Values, truth, wrapped
from downset.prove.solver import Undecided

if TYPE_CHECKING:
    import ctypes
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
        context = self.translation.context.ref()
        for condition in conditions:
            made = self.translation.ast(truth(condition))
            z3.Z3_solver_assert(context, self.solver.solver, made)

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
    """Expressions as Z3 sees them, each built once and kept as long as the context."""

    def __init__(self, context: z3.Context) -> None:
        """Begin with none."""
        self.context = context
        self.table = Table()
        self.made: list[z3.Ast] = []
        self.sorts: dict[int, z3.SortRef] = {}

    def __del__(self) -> None:
        """Let go of what was built, the last first: Z3 takes far longer to find it all itself."""
        context = self.context.ref()
        while self.made:
            z3.Z3_dec_ref(context, self.made.pop())

    def condition(self, condition: Bool) -> z3.BoolRef:
        """A condition as Z3 sees it."""
        return z3.BoolRef(self.ast(truth(condition)), self.context)

    def ast(self, expr: Expr) -> z3.Ast:
        """An expression as Z3 sees it."""
        number = self.table.number(expr)
        made, context = self.made, self.context.ref()
        for row, parts in self.table.rows[len(made) :]:
            built = self.built(context, row, parts)
            z3.Z3_inc_ref(context, built)
            made.append(built)
        return made[number]

    def built(self, context: z3.ContextObj, expr: Expr, parts: tuple[int, ...]) -> z3.Ast:
        """One expression, its parts being built."""
        if expr.operator in OF_MANY:
            row = array(len(parts))(*[self.made[part] for part in parts])
            return OF_MANY[expr.operator](context, len(parts), row)
        if parts:
            return OPERATORS[expr.operator](context, *[self.made[part] for part in parts])
        if expr.operator == "variable":
            name = z3.Z3_mk_string_symbol(context, str(expr.value))
            return z3.Z3_mk_const(context, name, self.sort(expr.width).ast)
        return self.constant(expr.value, expr.width).ast

    def sort(self, width: int) -> z3.SortRef:
        """The sort of conditions, of strings, or of numbers of so many bits."""
        if width not in self.sorts:
            plain = {BOOL: z3.BoolSort, STRING: z3.StringSort}.get(width)
            made = plain(self.context) if plain else z3.BitVecSort(width, self.context)
            self.sorts[width] = made
        return self.sorts[width]

    def constant(self, value: Value, width: int) -> z3.ExprRef:
        """A known value as Z3 sees it."""
        if width == BOOL:
            return z3.BoolVal(value, self.context)
        if width == STRING:
            return z3.StringVal(value, self.context)
        return z3.BitVecVal(value, width, self.context)


OF_MANY: Final[Mapping[str, Callable[..., z3.Ast]]] = {
    "and": z3.Z3_mk_and,
    "or": z3.Z3_mk_or,
    "str.++": z3.Z3_mk_seq_concat,
}
OPERATORS: Final[Mapping[str, Callable[..., z3.Ast]]] = {
    "not": z3.Z3_mk_not,
    "=": z3.Z3_mk_eq,
    "bvslt": z3.Z3_mk_bvslt,
    "bvadd": z3.Z3_mk_bvadd,
    "ite": z3.Z3_mk_ite,
    "str.contains": z3.Z3_mk_seq_contains,
}
"""Z3's constructors themselves, because its operators check sorts that are known here."""


@cache
def array(count: int) -> type[ctypes.Array[z3.Ast]]:
    """The type of so many expressions in a row."""
    row: type[ctypes.Array[z3.Ast]] = z3.Ast * count
    return row


def values(model: z3.ModelRef) -> Values:
    """What a model chose for the variables.

    The model is read directly, because Z3's wrappers of its parts take longer than the solver.
    """
    context, read = model.ctx.ref(), model.model
    count = z3.Z3_model_get_num_consts(context, read)
    decls = [z3.Z3_model_get_const_decl(context, read, place) for place in range(count)]
    return Values({name(context, decl): value(model, decl) for decl in decls})


def name(context: z3.ContextObj, decl: z3.FuncDecl) -> str:
    """The name of a variable."""
    return str(z3.Z3_get_symbol_string(context, z3.Z3_get_decl_name(context, decl)))


def value(model: z3.ModelRef, decl: z3.FuncDecl) -> Value:
    """The value of a variable in a model."""
    context = model.ctx.ref()
    chosen = z3.Z3_model_get_const_interp(context, model.model, decl)
    said = z3.Z3_get_bool_value(context, chosen)
    if said != z3.Z3_L_UNDEF:
        return bool(said == z3.Z3_L_TRUE)
    if z3.Z3_is_numeral_ast(context, chosen):
        width = z3.Z3_get_bv_sort_size(context, z3.Z3_get_sort(context, chosen))
        return wrapped(int(z3.Z3_get_numeral_string(context, chosen)), width)
    return unescaped(z3.Z3_get_string(context, chosen))


def unescaped(text: str) -> str:
    r"""A string of a model, its escapes undone.

    >>> unescaped("a\\u{62}")
    'ab'
    """
    return re.sub(r"\\u\{([0-9a-fA-F]+)\}", lambda found: chr(int(found[1], 16)), text)
