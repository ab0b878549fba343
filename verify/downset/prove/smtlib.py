"""Conditions as SMT-LIB 2.6: the text that a certificate keeps and that any solver can read.

>>> from downset.prove.logic import boolean, conj, neg
>>> a = boolean("rule 1:present")
>>> print(script([Section("never", [conj((a, neg(a)))])], "unsat"), end="")
(set-logic QF_BV)
(set-info :smt-lib-version 2.6)
(set-info :status unsat)
(declare-const |rule 1:present| Bool)
; never
(assert (and |rule 1:present| (not |rule 1:present|)))
(check-sat)
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING

from downset.prove.logic import BOOL, STRING, Table, in_order, truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.prove.logic import Bool, Expr

LEAVES = frozenset({"variable", "constant"})
WIDEST = 100


@dataclass(frozen=True)
class Section:
    """Conditions that are asserted for one reason."""

    title: str
    conditions: Sequence[Bool]


def script(sections: Sequence[Section], status: str = "", header: Sequence[str] = ()) -> str:
    """Conditions as a script that asks whether all of them can hold.

    `status` is the answer that is expected, `header` what is said of them in front.
    """
    printer = Printer.of(sections)
    lines = [f"; {line}".rstrip() for line in header]
    lines += [f"(set-logic {printer.logic})", "(set-info :smt-lib-version 2.6)"]
    lines += [f"(set-info :status {status})"] if status else []
    lines += printer.declarations()
    for section in sections:
        lines += [f"; {section.title}"] if section.title else []
        for condition in section.conditions:
            lines += printer.asserted(truth(condition))
    return "\n".join([*lines, "(check-sat)", ""])


@dataclass
class Printer:
    """Prints expressions; those that several others share are defined once, before their use."""

    table: Table
    shared: frozenset[int]
    names: dict[int, str] = field(default_factory=dict)

    @staticmethod
    def of(sections: Sequence[Section]) -> Printer:
        """A printer for the conditions of some sections."""
        table = Table()
        roots = [table.number(truth(c)) for section in sections for c in section.conditions]
        uses = Counter([part for _, parts in table.rows for part in parts] + roots)
        shared = {n for n, count in uses.items() if count > 1}
        return Printer(
            table, frozenset(n for n in shared if table.rows[n][0].operator not in LEAVES)
        )

    @property
    def logic(self) -> str:
        """The smallest logic of SMT-LIB that has all that is used."""
        strings = any(expr.width == STRING for expr, _ in self.table.rows)
        return "QF_SLIA" if strings else "QF_BV"

    def declarations(self) -> Iterator[str]:
        """A line for each variable, in the order of first use."""
        for expr, _ in self.table.rows:
            if expr.operator == "variable":
                yield f"(declare-const {symbol(str(expr.value))} {sort(expr.width)})"

    def asserted(self, root: Expr) -> Iterator[str]:
        """The lines that assert a condition, and what they need defined."""
        for expr in in_order([root]):
            number = self.table.number(expr)
            if number in self.shared and number not in self.names:
                name = f"d{len(self.names)}"
                made = self.spelled(number)
                self.names[number] = name
                yield from folded(f"(define-fun {name} () {sort(expr.width)} {made})")
        yield from folded(f"(assert {self.text(self.table.number(root))})")

    def text(self, number: int) -> str:
        """An expression by its name, or in full."""
        return self.names.get(number) or self.spelled(number)

    def spelled(self, number: int) -> str:
        """An expression in full, but for parts that have a name."""
        expr, parts = self.table.rows[number]
        if expr.operator == "variable":
            return symbol(str(expr.value))
        if expr.operator == "constant":
            return constant(expr)
        return f"({expr.operator} {' '.join([self.text(part) for part in parts])})"


def folded(line: str) -> Iterator[str]:
    """A line broken at spaces between symbols, to be read by people."""
    if len(line) <= WIDEST:
        yield line
        return
    bars = [i for i, letter in enumerate(line) if letter == "|"]
    inside = {i for one, two in list(pairwise(bars))[::2] for i in range(one, two)}
    begin = last = 0
    for place, letter in enumerate(line):
        if letter == " " and place not in inside:
            if place - begin > WIDEST and last > begin:
                yield ("  " if begin else "") + line[begin:last]
                begin = last + 1
            last = place
    yield ("  " if begin else "") + line[begin:]


def sort(width: int) -> str:
    """A sort by its name.

    >>> sort(BOOL), sort(10)
    ('Bool', '(_ BitVec 10)')
    """
    return {BOOL: "Bool", STRING: "String"}.get(width) or f"(_ BitVec {width})"


def constant(expr: Expr) -> str:
    """A known value."""
    if expr.width == STRING:
        return '"' + "".join(map(string_unit, str(expr.value))) + '"'
    if expr.width == BOOL:
        return "true" if expr.value else "false"
    return f"(_ bv{int(expr.value) % (1 << expr.width)} {expr.width})"


def string_unit(letter: str) -> str:
    r"""One letter of a string constant.

    >>> string_unit("a"), string_unit("\n")
    ('a', '\\u{a}')
    """
    plain = " " <= letter <= "~" and letter not in '"\\'
    return letter if plain else f"\\u{{{ord(letter):x}}}"


def symbol(name: str) -> str:
    r"""A name as a quoted symbol; what a symbol cannot hold is written as `%` and its code.

    >>> symbol("a b"), symbol("a|b"), symbol("100%")
    ('|a b|', '|a%{7c}b|', '|100%{25}|')
    """
    return "|" + "".join(map(symbol_unit, name)) + "|"


def symbol_unit(letter: str) -> str:
    """One letter of a symbol."""
    return letter if " " <= letter <= "~" and letter not in "|\\%" else f"%{{{ord(letter):x}}}"
