"""Rules whose meaning depends on the release that reads them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.graph.lints.blocks import Lint, problem
from downset.graph.records import Severity
from downset.language.matching import W0, W1, W2
from downset.language.rules import ALLOW

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Problem


def release_dependent(graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """One finding for all rules that mean something else in another release."""
    if graph.world.release.engine > 1:
        return []
    found = {
        rule: why
        for block in written
        for _, rule in block.written
        if (why := _changed(block, rule)) is not None
    }
    if not found:
        return []
    count = len(found)
    return [
        problem(
            "release-dependent",
            Severity.NOTE,
            f"{count} rule{'s' * (count > 1)} match something else in other releases than "
            f"{graph.world.release.name}",
            list(found),
            details=[f"`{rule.rule}`: {why}" for rule, why in found.items()],
            help="write patterns that begin with `*` for paths, if several releases read the file",
        )
    ]


def _changed(block: Block, rule: PlacedRule) -> str | None:
    pattern, release = rule.rule.pattern, block.world.release
    if rule.rule.permission == "read":
        return _read_base(rule, new=release.read_base == "worktree")
    if rule.rule.permission == "bash" and pattern.endswith(" *"):
        bare = pattern[:-2]
        if W0.matches(bare, pattern) != W1.matches(bare, pattern) and not release.since(1, 1, 15):
            return f"from 1.1.15 on it matches `{bare}` without arguments, too"
    if "\\" in pattern and not W2.is_literal(pattern) and not release.since(1, 2, 11):
        return "from 1.2.11 on a backslash is a slash"
    return None


def _read_base(rule: PlacedRule, *, new: bool) -> str | None:
    """What the change of 1.14.45 from absolute to relative paths means for a pattern."""
    pattern = rule.rule.pattern
    if re.match(r"\*+/", pattern) and rule.rule.action is not ALLOW:
        rest = re.sub(r"^\*+/", "", pattern)
        return f"before 1.14.45 it matched `{rest}` in the root, too; since then it does not"
    if pattern.startswith(("/", "~", "*", "?", "mcp:")) or not new:
        return None
    return "before 1.14.45 it matched nothing, for paths were absolute"


LINTS: Final = (
    Lint(
        "release-dependent", Severity.NOTE, "a pattern that changed its meaning", release_dependent
    ),
)
