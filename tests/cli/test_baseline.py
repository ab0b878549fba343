"""A baseline turns red when a design is weakened, and green when it is restored."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from downset.cli import main
from downset.report.json_report import schema

CHOSEN = ("--property", "no-escalation", "--property", "own-restriction-kept")


@pytest.fixture
def design(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "mine.py"
    root = Path(__file__).parents[2] / "models" / "baseline"
    file.write_text((root / "full_inheritance.py").read_text(encoding="utf-8"), encoding="utf-8")
    return file


def weaken(design: Path) -> None:
    root = Path(__file__).parents[2] / "models" / "baseline"
    text = (root / "independent.py").read_text(encoding="utf-8")
    design.write_text(text.replace("baseline/independent", "baseline/full-inheritance"), "utf-8")


def test_red_and_green(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    strong = design.read_text(encoding="utf-8")
    assert main(["baseline", "write", "mine.py", *CHOSEN]) == 0
    assert main(["baseline", "check"]) == 0
    assert capsys.readouterr().out.endswith("as in the baseline\n")
    weaken(design)
    assert main(["baseline", "check"]) == 1
    out = capsys.readouterr().out
    assert "newly violated: baseline/full-inheritance no-escalation (proved -> violated" in out
    assert "newly proved: baseline/full-inheritance own-restriction-kept" in out
    assert "what happens" in out
    assert main(["baseline", "check", "--exit-zero"]) == 0
    design.write_text(strong, encoding="utf-8")
    assert main(["baseline", "check"]) == 0


def test_json(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline", "write", "mine.py", *CHOSEN])
    weaken(design)
    capsys.readouterr()
    main(["baseline", "check", "--format", "json"])
    document = json.loads(capsys.readouterr().out)
    Draft202012Validator(schema()).validate(document)
    assert {one["change"] for one in document["results"]} == {"newly violated", "newly proved"}


@pytest.mark.parametrize("form", ["sarif", "junit", "markdown", "github"])
def test_forms(design: Path, form: str, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline", "write", "mine.py", *CHOSEN])
    weaken(design)
    capsys.readouterr()
    assert main(["baseline", "check", "--format", form]) == 1
    assert "newly violated" in capsys.readouterr().out.replace("\\", "")


def test_pairs_that_come_and_go(design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["baseline", "write", "mine.py", *CHOSEN])
    file = Path("downset-baseline.json")
    kept = json.loads(file.read_text(encoding="utf-8"))
    kept["verdicts"]["baseline/full-inheritance"]["no-such"] = "proved"
    del kept["verdicts"]["baseline/full-inheritance"]["no-escalation"]
    kept["everything"] = False
    kept["verdicts"]["other"] = {"no-escalation": "proved"}
    file.write_text(json.dumps(kept), encoding="utf-8")
    assert main(["baseline", "check"]) == 1
    out = capsys.readouterr().out
    assert "not in the baseline: baseline/full-inheritance no-escalation" in out
    assert "gone: baseline/full-inheritance no-such (proved -> nothing)" in out
    assert "gone: other no-escalation" in out
    assert design.exists()


@pytest.mark.parametrize(
    "text", ["{", "[]", '{"schema": "x"}', '{"schema": "downset-baseline/1", "models": 3}']
)
def test_no_baseline(text: str, design: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("downset-baseline.json").write_text(text, encoding="utf-8")
    assert main(["baseline", "check"]) == 2
    assert "error[baseline]" in capsys.readouterr().err
    assert design.exists()
