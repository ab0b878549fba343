"""Equalities of whole rulesets, decided on the expression and not on any rules.

Length and equality of words are not observations. But `where(F, S) ++ G` does the same twice as
once exactly if `where(F, G)` is empty (`theory.md`, section 3), and that is an observation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from downset.language.terms import (
    TRUE,
    Always,
    And,
    Concat,
    Node,
    Not,
    Or,
    When,
    Where,
)

if TYPE_CHECKING:
    from downset.language.terms import Formula, Input, Predicate, Word


class NotNormal(Exception):
    """An expression is not of the form `A ++ where(F, S) ++ G` with S nowhere else."""


@dataclass(frozen=True)
class Part:
    """One piece of a flattened concatenation: a word, filtered, under a condition."""

    word: Word
    predicate: Predicate
    condition: Formula


def unchanged_when_repeated(once: Word, stored: Input) -> Formula:
    """The condition that replacing `stored` by `once` a second time changes nothing.

    Raises `NotNormal` if `once` is not a filtered `stored` with other rules around it.
    """
    parts = flatten(once)
    kept = [part for part in parts if part.word == stored]
    others = [part for part in parts if part.word != stored]
    if len(kept) > 1 or any(mentions(part.word, stored) for part in others):
        message = "the prompt's effect is not a filtered copy of the stored rules plus others"
        raise NotNormal(message)
    if any(mentions(part.condition, stored) or mentions(part.predicate, stored) for part in parts):
        message = "the prompt's effect filters the stored rules by themselves"
        raise NotNormal(message)
    refound = [
        part.condition & keep.condition & part.word.where(part.predicate).any(keep.predicate)
        for keep in kept
        for part in others
    ]
    return Not(Or(tuple(refound)))


def flatten(word: Word) -> list[Part]:
    """The pieces of a concatenation, filters and conditions pushed down to each piece.

    >>> from downset.language.vocabulary import denied, rules
    >>> len(flatten(rules().where(denied) + rules()))
    2
    """
    match word:
        case Concat(left, right):
            return flatten(left) + flatten(right)
        case Where(inner, predicate):
            return [
                Part(part.word, part.predicate & predicate, part.condition)
                for part in flatten(inner)
            ]
        case When(inner, condition):
            return [
                Part(part.word, part.predicate, And((part.condition, condition)))
                for part in flatten(inner)
            ]
    return [Part(word, Always(), TRUE)]


def mentions(node: object, wanted: Node) -> bool:
    """Whether an expression contains another."""
    if node == wanted:
        return True
    inside = node.content() if isinstance(node, Node) else node if isinstance(node, tuple) else ()
    return any(mentions(part, wanted) for part in inside)
