"""The page about benchmarks is made of its data alone."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from downset.report.benchmarks import benchmarks_markdown

ROOT = Path(__file__).parents[2]
DATA = ROOT / "reports" / "data" / "benchmarks.json"
MACHINE = {
    "processor": "p",
    "processors": 2,
    "memory": 1 << 30,
    "load": 0.5,
    "system": "Linux",
    "python": "3.11",
    "versions": {"downset": "0.1.0"},
}
SAID = {
    "answer": "holds",
    "seconds": 2.0,
    "memory": 1 << 20,
    "why": "",
    "ratio": 4.0,
    "agree": True,
}


def delegation(**clingo: object) -> dict[str, object]:
    row = {
        "question": "inherit",
        "covers": "3 tools",
        "downset": {**SAID, "seconds": 0.5},
        **dict.fromkeys(("spin", "alloy", "minicheck"), SAID),
        "clingo": {**SAID, **clingo},
    }
    return {"environment": MACHINE, "delegation": {"rows": [row], "warm": {"inherit": 0.05}}}


def test_a_peer_that_wins_is_explained() -> None:
    assert "was faster" not in benchmarks_markdown(delegation())
    page = benchmarks_markdown(delegation(ratio=0.2, seconds=0.1))
    assert "**clingo was faster in 1 of 1 rows** (inherit, 3 tools)." in page


def test_a_peer_that_is_not_there_is_skipped_with_the_reason() -> None:
    page = benchmarks_markdown(delegation(answer="skipped", why="not installed", ratio=None))
    assert "skipped: not installed" in page


def test_a_peer_that_says_otherwise_is_seen_at_once() -> None:
    assert "**differs**" in benchmarks_markdown(delegation(answer="fails", agree=False))


def test_the_committed_page_is_made_of_the_committed_data() -> None:
    if not DATA.is_file():
        pytest.skip("nothing was measured yet")
    page = (ROOT / "reports" / "benchmarks.md").read_text(encoding="utf-8")
    assert benchmarks_markdown(json.loads(DATA.read_text(encoding="utf-8"))) == page
