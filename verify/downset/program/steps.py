"""What a replay did: one record for each thing that model and program both have an answer to.

>>> Step(2, "call", "s2: edit on a.ts", "deny", "allow").ok
False
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Step:
    """One comparison, at the event with a number: what the model expects, what the program did.

    `kind` is `dispatch`, `call`, `tool`, `rules` or `agent`; `how` says for people what was done.
    """

    event: int
    kind: str
    text: str
    expected: str
    got: str
    how: str = ""

    @property
    def ok(self) -> bool:
        """Whether the two agree."""
        return self.expected == self.got


class Outcome(Enum):
    """What a replay comes to."""

    CONFIRMED = "confirmed"
    NOT_REPRODUCED = "not-reproduced"
    NOT_EXPRESSIBLE = "not-expressible"
    UNAVAILABLE = "unavailable"

    @property
    def exit_code(self) -> int:
        """The exit code that it asks for: 0 confirmed, 1 not reproduced, 3 undetermined.

        >>> [outcome.exit_code for outcome in Outcome]
        [0, 1, 3, 3]
        """
        return {"confirmed": 0, "not-reproduced": 1}.get(self.value, 3)


@dataclass(frozen=True)
class Replayed:
    """A scenario as it went on the program of a release.

    `program` is the version that the program tells of itself, `None` if it never ran; `reason`
    says why there is no answer, `transcript` where everything that was said is kept.
    """

    scenario: str
    release: str
    program: str | None
    outcome: Outcome
    steps: tuple[Step, ...] = ()
    reason: str = ""
    transcript: str | None = None

    @property
    def differing(self) -> Step | None:
        """The first step at which program and model part."""
        return next((step for step in self.steps if not step.ok), None)
