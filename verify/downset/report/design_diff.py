"""What two designs decide differently, for the terminal, as JSON and as Markdown.

>>> from downset.comparisons import Comparison
>>> print(designs_text(Comparison("a", "b", equivalent=True, cells=(), differences=())), end="")
a -> b: equivalent
<BLANKLINE>
Both decide alike after every history, for rulesets of any length and call trees of any depth.
"""

from __future__ import annotations

import textwrap
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from downset.comparisons import Relation
from downset.report.json_report import document, story_result
from downset.report.text import WIDTH, story_lines
from downset.report.words import query_text, rule_text
from downset.verdicts import Counterexample

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.comparisons import Comparison, Difference, Outcome, Setting

FEW: Final = 4
ALIKE: Final = (
    "Both decide alike after every history, for rulesets of any length and call trees of any depth."
)
SCOPE: Final = (
    "Each row is one event in a session of any depth, whose rules (any number) and callers are the "
    "same under both designs. What is said to be stricter or looser is so for every ruleset; "
    "nothing is claimed of longer histories. An event without a row leaves rules that cannot be "
    "told apart."
)


def designs_text(found: Comparison, *, verbose: bool = False) -> str:
    """The relation, a row for each event that differs, and the stories."""
    parts = [f"{found.old} -> {found.new}: {heading(found)}"]
    if found.equivalent:
        return "\n\n".join([*parts, ALIKE]) + "\n"
    parts += ["\n".join(lines) for lines in (_settings(found.settings), _rows(found)) if lines]
    shown = found.differences if verbose else found.differences[:FEW]
    parts += ["\n".join(_difference(found, one)) for one in shown]
    if len(shown) < len(found.differences):
        parts.append(f"{len(found.differences) - len(shown)} more stories (-v shows them)")
    parts += [f"undetermined: {what}" for what in found.undetermined]
    return "\n\n".join([*parts, "\n".join(textwrap.wrap(SCOPE, WIDTH))]) + "\n"


def heading(found: Comparison) -> str:
    """The relation of the two in a few words."""
    if found.equivalent:
        return "equivalent"
    if found.relation is Relation.UNDETERMINED and not found.undetermined:
        return "no difference found, and no proof that there is none"
    return found.relation.value


def _settings(settings: Sequence[Setting]) -> list[str]:
    return [f"{one.direction}  {one.name}: {one.old} -> {one.new}" for one in settings]


def table(found: Comparison) -> tuple[list[str], list[list[str]]]:
    """The gates that differ anywhere, and for each event that differs its relation at each."""
    told = [cell for cell in found.cells if cell.relation is not Relation.EQUAL]
    columns = list(dict.fromkeys(cell.gate for cell in told))
    known = {(cell.event, cell.gate): cell.relation.value for cell in told}
    events = dict.fromkeys(cell.event for cell in told)
    return columns, [[e, *(known.get((e, gate), "equal") for gate in columns)] for e in events]


def _rows(found: Comparison) -> list[str]:
    columns, rows = table(found)
    if not rows:
        return []
    lines = [["event", *columns], *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(f"{c:{w}}" for c, w in zip(r, widths, strict=True)).rstrip() for r in lines]


def _difference(found: Comparison, one: Difference) -> Iterator[str]:
    yield f"{one.direction}  {one.event}, {one.gate}: {' -> '.join(one.chain)}"
    yield ""
    yield from list(story_lines(story_of(one)))[:-1]
    width = max(len(found.old), len(found.new))
    yield f"    {found.old:{width}}  {outcome_text(one.old)}"
    yield f"    {found.new:{width}}  {outcome_text(one.new)}"


def story_of(one: Difference) -> Counterexample:
    """The story as the new design has it."""
    return Counterexample(
        one.agents, one.new_events, one.query, (), "", form="config", config=one.settings
    )


def outcome_text(outcome: Outcome) -> str:
    """What one design decides, and why.

    >>> from downset.comparisons import Outcome
    >>> outcome_text(Outcome("may not dispatch", because="depth 1 is at the limit"))
    'may not dispatch: depth 1 is at the limit'
    """
    if outcome.because:
        return f"{outcome.decision}: {outcome.because}"
    if outcome.rule is not None:
        return f"{outcome.decision}, by `{rule_text(outcome.rule)}` ({outcome.rule.layer})"
    return f"{outcome.decision}, by default" if outcome.decision == "ask" else outcome.decision


def designs_markdown(found: Comparison) -> str:
    """The relation, the rows and one line for each story."""
    lines = [f"`{found.old}` → `{found.new}`: **{heading(found)}**", ""]
    if found.equivalent:
        return "\n".join([*lines, ALIKE]) + "\n"
    columns, rows = table(found)
    lines += [f"* {line}" for line in _settings(found.settings)]
    if rows:
        lines += ["", f"| event | {' | '.join(columns)} |", "|---|" + "---|" * len(columns)]
        lines += [f"| {' | '.join(row)} |" for row in rows]
    lines += ["", *(_line(one) for one in found.differences)]
    lines += [f"* undetermined: {what}" for what in found.undetermined]
    return "\n".join([*lines, "", SCOPE]) + "\n"


def _line(one: Difference) -> str:
    outcomes = f"{outcome_text(one.old)} → {outcome_text(one.new)}"
    asked = query_text(one.query)
    return f"* **{one.direction}** {one.event}, {one.gate}: {asked}: {outcomes}"


def designs_json(found: Comparison) -> str:
    """One result for each difference; the relation and its rows stand beside them."""
    changes = [_setting(one) for one in found.settings]
    changes += [_change(one) for one in found.differences]
    comparison = {
        "old": found.old,
        "new": found.new,
        "relation": found.relation.value,
        "equivalent": found.equivalent,
        "rows": [{**asdict(cell), "relation": cell.relation.value} for cell in found.cells],
        "undetermined": list(found.undetermined),
        "seconds": round(found.seconds, 3),
    }
    return document("diff", changes, comparison=comparison)


def _setting(one: Setting) -> dict[str, object]:
    return {"direction": one.direction, "setting": one.name, "old": one.old, "new": one.new}


def _change(one: Difference) -> dict[str, object]:
    permission = one.query.permission or one.query.tool or ""
    old = story_result(Counterexample(one.agents, one.old_events, one.query, (), ""))
    return {
        "direction": one.direction,
        "event": one.event,
        "gate": one.gate,
        "chain": list(one.chain),
        "permission": permission,
        "witness": {"permission": permission, "pattern": one.query.resource or "*"},
        "old": asdict(one.old),
        "new": asdict(one.new),
        "agents": old["agents"],
        "settings": dict(one.settings),
        "old_events": old["events"],
        "new_events": story_result(story_of(one))["events"],
    }
