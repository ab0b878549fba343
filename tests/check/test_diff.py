"""`downset diff` on configurations, and `downset graph`."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from downset.report.json_report import schema

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.check.conftest import Program

OLD = {"permission": {"bash": {"*": "ask", "git *": "allow"}}}
NEW = {"permission": {"bash": {"*": "ask", "git *": "allow", "git push *": "deny"}}}


def test_a_file_against_itself(run: Program, project: Callable[..., Path]) -> None:
    folder = project(OLD)
    result = run("diff", folder, folder)
    assert (result.code, result.out) == (
        0,
        "opencode@1.18.2 -> opencode@1.18.2: no difference\n",
    )


def test_gains_and_losses(run: Program, project: Callable[..., Path]) -> None:
    old, new = project(OLD, "old"), project(NEW, "new")
    loss = run("diff", old, new, "--format", "json")
    Draft202012Validator(schema()).validate(json.loads(loss.out))
    assert [(one["direction"], one["witness"]["pattern"]) for one in loss.results] == [  # type: ignore[index]
        ("loss", "git push origin main")
    ]
    assert (loss.code, run("diff", old, new, "--no-new-access").code) == (1, 0)
    assert run("diff", new, old, "--no-new-access").code == 1


def test_two_releases(run: Program, project: Callable[..., Path]) -> None:
    folder = project({})
    text = run("diff", folder, folder, "--old-release", "1.17.0", "--release", "1.18.2").out
    assert "gain  plan -> build: edit src/app.ts" in text
    assert "loss  plan: task general" in text


def test_an_agent_that_is_new(run: Program, project: Callable[..., Path]) -> None:
    new = project({"agent": {"writer": {"mode": "primary"}}}, "new")
    result = run("diff", project({}, "old"), new)
    assert "gain  writer: start writer" in result.out


ODD = {
    "agent": {
        '<b>"&': {"mode": "primary", "permission": {"edit": "deny"}},
        "</script>": {"mode": "subagent"},
    }
}


def test_pictures_escape_what_they_show(run: Program, project: Callable[..., Path]) -> None:
    folder = project(ODD)
    picture = run("graph", folder, "--format", "svg").out
    ET.fromstring(picture)  # noqa: S314 -- our own text
    page = run("graph", folder, "--format", "html").out
    assert page.count("</script>") == 1
    assert "<b>" not in page
    assert not re.search(r'(src|href)="', page)


@pytest.mark.parametrize(
    ("form", "wanted"),
    [
        ("text", "-> build  by `* * allow` (defaults)  ! r denies edit src/app.ts"),
        ("dot", '"r" -> "build" [edgetooltip="`* * allow` (defaults) r denies edit src/app.ts"'),
        ("mermaid", "linkStyle"),
        ("svg", 'class="arrow red"'),
        ("html", '"request": "edit src/app.ts"'),
    ],
)
def test_what_gets_around_a_deny_is_marked(
    run: Program, project: Callable[..., Path], form: str, wanted: str
) -> None:
    folder = project({"agent": {"r": {"mode": "primary", "permission": {"edit": "deny"}}}})
    result = run("graph", folder, "--format", form)
    assert (result.code, result.err) == (0, "")
    assert wanted in result.out


def test_asking_first_is_dashed(run: Program, project: Callable[..., Path]) -> None:
    folder = project({"permission": {"task": {"*": "deny", "explore": "ask"}}})
    assert "-. ask .->" in run("graph", folder, "--format", "mermaid").out
