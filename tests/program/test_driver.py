"""The driver on a stand-in for the program: what it confirms, what it does not, and what fails."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator

from downset.report.json_report import schema
from downset.scenarios.own import read

if TYPE_CHECKING:
    from collections.abc import Callable

    Fake = Callable[[str], Path]
    Run = Callable[..., tuple[int, str, str]]

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "opencode"
NARROW = """\
id: x/story
source: a test
summary: {about}
{config}
events:
{events}
questions:
{questions}
"""


def story(tmp_path: Path, events: str, questions: str, config: str = "config: {}") -> Path:
    """A scenario file."""
    file = tmp_path / "story.yaml"
    text = NARROW.format(about="A test.", config=config, events=events, questions=questions)
    file.write_text(text, encoding="utf-8")
    return file


def replayed(run: Run, program: Path, *targets: Path) -> tuple[int, list[dict[str, Any]]]:
    """The exit code and the results of a replay, which are as the schema says."""
    cache = program.parent / "cache"
    arguments = ("--release", "1.18.34", "--program", program, "--cache", cache)
    code, out, err = run("replay", *targets, *arguments, "--format", "json")
    assert str(cache) in err
    found = json.loads(out)
    Draft202012Validator(schema()).validate(found)
    return code, found["results"]


@pytest.mark.parametrize(
    "name",
    [
        "plan-helper-edits",
        "approval-beats-deny",
        "resume-after-session-deny",
        "prompt-wipes-session-rules",
        "subtask-command",
        "mention-needs-the-tool",
        "grandchild-session-deny",
        "env-deny-misses-root",
    ],
)
def test_a_scenario_is_confirmed(run: Run, fake: Fake, name: str) -> None:
    code, (found,) = replayed(run, fake("good"), SCENARIOS / f"{name}.yaml")
    deep = name == "grandchild-session-deny"  # its second dispatch is too deep, as both say
    assert (code, found["outcome"]) == ((3, "not-expressible") if deep else (0, "confirmed"))
    assert ("refuse" in found["reason"]) is deep
    assert found["program"] == "1.18.34"
    assert all(step["ok"] for step in found["steps"])
    assert Path(found["transcript"]).is_file()


def test_a_program_that_denies_nothing_is_found_out(run: Run, fake: Fake) -> None:
    program, file = fake("lax"), SCENARIOS / "plan-helper-edits.yaml"
    code, (found,) = replayed(run, program, file)
    assert (code, found["outcome"]) == (1, "not-reproduced")
    wrong = [step for step in found["steps"] if not step["ok"]]
    assert ("s1: edit on src/app.ts", "deny", "allow") in [
        (step["text"], step["expected"], step["got"]) for step in wrong
    ]
    arguments = ("--release", "1.18.34", "--program", program, "--cache", program.parent / "c")
    code, out, _ = run("replay", file, *arguments)
    assert code == 1
    assert "expected deny, got allow" in out
    assert "program and model part at event 2" in out
    code, out, _ = run("replay", file, *arguments, "--format", "markdown", "--exit-zero")
    assert code == 0
    assert "| not reproduced |" in out


def test_a_program_that_ends_at_once_is_unavailable(run: Run, fake: Fake) -> None:
    code, (found,) = replayed(run, fake("crashes"), SCENARIOS / "plan-helper-edits.yaml")
    assert (code, found["outcome"], found["program"]) == (3, "unavailable", None)
    assert "ended at once" in found["reason"]


def test_a_configuration_that_the_program_refuses_is_a_difference(run: Run, fake: Fake) -> None:
    code, (found,) = replayed(run, fake("refuses"), SCENARIOS / "plan-helper-edits.yaml")
    assert (code, found["outcome"]) == (1, "not-reproduced")
    assert found["steps"][0]["kind"] == "configuration"


def test_a_run_can_wait_while_users_do_something(run: Run, fake: Fake, tmp_path: Path) -> None:
    file = story(
        tmp_path,
        """\
  - {event: open, session: s1, agent: build}
  - {event: spawn, session: s2, by: s1, agent: general}
  - {event: open, session: s3, agent: build}
  - {event: patch, session: s3, rules: [[bash, "*", ask]]}""",
        """\
  - {session: s2, permission: edit, pattern: a, began: 2, expect: allow}
  - {session: s3, permission: edit, pattern: b, began: 3, expect: allow}
  - {session: s3, permission: bash, pattern: "touch b", expect: ask}""",
    )
    code, (found,) = replayed(run, fake("good"), file)
    assert (code, found["outcome"]) == (0, "confirmed"), found
    assert [step["got"] for step in found["steps"]] == ["possible", "allow", "allow", "ask"]


@pytest.mark.parametrize(
    ("events", "questions", "config", "reason"),
    [
        (
            "  - {event: open, session: s1, agent: a}",
            "  - {session: s1, permission: edit, pattern: a, expect: {opencode@1.18.34: deny}}",
            "agents: {a: {rules: [[edit, '*', deny], [bash, '*', deny], [edit, 'b', ask]]}}",
            "in this order",
        ),
        (
            (
                "  - {event: open, session: s1, agent: a}\n"
                "  - {event: queue, session: s1, agent: build}"
            ),
            "  - {session: s1, tool: bash, expect: {opencode@1.18.34: offered}}",
            "config: {}",
            "queue",
        ),
        (
            "  - {event: open, session: s1, agent: build}",
            "  - {session: s1, tool: apply_patch, expect: {opencode@1.18.34: offered}}",
            "config: {}",
            "apply_patch",
        ),
        (
            (
                "  - {event: open, session: s1, agent: build}\n"
                "  - {event: approve, session: s1, rules: [[deploy, 'x', allow]]}"
            ),
            "  - {session: s1, tool: bash, expect: {opencode@1.18.34: offered}}",
            "config: {}",
            "would be asked",
        ),
        (
            (
                "  - {event: open, session: s1, agent: build}\n"
                "  - {event: spawn, session: s2, by: s1, agent: general, prompted: false}"
            ),
            "  - {session: s1, tool: bash, expect: {opencode@1.18.34: offered}}",
            "config: {}",
            "before its prompt",
        ),
        (
            "  - {event: open, session: s1, agent: build}",
            "  - {session: s1, permission: deploy, pattern: x, expect: {opencode@1.18.34: deny}}",
            "config: {agent: {build: {permission: {'*': deny}}}}",
            "nothing that is offered",
        ),
        (
            (
                "  - {event: open, session: s1, agent: build}\n"
                "  - {event: prompt, session: s1, tools: {bash: false}}\n"
                "  - {event: approve, session: s1, rules: [[doom_loop, 'x', allow]]}"
            ),
            "  - {session: s1, tool: bash, expect: {opencode@1.18.34: hidden}}",
            "config: {}",
            "",
        ),
        (
            "  - {event: open, session: s1, agent: build}",
            "  - {session: s1, tool: bash, expect: {opencode@1.18.34: offered}}",
            "config: {permission: {bash: never}}",
            "refuses it",
        ),
    ],
)
def test_what_cannot_be_told_says_why(  # noqa: PLR0913 -- the parts of a case
    run: Run,
    fake: Fake,
    tmp_path: Path,
    *,
    events: str,
    questions: str,
    config: str,
    reason: str,
) -> None:
    code, (found,) = replayed(run, fake("good"), story(tmp_path, events, questions, config))
    if not reason:
        assert code == 0, found
        return
    assert (code, found["outcome"]) == (3, "not-expressible"), found
    assert reason in found["reason"]


def test_raw_rules_become_a_configuration(run: Run, fake: Fake, tmp_path: Path) -> None:
    file = story(
        tmp_path,
        "  - {event: open, session: s1, agent: a}\n"
        "  - {event: spawn, session: s2, by: s1, agent: b}",
        "  - {session: s1, permission: edit, pattern: a, expect: {opencode@1.18.34: deny}}\n"
        "  - {session: s2, permission: edit, pattern: a, expect: {opencode@1.18.34: allow}}\n"
        "  - {session: s2, permission: deploy, pattern: a, expect: {opencode@1.18.34: ask}}",
        "agents: {a: {rules: [[edit, '*', deny], [task, '*', allow]], users_only: true}, "
        "b: {rules: [[edit, '*', allow]]}}\nsettings: {primary_tools: [lint], depth_limit: 2}",
    )
    code, (found,) = replayed(run, fake("good"), file)
    assert (code, found["outcome"]) == (0, "confirmed"), found


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not all scenarios of the package, which would take long."""
    names = ("plan-helper-edits", "fork-drops-session-deny", "narrow-rule-offers-tool")
    documents = [read(SCENARIOS / f"{name}.yaml") for name in names]
    monkeypatch.setattr("downset.commands.conformance._scenarios", lambda: documents)


@pytest.mark.usefixtures("few")
def test_what_was_measured_is_kept_and_reported(run: Run, fake: Fake, tmp_path: Path) -> None:
    program, data = fake("good"), tmp_path / "data"
    cache = ("--cache", tmp_path / "cache", "--program", program)
    arguments = ("--release", "1.18.34", "--decisions", 60, "--data", data)
    code, out, _ = run("conformance", *arguments, *cache, "--format", "json")
    (found,) = json.loads(out)["results"]
    Draft202012Validator(schema()).validate(json.loads(out))
    assert found["agreeing"] == found["decisions"] >= 60, found["disagreements"]
    assert found["rulesets_agreeing"] == found["rulesets"] > 0
    assert json.loads((data / "1.18.34.json").read_text(encoding="utf-8")) == found
    assert (code, found["not_reproduced"], len(found["confirmed"])) == (0, [], 2)
    assert list(found["not_expressible"]) == ["opencode/narrow-rule-offers-tool"]
    code, out, _ = run("conformance", "--data", data, *cache, "--format", "markdown")
    assert code == 0
    assert f"| opencode@1.18.34 | 1.18.34 | 2 of 2 | 1 | {found['agreeing']} of " in out


@pytest.mark.usefixtures("few")
def test_a_disagreement_is_kept_as_a_small_scenario(run: Run, fake: Fake, tmp_path: Path) -> None:
    keep = tmp_path / "kept"
    arguments = ("--release", "1.18.34", "--decisions", 1, "--keep", keep, "--seed", 3)
    program = ("--cache", tmp_path / "cache", "--program", fake("lax"))
    code, out, _ = run("conformance", *arguments, *program)
    assert code == 1
    assert "✗" in out
    kept = sorted(keep.glob("*.yaml"))
    assert kept
    code, out, _ = run("scenarios", kept[0])
    assert code == 1, out  # the model does not say what the program was seen to do


def test_a_release_without_a_program_is_unavailable(run: Run, tmp_path: Path) -> None:
    file = SCENARIOS / "plan-helper-edits.yaml"
    code, out, _ = run("replay", file, "--release", "2.0", "--cache", tmp_path)
    assert code == 3
    assert "unavailable" in out
    code, out, _ = run("conformance", "--release", "2.0", "--cache", tmp_path)
    assert code == 3
    assert "not measured" in out


def test_there_must_be_something_to_do(run: Run, tmp_path: Path) -> None:
    code, _, err = run("conformance", "--cache", tmp_path)
    assert (code, "nothing to measure" in err) == (2, True)
    code, _, err = run("replay", "opencode/9", "--release", "1.18.34", "--cache", tmp_path)
    assert (code, "unknown model" in err) == (2, True)
    arguments = ("--property", "sanity", "--release", "1.18.34", "--cache", tmp_path)
    code, _, err = run("replay", "reference/ceiling", *arguments)
    assert code == 2


def test_an_interrupt_leaves_nothing_behind(fake: Fake, tmp_path: Path) -> None:
    program = fake("good")
    arguments = ["conformance", "--release", "1.18.34", "--decisions", "100000"]
    arguments += ["--program", str(program), "--cache", str(tmp_path / "cache")]
    running = subprocess.Popen(  # noqa: S603 -- this package
        [sys.executable, "-m", "downset", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env={**os.environ, "TMPDIR": str(tmp_path)},
    )
    until = time.monotonic() + 60
    while time.monotonic() < until and not serving(program):
        time.sleep(0.1)
    assert serving(program)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    assert running.wait(30) == 130
    assert not serving(program)
    assert not list(tmp_path.glob("downset-*"))


def serving(program: Path) -> list[str]:
    """The processes of a stand-in."""
    found = []
    for directory in Path("/proc").glob("[0-9]*"):
        try:
            command = (directory / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if " serve " in command and str(Path(__file__).parent / "fake.py") in command:
            environment = (directory / "environ").read_bytes().decode(errors="replace")
            if str(program.parent) in environment:
                found.append(command)
    return found
