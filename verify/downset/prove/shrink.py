"""Making a counterexample small and plain: fewer rules, then settings, then plainer texts.

Every step is tried on the concrete replay and kept only if the story still refutes the property.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from downset.language.rules import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.language.concrete import Assignment
    from downset.language.rules import Rule, Ruleset

ROUNDS = 6
PERMISSIONS = ("edit", "bash", "task", "external_directory", "todowrite", "question")
RESOURCES = ("src/app.ts", "docs/guide.md", "*")
OUTSIDE = ("/srv/data", "/srv/logs")


@dataclass(frozen=True)
class Shrinker:
    """Shrinks an assignment as long as `fails` holds of it."""

    fails: Callable[[Assignment], bool]

    def shrink(self, given: Assignment) -> Assignment:
        """The smallest and plainest assignment that the steps reach."""
        for _ in range(ROUNDS):
            before = given
            for candidates in (fewer_rules, fewer_flags, smaller_numbers, usual_modes, plainer):
                given = self._descend(given, candidates)
            if given == before:
                break
        return given

    def _descend(
        self, given: Assignment, candidates: Callable[[Assignment], Iterator[Assignment]]
    ) -> Assignment:
        tried = True
        while tried:
            tried = False
            for candidate in candidates(given):
                if self.fails(candidate):
                    given, tried = candidate, True
                    break
        return given


def size(given: Assignment) -> int:
    """The number of rules of an assignment.

    >>> from downset.language.concrete import Assignment
    >>> size(Assignment())
    0
    """
    return sum(len(rules) for rules in given.inputs.values())


def fewer_rules(given: Assignment) -> Iterator[Assignment]:
    """The assignment with one rule less."""
    for name, rules in given.inputs.items():
        for place in range(len(rules)):
            yield with_rules(given, name, rules[:place] + rules[place + 1 :])


def fewer_flags(given: Assignment) -> Iterator[Assignment]:
    """The assignment with one thing less that happened to be so."""
    for name, value in given.flags.items():
        if value:
            yield replace(given, flags={**given.flags, name: False})


def smaller_numbers(given: Assignment) -> Iterator[Assignment]:
    """The assignment with one number smaller."""
    for name, value in given.numbers.items():
        for smaller in range(min(value, 3)):
            yield replace(given, numbers={**given.numbers, name: smaller})


def usual_modes(given: Assignment) -> Iterator[Assignment]:
    """The assignment with one mode left out, which makes it the usual one."""
    for name in given.modes:
        modes = {other: mode for other, mode in given.modes.items() if other != name}
        yield replace(given, modes=modes)


def with_rules(given: Assignment, name: str, rules: Ruleset) -> Assignment:
    """An assignment with other rules for one input."""
    return replace(given, inputs={**given.inputs, name: rules})


def plainer(given: Assignment) -> Iterator[Assignment]:
    """The assignment with one text plainer, everywhere or in one rule."""
    yield from plainer_variables(given)
    for name, rules in given.inputs.items():
        for place, rule in enumerate(rules):
            for changed in plainer_rules(rule, given):
                yield with_rules(given, name, (*rules[:place], changed, *rules[place + 1 :]))


def plainer_variables(given: Assignment) -> Iterator[Assignment]:
    """The assignment with a queried text replaced by a plainer one, in queries and rules."""
    for variable, text in given.texts.items():
        options = () if variable.startswith("name of") else options_for(variable)
        if options is RESOURCES and "external_directory" in given.texts.values():
            options = OUTSIDE
        for option in options[: rank(text, options)]:
            yield renamed(given, variable, text, option)


def options_for(variable: str) -> tuple[str, ...]:
    """Plain texts for a variable, the plainest first."""
    return PERMISSIONS if variable.startswith(("permission", "tool")) else RESOURCES


def rank(text: str, options: tuple[str, ...]) -> int:
    """How many options are plainer than a text."""
    return options.index(text) if text in options else len(options)


def renamed(given: Assignment, variable: str, old: str, new: str) -> Assignment:
    """An assignment with one queried text replaced wherever it stands."""
    permission = options_for(variable) is PERMISSIONS

    def change(rule: Rule) -> Rule:
        if permission:
            return replace(rule, permission=new) if rule.permission == old else rule
        return replace(rule, pattern=new) if rule.pattern == old else rule

    inputs = {name: tuple(map(change, rules)) for name, rules in given.inputs.items()}
    return replace(given, inputs=inputs, texts={**given.texts, variable: new})


def plainer_rules(rule: Rule, given: Assignment) -> Iterator[Rule]:
    """A rule with a plainer permission, pattern or action."""
    queried = [t for v, t in given.texts.items() if options_for(v) is PERMISSIONS]
    keys = (*dict.fromkeys([*queried, *PERMISSIONS, "*"]),)
    for key in keys[: rank(rule.permission, keys)]:
        yield replace(rule, permission=key)
    resources = [t for v, t in given.texts.items() if v.startswith("resource")]
    patterns = (*dict.fromkeys(["*", *resources, *RESOURCES, "docs/*"]),)
    for pattern in patterns[: rank(rule.pattern, patterns)]:
        yield replace(rule, pattern=pattern)
    actions = (Action.DENY, Action.ALLOW, Action.ASK)
    for action in actions[: actions.index(rule.action)]:
        yield replace(rule, action=action)
    if rule.priority:
        yield replace(rule, priority=0)
