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

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from downset.prove.logic import BOOL, STRING, Table, truth

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.prove.logic import Bool, Expr

WIDEST: Final = 100
WORD: Final = re.compile(r"""(?:\|[^|]*\||"[^"]*"|[^\s|"])+""")
"""What stands between spaces that are not inside a symbol or a string."""


@dataclass(frozen=True)
class Section:
    """Conditions that are asserted for one reason."""

    title: str
    conditions: Sequence[Bool]


def script(sections: Sequence[Section], status: str = "", header: Sequence[str] = ()) -> str:
    """Conditions as a script that asks whether all of them can hold.

    `status` is the answer that is expected, `header` what is said of them in front.
    """
    printer = Printer(sections)
    lines = [f"; {line}".rstrip() for line in header]
    lines += [f"(set-logic {printer.logic})", "(set-info :smt-lib-version 2.6)"]
    lines += [f"(set-info :status {status})"] if status else []
    lines += [*printer.declarations(), *printer.definitions()]
    for section in sections:
        lines += [f"; {section.title}"] if section.title else []
        for condition in section.conditions:
            lines += folded(f"(assert {printer.text(condition)})")
    return "\n".join([*lines, "(check-sat)", ""])


class Printer:
    """Prints expressions; those that several others share are defined once, before all others."""

    def __init__(self, sections: Sequence[Section]) -> None:
        """Number all parts of the conditions of some sections, and find what they share."""
        self.table = Table()
        roots = [self.table.number(truth(c)) for section in sections for c in section.conditions]
        uses = Counter([part for _, parts in self.table.rows for part in parts] + roots)
        self.shared = {n for n, count in uses.items() if count > 1}
        self.texts: list[str] = []

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

    def definitions(self) -> Iterator[str]:
        """The lines that define what is shared; from then on everything has its text."""
        defined = 0
        for number, (expr, parts) in enumerate(self.table.rows):
            made = self.spelled(expr, parts)
            if number in self.shared and parts:
                yield from folded(f"(define-fun %{defined} () {sort(expr.width)} {made})")
                made, defined = f"%{defined}", defined + 1
            self.texts.append(made)

    def spelled(self, expr: Expr, parts: Sequence[int]) -> str:
        """An expression in full, but for parts that have a name."""
        if expr.operator == "variable":
            return symbol(str(expr.value))
        if expr.operator == "constant":
            return constant(expr)
        return f"({expr.operator} {' '.join([self.texts[part] for part in parts])})"

    def text(self, condition: Bool) -> str:
        """A condition, after everything was defined."""
        return self.texts[self.table.number(truth(condition))]


def folded(line: str) -> list[str]:
    """A line broken at spaces, to be read by people; symbols and strings stay whole.

    >>> folded("(assert (and " + 40 * "|a b| " + "))")[1][:10]
    '  |a b| |a'
    """
    if len(line) <= WIDEST:
        return [line]
    lines = [""]
    for word in WORD.findall(line):
        if len(lines[-1]) + len(word) > WIDEST and lines[-1].strip():
            lines.append(" ")
        lines[-1] += f" {word}" if lines[-1] else word
    return lines


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

    So no name is that of a definition, which is `%` and a number.

    >>> symbol("a b"), symbol("a|b"), symbol("100%"), symbol(".a")
    ('|a b|', '|a%{7c}b|', '|100%{25}|', '|%{2e}a|')
    """
    reserved = name[:1] in {".", "@"}
    first = f"%{{{ord(name[0]):x}}}" if reserved else ""
    return "|" + first + "".join(map(symbol_unit, name[1:] if reserved else name)) + "|"


def symbol_unit(letter: str) -> str:
    """One letter of a symbol."""
    return letter if " " <= letter <= "~" and letter not in "|\\%" else f"%{{{ord(letter):x}}}"
