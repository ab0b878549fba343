"""All the ways in which a property's stories can go."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from downset.design.story import Story
    from downset.prove.replay import Script

T = TypeVar("T")


@dataclass(frozen=True)
class Told(Generic[T]):
    """A story told in one way, and what came of telling it (a claim, a formula)."""

    script: Script
    story: Story
    result: T


def all_told(scripts: Iterable[Script], tell: Callable[[Story], T]) -> list[Told[T]]:
    """Every way of telling, those with the fewest events first."""
    found = [told for script in scripts for told in every_way(script, tell)]
    return sorted(found, key=lambda told: len(told.story.events))


def every_way(script: Script, tell: Callable[[Story], T]) -> Iterator[Told[T]]:
    """Tell a story once for each combination of its choices."""
    waiting: list[tuple[int, ...]] = [()]
    while waiting:
        taken = waiting.pop(0)
        story = replace(script, taken=taken).story()
        result = tell(story)
        chosen = tuple(choice.taken for choice in story.choices)
        yield Told(replace(script, taken=chosen), story, result)
        for place in range(len(taken), len(story.choices)):
            options = range(1, len(story.choices[place].options))
            waiting += [(*chosen[:place], other) for other in options]
