"""What must hold of the engine: each law is a function that fails if it is broken.

Tests run them on random examples, and on fixed ones while a bug is planted.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

from hypothesis import reject

from downset.language.concrete import Concrete, field_of, mapped
from downset.language.terms import Input, IsPlain, Not, Observation, Pick, Sort
from downset.prove import observations
from downset.prove.deciding import Ledger
from downset.prove.encoding import Encoder
from downset.prove.logic import below, equal, neg, same
from downset.prove.names import mentioned
from downset.prove.query import Query, Undecided
from downset.prove.solver import make_solver

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from downset.language.concrete import Assignment
    from downset.language.matching import Matcher
    from downset.language.rules import Rule
    from downset.language.terms import Formula, Predicate, Word
    from downset.prove.letters import Lexicon, SymbolicRule, SymbolicText
    from downset.prove.logic import Bool
    from downset.prove.observations import Base, Piece, Relation

    Compared = Mapping[Sort, Collection[Input]]
    Held = tuple[Input, SymbolicRule, Rule]

MOST_SLOTS = 14
SECONDS = 20.0


# --- the concrete and the symbolic reading ------------------------------------------------------


def readings_agree(formula: Formula, given: Assignment, matcher: Matcher) -> None:
    """Under constraints that fix everything to an assignment, the encoder says what it says."""
    encoder = pinnable(formula, given, matcher)
    goal = encoder.formula(formula)
    solver = make_solver("z3")
    compared = mentioned(formula).compared
    solver.add(*encoder.axioms, *pins(encoder, compared, given, matcher))
    assert solver.check(SECONDS) is not None, "the encoder does not admit these rules and texts"
    expected = Concrete(given, matcher).formula(formula)
    assert (solver.check(SECONDS, goal) is not None) is expected, "the goal"
    assert (solver.check(SECONDS, neg(goal)) is not None) is not expected, "its opposite"


def pinnable(formula: Formula, given: Assignment, matcher: Matcher) -> Encoder:
    """An encoder with as many rules for each input as an assignment has."""
    found = mentioned(formula)
    lengths = {word: len(given.inputs.get(word.name, ())) for word in found.inputs}
    return Encoder(found, lengths, matcher)


def pins(
    encoder: Encoder, compared: Compared, given: Assignment, matcher: Matcher
) -> Iterator[Bool]:
    """Constraints that fix inputs, texts, flags and numbers, match bits by the real matcher."""
    for lexicon in encoder.lexicons.values():
        yield from pinned_variables(lexicon, given, matcher)
    placed = [(w, *pair) for w in encoder.inputs for pair in filled(encoder, w, given)]
    for _, slot, rule in placed:
        yield same(slot.present, rule is not None)
    held = [(word, slot, rule) for word, slot, rule in placed if rule is not None]
    for _, slot, rule in held:
        yield slot.says(rule.action)
        yield equal(slot.priority, rule.priority)
        for lexicon in encoder.lexicons.values():
            yield from pinned_text(lexicon, slot.text(lexicon.sort), rule, given)
    for sort, lexicon in encoder.lexicons.items():
        yield from pinned_equalities(lexicon, held, compared[sort])
    for name, flag in encoder.flags.items():
        yield same(flag, given.flags[name])
    for name, number in encoder.numbers.items():
        yield equal(number, given.numbers[name])
    for mode, place in encoder.modes.items():
        yield equal(place, mode.options.index(given.modes[mode.variable]))


def filled(
    encoder: Encoder, word: Input, given: Assignment
) -> Iterator[tuple[SymbolicRule, Rule | None]]:
    """The symbolic rules of an input with the concrete ones that they are to be."""
    rules, slots = list(given.inputs.get(word.name, ())), encoder.inputs[word]
    if word in encoder.ordered or not word.names:
        yield from zip(slots, rules, strict=True)
        return
    lexicon = encoder.lexicons[Sort.PERMISSION]
    named = {number_of(lexicon, rule.permission, given): rule for rule in rules}
    others = [r for r in rules if number_of(lexicon, r.permission, given) is None]
    for slot in slots:
        number = slot.permission.number
        is_named = isinstance(number, int) and number < lexicon.names.first_other
        taken = named.get(int(number)) if isinstance(number, int) else None
        yield slot, taken if is_named else others.pop() if others else None
    assert not others, "there is no room for these names"


def pinned_variables(lexicon: Lexicon, given: Assignment, matcher: Matcher) -> Iterator[Bool]:
    """Constraints that fix the texts of the variables."""
    for text, value in lexicon.values.items():
        number = number_of(lexicon, given.texts[text.variable or ""], given)
        assert number is not None
        yield equal(value, number)
    for (glob, text), atom in lexicon.atoms.items():
        yield same(atom, matcher.matches(given.texts[text.variable or ""], glob))


def number_of(lexicon: Lexicon, text: str, given: Assignment) -> int | None:
    """The number of a text that a constant or a variable names, else `None`."""
    known = [*lexicon.names.constants]
    known += [given.texts[variable.variable or ""] for variable in lexicon.names.variables]
    return known.index(text) if text in known else None


def pinned_text(
    lexicon: Lexicon, symbolic: SymbolicText, rule: Rule, given: Assignment
) -> Iterator[Bool]:
    """Constraints that fix one text of a rule: which it is, or what it matches."""
    text = field_of(rule, lexicon.sort)
    number = number_of(lexicon, text, given)
    if number is not None:
        yield equal(symbolic.number, number)
        return
    yield neg(below(symbolic.number, lexicon.names.first_other))
    for target in lexicon.names.targets:
        name = given.texts[target.variable] if target.variable else target.literal or ""
        hit = lexicon.matcher.matches(name, text)
        yield same(lexicon.matches(symbolic, target), hit)


def pinned_equalities(
    lexicon: Lexicon, held: list[Held], compared: Collection[Input]
) -> Iterator[Bool]:
    """Constraints that fix which rules have the same text, where rules are compared."""
    for (word, one, left), (other, two, right) in combinations(held, 2):
        if word in compared or other in compared:
            alike = lexicon.equal_texts(one.text(lexicon.sort), two.text(lexicon.sort))
            equals = field_of(left, lexicon.sort) == field_of(right, lexicon.sort)
            yield same(alike, equals)


def plain_only_by_name(formula: Formula, given: Assignment, matcher: Matcher) -> bool:
    """Whether `IsPlain` is asked only of texts that the encoding can tell apart.

    It takes texts that nothing names for plain unless they match something, and no other.
    """
    if not any(isinstance(node, IsPlain) for node in nodes(formula)):
        return True
    encoder = pinnable(formula, given, matcher)
    for lexicon in encoder.lexicons.values():
        targets = [
            given.texts.get(t.variable or "", t.literal or "") for t in lexicon.names.targets
        ]
        for text in texts_of(given, lexicon.sort):
            named = number_of(lexicon, text, given) is not None
            matched = any(matcher.matches(target, text) for target in targets)
            plain = matcher.is_literal(text)
            if (not named and plain == matched) or (named and not text):
                return False
        if "" in lexicon.names.constants:
            return False
    return True


def texts_of(given: Assignment, sort: Sort) -> set[str]:
    """All permissions or all patterns of an assignment's rules."""
    rules = [rule for word in given.inputs.values() for rule in word]
    return {rule.permission if sort is Sort.PERMISSION else rule.pattern for rule in rules}


def nodes(node: object) -> Iterator[object]:
    """A node and all nodes inside it."""
    yield node
    inner = node if isinstance(node, tuple) else getattr(node, "__dataclass_fields__", ())
    for part in inner:
        yield from nodes(part if isinstance(node, tuple) else getattr(node, part))


def answers_satisfy(formula: Formula, matcher: Matcher) -> None:
    """What a query answers satisfies the formula on real rules, and its inputs' shapes."""
    if any(node == IsPlain(Sort.PATTERN) for node in nodes(formula)):
        reject()  # the texts that are found for patterns are not plain
    given = solved(formula, matcher)
    if given is None:
        return
    reading = Concrete(given, matcher)
    assert reading.formula(formula), given
    for word in mentioned(formula).inputs:
        rules = given.inputs.get(word.name, ())
        assert all(reading.holds_for(word.shape, rule) for rule in rules), given
        assert not word.distinct or len({rule.permission for rule in rules}) == len(rules), given


# --- the cutoff ---------------------------------------------------------------------------------


def lengths_of(formula: Formula, most: int = MOST_SLOTS) -> dict[Input, int]:
    """The cutoffs of a formula; rejects examples without, and those that are too large."""
    ledger = Ledger(20.0)
    found = ledger.lengths(formula)
    if ledger.bounded:
        reject()
    if sum(found.values()) > most:
        reject()
    return found


def solved(formula: Formula, matcher: Matcher, longer: int = 0) -> Assignment | None:
    """What a query at the cutoffs (or longer) answers; rejects what it cannot decide."""
    lengths = {word: count + longer for word, count in lengths_of(formula).items()}
    try:
        return Query(formula, lengths, matcher, 20.0).solve()
    except Undecided:
        reject()


def nothing_lost_at_the_cutoff(formula: Formula, given: Assignment, matcher: Matcher) -> None:
    """What an assignment of any length satisfies, a query at the cutoff finds satisfiable."""
    holds = Concrete(given, matcher).formula(formula)
    truth = formula if holds else Not(formula)
    assert solved(truth, matcher) is not None, "the query misses what these rules do"


def longer_changes_nothing(formula: Formula, matcher: Matcher) -> None:
    """One or two rules more for each input do not change the answer."""
    answers = [solved(formula, matcher, longer) is None for longer in range(3)]
    assert len(set(answers)) == 1, answers


def kept_rules_decide_alike(formula: Formula, given: Assignment, matcher: Matcher) -> None:
    """The deciding rules and their witnesses are no more than the cutoff, and decide alike."""
    lengths = lengths_of(formula, most=60)
    kept = Keeper(formula, given, matcher).kept()
    for word, places in kept.items():
        # of a set of names, only those are counted that the claim does not name
        assert word.names or len(places) <= lengths.get(word, 0), (word, places, lengths)
    shorter = {
        word.name: tuple(given.inputs.get(word.name, ())[place] for place in sorted(places))
        for word, places in kept.items()
    }
    less = Concrete(replace(given, inputs=shorter), matcher)
    assert less.formula(formula) == Concrete(given, matcher).formula(formula), shorter


class Keeper:
    """Finds which rules of an assignment decide anything that a formula observes."""

    def __init__(self, formula: Formula, given: Assignment, matcher: Matcher) -> None:
        self.seen = observations.observations(formula)
        if any(relation.mapped for relation in self.seen.relations):
            reject()  # a relation does not say how its rules were changed before
        self.given = given
        self.reading = Concrete(given, matcher)
        self.inputs = mentioned(formula).inputs

    def kept(self) -> dict[Input, set[int]]:
        """The places of the rules that matter."""
        kept: dict[Input, set[int]] = {word: set() for word in self.inputs}
        for base in self.seen.bases:
            kept[base.input] |= self.deciding(base)
        for relation in self.seen.relations:
            if not isinstance(relation.source, Input):
                rule = self.reading.rule(relation.source, "")
                kept[relation.target] |= self.witness(relation, rule)
        while (more := self.witnesses(kept)) != kept:
            kept = more
        return kept

    def witnesses(self, kept: dict[Input, set[int]]) -> dict[Input, set[int]]:
        """What is kept, with one witness for each filter at each rule that is kept."""
        more = {word: set(places) for word, places in kept.items()}
        for relation in self.seen.relations:
            if isinstance(relation.source, Input):
                for place in kept[relation.source]:
                    rule = self.given.inputs[relation.source.name][place]
                    more[relation.target] |= self.witness(relation, rule)
        return more

    def deciding(self, base: Base) -> set[int]:
        """The place of the rule that a base observation sees, if any."""
        rules = list(enumerate(self.given.inputs.get(base.input.name, ())))
        hits = [(i, rule) for i, rule in rules if self.reading.holds_for(base.predicate, rule)]
        if not hits:
            return set()
        return {best(base.pick, hits)[0]}

    def witness(self, relation: Relation, rule: Rule) -> set[int]:
        """The place of the first rule that a filter could have found."""
        rules = enumerate(self.given.inputs.get(relation.target.name, ()))
        same = [
            place
            for place, other in rules
            if self.reading.holds_for(relation.found, other) and agree(relation, rule, other)
        ]
        return set(same[:1])


def agree(relation: Relation, left: Rule, right: Rule) -> bool:
    """Whether two rules have the fields that a filter compares."""
    return all(getattr(left, name) == getattr(right, name) for name in relation.same)


# --- the pull-back ------------------------------------------------------------------------------


def pieces_see_the_same(
    word: Word, predicate: Predicate, pick: Pick, given: Assignment, matcher: Matcher
) -> None:
    """What an observation sees of a word is what it sees of the word's pieces, in order."""
    reading = Concrete(given, matcher)
    whole = reading.observe(Observation(pick, word, predicate))
    parts = [rule for part in observations.pieces(word) for rule in survivors(part, reading)]
    kept = [rule for part, rule in parts if reading.holds_for(part.found(predicate), rule)]
    places = [part for part, rule in parts if reading.holds_for(part.found(predicate), rule)]
    results = [after(part, rule) for part, rule in zip(places, kept, strict=True)]
    assert whole == chosen(pick, results)


def survivors(part: Piece, reading: Concrete) -> list[tuple[Piece, Rule]]:
    """The rules of a piece's source, beside the piece."""
    if isinstance(part.source, Input):
        return [(part, rule) for rule in reading.word(part.source)]
    return [(part, reading.rule(part.source, ""))]


def after(part: Piece, rule: Rule) -> Rule:
    """A rule of a piece's source, put through the piece's letter maps."""
    for by in part.maps:
        rule = mapped(by, rule)
    return rule


def chosen(pick: Pick, rules: list[Rule]) -> Rule | None:
    """The rule that an observation picks among those that satisfy its predicate."""
    if not rules:
        return None
    return best(pick, list(enumerate(rules)))[1]


def best(pick: Pick, rules: list[tuple[int, Rule]]) -> tuple[int, Rule]:
    """The rule of highest rank with its place; by severity and in the end the last of equals."""
    late = -1 if pick in {Pick.FIRST, Pick.PRIORITY} else 1

    def rank(rule: Rule) -> int:
        by = {Pick.PRIORITY: rule.priority, Pick.SEVERITY: -rule.action.rank}
        return by.get(pick, 0)

    return max(rules, key=lambda placed: (rank(placed[1]), late * placed[0]))
