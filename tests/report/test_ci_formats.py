"""SARIF, JUnit, annotations and Markdown: right for their consumers, whatever is in the texts."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from junitparser import JUnitXml
from sarif_pydantic import Sarif  # type: ignore[import-untyped]

from downset.commands.ci import written
from downset.report.github import MOST, MOST_SUMMARY, commands, summary
from downset.report.junit import junit
from downset.report.pull_request import comment
from downset.report.results import Place, Result, Rule, Step
from downset.report.sarif import sarif, sarif_of_failure

if TYPE_CHECKING:
    from pathlib import Path

NASTY = (
    "<script>alert(1)</script>",
    "100 % ::error::",
    "one\r\ntwo\nthree",
    "a]]>b",
    "\u202ebidi\u2066",
    "nul\x00 esc\x1b surrogate \ud800",
    "x" * 10_000,
    "`````",
    "| pipe | [link](x) <!-- -->",
)


def result(text: str, state: str = "failed", severity: str = "error") -> Result:
    place = Place(f"dir/{text[:40]}.json", 3, 4)
    return Result(
        suite=text,
        rule=Rule("resume-safe", text, text),
        state=state,
        message=text,
        text=text,
        severity=severity,
        places=(place, place),
        steps=(Step(text, place), Step(text)),
        fingerprint="0" * 16,
        instance=text,
        shown=state not in {"passed", "skipped"},
    )


@pytest.fixture(params=NASTY, ids=range(len(NASTY)))
def nasty(request: pytest.FixtureRequest) -> str:
    text: str = request.param
    return text


def test_sarif_is_read(nasty: str) -> None:
    (run,) = Sarif.model_validate_json(sarif([result(nasty)])).runs
    (found,) = run.results or []
    where = found.locations[0].physical_location if found.locations else None
    assert where is not None
    assert where.region is not None
    assert (found.level, where.region.start_line) == ("error", 3)
    assert str(found.message.text).startswith(nasty.replace("\ud800", "\ufffd" * 3))
    flow = (found.code_flows or [])[0].thread_flows[0].locations
    assert len(flow) == 2


def test_sarif_leaves_out_what_passed() -> None:
    log = json.loads(sarif([result("a", "passed"), result("b", "skipped"), result("c")]))
    assert [one["message"]["text"][0] for one in log["runs"][0]["results"]] == ["c"]


def test_a_failure_is_a_valid_log() -> None:
    (run,) = Sarif.model_validate_json(sarif_of_failure("a.json:1:2: error[x]: y")).runs
    assert not run.results
    assert run.invocations
    assert run.invocations[0].execution_successful is False


def test_junit_is_read(nasty: str) -> None:
    states = ["passed", "failed", "vacuous", "unknown", "skipped"]
    xml = JUnitXml.fromstring(junit([result(nasty, state) for state in states]).encode())
    assert (xml.tests, xml.failures, xml.errors, xml.skipped) == (5, 2, 1, 1)
    (suite,) = xml
    kinds = [type(case.result[0]).__name__ if case.result else "" for case in suite]
    assert kinds == ["", "Failure", "Failure", "Error", "Skipped"]


def test_annotations_are_one_line_each(nasty: str) -> None:
    text = commands([result(nasty)])
    assert text.count("\n") == 1
    assert "\r" not in text
    properties = text.split("::")[1]
    assert re.fullmatch(r"error title=resume-safe,file=[^,:]*,line=3,col=4", properties)


def test_ten_annotations_of_a_kind_at_most() -> None:
    found = [result(str(n), severity=kind) for kind in ("error", "warning") for n in range(12)]
    lines = commands(found).splitlines()
    for kind in ("error", "warning"):
        shown = [line for line in lines if line.startswith(f"::{kind} ")]
        assert len(shown) == MOST
        assert shown[-1].endswith("::3 more of this kind")


def test_markdown_holds_the_text_in(nasty: str) -> None:
    text = comment([result(nasty)])
    table, _, rest = text.partition("\n\n")
    assert len(table.splitlines()) == 3
    assert re.match(r"\| ✗ \| .* \| .* \|$", table.splitlines()[2])
    assert "<script>" not in table
    assert "<script>" not in rest.split("</summary>")[0]
    assert not re.search("[\u202a-\u202e\u2066-\u2069]", text)
    fences = re.findall(r"(?m)^(`{3,})", rest)
    assert fences[0] == fences[-1]
    assert all(len(fence) < len(fences[0]) for fence in fences[1:-1])


def test_the_summary_is_cut() -> None:
    text = comment([result("y" * 5_000) for _ in range(400)])
    cut = summary(text)
    assert len(text.encode()) > MOST_SUMMARY > len(cut.encode())
    assert cut.count("<details>") == cut.count("</details>")


def test_the_summary_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "summary.md"
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(file))
    written("github", [result("a")])
    assert file.read_text(encoding="utf-8").startswith("| | where | what |")


@given(st.text())
def test_any_text(text: str) -> None:
    results = [result(text, state) for state in ("failed", "unknown")]
    json.loads(sarif(results))
    JUnitXml.fromstring(junit(results).encode("utf-8", "surrogatepass"))
    assert commands(results).count("\n") == 2
    assert comment(results)
