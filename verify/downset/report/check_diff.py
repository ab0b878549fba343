"""What two configurations decide differently, for the terminal and as JSON.

>>> from downset.graph.diffing import Diff
>>> print(diff_text(Diff(("opencode@1.18.2", "opencode@1.18.2"), ())), end="")
opencode@1.18.2 -> opencode@1.18.2: no difference
"""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from downset.report.check_text import request_text, rule_line
from downset.report.harmless import harmless
from downset.report.json_report import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.graph.diffing import Change, Diff
    from downset.graph.records import RuleAt

FEW = 4


def diff_text(found: Diff, *, verbose: bool = False) -> str:
    """Gains and losses apart, each kind of change once."""
    found = harmless(found)
    head = " -> ".join(found.releases)
    if not found.changes and not found.undetermined:
        return f"{head}: no difference\n"
    gains = [change for change in found.changes if change.direction == "gain"]
    losses = [change for change in found.changes if change.direction == "loss"]
    parts = [f"{head}: {_count(gains, 'gain', 'gains')}, {_count(losses, 'loss', 'losses')}"]
    parts += ["\n".join(_change(change, verbose=verbose)) for change in [*gains, *losses]]
    parts += [f"undetermined: {question}" for question in found.undetermined]
    return "\n\n".join(parts) + "\n"


def _count(changes: Sequence[Change], one: str, many: str) -> str:
    return f"{len(changes)} {one if len(changes) == 1 else many}"


def _change(change: Change, *, verbose: bool) -> Iterator[str]:
    chain = " -> ".join(change.chain)
    yield f"{change.direction}  {chain}: {request_text(change.witness)}"
    yield f"  old  {_decision(change.old, change.old_rule)}"
    yield f"  new  {_decision(change.new, change.new_rule)}"
    shown = change.others if verbose else change.others[:FEW]
    yield from (f"  also {' -> '.join(chain)}" for chain in shown)
    if len(shown) < len(change.others):
        yield f"  and {len(change.others) - len(shown)} more chains (-v shows them)"


def _decision(decision: str, rule: RuleAt | None) -> str:
    if rule is None:
        return decision
    where = rule.place if rule.place is not None else rule.layer
    return f"{decision:5}  by `{rule_line(rule)}`  ({where})"


def diff_json(found: Diff) -> str:
    """One result for each kind of change."""
    return document("diff", [_result(change) for change in found.changes])


def _result(change: Change) -> dict[str, object]:
    return {
        "direction": change.direction,
        "chain": list(change.chain),
        "permission": change.witness.permission,
        "witness": asdict(change.witness),
        "old": {"decision": change.old, "rule": _rule(change.old_rule)},
        "new": {"decision": change.new, "rule": _rule(change.new_rule)},
        "others": [list(chain) for chain in change.others],
    }


def _rule(rule: RuleAt | None) -> dict[str, object] | None:
    return None if rule is None else asdict(rule)
