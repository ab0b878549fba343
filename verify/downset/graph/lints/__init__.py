"""Lints: what is wrong with the rules themselves, found by what they mean and not by their looks.

Each has an id, a severity, a page `docs/lints/ID.md` and the smallest example of it there.

>>> [lint.id for lint in LINTS][:3]
['dead-deny', 'dead-rule', 'repeated-rule']
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.graph.lints import keys, order, patterns, releases, shell, spelling, targets
from downset.graph.lints.blocks import blocks, merged

if TYPE_CHECKING:
    from downset.graph.callgraph import CallGraph
    from downset.graph.lints.blocks import Lint
    from downset.graph.records import Problem

LINTS: Final[tuple[Lint, ...]] = (
    *order.LINTS,
    *keys.LINTS,
    *patterns.LINTS,
    *shell.LINTS,
    *spelling.LINTS,
    *targets.LINTS,
    *releases.LINTS,
)


def run_lints(graph: CallGraph) -> tuple[list[Problem], list[str]]:
    """All lints on all blocks of rules that somebody wrote, and the questions given up."""
    written = blocks(graph.world)
    runs = dict.fromkeys(lint.run for lint in LINTS)
    found = merged([problem for run in runs for problem in run(graph, written)])
    return found, list(dict.fromkeys(written[0].unknown)) if written else []
