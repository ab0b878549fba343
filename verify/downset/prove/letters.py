"""Symbolic rules: the letters of symbolic rulesets, and what may be said of one.

A symbolic rule may be absent. Its texts are numbers with free match bits, its action two bits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.language.rules import Action
from downset.language.terms import Sort
from downset.prove.logic import below, boolean, conj, disj, equal, neg, same, vector

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.language.matching import Matcher
    from downset.language.terms import Text
    from downset.prove.logic import Bool, Expr, Number
    from downset.prove.names import Names


@dataclass(frozen=True)
class SymbolicText:
    """A rule's permission or pattern: its number and, for other texts, one bit per target."""

    number: Number
    bits: tuple[Bool, ...] = ()
    plain: Bool = True
    """Whether a text that nothing names is a name, and no glob."""


@dataclass(frozen=True)
class SymbolicRule:
    """A rule that is there if `present`."""

    present: Bool
    permission: SymbolicText
    pattern: SymbolicText
    denies: Bool
    allows: Bool
    priority: Number = 0

    def says(self, action: Action) -> Bool:
        """Whether the rule has an action."""
        if action is Action.DENY:
            return self.denies
        if action is Action.ALLOW:
            return self.allows
        return conj((neg(self.denies), neg(self.allows)))

    def text(self, sort: Sort) -> SymbolicText:
        """The permission or the pattern."""
        return self.permission if sort is Sort.PERMISSION else self.pattern

    def only_if(self, condition: Bool) -> SymbolicRule:
        """The rule, there only under a further condition."""
        return replace(self, present=conj((self.present, condition)))


@dataclass
class Lexicon:
    """What the texts of one sort are and match: the numbers of `names`, the real matcher."""

    sort: Sort
    names: Names
    matcher: Matcher
    identities: tuple[str, ...] = ()
    """The rules with whose texts others are compared."""

    def __post_init__(self) -> None:
        """Make a number for each variable and a bit for each open question about it."""
        tag = self.sort.value
        self.values = {text: vector(f"{tag}:{text.variable}") for text in self.names.variables}
        self.atoms: dict[tuple[str, Text], Expr] = {}
        self.spellings: dict[tuple[Text, Text], Expr] = {}
        self._known: dict[tuple[str, int, Text | None], tuple[SymbolicText, Bool]] = {}
        self._alike: dict[tuple[int, int], tuple[SymbolicText, SymbolicText, Bool]] = {}
        self._matched: dict[tuple[int, Text], Bool] = {}

    def number_axioms(self, text: SymbolicText, tag: str, *, distinct: bool) -> list[Bool]:
        """A text is a named one or another: anonymous, or that of a rule with which it compares.

        A rule with which others are compared is never anonymous: it has its own text, or that of
        an earlier such rule; of rules that are `distinct` anyway, that of any such rule.
        """
        anonymous = self.names.first_other
        if tag not in self.identities:
            return self.between(text, anonymous + len(self.identities) + 1)
        own = anonymous + 1 + self.identities.index(tag)
        if distinct:
            own = anonymous + len(self.identities)
        return [*self.between(text, own + 1), neg(equal(text.number, anonymous))]

    def between(self, text: SymbolicText, limit: int) -> list[Bool]:
        """A text's number is not negative, and smaller than a limit."""
        return [below(text.number, limit), neg(below(text.number, 0))]

    def value(self, text: Text) -> Number:
        """The number of a text: fixed for a literal."""
        return self.names.number(text) if text.variable is None else self.values[text]

    def is_plain(self, constant: str) -> bool:
        """Whether a constant is a name, which matches nothing but itself."""
        return self.matcher.is_literal(constant)

    def variable_axioms(self) -> list[Bool]:
        """A variable is a constant, its own fresh text, or that of an earlier variable."""
        axioms: list[Bool] = []
        constants = self.names.constants
        for place, text in enumerate(self.names.variables):
            own = [len(constants) + earlier for earlier in range(place + 1)]
            named = [
                i for i, c in enumerate(constants) if not text.plain or (c and self.is_plain(c))
            ]
            axioms.append(disj(equal(self.values[text], n) for n in [*named, *own]))
        return axioms

    def bit_axioms(self, text: SymbolicText) -> list[Bool]:
        """Targets that are the same text are matched alike."""
        axioms: list[Bool] = []
        targets = self.names.targets
        for i, left in enumerate(targets):
            for j in range(i):
                alike = equal(self.value(left), self.value(targets[j]))
                axioms.append(disj((neg(alike), same(text.bits[i], text.bits[j]))))
        return [axiom for axiom in axioms if axiom is not True]

    def is_other(self, text: SymbolicText) -> Bool:
        """Whether a text is one that nothing names."""
        return self._once("other", text, None, lambda: self._is_other(text))

    def _is_other(self, text: SymbolicText) -> Bool:
        first = self.names.first_other
        if isinstance(text.number, int):
            return text.number >= first
        return neg(below(text.number, first))

    def is_name(self, text: SymbolicText) -> Bool:
        """Whether a text is a plain name, which matches nothing but itself.

        Where case is folded a name matches its other spellings too, so its bits stay free.
        """
        globs = [i for i, c in enumerate(self.names.constants) if not self.is_plain(c)]
        none = self.matcher.fold_case or conj(neg(bit) for bit in text.bits)
        unnamed = disj((neg(self.is_other(text)), conj((none, text.plain))))
        return conj([unnamed, *(neg(equal(text.number, i)) for i in globs)])

    def can_be_plain(self, number: int) -> bool:
        """Whether a constant (or a variable's own text) can be a name."""
        constants = self.names.constants
        return number >= len(constants) or self.is_plain(constants[number])

    def anonymous(self, tag: str) -> SymbolicText:
        """The text of a rule that nothing names, a name of its own."""
        number = self.names.first_other + 1 + self.identities.index(tag)
        return SymbolicText(number, (False,) * len(self.names.targets))

    def is_text(self, text: SymbolicText, wanted: Text) -> Bool:
        """Whether a text is literally a constant or a variable's value."""
        return self._once("text", text, wanted, lambda: equal(text.number, self.value(wanted)))

    def matches(self, text: SymbolicText, target: Text) -> Bool:
        """Whether a text, as a glob, matches a target."""
        if isinstance(text.number, int):
            return self.known_matches(text.number, target)
        return self._once("match", text, target, lambda: self._unknown_matches(text, target))

    def _once(
        self, kind: str, text: SymbolicText, other: Text | None, make: Callable[[], Bool]
    ) -> Bool:
        key = (kind, id(text), other)
        if key not in self._known:
            self._known[key] = (text, make())
        return self._known[key][1]

    def _unknown_matches(self, text: SymbolicText, target: Text) -> Bool:
        cases = []
        if text.bits:
            place = self.names.targets.index(target)
            cases.append(conj((self.is_other(text), text.bits[place])))
        for number in range(self.names.first_other):
            known = self.known_matches(number, target)
            if known is not False:
                cases.append(conj((equal(text.number, number), known)))
        return disj(cases)

    def known_matches(self, number: int, target: Text) -> Bool:
        """Whether a constant or a variable's fresh text, as a glob, matches a target.

        An anonymous name matches none.
        """
        key = number, target
        if key not in self._matched:
            self._matched[key] = self._known_matches(number, target)
        return self._matched[key]

    def _known_matches(self, number: int, target: Text) -> Bool:
        constants = self.names.constants
        if number >= self.names.first_other:
            return False
        if number >= len(constants):
            return self.own_text_matches(number, target)
        glob = constants[number]
        if target.variable is None:
            return self.matcher.matches(target.literal or "", glob)
        value = self.values[target]
        matched = [
            equal(value, i) for i, c in enumerate(constants) if self.matcher.matches(c, glob)
        ]
        fresh = [
            conj((equal(value, len(constants) + i), self.atom(glob, text)))
            for i, text in enumerate(self.names.variables)
        ]
        return disj([*matched, *fresh])

    def own_text_matches(self, number: int, target: Text) -> Bool:
        """Whether a variable's fresh text, as a glob, matches a target."""
        itself = equal(number, self.value(target))
        if target.variable is None:
            return disj((itself, self.reads_as(number, self.names.number(target))))
        spelled = [
            conj((equal(self.values[target], other), self.reads_as(number, other)))
            for other in range(self.names.first_other)
        ]
        return disj((itself, *spelled))

    def reads_as(self, one: int, two: int) -> Bool:
        """Whether two texts differ only in their spelling: another slash, another case.

        At least one of them is a variable's fresh text.
        """
        constants = self.names.constants
        low, high = sorted((one, two))
        if low == high or not (self.matcher.fold_case or self.matcher.slashes):
            return False
        owner = self.names.variables[high - len(constants)]
        if low < len(constants):
            literal = self.matcher.is_literal(constants[low])
            return self.atom(constants[low], owner) if literal else False
        earlier = self.names.variables[low - len(constants)]
        if not self.matcher.fold_case and (owner.plain or earlier.plain):
            return False
        known = f"{self.sort.value}:{earlier.variable} = {owner.variable}"
        return self.spellings.setdefault((earlier, owner), boolean(known))

    def atom(self, glob: str, text: Text) -> Bool:
        """Whether a constant glob matches the fresh text of a variable."""
        if not glob or (self.matcher.is_literal(glob) and not self.respelled(glob, text)):
            return False
        if not glob.strip("*") and not self.matcher.segments:
            return True
        known = f"{self.sort.value}:{text.variable} ~ {glob}"
        return self.atoms.setdefault((glob, text), boolean(known))

    def respelled(self, literal: str, text: Text) -> bool:
        """Whether a literal may match a variable's text that is not equal to it."""
        slashes = self.matcher.slashes and "/" in literal and not text.plain
        return slashes or self.matcher.fold_case

    def equal_texts(self, left: SymbolicText, right: SymbolicText) -> Bool:
        """Whether two rules have the same text."""
        key = id(left), id(right)
        if key not in self._alike:
            self._alike[key] = left, right, self._equal_texts(left, right)
        return self._alike[key][2]

    def _equal_texts(self, left: SymbolicText, right: SymbolicText) -> Bool:
        bits = conj(same(a, b) for a, b in zip(left.bits, right.bits, strict=False))
        kind = same(left.plain, right.plain)
        named = disj((neg(self.is_other(left)), conj((bits, kind))))
        return conj((equal(left.number, right.number), named))
