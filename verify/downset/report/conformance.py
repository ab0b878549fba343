"""How far models and programs agree, release by release, as text, JSON and Markdown.

>>> conformance_markdown([]).splitlines()[0]
'# How far the models agree with the program'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from downset.report.json_report import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    Data = Mapping[str, Any]

HEAD: Final = """\
# How far the models agree with the program

Measured on the published programs, by `downset conformance`. A *scenario* is one of
`scenarios/opencode`, told to the program and compared step by step. A *random decision* is a call,
an offered tool or a dispatch in a generated story, decided by the model and by the program; stories
favour the corners (keys that are globs, the same key in two layers, ` *` and `**/`, blanket denies
around narrow rules, session rules in any order) and have every event that the release has. With
each story the *rulesets* are compared, rule for rule: those of every agent, as the program resolved
the configuration, and those that each session stores after every event.
"""
COLUMNS: Final = (
    *("release", "program", "scenarios agreeing", "not expressible", "random decisions agreeing"),
    *("rulesets agreeing", "disagreements explained", "seed"),
)


def conformance_json(data: Sequence[Data]) -> str:
    """All measurements; of the schema `downset/1`."""
    return document("conformance", data)


def conformance_text(data: Sequence[Data]) -> str:
    """One line for each release, and every disagreement."""
    return "".join(f"{line}\n" for one in data for line in _lines(one)) or "nothing was measured\n"


def _lines(one: Data) -> Iterator[str]:
    if one.get("unavailable"):
        yield f"{one['release']}: not measured: {one['unavailable']}"
        return
    yield (
        f"{one['release']} (program {one['program']}): "
        f"{one['agreeing']} of {one['decisions']} random decisions agree, "
        f"{one['rulesets_agreeing']} of {one['rulesets']} rulesets, in {one['stories']} stories "
        f"and {one['seconds']:.0f} s; {_scenarios(one)} scenarios agree"
    )
    for name in one["not_reproduced"]:
        yield f"  ✗ scenario {name}"
    for found in one["disagreements"]:
        yield f"  ✗ {found['text']}: model {found['expected']}, program {found['got']}"


def conformance_markdown(data: Sequence[Data]) -> str:
    """The report: one table, the scenarios that cannot be told, and every disagreement.

    Each element of `data` is one result of `downset conformance --format json`. Times are left out.
    """
    rows = [_row(COLUMNS), "|---|---|--:|--:|--:|--:|--:|--:|", *(_measured(one) for one in data)]
    parts = [HEAD, "\n".join(rows) + "\n", *_answers(data), *_not_expressible(data)]
    parts += _disagreements(data)
    return "\n".join(parts)


def _measured(one: Data) -> str:
    if one.get("unavailable"):
        return _row((one["release"], "–", f"skipped: {one['unavailable']}", "", "", "", "", ""))
    found = one["disagreements"]
    explained = sum(bool(entry.get("explanation")) for entry in found)
    cells = (
        *(one["release"], one["program"], _scenarios(one), str(len(one["not_expressible"]))),
        f"{one['agreeing']} of {one['decisions']}",
        f"{one['rulesets_agreeing']} of {one['rulesets']}",
        f"{explained} of {len(found)}" if found else "none",
        str(one["seed"]),
    )
    return _row(cells)


def _scenarios(one: Data) -> str:
    agreeing = len(one["confirmed"])
    return f"{agreeing} of {agreeing + len(one['not_reproduced'])}"


def _answers(data: Sequence[Data]) -> Iterator[str]:
    """What the program answered, so that one sees that not all decisions are of one kind."""
    measured = [one for one in data if not one.get("unavailable")]
    words = sorted({word for one in measured for word in one["answers"]})
    if not words:
        return
    rows = [_row(("release", *words)), "|---|" + "--:|" * len(words)]
    rows += [
        _row((one["release"], *(str(one["answers"].get(word, 0)) for word in words)))
        for one in measured
    ]
    yield "## What the program answered to random decisions\n"
    yield "\n".join(rows) + "\n"


def _not_expressible(data: Sequence[Data]) -> Iterator[str]:
    reasons: dict[tuple[str, str], list[str]] = {}
    for one in data:
        for name, why in one.get("not_expressible", {}).items():
            reasons.setdefault((name, why), []).append(one["release"].partition("@")[2])
    if reasons:
        yield "## Scenarios that cannot be told to the program, or not to the end\n"
        rows = [_row(("scenario", "why", "releases")), "|---|---|---|"]
        rows += [_row((name, why, ", ".join(at))) for (name, why), at in sorted(reasons.items())]
        yield "\n".join(rows) + "\n"


def _disagreements(data: Sequence[Data]) -> Iterator[str]:
    found = [(one["release"], entry) for one in data for entry in one.get("disagreements", ())]
    if found:
        yield "## Disagreements\n"
        rows = [
            _row(("release", "about", "model", "program", "explanation")),
            "|---|---|---|---|---|",
        ]
        rows += [
            _row((release, e["text"], e["expected"], e["got"], e.get("explanation", "")))
            for release, e in found
        ]
        yield "\n".join(rows) + "\n"


def _row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("|", "\\|").replace("\n", " ") for cell in cells)
    return "| " + " | ".join(escaped) + " |"
