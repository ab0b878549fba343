"""When two rulesets cannot be told apart by anything that looks for a last matching rule.

Say two lists agree if, of any two rules, both have the same one last. Then every observation that
picks the last rule of some set sees the same in both, and so does everything that is computed
from such observations: filters, concatenation, letter maps and conditions keep the agreement. If
they do not agree, there are two rules of which they have a different one last; so the two rules
are all that a query has to guess.

>>> from downset.language.terms import EMPTY, Input
>>> word = Input("S")
>>> apart(word, word) == FALSE
True
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.language.rules import ALLOW, ASK
from downset.language.terms import FALSE, Flag, Given, Node, Pick, Sort, Text, TextIs
from downset.language.vocabulary import action, denied

if TYPE_CHECKING:
    from downset.language.terms import Formula, Predicate, Word

ONE, OTHER = "one rule", "other rule"


def apart(left: Word, right: Word) -> Formula:
    """The formula that is unsatisfiable exactly when two rulesets agree, whatever their inputs.

    The rules that it guesses are among its texts and flags, under the names `ONE` and `OTHER`.
    """
    if left == right:
        return FALSE
    one, either = guessed(ONE), guessed(ONE) | guessed(OTHER)
    return ~left.last(either).seen(one).iff(right.last(either).seen(one))


def guessed(name: str) -> Predicate:
    """Exactly one rule, whichever it is."""
    denies, asks = Given(Flag(f"{name} denies")), Given(Flag(f"{name} asks"))
    acts = (denies & denied) | (~denies & asks & (action == ASK))
    acts = acts | (~denies & ~asks & (action == ALLOW))
    return TextIs(variable(name, Sort.PERMISSION)) & TextIs(variable(name, Sort.PATTERN)) & acts


def variable(name: str, sort: Sort) -> Text:
    """A text of a guessed rule: any text at all, globs included."""
    return Text(sort, variable=f"{sort.value} of {name}", plain=False)


def looks_for_first(node: object) -> bool:
    """Whether an expression looks for a first rule, which agreement says nothing about."""
    if node is Pick.FIRST:
        return True
    inside = node.content() if isinstance(node, Node) else node if isinstance(node, tuple) else ()
    return any(looks_for_first(part) for part in inside)
