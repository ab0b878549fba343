"""Making a counterexample small and plain: fewer rules, then settings, then plainer texts.

Every step is tried on the concrete replay and kept only if the story still refutes the property.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from downset.language.rules import Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.language.concrete import Assignment
    from downset.language.rules import Rule, Ruleset

Step: TypeAlias = "Callable[[Assignment], Iterator[Assignment]]"
ROUNDS = 6
RESOURCES = ("src/app.ts", "docs/guide.md", "*")
OUTSIDE = ("/srv/data", "/srv/logs")
Tried: TypeAlias = "tuple[frozenset[tuple[str, object]], ...]"


@dataclass
class Shrinker:
    """Shrinks an assignment as long as `fails` holds of it; each candidate is tried once.

    `names` are plain permissions and `modes` the permission modes of the design, plainest first.
    """

    fails: Callable[[Assignment], bool]
    names: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    tried: dict[Tried, bool] = field(default_factory=dict)

    def shrink(self, given: Assignment) -> Assignment:
        """The smallest and plainest assignment that the steps reach."""
        for _ in range(ROUNDS):
            before = given
            for candidates in self._steps():
                given = self._descend(given, candidates)
            if given == before:
                break
        return given

    def _steps(self) -> tuple[Step, ...]:
        modes = partial(usual_modes, modes=self.modes)
        return (
            *(fewer_rules, fewer_flags, smaller_numbers, modes),
            partial(plainer, names=self.names),
        )

    def _descend(self, given: Assignment, candidates: Step) -> Assignment:
        tried = True
        while tried:
            tried = False
            for candidate in candidates(given):
                if self._fails(candidate):
                    given, tried = candidate, True
                    break
        return given

    def _fails(self, candidate: Assignment) -> bool:
        numbers, modes = candidate.numbers, candidate.modes
        parts = candidate.inputs, candidate.texts, candidate.flags, numbers, modes
        key = tuple(frozenset(part.items()) for part in parts)
        if key not in self.tried:
            self.tried[key] = self.fails(candidate)
        return self.tried[key]


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


def usual_modes(given: Assignment, modes: tuple[str, ...]) -> Iterator[Assignment]:
    """The assignment with one mode left open, which makes it the usual one, or a plainer one."""
    for name, mode in given.modes.items():
        others = {other: known for other, known in given.modes.items() if other != name}
        yield replace(given, modes=others)
        for plainer_mode in modes[: rank(mode, modes)]:
            yield replace(given, modes={**given.modes, name: plainer_mode})


def with_rules(given: Assignment, name: str, rules: Ruleset) -> Assignment:
    """An assignment with other rules for one input."""
    return replace(given, inputs={**given.inputs, name: rules})


def plainer(given: Assignment, names: tuple[str, ...]) -> Iterator[Assignment]:
    """The assignment with one text plainer, everywhere or in one rule."""
    yield from plainer_variables(given, names)
    for name, rules in given.inputs.items():
        for place, rule in enumerate(rules):
            for changed in plainer_rules(rule, given, names):
                yield with_rules(given, name, (*rules[:place], changed, *rules[place + 1 :]))


def plainer_variables(given: Assignment, names: tuple[str, ...]) -> Iterator[Assignment]:
    """The assignment with a queried text replaced by a plainer one, in queries and rules."""
    for variable, text in given.texts.items():
        options: tuple[str, ...] = names if is_permission(variable) else RESOURCES
        if variable.startswith("name of"):
            options = ()
        elif options is RESOURCES and "external_directory" in given.texts.values():
            options = OUTSIDE
        for option in options[: rank(text, options)]:
            yield renamed(given, variable, text, option)


def is_permission(variable: str) -> bool:
    """Whether a variable stands for a permission or a tool.

    >>> is_permission("permission of query"), is_permission("resource of query")
    (True, False)
    """
    return variable.startswith(("permission", "tool"))


def rank(text: str, options: tuple[str, ...]) -> int:
    """How many options are plainer than a text."""
    return options.index(text) if text in options else len(options)


def renamed(given: Assignment, variable: str, old: str, new: str) -> Assignment:
    """An assignment with one queried text replaced wherever it stands."""
    permission = is_permission(variable)

    def change(rule: Rule) -> Rule:
        if permission:
            return replace(rule, permission=new) if rule.permission == old else rule
        return replace(rule, pattern=new) if rule.pattern == old else rule

    inputs = {name: tuple(map(change, rules)) for name, rules in given.inputs.items()}
    return replace(given, inputs=inputs, texts={**given.texts, variable: new})


def plainer_rules(rule: Rule, given: Assignment, names: tuple[str, ...]) -> Iterator[Rule]:
    """A rule with a plainer permission, pattern or action."""
    queried = [t for v, t in given.texts.items() if is_permission(v)]
    keys = (*dict.fromkeys([*queried, *names, "*"]),)
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
