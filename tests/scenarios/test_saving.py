"""A saved counterexample runs green."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from downset.catalogue import load_model, load_properties
from downset.errors import InputError
from downset.prove.prover import prove
from downset.scenarios.own import parse
from downset.scenarios.running import results
from downset.scenarios.saving import Saved, as_yaml

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from downset.verdicts import Verdict

PAIRS = [
    ("opencode/1.17.2", "resume-safe"),
    ("opencode/1.18.2", "approval-bounded"),
    ("opencode/1.18.2", "fork-safe"),
    ("opencode/1.14.49", "rebuild-stable"),
    ("opencode/1.17.2", "live-revocation"),
    ("opencode/2.0", "resume-equals-spawn"),
    ("pawwork/1132", "rebuild-stable-user"),
    ("pawwork/1132", "subtask-attributed"),
    ("pawwork/1132", "snapshot-current"),
    ("pawwork/1132", "no-lost-update"),
    ("pawwork/1132", "hidden-stays-hidden"),
    ("baseline/independent", "no-escalation"),
]


def verdict(model: str, prop: str) -> Verdict:
    return prove(load_model(model), load_properties()[prop])


@pytest.mark.parametrize(("model", "prop"), PAIRS)
def test_what_is_saved_runs_green(model: str, prop: str, tmp_path: Path) -> None:
    found = verdict(model, prop)
    assert found.counterexample is not None
    file = tmp_path / "story.yaml"
    file.write_text(Saved(found, model, str(file)).text(), encoding="utf-8")
    checks = results(file)
    assert [check.ok for check in checks] == [True] * len(checks)
    outcomes = {decision.outcome for decision in found.counterexample.decisions}
    assert {str(check.got) for check in checks} <= outcomes


def test_a_story_that_is_not_the_models_is_refused(tmp_path: Path) -> None:
    found = verdict("baseline/independent", "no-escalation")
    with pytest.raises(InputError, match="does not have all of its events"):
        Saved(found, "reference/ceiling", str(tmp_path / "x.yaml")).text()
    with pytest.raises(InputError, match="no decision"):
        Saved(replace(found, counterexample=None), "x", "x").text()


@pytest.mark.parametrize(
    "text", ["*", "?*", "", "a: b", "no", "1", "- a", "#", "\n", "é", "&x", "'"]
)
def test_any_text_survives(text: str) -> None:
    values = {"agents": {text or "e": {"rules": [["bash", text, "deny"]]}}, "models": [text]}
    assert parse(as_yaml(values), "x.yaml") == values


def test_the_option_writes_one_story(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "story.yaml"
    args = ("prove", "opencode/1.17.2", "--property", "resume-safe", "--save-scenario", file)
    assert run(*args)[0] == 1
    assert run("scenarios", file)[0] == 0


def test_the_option_wants_exactly_one_counterexample(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    file = tmp_path / "story.yaml"
    two = ("--property", "resume-safe", "--property", "fork-safe")
    code, _, err = run("prove", "opencode/1.17.2", *two, "--save-scenario", file)
    assert code == 2
    assert "there are 2 counterexamples" in err
    assert not file.exists()
    assert run("prove", "opencode/1.17.2", "--save-scenario", tmp_path / "no" / "x.yaml")[0] == 2


def test_a_models_file_is_named_from_the_scenario(
    run: Callable[..., tuple[int, str, str]], tmp_path: Path
) -> None:
    source = (
        "from downset.modelling import EMPTY, Design\n"
        "class Mine(Design):\n    id = 'mine'\n"
        "    def spawn(self, caller, callee, config):\n        return EMPTY\n"
    )
    model = tmp_path / "mine.py"
    model.write_text(source, encoding="utf-8")
    (tmp_path / "stories").mkdir()
    file = tmp_path / "stories" / "story.yaml"
    assert run("prove", model, "--property", "no-escalation", "--save-scenario", file)[0] == 1
    assert "../mine.py" in file.read_text(encoding="utf-8")
    assert run("scenarios", file)[0] == 0
