"""Denies and asks that a chain of dispatches gets around, grouped by what is behind them.

What an agent may do because nobody limited whom it may start is told once for all agents; what is
the program's own design is told once, as a note; the rest one by one.

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> from downset.graph.callgraph import CallGraph
>>> from downset.graph.sessions import World
>>> graph = CallGraph(World(resolve({"agent": {"ro": {"permission": {"edit": "deny"}}}},
...     release("1.18.2"))))
>>> for problem in sorted(no_escalation(graph)[0], key=lambda found: found.severity.rank):
...     print(problem.severity.value, problem.message)
error what `ro` denies, agents that it may start can do: nothing limits which agents may be started
note what `plan` denies, agents that it may start can do: that is how the program is made
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final

from downset.graph.pairs import DENY, NOT_DENY, Comparison
from downset.graph.records import Problem, Severity
from downset.language.rules import ALLOW, ASK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from downset.graph.callgraph import CallGraph
    from downset.graph.pairs import Pair
    from downset.graph.records import Location, Member, RuleAt


class Cause(Enum):
    """What is behind a pair, and what to do about it."""

    PROGRAM = "that is how the program is made"
    PROMISE = "a configured agent goes beyond what the program's own agents are held to"
    EXCEPTION = "their own blocks except them from the rule for all agents"
    OPEN = "nothing limits which agents may be started"
    NAMED = "a rule permits starting it"
    LONGER = "the agents that may be started lead further"


WRITTEN: Final = ("configuration", "environment", "agent's own block")
HELP: Final = {
    Cause.PROGRAM: "the rules of a child are its own agent's; this is no mistake of yours",
    Cause.PROMISE: 'deny the agent to it: "task": {NAME: "deny"} in its block',
    Cause.EXCEPTION: "if only a user is to start them, deny them under `task` for all agents",
    Cause.OPEN: 'add to the agent\'s block "task": {"*": "deny"} and allow what it needs',
    Cause.NAMED: "if that is what you want, waive it; else deny it in the agent started, too",
    Cause.LONGER: "limit what the agent between them may start",
}


HELP_V2: Final = {
    Cause.PROMISE: "deny the agent to it, under the action `subagent`, in its permissions",
    Cause.EXCEPTION: "if only a user is to start them, deny them under `subagent` for all agents",
    Cause.OPEN: 'add to its permissions {"action": "subagent", "resource": "*", "effect": "deny"} '
    "and allow what it needs",
}


@dataclass(frozen=True)
class Wording:
    """How a property is told."""

    id: str
    verb: str
    done: str
    worst: Severity


ESCALATION: Final = Wording("no-escalation", "denies", "can do", Severity.ERROR)
ASKING: Final = Wording("ask-preserved", "asks about", "do unasked", Severity.WARNING)


def no_escalation(graph: CallGraph) -> tuple[list[Problem], list[str]]:
    """Requests that an agent denies and something it leads to does not, and what is unknown."""
    return _told(Comparison(graph, frozenset({DENY}), NOT_DENY), ESCALATION)


def ask_preserved(graph: CallGraph) -> tuple[list[Problem], list[str]]:
    """Requests that an agent asks about and something it leads to does not."""
    return _told(Comparison(graph, frozenset({ASK}), frozenset({ALLOW})), ASKING)


def _told(comparison: Comparison, words: Wording) -> tuple[list[Problem], list[str]]:
    groups: defaultdict[tuple[object, ...], list[tuple[Pair, Member]]] = defaultdict(list)
    for pair in comparison.pairs():
        member = comparison.member(pair)
        cause = _cause(comparison, pair, member)
        if cause in {Cause.PROGRAM, Cause.PROMISE} and pair.asked.harmless:
            continue
        apart = cause in {Cause.NAMED, Cause.LONGER}
        key = (cause, pair.above.agent) if apart else (cause,)
        groups[key].append((pair, member))
    task = comparison.world.task
    problems = [_problem(key[0], found, words, task) for key, found in groups.items()]
    return problems, comparison.unknown


def _cause(comparison: Comparison, pair: Pair, member: Member) -> Cause:
    agents = comparison.world.agents
    if not is_written(member.ancestor.rule):
        ours = agents[pair.below.agent].native and not is_written(member.descendant.rule)
        return Cause.PROGRAM if ours else Cause.PROMISE
    rule = member.dispatch.rule if member.dispatch else None
    if _is_exception(member.ancestor.rule, member.descendant.rule):
        return Cause.EXCEPTION
    if rule is None or not is_written(rule) or _is_blanket(rule):
        return Cause.OPEN
    return Cause.NAMED if _is_direct(comparison, pair) else Cause.LONGER


def _is_direct(comparison: Comparison, pair: Pair) -> bool:
    return pair.below in comparison.graph.children(pair.above)


def is_written(rule: RuleAt | None) -> bool:
    """Whether a rule is one that a person wrote."""
    return rule is not None and any(rule.layer.endswith(layer) for layer in WRITTEN)


def _is_exception(shared: RuleAt | None, own: RuleAt | None) -> bool:
    """Whether an agent's own block lifts a whole permission that the rules for all deny."""
    if shared is None or own is None or own.layer != WRITTEN[2] or shared.layer == WRITTEN[2]:
        return False
    return own.permission == shared.permission and shared.pattern == "*"


def _is_blanket(rule: RuleAt) -> bool:
    return not rule.pattern.strip("*")


def _problem(cause: object, found: list[tuple[Pair, Member]], words: Wording, task: str) -> Problem:
    assert isinstance(cause, Cause)  # noqa: S101 -- the first part of every key
    ranked = sorted(found, key=lambda entry: (_severity(cause, entry, words).rank, _weight(entry)))
    members = [member for _, member in ranked]
    agents = list(dict.fromkeys(pair.above.agent for pair, _ in ranked))
    return Problem(
        id=words.id,
        severity=_severity(cause, ranked[0], words),
        message=_message(cause, agents, members, words),
        locations=tuple(_places(members)),
        members=tuple(members),
        help=HELP[cause] if task == "task" else HELP_V2.get(cause, HELP[cause]),
        subject=", ".join(agents),
        witness=members[0].witness,
        is_property=True,
    )


def _message(cause: Cause, agents: list[str], members: list[Member], words: Wording) -> str:
    if cause in {Cause.NAMED, Cause.LONGER}:
        what = ", ".join(dict.fromkeys(member.witness.permission for member in members))
        below = members[0].descendant.agent
        does = "does not" if words is ESCALATION else "does so unasked"
        return f"`{agents[0]}` {words.verb} {what}, `{below}` {does}, and {cause.value}"
    who, verb, them = f"`{agents[0]}`", words.verb, "it"
    if len(agents) > 1:
        who, them = f"{len(agents)} agents", "they"
        verb = {"denies": "deny", "asks about": "ask about"}[verb]
    return f"what {who} {verb}, agents that {them} may start {words.done}: {cause.value}"


def _severity(cause: Cause, entry: tuple[Pair, Member], words: Wording) -> Severity:
    """The program's design is a note; what is permitted by name, or asked about, a warning."""
    pair, member = entry
    if cause is Cause.PROGRAM:
        return Severity.NOTE
    soft = cause in {Cause.PROMISE, Cause.NAMED, Cause.EXCEPTION} or pair.asked.harmless
    asks = member.dispatch is not None and member.dispatch.decision == "ask"
    return Severity.WARNING if soft or asks else words.worst


def _weight(entry: tuple[Pair, Member]) -> int:
    """Shorter chains first."""
    return len(entry[1].chain)


def _places(members: Iterable[Member]) -> Iterator[Location]:
    """Where the rules that are got around are written, each once."""
    seen = set()
    for member in members:
        rule = member.ancestor.rule
        if rule is not None and rule.place is not None and rule.place not in seen:
            seen.add(rule.place)
            yield rule.place
