"""The recorded cases that are kept beside the repository: every answer agrees."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from downset.scenarios.conformance import conformance_results
from downset.scenarios.fields import Fields
from downset.scenarios.running import run, scenario_files

if TYPE_CHECKING:
    from pathlib import Path

LOST = "bash is a primary-only tool"
"""The note of an entry whose configuration lost the setting that the entry is about."""


def test_every_check_of_the_reports(cases: Path) -> None:
    found = list(run(scenario_files([cases / "bugs"])))
    assert [r for r in found if r.ok is False] == []
    assert sum(r.ok is True for r in found) >= 126


def test_every_entry_of_pawwork(cases: Path) -> None:
    file = cases / "pawwork-conformance.json"
    notes = {entry["id"]: entry["note"] for entry in json.loads(file.read_text(encoding="utf-8"))}
    found = list(run([file]))
    assert len(found) == len(notes) == 111
    assert [notes[r.id] for r in found if not r.ok] == [LOST]


def test_the_entry_that_lost_its_setting_agrees_with_it(cases: Path) -> None:
    """pawwork.md 6.4 gives the configuration: primary_tools [bash]."""
    file = cases / "pawwork-conformance.json"
    entries = json.loads(file.read_text(encoding="utf-8"))
    (entry,) = [entry for entry in entries if entry["note"] == LOST]
    assert entry["input"]["config"] == {}
    entry["input"]["config"] = {"experimental": {"primary_tools": ["bash"]}}
    (found,) = conformance_results([Fields(entry, str(file))])
    assert found.ok
