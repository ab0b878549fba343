"""Two designs compared: plain data about who permits more, for every report to read.

>>> Relation.of(gains=True, losses=False), Relation.of(gains=True, losses=True)
(<Relation.LOOSER: 'looser'>, <Relation.INCOMPARABLE: 'incomparable'>)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from downset.verdicts import AgentRecord, EventRecord, QueryRecord, RuleRecord


class Relation(Enum):
    """How the new design compares with the old one."""

    EQUAL = "equal"
    STRICTER = "stricter"
    LOOSER = "looser"
    INCOMPARABLE = "incomparable"
    UNDETERMINED = "undetermined"

    @staticmethod
    def of(*, gains: bool, losses: bool) -> Relation:
        """The relation of a design that permits more somewhere, less somewhere, both, neither."""
        if gains and losses:
            return Relation.INCOMPARABLE
        if gains:
            return Relation.LOOSER
        return Relation.STRICTER if losses else Relation.EQUAL


@dataclass(frozen=True)
class Outcome:
    """What one design decides, by which rule (`None`: by no rule)."""

    decision: str
    """`allow`, `ask`, `deny`, `hidden`, `offered`, `may dispatch` or `may not dispatch`."""
    rule: RuleRecord | None = None
    because: str = ""
    """Where no rule decides, what does."""


@dataclass(frozen=True)
class Difference:
    """A story after which the two designs decide differently, replayed on both."""

    direction: str
    """`gain` where the new design permits more, `loss` where it permits less."""
    event: str
    gate: str
    chain: tuple[str, ...]
    query: QueryRecord
    old: Outcome
    new: Outcome
    agents: tuple[AgentRecord, ...] = ()
    old_events: tuple[EventRecord, ...] = ()
    new_events: tuple[EventRecord, ...] = ()
    settings: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Setting:
    """Something that a design has and the other has not, or has in another form.

    `direction` is `gain`, `loss`, or `change` where neither is stricter.
    """

    direction: str
    name: str
    old: str
    new: str


@dataclass(frozen=True)
class Cell:
    """One gate after one event: the relation, and why it is not known if it is not."""

    event: str
    gate: str
    relation: Relation
    reason: str = ""


@dataclass(frozen=True)
class Comparison:
    """All gates after all events, with a witness for each difference.

    `equivalent` is set only if the two designs decide alike after *every* history.
    """

    old: str
    new: str
    equivalent: bool
    cells: tuple[Cell, ...]
    differences: tuple[Difference, ...]
    settings: tuple[Setting, ...] = ()
    undetermined: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)

    @property
    def relation(self) -> Relation:
        """How the new design compares with the old one in all that was compared."""
        if self.equivalent:
            return Relation.EQUAL
        directions = {found.direction for found in self.differences}
        directions |= {found.direction for found in self.settings}
        both = "change" in directions
        found = Relation.of(gains="gain" in directions or both, losses="loss" in directions or both)
        open_ = bool(self.undetermined) and found is not Relation.INCOMPARABLE
        return Relation.UNDETERMINED if open_ or found is Relation.EQUAL else found
