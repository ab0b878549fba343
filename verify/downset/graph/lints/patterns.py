"""Patterns that do not match what was meant, or nothing at all."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from downset.graph.lints.blocks import Lint, problem, shown, together
from downset.graph.lints.order import fates_of
from downset.graph.records import Severity, Witness
from downset.graph.tools import UNLISTED, shell_name
from downset.language import kinds
from downset.language.automata import SearchLimit
from downset.language.dead import State
from downset.language.lazy import Finder
from downset.language.lists import GlobList, witness
from downset.language.rules import ALLOW, DENY

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Problem
    from downset.language.kinds import Kind

_BARE: Final = replace(
    kinds.COMMAND,
    name="bare command",
    helpers="",
    final=frozenset({1}),
    step=lambda state, unit: (
        kinds.DEAD if unit in "|&;\n`()" else (kinds.COMMAND.step(state, unit))
    ),
)
_REASONS: Final = {
    "path": "the tool asks with a path relative to the worktree",
    "absolute path": "the tool asks with an absolute path",
    "folder": "the tool asks with a directory and `/*` behind it",
    "command": "a command line is split at pipes and `;`, and `cd` is not asked about",
    "bare command": "a command line is split at pipes, `&&` and `;` before it is matched",
    "address": "the tool asks with a whole address",
    "name": "the tool asks with one of the names there are",
}


def never_matches(_graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Patterns that match nothing that the tool could ask about."""
    found = []
    for block in written:
        for number, rule in block.written:
            kind = _unmatched(block, number, rule)
            if kind is not None:
                found.append(_never(block, rule, kind))
    return together(found, "of the block")


def _unmatched(block: Block, number: int, rule: PlacedRule) -> Kind | None:
    """The kind of text that the rule's permission asks with, if it matches none of it."""
    if not rule.rule.pattern.strip("*"):
        return None
    asked = block.asked(rule)
    if asked and all(number not in column.numbers for _, column in asked):
        return kinds.STAR
    fates = list(fates_of(block, number, rule))
    if fates and all(found.state is State.UNMATCHED for _, _, found in fates):
        named = [one for one, _, _ in fates if one.permission != block.world.task]
        return named[0].kind if named else None
    if any(one.permission == shell_name(block.world.release) for one, _, _ in fates[:1]):
        return _BARE if _only_quoted(block, rule) else None
    return None


def _only_quoted(block: Block, rule: PlacedRule) -> bool:
    """Whether a command with a separator outside of quotes would be needed."""
    if not set("|&;") & set(rule.rule.pattern) or set("'\"") & set(rule.rule.pattern):
        return False
    try:
        found = Finder(block.world.release.matcher).find([rule.rule.pattern], [], _BARE)
    except SearchLimit:
        block.give_up("never-matches", rule)
        return False
    return found is None


def _never(block: Block, rule: PlacedRule, kind: Kind) -> Problem:
    reason = _REASONS.get(kind.name, "the tool asks with `*`")
    if kind == kinds.STAR:
        reason = "the tool asks with `*`"
    return problem(
        "never-matches",
        Severity.ERROR if rule.rule.action is DENY else Severity.WARNING,
        f"{shown(rule)} of {block.name} never matches: {reason}",
        [rule],
        help=_advice(rule, kind),
        subject=block.agent,
    )


def _advice(rule: PlacedRule, kind: Kind) -> str:
    pattern = rule.rule.pattern
    if kind.name == "folder":
        return f"write `{pattern.rstrip('/')}/*`"
    if kind.name == "path":
        return "write it relative to the worktree; outside it `external_directory` decides"
    if kind.name == "bare command":
        return "write a rule for each of the commands"
    if kind == kinds.STAR:
        return f'if that is a tool, write its name as the key: "{pattern}": …'
    return "remove it, or write what the tool asks with"


def literals(_graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Denied commands that are denied only without arguments."""
    found = []
    for block in written:
        shell = shell_name(block.world.release)
        for _, rule in block.written:
            if rule.rule.permission == shell and rule.rule.action is not ALLOW:
                found += list(_only_bare(block, rule, shell))
    return found


def _only_bare(block: Block, rule: PlacedRule, shell: str) -> Iterator[Problem]:
    literal = rule.rule.pattern
    if set("*?|&;<>") & set(literal) or not kinds.COMMAND.contains(literal):
        return
    column = block.table.column(shell)
    if column.decide(literal) is not rule.rule.action:
        return
    longer = f"{literal.rstrip('/')} -x"
    decided = column.decide(longer)
    if rule.rule.action < decided:
        yield problem(
            "literal-for-prefix",
            Severity.WARNING,
            f"{shown(rule)} of {block.name} matches only the command without arguments: "
            f"`{longer}` is decided {decided.value}",
            [rule],
            help=f"write `{literal} *`, which matches it with and without arguments",
            witness=Witness(shell, longer),
            subject=block.agent,
        )


def root_missed(_graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Denies of `**/x` that leave `x` in the root as it is."""
    found = []
    for block in written:
        for _, rule in block.written:
            if re.match(r"\*+/", rule.rule.pattern) and rule.rule.action is not ALLOW:
                found += list(_root(block, rule))
    return together(found, "of the block")


def _root(block: Block, rule: PlacedRule) -> Iterator[Problem]:
    rest = re.sub(r"^\*+/", "", rule.rule.pattern)
    for asked, column in block.asked(rule):
        if asked.kind.name != "path" or asked.permission == UNLISTED or not rest.strip("*"):
            continue
        only = GlobList.of(column.ls.matcher, (("*", DENY), (rest, ALLOW), ("*/*", DENY)))
        looser = {action for action in (*_ACTIONS,) if rule.rule.action < action}
        try:
            text = witness((column.ls, only), (looser, {ALLOW}), asked.kind)
        except SearchLimit:
            block.give_up("root-missed", rule)
            continue
        if text is not None:
            yield problem(
                "root-missed",
                Severity.WARNING,
                f"{shown(rule)} of {block.name} needs a slash in the path: `{asked.permission} "
                f"{text}` is decided {column.decide(text).value}",
                [rule],
                help=f"add the same rule for `{rest}`, or write `*{rest}`",
                witness=Witness(asked.permission, text),
                subject=block.agent,
            )


_ACTIONS: Final = tuple(type(ALLOW))
LINTS: Final = (
    Lint("never-matches", Severity.ERROR, "a pattern that matches nothing", never_matches),
    Lint("literal-for-prefix", Severity.WARNING, "a command denied without arguments", literals),
    Lint("root-missed", Severity.WARNING, "`**/x` does not match `x` in the root", root_missed),
)
