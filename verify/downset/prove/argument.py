"""Why a verdict holds: an argument, and all the obligations that it consists of.

The prover searches for an argument of which every obligation is met. A certificate names the one
that it found; whoever checks it derives the obligations once more, from the design, the property
and that name alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from downset.design.property import Descent, premise, violation
from downset.design.story import Reach
from downset.language.terms import FALSE, Not, Or
from downset.prove.induction import candidates, obligations
from downset.prove.paths import every_way
from downset.prove.reachability import beginning, exactly, successor, total

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.design.property import Claim, Fact
    from downset.design.rendering import Rendering
    from downset.language.terms import Formula
    from downset.prove.paths import Told
    from downset.prove.reachability import Facts
    from downset.prove.replay import Script
    from downset.prove.stories import Stories

DEEPEST: Final = 3


@dataclass(frozen=True)
class Obligation:
    """One formula and the answer that the argument needs: `unsat`, or `sat` for a witness.

    `part` says what it is for, `script` how its story is told. `bounded` is why an answer about
    the story holds only up to a bound. With a `rendering` the question is not the formula but
    whether the rendering can be misread.
    """

    part: str
    script: Script
    formula: Formula
    expected: str = "unsat"
    bounded: str = ""
    way: tuple[tuple[str, str], ...] = ()
    """Which way the story went at each of its choices."""
    rendering: Rendering | None = None


@dataclass(frozen=True)
class Argument:
    """A way to argue; which sessions it speaks of, and the facts or states that it rests on.

    `fact` is the place of the fact among those that are tried, `states` are the combinations of
    facts that dispatches reach.
    """

    kind: str
    reach: Reach = Reach.ANY
    fact: int = 0
    states: tuple[Facts, ...] = ()

    def obligations(self, stories: Stories) -> Iterator[Obligation]:
        """Everything that has to be shown."""
        return KINDS[self.kind](self, stories)

    def sentence(self, stories: Stories) -> str:
        """The argument for people, empty where the verdict says it all."""
        if self.kind == "descent" and isinstance(stories.prop, Descent):
            fact = tuple(candidates(stories.prop))[self.fact]
            said = fact.__doc__ or fact.__name__
            said = said[:1].lower() + said[1:].rstrip(".")
            return f"every dispatch by an arbitrary session passes on that {said}"
        return SENTENCES.get(self.kind, "")


SENTENCES: Final = {
    "dispatch": "one dispatch by an arbitrary session stands for every depth",
    "combinations": "all combinations of facts that dispatches reach have it",
}


def of_dispatch(argument: Argument, stories: Stories) -> Iterator[Obligation]:
    """No story of arbitrary sessions refutes the claim."""
    for script in stories.scripts(argument.reach):
        for told in every_way(script, stories.prop.claim):
            yield refuting("no dispatch refutes it", told)
    yield from of_rendering(stories)


def of_rendering(stories: Stories) -> Iterator[Obligation]:
    """No rendered result can be read as another one."""
    renderings: dict[Rendering, Script] = {}
    for told in stories.told(Reach.ROOT):
        if told.result.rendering is not None:
            renderings.setdefault(told.result.rendering, told.script)
    for rendering, script in renderings.items():
        yield Obligation("no result is misread", script, FALSE, rendering=rendering)


def of_descent(argument: Argument, stories: Stories) -> Iterator[Obligation]:
    """A fact begins with the first dispatch, is passed on, and implies the conclusion."""
    prop = descent(stories)
    yield from of_fact(prop, tuple(candidates(prop))[argument.fact], argument.reach, stories)


def descent(stories: Stories) -> Descent:
    """The property, being one of all descendants. Raises `TypeError` if it is another."""
    if not isinstance(stories.prop, Descent):
        message = f"`{stories.prop.id}` is not a property of all descendants"
        raise TypeError(message)
    return stories.prop


def of_fact(prop: Descent, fact: Fact, reach: Reach, stories: Stories) -> Iterator[Obligation]:
    """What has to be shown of one fact."""
    for tell in obligations(prop, fact):
        part = f"the fact {tell.__name__.replace('_', ' ')}"
        for script in stories.scripts(reach):
            for told in every_way(script, tell):
                for formula in told.result:
                    yield about(part, told, told.story.possible & formula)


def of_combinations(argument: Argument, stories: Stories) -> Iterator[Obligation]:
    """Dispatches reach no combination of facts but the known ones, which all conclude."""
    prop, known = descent(stories), argument.states
    for script in stories.scripts(argument.reach):
        for told in every_way(script, beginning(prop)):
            yield about("a first dispatch reaches a known combination", told, beyond(told, known))
        for state in known:
            for told in every_way(script, successor(prop, state)):
                part = "a dispatch leads from a known combination to a known one"
                yield about(part, told, beyond(told, known))


def beyond(told: Told[tuple[Formula, list[Formula]]], known: tuple[Facts, ...]) -> Formula:
    """The condition that a story leads to a combination that is not known."""
    here, facts = told.result
    reached = Or(tuple(exactly(state, facts) for state in known))
    return told.story.possible & here & total(facts) & Not(reached)


def of_vacuity(_argument: Argument, stories: Stories) -> Iterator[Obligation]:
    """No story is what the property is about."""
    for told in premises(stories):
        yield about("the premise cannot happen", told, premise(told.story, told.result))


def premises(stories: Stories) -> Iterator[Told[Claim]]:
    """The stories in which the premise may happen."""
    for reach in (Reach.ROOT, Reach.CHILD):
        yield from stories.told(reach)


def of_bound(_argument: Argument, stories: Stories) -> Iterator[Obligation]:
    """No story up to some depth refutes the claim."""
    deeper = DEEPEST if isinstance(stories.prop, Descent) else 0
    for reach, more in [*((Reach.ROOT, n) for n in range(deeper + 1)), (Reach.CHILD, 0)]:
        for told in stories.told(reach, more):
            yield refuting("no story up to the bound refutes it", told)
    yield from of_rendering(stories)


def of_nothing(_argument: Argument, _stories: Stories) -> Iterator[Obligation]:
    """The witness of the verdict is all that there is to show."""
    return iter(())


def refuting(part: str, told: Told[Claim]) -> Obligation:
    """That a story does not refute its claim."""
    return about(part, told, violation(told.story, told.result))


def about(part: str, told: Told[Any], formula: Formula, expected: str = "unsat") -> Obligation:
    """An obligation about a story that was told."""
    way = tuple((choice.name, choice.options[choice.taken]) for choice in told.story.choices)
    return Obligation(part, told.script, formula, expected, told.story.bounded, way)


KINDS: Final[dict[str, Callable[[Argument, Stories], Iterator[Obligation]]]] = {
    "dispatch": of_dispatch,
    "descent": of_descent,
    "combinations": of_combinations,
    "vacuity": of_vacuity,
    "bound": of_bound,
    "none": of_nothing,
}
