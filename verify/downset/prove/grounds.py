"""Whether what a verdict rests on is of the right kind, and whether its witnesses are real.

This needs no solver: stories are replayed on real rules, and what no strings realise is searched
for with the program's own matcher.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.property import Descent
from downset.design.story import Reach
from downset.design.traits import traits
from downset.prove.argument import DEEPEST
from downset.prove.prover import VACUOUS
from downset.prove.rendering import rendering_of
from downset.prove.replay import replay
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.language.concrete import Assignment
    from downset.prove.certificate import Claimed, Sheet
    from downset.prove.refuting import Refutation
    from downset.prove.replay import Replayed, Script

OPENED = (Reach.ROOT, Reach.CHILD)
ARGUMENTS = {Status.BOUNDED: "bound", Status.VACUOUS: "vacuity"}


def groundless(claimed: Claimed) -> Iterator[str]:
    """Why what a verdict rests on is not enough for it."""
    yield from unfit(claimed)
    yield from not_needed(claimed)
    if claimed.premise is not None:
        yield from unreal(*claimed.premise)
        if not replay(*claimed.premise).happens:
            yield "the premise does not happen in the story that is given for it"
    if claimed.refutation is not None:
        yield from unrefuting(claimed.refutation)
    for sheet in claimed.sheets:
        yield from uncertain(sheet)


def unfit(claimed: Claimed) -> Iterator[str]:
    """Why an argument is not one for the verdict."""
    status, kind = claimed.status, claimed.argument.kind
    if status is Status.PROVED:
        yield from unproved(claimed)
    elif kind != ARGUMENTS.get(status, "none"):
        yield f"`{kind}` is no argument for the verdict `{status.value}`"
    absent = claimed.stories.prop.needs(claimed.stories.design)
    if status is Status.NOT_APPLICABLE and (not absent or claimed.reason != absent):
        yield f"the reason why the property makes no sense is not `{claimed.reason}`"
    if status is not Status.NOT_APPLICABLE and absent:
        yield f"the property is not applicable: {absent}"
    stated = {Status.PROVED: "", Status.VIOLATED: "", Status.VACUOUS: VACUOUS}
    if claimed.reason != stated.get(status, claimed.reason):
        yield "the reason is not the one of such a verdict"


def unproved(claimed: Claimed) -> Iterator[str]:
    """Why an argument proves nothing for rulesets of any length at any depth."""
    stories, argument = claimed.stories, claimed.argument
    kinds = ("descent", "combinations") if isinstance(stories.prop, Descent) else ("dispatch",)
    if argument.kind not in kinds:
        yield f"`{argument.kind}` is no argument for a proof of this property"
    if argument.reach not in stories.reaches():
        yield f"`{argument.reach.name.lower()}` does not stand for all sessions"
    if any(not state[0] for state in argument.states):
        yield "a combination of facts is reached that lacks the conclusion"
    for reason in {traits(stories.design).irregular, *(s.bounded for s in claimed.sheets)} - {""}:
        yield f"the argument holds only up to a bound: {reason}"


def not_needed(claimed: Claimed) -> Iterator[str]:
    """Witnesses that are missing, or that such a verdict does not have."""
    status = claimed.status
    if (claimed.premise is not None) != (status in {Status.PROVED, Status.BOUNDED}):
        yield "a story in which the premise happens belongs to what holds, and to nothing else"
    if (claimed.refutation is not None) != (status is Status.VIOLATED):
        yield "a story that refutes the property belongs to what is violated, and to nothing else"


def unreal(script: Script, given: Assignment) -> Iterator[str]:
    """Why a story is not one that can happen to real sessions with real texts."""
    if script.reach not in OPENED or not 0 <= script.more <= DEEPEST:
        yield "the story does not begin with a session that a user opened"
    told = replay(script, given)
    names = [*(agent.name for agent in told.story.agents), *told.story.variables]
    for name in names:
        text, plain = told.reading.text(name), name.plain
        if plain and not (text and script.design.matcher.is_literal(text)):
            yield f"`{text}` is no {name.variable}"
    if any(number < 0 for number in given.numbers.values()):
        yield "a number is negative"


def unrefuting(found: Refutation) -> Iterator[str]:
    """Why a story does not refute its property."""
    yield from unreal(found.script, found.given)
    told = replay(found.script, found.given)
    if found.result:
        yield from read_well(found, told)
    elif not told.fails:
        yield "the story does not refute the property when it is replayed"


def read_well(found: Refutation, told: Replayed) -> Iterator[str]:
    """Why a result is no one that is misread."""
    rendering, values = rendering_of(found.script), dict(found.result)
    if rendering is None or not told.happens:
        yield "the story ends with no result that could be misread"
    elif rendering.parse(rendering.render(values)) == values:
        yield "the result is read back as it was"
    elif any(part in values[field.name] for field in rendering.fields for part in field.never):
        yield "the result has something in it that it cannot contain"


def uncertain(sheet: Sheet) -> Iterator[str]:
    """Exclusions for which it is not certain that no strings realise them."""
    if sheet.exclusions and sheet.obligation.expected != "unsat":
        yield f"{sheet.name}: a witness excludes nothing"
    for place, exclusion in enumerate(sheet.exclusions):
        if not sheet.problem.certain(exclusion):
            yield f"{sheet.name}: strings may realise the choice that exclusion {place} excludes"
