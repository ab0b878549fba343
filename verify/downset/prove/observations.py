"""The observational reading: what a formula looks at, pulled back to the inputs.

`last(P, A ++ B)` is `last(P, B)` or else `last(P, A)`; `last(P, where(F, A))` is `last(P and F,
A)`; letter maps compose into `P` (`theory.md`, section 2). So whatever a formula asks comes down
to *base observations* on the input words, and their number is what the cutoff counts.

>>> from downset.language.vocabulary import denied, permission
>>> seen = observations(Input("S").where(denied).any(permission == "edit"))
>>> [(base.input.name, base.pick.value) for base in seen.bases]
[('S', 'last')]
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.language.concrete import unknown
from downset.language.terms import (
    ALWAYS,
    After,
    Always,
    Among,
    And,
    AnyMode,
    Below,
    Both,
    Choice,
    Concat,
    Constant,
    Decided,
    DecisionIs,
    Fixed,
    FixedMode,
    Flag,
    Given,
    Input,
    Mapped,
    ModeChoice,
    ModeIs,
    Not,
    Opposite,
    Or,
    Pick,
    RuleTerm,
    SameText,
    Seen,
    Strictest,
    When,
    Where,
)

if TYPE_CHECKING:
    from downset.language.terms import (
        Decision,
        Formula,
        LetterMap,
        Mode,
        Observation,
        Predicate,
        Word,
    )

Source = Input | RuleTerm


@dataclass(frozen=True)
class Piece:
    """A part of a word that comes from one input or constant rule.

    `guard` says which rules of the source are there, `maps` what is done to each, in order.
    """

    source: Source
    guard: Predicate = ALWAYS
    maps: tuple[LetterMap, ...] = ()

    def through(self, predicate: Predicate) -> Predicate:
        """The predicate on a rule of the source that says what `predicate` says of the piece."""
        if isinstance(predicate, Always):
            return predicate
        for by in reversed(self.maps):
            predicate = After(by, predicate)
        return predicate

    def pick(self, pick: Pick) -> Pick:
        """How the rule of the source is picked: where a map makes all rank alike, by their order.

        >>> from downset.language.terms import LetterMap
        >>> Piece(Input("S"), maps=(LetterMap(priority=3),)).pick(Pick.PRIORITY)
        <Pick.FIRST: 'first'>
        """
        if pick is Pick.PRIORITY and any(by.priority is not None for by in self.maps):
            return Pick.FIRST
        if pick is Pick.SEVERITY and any(by.action is not None for by in self.maps):
            return Pick.LAST
        return pick

    def found(self, predicate: Predicate) -> Predicate:
        """The predicate on the source of being there and satisfying `predicate`."""
        return both(self.guard, self.through(predicate))


@dataclass(frozen=True)
class Base:
    """One observation on one input: it sees at most one rule of it."""

    input: Input
    pick: Pick
    predicate: Predicate


@dataclass(frozen=True)
class Relation:
    """A filter on the rules of `source` that looks at the rules of `target`."""

    source: Source
    target: Input
    same: frozenset[str]
    found: Predicate
    mapped: bool
    """Whether a letter map changes one of the fields that are compared."""

    @property
    def membership(self) -> bool:
        """Whether it asks no more than whether a permission is one of a set of names."""
        plainly = isinstance(self.found, Always) and not self.mapped
        return self.target.names and plainly and self.same == frozenset({"permission"})

    @property
    def reflexive(self) -> bool:
        """Whether every rule of the source is its own witness."""
        same = self.source == self.target and not self.mapped
        return same and isinstance(self.found, Always)


@dataclass
class Observed:
    """All base observations and relations of a formula, each once."""

    bases: dict[Base, None] = field(default_factory=dict)
    relations: dict[Relation, None] = field(default_factory=dict)
    done: set[Formula] = field(default_factory=set)
    met: dict[int, Formula] = field(default_factory=dict)
    """The formulas already looked at, by identity: to compare by structure takes longer."""


def observations(*formulas: Formula) -> Observed:
    """Everything that some formulas observe."""
    observed = Observed()
    for formula in formulas:
        look(formula, observed)
    return observed


def pieces(word: Word) -> list[Piece]:
    """The parts of a word, in order, each with its source.

    >>> len(pieces(Input("S") + Input("T").where(Always())))
    2
    """
    match word:
        case Input():
            return [Piece(word)]
        case Constant(terms, _):
            return [Piece(term) for term in terms]
        case Concat(left, right):
            return pieces(left) + pieces(right)
        case Where(inner, predicate):
            return [
                Piece(part.source, both(part.guard, part.through(predicate)), part.maps)
                for part in pieces(inner)
            ]
        case When(inner, condition):
            return [
                Piece(part.source, both(part.guard, Given(condition)), part.maps)
                for part in pieces(inner)
            ]
        case Mapped(inner, by):
            return [Piece(part.source, part.guard, (*part.maps, by)) for part in pieces(inner)]
    raise unknown(word)


def both(left: Predicate, right: Predicate) -> Predicate:
    """Two predicates as one; those of every rule are left out."""
    if isinstance(left, Always):
        return right
    return left if isinstance(right, Always) else Both(left, right)


def look(formula: Formula, seen: Observed) -> None:
    """Collect what a formula observes."""
    if id(formula) in seen.met:
        return
    seen.met[id(formula)] = formula
    if formula in seen.done:
        return
    seen.done.add(formula)
    match formula:
        case Seen(observation, predicate):
            look_at_seen(observation, predicate, seen)
        case DecisionIs(decision, _):
            look_at_decision(decision, seen)
        case And(parts) | Or(parts):
            for part in parts:
                look(part, seen)
        case Not(inner):
            look(inner, seen)
        case ModeIs(mode, _):
            look_at_mode(mode, seen)
        case SameText() | Below() | Flag():
            pass
        case _:
            raise unknown(formula)


def look_at_seen(observation: Observation, predicate: Predicate, seen: Observed) -> None:
    """Collect what an observation and the question about the rule that it sees depend on."""
    look_through(observation, seen)
    for piece in pieces(observation.word):
        relate(piece.source, piece.through(predicate), seen)


def look_at_decision(decision: Decision, seen: Observed) -> None:
    """Collect what a decision observes."""
    match decision:
        case Decided(observation, _):
            look_through(observation, seen)
        case Strictest(parts):
            for part in parts:
                look_at_decision(part, seen)
        case Choice(condition, then, otherwise):
            look(condition, seen)
            look_at_decision(then, seen)
            look_at_decision(otherwise, seen)
        case Fixed():
            pass
        case _:
            raise unknown(decision)


def look_at_mode(mode: Mode, seen: Observed) -> None:
    """Collect what a mode depends on."""
    match mode:
        case ModeChoice(condition, then, otherwise):
            look(condition, seen)
            look_at_mode(then, seen)
            look_at_mode(otherwise, seen)
        case AnyMode() | FixedMode():
            pass
        case _:
            raise unknown(mode)


def look_through(observation: Observation, seen: Observed) -> None:
    """Collect the base observations of one observation."""
    for part in pieces(observation.word):
        predicate = part.found(observation.predicate)
        if isinstance(part.source, Input):
            seen.bases[Base(part.source, part.pick(observation.pick), predicate)] = None
            relate(part.source, part.source.shape, seen)
        relate(part.source, predicate, seen)


def relate(
    source: Source, predicate: Predicate, seen: Observed, maps: tuple[LetterMap, ...] = ()
) -> None:
    """Collect the formulas and the relations inside a predicate on the rules of a source.

    `maps` are the letter maps that a rule went through before the predicate looks at it.
    """
    match predicate:
        case Both(left, right):
            relate(source, left, seen, maps)
            relate(source, right, seen, maps)
        case Opposite(inner):
            relate(source, inner, seen, maps)
        case After(by, inner):
            relate(source, inner, seen, (*maps, by))
        case Given(formula):
            look(formula, seen)
        case Among(others, same, where):
            for part in pieces(others):
                found = part.found(where)
                if isinstance(part.source, Input):
                    changed = any(by.touches & same for by in (*maps, *part.maps))
                    relation = Relation(source, part.source, same, found, changed)
                    if not relation.reflexive:
                        seen.relations[relation] = None
                relate(part.source, found, seen)
