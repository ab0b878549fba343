"""The same story told of two designs, in all ways in which it can go."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.design.property import Claim, Property
from downset.design.traits import agent as probe_agent
from downset.design.traits import session as probe_session
from downset.design.traits import settings, traits
from downset.language.terms import FALSE, TRUE, And
from downset.prove.gates import ANY_TOOL, TARGET
from downset.prove.paths import every_way
from downset.prove.replay import Script
from downset.prove.shapes import Teller

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.story import Reach, Story
    from downset.language.terms import Formula
    from downset.prove.gates import Pair
    from downset.prove.shapes import Shape, Tell

SAME = (
    (),
    (("callee", "caller"), ("callee 2", "caller"), ("earlier", "caller")),
    (("earlier", "callee"), ("callee 2", "callee")),
)
"""Agents that may be one agent; those not named differ from all others."""


@dataclass
class Sides:
    """One story of two designs. What was told is remembered."""

    old: Design
    new: Design
    shape: Shape
    known: dict[tuple[Reach, Tell], list[Pair]] = field(default_factory=dict)

    def told(self, reach: Reach, tell: Tell | None = None) -> list[Pair]:
        """All pairs of tellings that go the same way, those with the fewest events first."""
        tell = self.shape.tell if tell is None else tell
        if (reach, tell) not in self.known:
            prop = self.question(tell)
            pairs = [p for same in self._merged() for p in self._pairs(prop, reach, same)]
            self.known[reach, tell] = sorted(pairs, key=lambda pair: len(pair[1].story.events))
        return self.known[reach, tell]

    def _merged(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        tells = any(traits(design).tells_agents for design in (self.old, self.new))
        return SAME if tells else SAME[:1]

    def _pairs(self, prop: Property, reach: Reach, same: tuple[tuple[str, str], ...]) -> list[Pair]:
        one, two = (Script(d, prop, reach, same=same) for d in (self.old, self.new))
        others = list(every_way(two, prop.claim))
        return [
            (left, right)
            for left in every_way(one, prop.claim)
            for right in others
            if go_together(left.story, right.story)
        ]

    def question(self, tell: Tell) -> Property:
        """The story as a property that claims nothing, so that it can be told and replayed."""
        designs = (self.old, self.new)
        callers = any(design.reads_callers for design in designs)
        patchable = all(design.patchable for design in designs)
        prompts = all(design.user_tools_map for design in designs)
        maps = any(d.user_tools_map for d in designs) or sent(self.old) != sent(self.new)

        def claim(story: Story) -> Claim:
            ending = tell(Teller(story, callers, patchable, prompts, maps))
            query = story.query()
            story.name(TARGET)
            story.variables.append(ANY_TOOL)
            shown = (("session", ending.session),)
            return Claim(TRUE, TRUE, query, shown=shown, approved=ending.approved)

        return Property(self.shape.id, self.shape.says, "", "", claim)


def sent(design: Design) -> object:
    """The tools map of a dispatch, as an expression."""
    modes = design.permission_modes
    caller, callee = probe_session("x", modes), probe_agent("b", modes)
    return design.dispatch_tools(caller, callee, settings(design))


def go_together(one: Story, two: Story) -> bool:
    """Whether two tellings went the same way wherever both had to choose."""
    left, right = ({c.name: c.options[c.taken] for c in s.choices} for s in (one, two))
    return all(left[name] == right[name] for name in left if name in right)


def possible(pair: Pair, formula: Formula) -> Formula | None:
    """A formula about stories that both designs permit; `None` if it says nothing."""
    if formula == FALSE:
        return None
    return And((pair[0].story.possible, pair[1].story.possible, formula))
