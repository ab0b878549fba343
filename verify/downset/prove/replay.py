"""Replaying a story on real rules: every event's outcome is computed before the next one.

What the solver found is shown to nobody before the concrete reading confirms it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING

from downset.design.story import Reach, Story
from downset.language.concrete import Concrete
from downset.language.terms import EMPTY, Constant, RuleTerm, Sort, Text
from downset.prove.texts import names_for

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.property import Claim, Property
    from downset.language.concrete import Assignment
    from downset.language.rules import Rule, Ruleset
    from downset.language.terms import Input, Word


@dataclass(frozen=True)
class Script:
    """One way of telling the stories of a property about a design."""

    design: Design
    prop: Property
    reach: Reach = Reach.ROOT
    more: int = 0
    taken: tuple[int, ...] = ()
    allowed: frozenset[str] | None = None
    same: tuple[tuple[str, str], ...] = ()

    def story(self) -> Story:
        """A story about to be told in this way."""
        return Story(
            self.design, self.reach, self.more, self.allowed, self.taken, same=dict(self.same)
        )


@dataclass(frozen=True)
class Replayed:
    """A story told on real rules, the claim it makes, and the reading that evaluates both."""

    story: Story
    claim: Claim
    reading: Concrete

    @property
    def fails(self) -> bool:
        """Whether the story can happen, is what the property is about, and refutes it."""
        return self.happens and not self.reading.formula(self.claim.conclusion)

    @property
    def skipped(self) -> int:
        """How many dispatches skipped the permission check because it would have failed."""
        return sum(not self.reading.formula(check) for check in self.story.checks)

    @property
    def well_formed(self) -> bool:
        """Whether every ruleset has the shape that the story asks of it."""
        return all(self.has_shape(word) for word in self.story.inputs)

    def has_shape(self, word: Input) -> bool:
        """Whether the rules that an input stands for have its shape."""
        rules = self.reading.word(word)
        names = {rule.permission for rule in rules}
        return (not word.distinct or len(names) == len(rules)) and all(
            self.reading.holds_for(word.shape, rule) for rule in rules
        )

    @property
    def happens(self) -> bool:
        """Whether the story can happen and is what the property is about."""
        if not self.well_formed:
            return False
        possible = self.reading.formula(self.story.possible)
        return possible and self.reading.formula(self.claim.premise)


def replay(script: Script, given: Assignment) -> Replayed:
    """Tell the story of a script under an assignment, event by event."""
    story = script.story()
    reading = Concrete(given, script.design.matcher)

    def settle(word: Word) -> Word:
        return literal(Concrete(complete(given, story), script.design.matcher).word(word))

    story.settle = settle
    claim = script.prop.claim(story)
    reading = replace(reading, given=complete(given, story))
    return Replayed(story, claim, reading)


def literal(ruleset: Ruleset) -> Word:
    """A word that is just these rules, their origins kept.

    >>> literal(())
    Constant(rules=(), origin='')
    """
    word: Word = EMPTY
    for origin, group in groupby(ruleset, key=lambda rule: rule.origin):
        part = Constant(tuple(term(rule) for rule in group), origin)
        word = part if word is EMPTY else word + part
    return word


def term(rule: Rule) -> RuleTerm:
    """A rule as part of a constant word."""
    return RuleTerm(
        Text(Sort.PERMISSION, literal=rule.permission),
        Text(Sort.PATTERN, literal=rule.pattern),
        rule.action,
        rule.priority,
    )


def complete(given: Assignment, story: Story) -> Assignment:
    """An assignment with a text for every variable of a story, a name for every agent."""
    texts = dict(given.texts)
    for text in [*(agent.name for agent in story.agents), *story.variables]:
        variable = text.variable or ""
        if variable not in texts:
            taken = set(texts.values())
            options = [name for name in names_for(text) if name not in taken]
            texts[variable] = options[0] if options else f"other-{len(texts) + 1}"
    return replace(given, texts=texts)
