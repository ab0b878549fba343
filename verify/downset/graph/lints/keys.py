"""Keys and maps without effect: names under which nothing asks, and lists that limit nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.graph.columns import Table
from downset.graph.lints.blocks import Lint, problem, shown
from downset.graph.records import Severity
from downset.graph.tools import inert
from downset.language.automata import SearchLimit
from downset.language.lists import witness
from downset.language.rules import ALLOW, ASK, DENY

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Problem


def inert_keys(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Keys under which no tool of the release asks; one finding for each block and key."""
    known = inert(graph.world.release)
    found = []
    for block in written:
        keys: dict[str, list[PlacedRule]] = {}
        for _, rule in block.written:
            if rule.rule.permission in known:
                keys.setdefault(rule.rule.permission, []).append(rule)
        found += [_inert(block, key, rules, known[key]) for key, rules in keys.items()]
    return found


def _inert(block: Block, key: str, rules: Sequence[PlacedRule], instead: str) -> Problem:
    missed = _missed(block, key, rules)
    return problem(
        "inert-key",
        Severity.ERROR if missed else Severity.WARNING,
        f"`{key}` in the block of {block.name} has no effect in {block.world.release.name}: "
        f"{instead}" + (f", which {missed}" if missed else ""),
        rules,
        help=_help(instead),
        subject=block.agent,
    )


def _help(instead: str) -> str:
    name = instead.rsplit("`", 2)[-2] if "`" in instead else ""
    return f"write the rules under `{name}`" if name else "remove it"


def _missed(block: Block, key: str, rules: Sequence[PlacedRule]) -> str:
    """What the rules were to limit and do not: the real key is less strict."""
    names = {"bash": "shell", "task": "subagent", "shell": "bash", "subagent": "task"}
    real = names.get(key, "edit" if "edit" in inert(block.world.release).get(key, "") else "")
    limits = [rule for rule in rules if rule.rule.action is not ALLOW]
    if not real or not limits:
        return ""
    column = block.table.column(real)
    strictest = min(rule.rule.action for rule in limits)
    resource = "src/app.ts" if real == "edit" else "general"
    decided = column.decide(resource)
    return f"decides {decided.value} here" if strictest < decided else ""


def no_base(_graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Maps that only allow, where everything is allowed anyway; one finding for each key."""
    found: dict[str, list[tuple[Block, list[PlacedRule]]]] = {}
    for block in written:
        for key, numbers in _allow_lists(block).items():
            if _limits_nothing(block, key, numbers):
                rules = [block.rules[number] for number in numbers]
                found.setdefault(key, []).append((block, rules))
    return [_no_base(key, lists) for key, lists in found.items()]


def _allow_lists(block: Block) -> dict[str, list[int]]:
    """For each key of a block, the numbers of its rules, if all allow something particular."""
    by_key: dict[str, list[int]] = {}
    for number, rule in block.written:
        by_key.setdefault(rule.rule.permission, []).append(number)
    return {key: numbers for key, numbers in by_key.items() if _only_allows(block, numbers)}


def _only_allows(block: Block, numbers: Sequence[int]) -> bool:
    rules = [block.rules[number].rule for number in numbers]
    return all(rule.action is ALLOW and rule.pattern != "*" for rule in rules)


def _limits_nothing(block: Block, key: str, numbers: Sequence[int]) -> bool:
    """Whether the rules of a key could be left out without any change."""
    asked = [one for one, _ in block.asked(block.rules[numbers[0]]) if one.permission == key]
    if not asked:
        return False
    kept = tuple([r.rule for n, r in enumerate(block.rules) if n not in set(numbers)])
    before = Table(block.world.release.matcher, kept).column(key).ls
    after = block.table.column(key).ls
    try:
        return witness((before, after), ({DENY, ASK}, {ALLOW}), asked[0].kind) is None
    except SearchLimit:
        block.give_up("no-base-rule", block.rules[numbers[0]])
        return False


def _no_base(key: str, lists: Sequence[tuple[Block, list[PlacedRule]]]) -> Problem:
    block, rules = lists[0]
    harmless = any(one.harmless for one in block.world.asked if one.permission == key)
    where = block.name if len(lists) == 1 else f"{len(lists)} blocks"
    return problem(
        "no-base-rule",
        Severity.NOTE if harmless else Severity.WARNING,
        f"that `{key}` of {where} allows {shown(rules[0])} limits nothing: what is not named is "
        "allowed too",
        [rule for _, found in lists for rule in found[:1]],
        help=f'start the map with a base rule: "{key}": {{"*": "deny", …}}',
        subject=", ".join(block.agent for block, _ in lists if block.agent),
    )


LINTS: Final = (
    Lint("inert-key", Severity.WARNING, "a key under which no tool asks", inert_keys),
    Lint("no-base-rule", Severity.WARNING, "an allow list that limits nothing", no_base),
)
