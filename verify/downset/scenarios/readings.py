"""Answers of a design, each computed by two readings that must agree.

The concrete reading runs the story event by event on real rules, as the program would. The
symbolic one builds the formula of the whole story and lets the prover's encoder and solver decide
it, as for a proof. Neither knows of the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from downset.language.concrete import Assignment, Concrete
from downset.language.rules import Action
from downset.language.terms import ALWAYS, Decision, DecisionIs, Formula, TextIs
from downset.language.vocabulary import action
from downset.prove.query import Query
from downset.prove.replay import literal, term
from downset.scenarios.results import ReadingsDisagree
from downset.scenarios.stage import Stage

if TYPE_CHECKING:
    from downset.language.matching import Matcher
    from downset.language.rules import Rule, Ruleset
    from downset.language.terms import Predicate, Word
    from downset.scenarios.stage import Scene

Asked = Decision | Formula
Answer = str | bool
Telling = Callable[[Stage], Mapping[str, Asked]]
"""Tells a story and says what is asked at its end, each question with a name."""


def answers(scene: Scene, telling: Telling) -> dict[str, Answer]:
    """What a design answers to the questions of a story: an action, or whether a formula holds.

    Raises `ReadingsDisagree` if the two readings do.

    >>> from downset.catalogue import load_model
    >>> from downset.design.sessions import Query as Q
    >>> from downset.scenarios.stage import Scene, chain
    >>> scene = Scene(load_model("baseline/independent"))
    >>> def tell(stage):
    ...     session = chain(stage, ["build", "general"])
    ...     return {"edit": stage.design.decide(session, Q.of("edit", "a"))}
    >>> answers(scene, tell)
    {'edit': 'ask'}
    """
    reading = Concrete(Assignment(), scene.design.matcher)
    run = told(scene, reading)
    concrete = {name: concretely(reading, asked) for name, asked in telling(run).items()}
    for name, asked in telling(Stage(scene.design, scene=scene)).items():
        check(name, concrete[name], asked, scene.design.matcher)
    return concrete


def stored(scene: Scene, telling: Callable[[Stage], Word]) -> Ruleset:
    """The rules that a word comes to at the end of a story, by both readings.

    Raises `ReadingsDisagree` if they come to different rules, or to another order.
    """
    reading = Concrete(Assignment(), scene.design.matcher)
    found = reading.word(telling(told(scene, reading)))
    word = telling(Stage(scene.design, scene=scene))
    for name, fact in facts(word, found).items():
        check(name, answer=True, asked=fact, matcher=scene.design.matcher)
    return found


def told(scene: Scene, reading: Concrete) -> Stage:
    """A stage on which every event is settled to real rules before the next one."""
    return Stage(scene.design, scene=scene, settle=lambda word: literal(reading.word(word)))


def concretely(reading: Concrete, asked: Asked) -> Answer:
    """The answer of the concrete reading."""
    if isinstance(asked, Decision):
        return reading.decision(asked).value
    return reading.formula(asked)


def check(name: str, answer: Answer, asked: Asked, matcher: Matcher) -> None:
    """Raise `ReadingsDisagree` unless the symbolic reading gives the same answer."""
    if satisfiable(claim(asked, answer), matcher) and not satisfiable(
        ~claim(asked, answer), matcher
    ):
        return
    options = [a.value for a in Action] if isinstance(asked, Decision) else [True, False]
    found = [option for option in options if satisfiable(claim(asked, option), matcher)]
    raise ReadingsDisagree(f"{name}: concrete {answer}, symbolic {found}")


def claim(asked: Asked, answer: Answer) -> Formula:
    """The formula that says what the answer is."""
    if isinstance(asked, Decision):
        return DecisionIs(asked, Action(answer))
    return asked if answer else ~asked


def satisfiable(formula: Formula, matcher: Matcher) -> bool:
    """Whether a formula over constant rulesets holds, decided by the solver."""
    return Query(formula, {}, matcher).solve() is not None


def facts(word: Word, rules: Ruleset) -> dict[str, Formula]:
    """What is true of a word exactly if it comes to these rules, up to repetitions."""
    others = ~anything(rules)
    found = {f"{rule} is there": word.any(literally(rule)) for rule in rules}
    found["nothing else is there"] = ~word.any(others)
    for place, rule in enumerate(rules):
        later = rules[place + 1 :]
        if rule not in later and later:
            behind = word.last(anything((rule, *later))).seen(~literally(rule))
            found[f"{rule} has others behind it"] = behind
    return found


def anything(rules: Ruleset) -> Predicate:
    """Rules that are one of these."""
    result: Predicate = ~ALWAYS
    for rule in rules:
        result = result | literally(rule)
    return result


def literally(rule: Rule) -> Predicate:
    """Rules that are this one."""
    fixed = term(rule)
    return TextIs(fixed.permission) & TextIs(fixed.pattern) & (action == fixed.action)
