"""The concrete reading of every opencode model gives what the real program did.

`observed.json` holds what 17 releases of the program answered: for each scenario the releases that
answered alike, and what each probe gave.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.observed import designs
from tests.observed.designs import DIFFERENCES, design_of
from tests.observed.scenarios import NOT_EXPRESSIBLE, SCENARIOS

from downset.config.releases import release

HERE = Path(__file__).parent
SHARED = HERE.parents[2] / "shared" / "cases" / "opencode-observed.json"
Answers = dict[str, dict[str, dict[str, Any]]]


def recorded() -> Answers:
    """Release -> scenario -> probe -> outcome."""
    answers: Answers = {}
    groups = json.loads((HERE / "observed.json").read_text(encoding="utf-8"))
    for scenario, alike in groups.items():
        for group in alike:
            for name in group["releases"].split():
                answers.setdefault(name, {})[scenario] = group["gave"]
    return answers


RECORDED = recorded()
PAIRS = [(name, scenario) for name in RECORDED for scenario in SCENARIOS]


@pytest.mark.parametrize(("name", "scenario"), PAIRS)
def test_the_model_gives_what_the_program_gave(name: str, scenario: str) -> None:
    """For every probe of the scenario, and no other."""
    assert SCENARIOS[scenario](name) == RECORDED[name][scenario]


def test_every_recorded_scenario_is_run_or_named_as_not_expressible() -> None:
    assert not set(SCENARIOS) & set(NOT_EXPRESSIBLE)
    scenarios = {scenario for given in RECORDED.values() for scenario in given}
    assert scenarios == set(SCENARIOS) | set(NOT_EXPRESSIBLE)
    assert all(set(SCENARIOS) <= set(given) for given in RECORDED.values())


def test_the_recorded_answers_are_those_kept_beside_the_repository() -> None:
    if not SHARED.is_file():
        pytest.skip(f"the recorded answers are not at {SHARED}")
    assert json.loads(SHARED.read_text(encoding="utf-8")) == RECORDED


@pytest.mark.parametrize("name", RECORDED)
def test_the_design_agrees_with_the_table_of_releases(name: str) -> None:
    design, row = design_of(name), release(name)
    assert design.id == row.model
    assert design.matcher == row.matcher
    assert design.depth_limited == (row.depth_limit is not None)


@pytest.mark.parametrize(
    ("name", "scenario", "probe"),
    [
        ("1.1.11", "i_mention", "mention"),
        ("1.3.2", "b_session_deny", "own.write"),
        ("1.14.48", "a_session_agent", "leaf.write"),
    ],
)
def test_what_differs_from_the_model_of_the_class_was_seen(
    name: str, scenario: str, probe: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the difference, the model would say something else than the program did."""
    monkeypatch.setattr(designs, "DIFFERENCES", {})
    assert SCENARIOS[scenario](name)[probe] != RECORDED[name][scenario][probe]


def test_every_difference_has_its_release_and_reason() -> None:
    assert set(DIFFERENCES) <= set(RECORDED)
    assert all(found.reason for found in DIFFERENCES.values())
