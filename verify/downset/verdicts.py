"""Verdicts: plain data about what was decided, for every report to read.

Nothing here computes anything. The prover fills these records in; the reports turn them into
text, JSON and the rest, without knowing how a verdict came about.

>>> Verdict(model="m", property="p", status=Status.PROVED, scope=Scope()).status.exit_code
0
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


class Status(Enum):
    """What is known about one model and one property (`product.md`, *Verdicts*)."""

    PROVED = "proved"
    VIOLATED = "violated"
    BOUNDED = "bounded"
    VACUOUS = "vacuous"
    NOT_APPLICABLE = "not-applicable"
    UNKNOWN = "unknown"

    @property
    def exit_code(self) -> int:
        """The exit code this status asks for: 0 holds, 1 violated, 3 undetermined, 4 vacuous.

        >>> [status.exit_code for status in Status]
        [0, 1, 3, 4, 0, 3]
        """
        codes = {"violated": 1, "bounded": 3, "unknown": 3, "vacuous": 4}
        return codes.get(self.value, 0)


def worst_exit_code(codes: Iterable[int]) -> int:
    """The worst of several exit codes, in the order 2, 1, 4, 3, 0.

    >>> worst_exit_code([0, 3, 4, 1]), worst_exit_code([])
    (1, 0)
    """
    return min(codes, key=(2, 1, 4, 3, 0).index, default=0)


@dataclass(frozen=True)
class Scope:
    """What a verdict quantifies over.

    `cutoff` maps each ruleset of the obligation to the length beyond which nothing new can
    happen; `argument` names the reason why the answer holds for every depth.
    """

    rules: str = "any length"
    depth: str = "any"
    events: tuple[str, ...] = ()
    cutoff: tuple[tuple[str, int], ...] = ()
    argument: str = ""
    obligations: int = 0


@dataclass(frozen=True)
class RuleRecord:
    """One concrete rule and the layer it stands in (`agent`, `session`, `approvals` …)."""

    permission: str
    pattern: str
    action: str
    layer: str
    priority: int = 0
    """Its rank, where the design decides by ranks."""


@dataclass(frozen=True)
class AgentRecord:
    """One agent of a counterexample and its own rules."""

    name: str
    rules: tuple[RuleRecord, ...]
    config: str | None = None
    """The agent's permission block as JSON text, where the rules can be written as one."""
    mode: str = ""
    """The permission mode that it declares, empty if none."""


@dataclass(frozen=True)
class SessionRecord:
    """One session as an event left it."""

    name: str
    agent: str
    caller: str | None
    rules: tuple[RuleRecord, ...]
    mode: str = ""
    """Its permission mode, empty if the design has none."""


@dataclass(frozen=True)
class EventRecord:
    """One event of a story, as a sentence, with the sessions it changed."""

    kind: str
    text: str
    changed: tuple[SessionRecord, ...] = ()
    details: tuple[tuple[str, str], ...] = ()
    """Machine-readable arguments of the event (`session`, `agent`, `child` …)."""


@dataclass(frozen=True)
class QueryRecord:
    """What is asked: a permission and a resource, or the visibility of a tool."""

    permission: str
    resource: str
    tool: str | None = None


@dataclass(frozen=True)
class DecisionRecord:
    """Who decided what, by which rule (`None`: by default, because no rule matched)."""

    session: str
    role: str
    query: QueryRecord
    outcome: str
    """`allow`, `ask`, `deny`, `hidden` or `offered`."""
    rule: RuleRecord | None = None


@dataclass(frozen=True)
class Counterexample:
    """The shortest story found in which a property fails, replayed on the concrete reading."""

    agents: tuple[AgentRecord, ...]
    events: tuple[EventRecord, ...]
    query: QueryRecord
    decisions: tuple[DecisionRecord, ...]
    conclusion: str
    form: str = "rules"
    """`config` if the agents' rules can be written as a configuration file, else `rules`."""
    config: tuple[tuple[str, str], ...] = ()
    """Settings other than rules, for instance `primary_tools` or `depth limit`."""
    shared: tuple[RuleRecord, ...] = ()
    """The rules that all sessions share, an administrator's first."""


@dataclass(frozen=True)
class Certificate:
    """What a verdict rests on: an entry of the manifest, and the scripts it names, by file name.

    `model` and `property` say which files the verdict is about.
    """

    model: Mapping[str, object]
    property: Mapping[str, object]
    entry: Mapping[str, object]
    scripts: Mapping[str, str]


@dataclass(frozen=True)
class Verdict:
    """The answer for one model and one property."""

    model: str
    property: str
    status: Status
    scope: Scope
    reason: str = ""
    counterexample: Counterexample | None = None
    seconds: float = field(default=0.0, compare=False)
    certificate: Certificate | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Rechecked:
    """What became of one verdict's certificate, or, without a model, of the manifest.

    `outcome` is `accepted`, `rejected` or `undetermined`; `problems` say why it is not accepted.
    `seconds` is the time that it took.
    """

    model: str
    property: str
    verdict: str
    outcome: str
    obligations: int = 0
    problems: tuple[str, ...] = ()
    seconds: float = field(default=0.0, compare=False)
