"""Rules that later ones overrule: dead rules, and accidents of merging two files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from downset.graph.lints.blocks import Lint, problem, shown
from downset.graph.pairs import request
from downset.graph.records import Severity
from downset.language.automata import SearchLimit
from downset.language.dead import State, fate
from downset.language.lists import GlobList, witness
from downset.language.rules import ALLOW, DENY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.columns import Column
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Problem, Witness
    from downset.graph.tools import Asked
    from downset.language.dead import Fate

BUDGET: Final = 20_000
PATIENCE: Final = 5
_Found = tuple["Asked", "Column", "Fate"]


def dead_rules(_graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Rules that never decide anything, because later ones do; those with one reason together."""
    found: dict[tuple[object, ...], list[_Dead]] = {}
    for block in written:
        for number, rule in block.written:
            dead = _dead(block, number, rule)
            if dead is not None:
                key = (dead.id, block.agent, dead.cover)
                found.setdefault(key, []).append(dead)
    return [_told(rules) for rules in found.values()]


def fates_of(block: Block, number: int, rule: PlacedRule) -> Iterator[_Found]:
    """What becomes of a rule, for each permission that it can matter for.

    It stops at the first for which the rule is alive.
    """
    for asked, column in block.asked(rule):
        if number not in column.numbers:
            continue
        budget = BUDGET if len(block.unknown) < PATIENCE else BUDGET // 20
        found = fate(column.ls, column.numbers.index(number) + 1, asked.kind, budget)
        yield asked, column, found
        if found.state is State.ALIVE:
            return


@dataclass(frozen=True)
class _Dead:
    """A rule that never decides anything, and what sees to that."""

    id: str
    block: Block
    rule: PlacedRule
    cover: tuple[PlacedRule, ...]
    witness: Witness | None


def _dead(block: Block, number: int, rule: PlacedRule) -> _Dead | None:
    fates = list(fates_of(block, number, rule))
    states = {state.state for _, _, state in fates}
    if State.UNKNOWN in states:
        block.unknown.append(f"dead-rule: {rule.rule} of {block.name}")
    if not states or states & {State.ALIVE, State.UNKNOWN, State.UNMATCHED}:
        return None
    overruled = [one for one in fates if one[2].state is State.OVERRULED]
    asked, column, found = (overruled or fates)[0]
    cover = tuple([block.rules[column.numbers[i - 1]] for i in found.cover])
    kind = "dead-deny" if rule.rule.action is DENY else "dead-rule"
    witness = request(asked, found.text) if found.text is not None else None
    return _Dead(kind if overruled else "repeated-rule", block, rule, cover, witness)


def _told(found: Sequence[_Dead]) -> Problem:
    """One finding for rules that the same later rules cover."""
    first = found[0]
    what = shown(first.rule)
    if len(found) > 1:
        more = len(found) - 1
        what += f" and {more} more rule{'s' * (more > 1)}"
    where = f" in {first.block.name}" if first.block.agent else ""
    names = ", then ".join(f"{shown(one)} ({one.place})" for one in first.cover)
    verb = "never decides" if len(found) == 1 else "never decide"
    return problem(
        first.id,
        _SEVERITY[first.id],
        f"{what}{where} {verb} anything: {names} comes later and {_WINS[first.id]}",
        [*(one.rule for one in found), *first.cover],
        details=[f"{shown(one.rule)} ({one.rule.place})" for one in found[1:]],
        help=_HELP[first.id],
        witness=first.witness,
        subject=first.block.agent,
    )


_SEVERITY: Final = {
    "dead-deny": Severity.ERROR,
    "dead-rule": Severity.WARNING,
    "repeated-rule": Severity.NOTE,
}
_WINS: Final = {"dead-deny": "wins", "dead-rule": "wins", "repeated-rule": "says the same"}
_BEHIND: Final = "the last rule that matches decides: put it behind that one"
_HELP: Final = {"dead-deny": _BEHIND, "dead-rule": _BEHIND, "repeated-rule": "remove it"}


def merge_order(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Rules of a later file that stand before rules of an earlier one, and lose to them."""
    order = {file.path: place for place, file in enumerate(graph.world.project.files_read)}
    return [found for block in written for found in _accidents(block, order)]


def _accidents(block: Block, order: dict[str, int]) -> Iterator[Problem]:
    for number, rule in block.written:
        mine = order.get(rule.place.file or "")
        if mine is None or rule.rule.action is ALLOW:
            continue
        rivals = [
            other
            for n, other in block.written
            if n > number
            and order.get(other.place.file or "", mine) < mine
            and rule.rule.action < other.rule.action
        ]
        for other in rivals:
            found = _overlap(block, number, rule, other)
            if found is not None:
                yield found
                break


def _overlap(block: Block, number: int, rule: PlacedRule, other: PlacedRule) -> Problem | None:
    """The finding, if the earlier file's rule decides something that the later file's matches."""
    for asked, column in block.asked(rule):
        if number not in column.numbers:
            continue
        mine, theirs = (_only(column, asked, one) for one in (rule, other))
        try:
            text = witness(
                (column.ls, mine, theirs), ({other.rule.action}, {ALLOW}, {ALLOW}), asked.kind
            )
        except SearchLimit:
            block.give_up("merge-order", rule)
            continue
        if text is not None:
            return _accident(block, rule, other, request(asked, text).text)
    return None


def _only(column: Column, asked: Asked, rule: PlacedRule) -> GlobList:
    """A list that allows just what a rule matches."""
    glob = rule.rule.permission if asked.permission.startswith("(") else rule.rule.pattern
    return GlobList.of(column.ls.matcher, (("*", DENY), (glob, ALLOW)))


def _accident(block: Block, rule: PlacedRule, other: PlacedRule, what: str) -> Problem:
    return problem(
        "merge-order",
        Severity.ERROR if rule.rule.action is DENY else Severity.WARNING,
        f"{shown(rule)} is in the file that is applied last, yet {shown(other)} of an earlier "
        f"file ({other.place}) decides about `{what}`: a key keeps the position it had first",
        [rule, other],
        help="repeat the key in the later file with the value that it shall have",
        subject=block.agent,
    )


LINTS: Final = (
    Lint("dead-deny", Severity.ERROR, "a deny that later rules overrule", dead_rules),
    Lint("dead-rule", Severity.WARNING, "a rule that later rules overrule", dead_rules),
    Lint("repeated-rule", Severity.NOTE, "a rule that a later one repeats", dead_rules),
    Lint("merge-order", Severity.ERROR, "a later file loses to an earlier one", merge_order),
)
