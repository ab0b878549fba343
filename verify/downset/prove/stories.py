"""The stories that a verdict is about: one design, one property, and the events that may happen."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from downset.design.property import SPAWN_EVENTS
from downset.design.story import Reach
from downset.design.traits import traits
from downset.prove.paths import all_told
from downset.prove.replay import Script

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.property import Claim, Property
    from downset.prove.paths import Told

ALWAYS_HAPPEN: Final = ("open", "prompt")
MERGED: Final = (
    (),
    (("callee", "caller"), ("below", "middle"), ("callee 2", "caller"), ("earlier", "caller")),
    (("earlier", "callee"), ("callee 2", "callee"), ("other caller", "caller")),
    (("earlier", "caller"), ("callee 2", "caller")),
    (("earlier", "caller"), ("callee 2", "callee")),
)
"""Agents that may be one agent; those not named differ from all others."""


@dataclass(frozen=True)
class Stories:
    """All stories of a property about a design; `asked` narrows the events (`None`: all of them).

    >>> from downset.catalogue import load_model, load_properties
    >>> model, prop = load_model("baseline/independent"), load_properties()["no-escalation"]
    >>> Stories(model, prop, ("spawn",)).events
    ('open', 'spawn', 'prompt')
    """

    design: Design
    prop: Property
    asked: tuple[str, ...] | None = None

    @property
    def events(self) -> tuple[str, ...]:
        """The events that may happen; sessions are always opened, dispatches send their prompt."""
        there = tuple(event for event in self.prop.events if event not in absent(self.design))
        if self.asked is None:
            return there
        asked = {*self.asked, *ALWAYS_HAPPEN}
        return tuple(event for event in there if event in asked)

    def scripts(self, reach: Reach, more: int = 0) -> list[Script]:
        """The ways to tell stories: where the design can tell, with agents that are the same."""
        allowed = None if self.asked is None else frozenset((*self.asked, *ALWAYS_HAPPEN))
        script = Script(self.design, self.prop, reach, more, allowed=allowed)
        merged = MERGED if traits(self.design).tells_agents else ((),)
        return [replace(script, same=same) for same in merged]

    def told(self, reach: Reach, more: int = 0) -> list[Told[Claim]]:
        """Every story that begins like this, with the claim that it ends in."""
        return all_told(self.scripts(reach, more), self.prop.claim)

    def reaches(self) -> list[Reach]:
        """The sets of arbitrary sessions of which a proof may speak, the widest first."""
        spawns_only = set(self.events) <= set(SPAWN_EVENTS)
        return [Reach.ANY, Reach.SPAWNED] if spawns_only else [Reach.ANY]


def absent(design: Design) -> set[str]:
    """The events of modes and shared rules that a design does not have.

    >>> from downset.design.design import Design
    >>> sorted(absent(Design()))
    ['mode', 'share']
    """
    there = {"mode": design.changes_mode, "share": design.shares_rules}
    return {event for event, possible in there.items() if not possible}
