"""The page about benchmarks, made of the measurements that `make bench` keeps.

>>> goal_reached([{"about": "dead", "rules": 10, "cvc5": {"ratio": 3.0}}])
'At least 5 times as fast as cvc5 in the median: 0 of 1 rows. Missed: dead of 10.'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from downset.report.benchmarks_alone import configurations, profiles, proofs
from downset.report.benchmarks_words import DELEGATION, HARD, INTRODUCTION, LISTS, WHY
from downset.report.tables import markdown_table, ratio, seconds, size

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

GOAL: Final = 5
"""How many times faster than cvc5 downset should be in the median."""


def benchmarks_markdown(data: Mapping[str, Any]) -> str:
    """The page, with a section for each kind of measurement that was made."""
    parts = [INTRODUCTION, machine(data["environment"])]
    parts += [lists(data["lists"])] if "lists" in data else []
    parts += [delegation(data["delegation"])] if "delegation" in data else []
    parts += [proofs(data["proofs"])] if "proofs" in data else []
    parts += [configurations(data["configurations"])] if "configurations" in data else []
    parts += [profiles(data["profiles"])] if "profiles" in data else []
    return "\n".join(parts)


def machine(found: Mapping[str, Any]) -> str:
    """On what it was measured, and the versions of everything."""
    versions = ", ".join(f"{name} {number}" for name, number in found["versions"].items())
    return (
        f"{found['processors']} processors ({found['processor']}), {size(found['memory'])}, "
        f"{found['system']}, Python {found['python']}; load {found['load']:.1f} at the start.\n\n"
        f"{versions}.\n"
    )


# --- lists ---


def lists(found: Mapping[str, Any]) -> str:
    """The questions about lists: times, ratios, and why a peer wins where one does."""
    rows = found["rows"]
    table = markdown_table(
        ("question", "rules", "downset", "cvc5", "ratio", "lowest", "Z3", "ratio", "lowest"),
        [
            [
                row["about"],
                str(row["rules"]),
                own(row["downset"]),
                *peer(row["cvc5"]),
                *peer(row["z3"]),
            ]
            for row in rows
        ],
    )
    parts = [LISTS, f"The time limit was {found['limit']:g} s. Times are medians.\n", table]
    parts += [memory_of_lists(rows), goal_reached(rows) + "\n", *losses(rows)]
    return "\n".join([*parts, HARD, hard(found["adversarial"])])


def own(row: Mapping[str, Any]) -> str:
    """Downset's time, and how often it gave up."""
    unknown = f" ({row['unknown']} unknown)" if row["unknown"] else ""
    return seconds(row["median"]) + unknown


def peer(row: Mapping[str, Any]) -> list[str]:
    """A peer's time and ratios."""
    if "skipped" in row:
        return [row["skipped"], "–", "–"]
    unknown = f" ({row['unknown']} unanswered)" if row["unknown"] else ""
    return [seconds(row["median"]) + unknown, ratio(row["ratio"]), ratio(row["lowest"])]


def memory_of_lists(rows: Sequence[Mapping[str, Any]]) -> str:
    """The most memory of each tool's process."""
    most = {
        tool: max(row[tool].get("memory", 0) for row in rows) for tool in ("downset", "cvc5", "z3")
    }
    differ = sum(row[tool].get("differ", 0) for row in rows for tool in ("cvc5", "z3"))
    used = ", ".join(f"{tool} {size(number)}" for tool, number in most.items())
    return f"Most memory of a process: {used}. Answers that differ: {differ}.\n"


def goal_reached(rows: Sequence[Mapping[str, Any]]) -> str:
    """In how many rows downset is so many times as fast as cvc5 in the median, and where not."""
    known = [(row, row["cvc5"].get("ratio")) for row in rows]
    ratios = [(row, number) for row, number in known if number is not None]
    short = [f"{row['about']} of {row['rules']}" for row, number in ratios if number < GOAL]
    reached = f"{len(ratios) - len(short)} of {len(ratios)} rows."
    missed = f" Missed: {', '.join(short)}." if short else ""
    return f"At least {GOAL} times as fast as cvc5 in the median: {reached}{missed}"


def losses(rows: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """For each peer that was faster on some question, where and why."""
    for tool in ("cvc5", "z3"):
        lost = [row for row in rows if (row[tool].get("lowest") or 1) < 1]
        if lost:
            where = ", ".join(f"{row['about']} of {row['rules']}" for row in lost)
            yield f"**{tool} was faster on some question of:** {where}. {WHY[tool]}\n"


def hard(rows: Sequence[Mapping[str, Any]]) -> str:
    """Every tool's answers to the hard questions."""
    tools = list(rows[0]["answers"]) if rows else []
    body = [
        [row["name"], *(f"{a['said']}, {seconds(a['seconds'])}" for a in row["answers"].values())]
        for row in rows
    ]
    return markdown_table(("list", *tools), body)


# --- delegation ---


def delegation(found: Mapping[str, Any]) -> str:
    """The question about chains, tool by tool."""
    tools = ("spin", "alloy", "clingo", "minicheck")
    body = [
        [
            row["question"],
            row["covers"],
            f"{row['downset']['answer']}, {seconds(row['downset']['seconds'])}",
            *(bounded(row[tool]) for tool in tools),
        ]
        for row in found["rows"]
    ]
    table = markdown_table(("question", "what the peers cover", "downset (any)", *tools), body)
    warm = ", ".join(f"{question} {seconds(took)}" for question, took in found["warm"].items())
    parts = [DELEGATION, table, f"downset again, in a process that has proved it before: {warm}.\n"]
    parts.append(memory_of_peers(found["rows"], tools))
    return "\n".join([*parts, *reasons(found["rows"], tools)])


def bounded(row: Mapping[str, Any]) -> str:
    """A peer's answer for a finite world."""
    if row["answer"] == "skipped":
        return f"skipped: {row['why']}"
    differs = "" if row["agree"] else " **differs**"
    return f"{row['answer']}, {seconds(row['seconds'])}, {ratio(row['ratio'])}{differs}"


def memory_of_peers(rows: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> str:
    """The most memory of each tool."""
    most = {tool: max(row[tool]["memory"] for row in rows) for tool in ("downset", *tools)}
    return f"Most memory: {', '.join(f'{tool} {size(n)}' for tool, n in most.items())}.\n"


def reasons(rows: Sequence[Mapping[str, Any]], tools: Sequence[str]) -> Iterator[str]:
    """For each peer that was faster in some row, how often and why."""
    for tool in tools:
        lost = [row for row in rows if (row[tool]["ratio"] or 1) < 1]
        if lost:
            where = "; ".join(f"{row['question']}, {row['covers']}" for row in lost)
            times = f"{len(lost)} of {len(rows)} rows"
            yield f"**{tool} was faster in {times}** ({where}). {WHY[tool]}\n"
