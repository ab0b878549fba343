"""What the page about benchmarks says of downset alone: proofs, configurations, profiles."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from downset.report.benchmarks_words import DONE, PATHS, PROFILES
from downset.report.tables import markdown_table, seconds, size

if TYPE_CHECKING:
    from collections.abc import Mapping


def proofs(found: Mapping[str, Any]) -> str:
    """A proof cold and warm, and the matrix."""
    cold, warm = found["cold"], found["warm"]
    rows = [
        [
            f"`downset prove`, {found['pair']}, a new process",
            seconds(cold["seconds"]),
            seconds(cold["cpu"]),
            size(cold["memory"]),
            "1 s",
        ],
        ["the same again in one process", seconds(warm["seconds"]), seconds(warm["cpu"]), "", ""],
    ]
    rows += [
        [
            f"`downset matrix --jobs {one['jobs']}`",
            seconds(one["seconds"]),
            seconds(one["cpu"]),
            size(one["memory"]),
            "10 s" if one["jobs"] > 1 else "",
        ]
        for one in found.get("matrix", ())
    ]
    table = markdown_table(("what", "time", "processor time", "memory", "goal"), rows)
    return f"## Proofs\n\n{table}\nMemory is that of the largest process.\n"


def configurations(found: Mapping[str, Any]) -> str:
    """One large configuration, and many."""
    large, many = found["large"], found["many"]
    rows = [
        [
            f"one project, {large['agents']} agents, {large['rules']} rules (goal: 10 s, 1 GiB)",
            *times(large),
            large["said"],
        ],
        [f"{many['projects'] // 4} projects, {many['jobs']} jobs", *times(many["quarter"]), ""],
        [f"{many['projects']} projects, {many['jobs']} jobs", *times(many["all"]), codes(many)],
        [
            f"killed with `kill -9` after {many['killed_after']}, then resumed",
            *times(many["resumed"]),
            equal(many["resumed"]),
        ],
        ["on a local Dask cluster of two processes", *cluster(many["cluster"])],
    ]
    table = markdown_table(("what", "time", "processor time", "memory", "result"), rows)
    return f"## Configurations\n\n{table}\nMemory is that of the largest process.\n"


def times(row: Mapping[str, Any]) -> list[str]:
    """Time, processor time and memory."""
    return [seconds(row["seconds"]), seconds(row["cpu"]), size(row["memory"])]


def codes(many: Mapping[str, Any]) -> str:
    """How many projects ended with which exit code."""
    return ", ".join(
        f"{count} with exit code {code}" for code, count in sorted(many["codes"].items())
    )


def cluster(row: Mapping[str, Any]) -> list[str]:
    """The run on a cluster."""
    if "skipped" in row:
        return ["", "", "", f"skipped: {row['skipped']}"]
    return [*times(row), equal(row)]


def equal(row: Mapping[str, Any]) -> str:
    """Whether a run found what the plain one found."""
    same = "the same results" if row["equal"] else "**other results**"
    return f"{same}, {row['lost']} lost, {row['twice']} done twice"


def profiles(found: Mapping[str, Any]) -> str:
    """Where the time goes, and what was done about it."""
    parts = [PROFILES]
    for path, title in PATHS.items():
        shares = ", ".join(f"{row['name']} {row['share']:.0%}" for row in found[path])
        parts.append(f"**{title}.** {shares}.\n\n{DONE[path]}\n")
    return "\n".join(parts)
