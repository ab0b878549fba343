"""`downset scenarios`: exit codes and the forms of its report."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from downset.report.json_report import schema
from downset.scenarios import readings

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

REPORT = {
    "id": "r|1",
    "config": {},
    "checks": [
        {
            "semantics": "opencode@1.18.2",
            "chain": ["build"],
            "permission": "edit",
            "pattern": "a",
            "expect": "allow",
        },
        {
            "semantics": "opencode@1.18.2",
            "chain": ["plan"],
            "visible_tool": "edit",
            "expect": False,
        },
    ],
}
WRONG = """\
✗ r|1 check 1: is edit offered (opencode@1.18.2)
    expected  false
    got       true
    in        {file}

1 check agrees, 1 do not, 1 without checks
"""


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "1.json").write_text(json.dumps(REPORT), encoding="utf-8")
    silent = {"id": "r2", "steps": [], "summary": "nothing to check"}
    (tmp_path / "2.json").write_text(json.dumps(silent), encoding="utf-8")
    return tmp_path


def test_a_mismatch_is_told(run: Run, files: Path) -> None:
    code, out, _ = run("scenarios", files)
    assert code == 1
    assert out == WRONG.format(file=files / "1.json")
    assert run("scenarios", files, "--exit-zero")[0] == 0


def test_json_is_as_the_schema_says(run: Run, files: Path) -> None:
    code, out, _ = run("scenarios", files, "--format", "json")
    whole = json.loads(out)
    Draft202012Validator(schema()).validate(whole)
    assert code == 1
    assert [(r["id"], r["check"], r["expect"], r["got"], r["ok"]) for r in whole["results"]] == [
        ("r|1", 0, "allow", "allow", True),
        ("r|1", 1, False, True, False),
        ("r2", None, None, None, None),
    ]


def test_markdown_is_a_table(run: Run, files: Path) -> None:
    _, out, _ = run("scenarios", files, "--format", "markdown")
    assert "| r\\|1 | 2 | ✗ |" in out
    assert "| r2 | 0 | – |" in out
    assert "| r\\|1 1 | is edit offered | opencode@1.18.2 | false | true |" in out


def test_the_report_goes_to_a_file(run: Run, files: Path, tmp_path: Path) -> None:
    target = tmp_path / "report.txt"
    code, out, _ = run("scenarios", files / "2.json", "-o", target)
    assert (code, out) == (0, "")
    assert target.read_text(encoding="utf-8") == "0 checks agree, 1 without checks\n"


def test_bad_input(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    file.write_text("{", encoding="utf-8")
    code, _, err = run("scenarios", file)
    assert code == 2
    assert f"{file}:1:2: error[bad-scenario]" in err
    assert run("scenarios", tmp_path / "none")[0] == 2


def test_readings_that_disagree_are_loud(
    run: Run, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(readings, "concretely", lambda *_: "deny")
    code, out, err = run("scenarios", files / "1.json")
    assert code == 1
    assert "readings disagree: asked: concrete deny, symbolic ['allow']" in out
    assert "error[readings-disagree]: r|1 check 0 (opencode@1.18.2)" in err
