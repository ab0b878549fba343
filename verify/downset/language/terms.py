"""Ruleset expressions: the one text of a design that is run, solved and observed.

A *word* (`Ruleset` expression) is built from inputs and constants with concatenation, `where`,
`when` and letter maps. An *observation* looks at a word and sees at most one rule. A *formula*
is a boolean combination of observations, and that is all that a property ever asks
(`theory.md`, sections 1 and 2). Nodes are immutable and compare by structure.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, NoReturn

from downset.language.rules import Action

if TYPE_CHECKING:
    from collections.abc import Mapping


class LanguageError(Exception):
    """An operation that the design language does not have, at the place where it was written."""


class Node:
    """What all parts of an expression share: they have no value until the design is run."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        """Refuse `if`, `and`, `or` and `not`, which would need the value now."""
        message = "a condition of the design language has no truth value while a design is written"
        raise LanguageError(message)

    def content(self) -> tuple[object, ...]:
        """What the node consists of."""
        return tuple(getattr(self, name) for name in getattr(self, "__dataclass_fields__", ()))

    def __iter__(self) -> NoReturn:
        """Refuse loops over rules, whose number is not known."""
        message = "a ruleset of the design language cannot be looped over or unpacked"
        raise LanguageError(message)


class Sort(Enum):
    """The two kinds of text in a rule: permission names, and resources."""

    PERMISSION = "permission"
    PATTERN = "pattern"


# --- texts ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Text(Node):
    """A text that queries and rules mention: a literal, or a variable with a name.

    A `plain` variable stands for a name (of a tool or an agent), never for a glob.
    """

    sort: Sort
    literal: str | None = None
    variable: str | None = None
    plain: bool = True

    def __eq__(self, other: object) -> bool:
        """By structure; a comparison with a string would be silently false, and is refused."""
        if isinstance(other, str):
            message = "a text of the design language is compared with `same`, not with `==`"
            raise LanguageError(message)
        if not isinstance(other, Text):
            return NotImplemented
        mine = (self.sort, self.literal, self.variable, self.plain)
        return mine == (other.sort, other.literal, other.variable, other.plain)

    def __hash__(self) -> int:
        """By structure."""
        return hash((self.sort, self.literal, self.variable, self.plain))

    def same(self, other: Text) -> Formula:
        """The condition that both texts are equal."""
        return SameText(self, other)


@dataclass(frozen=True)
class Number(Node):
    """A small whole number: a variable (or nothing) plus a constant."""

    variable: str | None = None
    plus: int = 0

    def next(self) -> Number:
        """The number one larger."""
        return Number(self.variable, self.plus + 1)

    def below(self, other: Number) -> Formula:
        """The condition that this number is smaller than `other`."""
        return Below(self, other)


# --- modes --------------------------------------------------------------------------------------


class Mode(Node):
    """One of finitely many named modes, as the design computes it."""

    __slots__ = ()

    def is_(self, *names: str) -> Formula:
        """The condition that the mode is one of these."""
        return ModeIs(self, names)

    def unless(self, condition: Formula, other: Mode) -> Mode:
        """This mode, or `other` where the condition holds."""
        return ModeChoice(condition, other, self)


@dataclass(frozen=True)
class AnyMode(Mode):
    """A mode about which nothing is known but which there are."""

    variable: str
    options: tuple[str, ...]


@dataclass(frozen=True)
class FixedMode(Mode):
    """Always the same mode."""

    name: str = ""


@dataclass(frozen=True)
class ModeChoice(Mode):
    """One mode if a condition holds, another otherwise."""

    condition: Formula
    then: Mode
    otherwise: Mode


NO_MODE: Mode = FixedMode()


# --- what may be said of one rule ---------------------------------------------------------------


class Predicate(Node):
    """A condition on one rule."""

    __slots__ = ()

    def __and__(self, other: Predicate) -> Predicate:
        """Both conditions."""
        return Both(self, other)

    def __or__(self, other: Predicate) -> Predicate:
        """At least one of the conditions."""
        return ~Both(~self, ~other)

    def __invert__(self) -> Predicate:
        """The opposite condition."""
        return self.inner if isinstance(self, Opposite) else Opposite(self)


@dataclass(frozen=True)
class Always(Predicate):
    """Every rule."""


ALWAYS: Predicate = Always()


@dataclass(frozen=True)
class Both(Predicate):
    """Rules that satisfy two conditions."""

    left: Predicate
    right: Predicate


@dataclass(frozen=True)
class Opposite(Predicate):
    """Rules that do not satisfy a condition."""

    inner: Predicate


@dataclass(frozen=True)
class TextIs(Predicate):
    """Rules whose permission (or pattern, by the text's sort) is literally this text."""

    text: Text


@dataclass(frozen=True)
class Matches(Predicate):
    """Rules whose permission (or pattern) matches this text as a glob."""

    text: Text


@dataclass(frozen=True)
class IsPlain(Predicate):
    """Rules whose permission (or pattern) is a plain name, which matches nothing but itself."""

    sort: Sort


@dataclass(frozen=True)
class ActionIs(Predicate):
    """Rules with this action."""

    action: Action


@dataclass(frozen=True)
class Among(Predicate):
    """Rules for which `others` has a rule that agrees in the `same` fields and satisfies `where`.

    `same` is a subset of the names `permission`, `pattern`, `action`.
    """

    others: Word
    same: frozenset[str]
    where: Predicate = Always()


@dataclass(frozen=True)
class LetterMap(Node):
    """A change of every rule: another action, pattern or priority, literal permissions renamed."""

    action: Action | None = None
    pattern: str | None = None
    renames: tuple[tuple[str, str], ...] = ()
    priority: int | None = None

    @property
    def touches(self) -> frozenset[str]:
        """The names of the fields that are changed."""
        changes = {
            "action": self.action is not None,
            "pattern": self.pattern is not None,
            "permission": bool(self.renames),
        }
        return frozenset(name for name, changed in changes.items() if changed)


@dataclass(frozen=True)
class After(Predicate):
    """Rules that satisfy a predicate once they are put through a letter map."""

    by: LetterMap
    inner: Predicate


@dataclass(frozen=True)
class Given(Predicate):
    """Every rule if a formula holds, no rule otherwise."""

    formula: Formula


# --- words --------------------------------------------------------------------------------------


class Word(Node):
    """A ruleset expression."""

    __slots__ = ()

    def __add__(self, other: Word) -> Word:
        """This ruleset followed by another."""
        return Concat(self, other)

    def where(self, predicate: Predicate) -> Word:
        """The rules that satisfy a predicate, in order."""
        return Where(self, predicate)

    def without(self, others: Word) -> Word:
        """The rules that are not also in `others`, compared as whole rules."""
        return Where(self, ~Among(others, frozenset({"permission", "pattern", "action"})))

    def when(self, condition: Formula) -> Word:
        """This ruleset if the condition holds, the empty one otherwise."""
        return When(self, condition)

    def or_else(self, other: Word) -> Word:
        """This ruleset unless it is empty, then `other`."""
        return When(self, self.any()) + When(other, ~self.any())

    def with_action(self, action: Action) -> Word:
        """The same rules, all with one action."""
        return Mapped(self, LetterMap(action=action))

    def with_pattern(self, pattern: str) -> Word:
        """The same rules, all with one pattern."""
        return Mapped(self, LetterMap(pattern=pattern))

    def with_priority(self, priority: int) -> Word:
        """The same rules, all of one priority."""
        return Mapped(self, LetterMap(priority=priority))

    def renamed(self, names: Mapping[str, str]) -> Word:
        """The same rules with literal permissions replaced after a table."""
        return Mapped(self, LetterMap(renames=tuple(sorted(names.items()))))

    def any(self, predicate: Predicate | None = None) -> Formula:
        """The condition that some rule (that satisfies `predicate`) is in this ruleset."""
        return Seen(Observation(Pick.LAST, self, ALWAYS if predicate is None else predicate))

    def last(self, predicate: Predicate) -> Observation:
        """The last rule that satisfies a predicate, if any."""
        return Observation(Pick.LAST, self, predicate)

    def first(self, predicate: Predicate) -> Observation:
        """The first rule that satisfies a predicate, if any."""
        return Observation(Pick.FIRST, self, predicate)

    def best(self, predicate: Predicate, pick: Pick) -> Observation:
        """The rule that ranks highest of those that satisfy a predicate.

        Of equals it is the first by priority, the last by severity.
        """
        return Observation(pick, self, predicate)


@dataclass(frozen=True)
class Input(Word):
    """A ruleset about which nothing is known, except that each rule satisfies `shape`.

    With `distinct`, no two rules have the same permission (the keys of an object). With `names`,
    the rules differ in nothing but their permissions, which are distinct plain names: a set.
    """

    name: str
    origin: str = ""
    shape: Predicate = Always()
    distinct: bool = False
    names: bool = False


@dataclass(frozen=True)
class RuleTerm(Node):
    """A rule of a constant: its texts may be variables of the query."""

    permission: Text
    pattern: Text
    action: Action
    priority: int = 0


@dataclass(frozen=True)
class Constant(Word):
    """A fixed list of rules; `origin` says for people why it is there."""

    rules: tuple[RuleTerm, ...] = ()
    origin: str = ""


@dataclass(frozen=True)
class Concat(Word):
    """One ruleset after another."""

    left: Word
    right: Word


@dataclass(frozen=True)
class Where(Word):
    """The rules of a ruleset that satisfy a predicate."""

    word: Word
    predicate: Predicate


@dataclass(frozen=True)
class When(Word):
    """A ruleset that is there only if a condition holds."""

    word: Word
    condition: Formula


@dataclass(frozen=True)
class Mapped(Word):
    """A ruleset, every rule of it put through a letter map."""

    word: Word
    by: LetterMap


# --- observations -------------------------------------------------------------------------------


class Pick(Enum):
    """Which of the rules that satisfy the predicate an observation sees."""

    LAST = "last"
    FIRST = "first"
    PRIORITY = "highest priority"
    SEVERITY = "most severe"


@dataclass(frozen=True)
class Observation(Node):
    """At most one rule of a word."""

    pick: Pick
    word: Word
    predicate: Predicate

    def seen(self, predicate: Predicate | None = None) -> Formula:
        """The condition that a rule is seen (and satisfies `predicate`)."""
        return Seen(self, ALWAYS if predicate is None else predicate)

    def or_default(self, default: Action) -> Decision:
        """The seen rule's action, or the default if no rule is seen."""
        return Decided(self, default)


# --- decisions ----------------------------------------------------------------------------------


class Decision(Node):
    """One of deny, ask and allow, as the design computes it."""

    __slots__ = ()

    def is_(self, action: Action) -> Formula:
        """The condition that the decision is this action."""
        return DecisionIs(self, action)

    @property
    def denies(self) -> Formula:
        """The condition that the decision is deny."""
        return self.is_(Action.DENY)

    @property
    def asks(self) -> Formula:
        """The condition that the decision is ask."""
        return self.is_(Action.ASK)

    @property
    def allows(self) -> Formula:
        """The condition that the decision is allow."""
        return self.is_(Action.ALLOW)

    def at_most(self, other: Decision) -> Formula:
        """The condition that this decision permits no more than `other`."""
        return self.denies | other.allows | (self.asks & other.asks)

    def meet(self, *others: Decision) -> Decision:
        """The strictest of several decisions."""
        return Strictest((self, *others))

    def unless(self, condition: Formula, other: Decision) -> Decision:
        """This decision, or `other` where the condition holds."""
        return Choice(condition, other, self)


@dataclass(frozen=True)
class Decided(Decision):
    """The action of the observed rule, or a default."""

    observation: Observation
    default: Action


@dataclass(frozen=True)
class Fixed(Decision):
    """Always the same decision."""

    action: Action


@dataclass(frozen=True)
class Strictest(Decision):
    """The meet of several decisions: deny before ask before allow."""

    parts: tuple[Decision, ...]


@dataclass(frozen=True)
class Choice(Decision):
    """One decision if a condition holds, another otherwise."""

    condition: Formula
    then: Decision
    otherwise: Decision


# --- formulas -----------------------------------------------------------------------------------


class Formula(Node):
    """A boolean combination of observations."""

    __slots__ = ()

    def __and__(self, other: Formula) -> Formula:
        """Both conditions."""
        return And((self, other))

    def __or__(self, other: Formula) -> Formula:
        """At least one of the conditions."""
        return Or((self, other))

    def __invert__(self) -> Formula:
        """The opposite condition."""
        return self.inner if isinstance(self, Not) else Not(self)

    def implies(self, other: Formula) -> Formula:
        """The condition that `other` holds wherever this one does."""
        return ~self | other

    def iff(self, other: Formula) -> Formula:
        """The condition that both hold or neither does."""
        return self.implies(other) & other.implies(self)


@dataclass(frozen=True)
class Seen(Formula):
    """An observation sees a rule, and the rule satisfies a predicate."""

    observation: Observation
    predicate: Predicate = Always()


@dataclass(frozen=True)
class DecisionIs(Formula):
    """A decision is this action."""

    decision: Decision
    action: Action


@dataclass(frozen=True)
class ModeIs(Formula):
    """A mode is one of several."""

    mode: Mode
    names: tuple[str, ...]


@dataclass(frozen=True)
class SameText(Formula):
    """Two texts are equal."""

    left: Text
    right: Text


@dataclass(frozen=True)
class Below(Formula):
    """One number is smaller than another."""

    left: Number
    right: Number


@dataclass(frozen=True)
class Flag(Formula):
    """A free yes or no, for instance whether the user mentions an agent."""

    name: str


@dataclass(frozen=True)
class And(Formula):
    """All of several conditions."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Or(Formula):
    """At least one of several conditions."""

    parts: tuple[Formula, ...] = ()


@dataclass(frozen=True)
class Not(Formula):
    """The opposite of a condition."""

    inner: Formula


TRUE: Formula = And()
FALSE: Formula = Or()
EMPTY: Word = Constant()
