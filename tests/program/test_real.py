"""The real program of one release: stories, random decisions, and what was predicted of it.

All of it is skipped, with the reason, where the program cannot be had. What other releases did is
in `docs/fidelity.md` and `reports/conformance.md`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.catalogue import load_model, load_properties
from downset.config.releases import release
from downset.program.chat import Call
from downset.program.measuring import Measuring
from downset.program.outcomes import DENY, HIDDEN, of_part
from downset.program.replaying import Program
from downset.program.runs import task
from downset.program.sandbox import Live, Sandbox
from downset.program.steps import Outcome
from downset.prove.prover import prove
from downset.scenarios.designs import of_release
from downset.scenarios.own import Document, parse, read
from downset.scenarios.saving import Saved

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.program.sandbox import Run

pytestmark = [pytest.mark.program, pytest.mark.xdist_group("program")]

SCENARIOS = Path(__file__).parents[2] / "scenarios" / "opencode"
BAD_HEADER = "---\nmode: primary\npermission:\n{star}  edit: deny\n---\nYou only read.\n"
READER = {
    "mode": "subagent",
    "description": "may read nothing",
    "permission": {
        "read": "deny",
        "external_directory": "deny",
        "task": {"*": "allow", "general": "deny"},
    },
}
CAREFUL = {"mode": "primary", "permission": {"bash": {"*": "deny", "true": "allow"}}}


@pytest.mark.parametrize(
    "name",
    [
        "plan-custom-helper",
        "plan-primary-target",
        "resume-after-session-deny",
        "approval-beats-deny",
        "mention-needs-the-tool",
        "primary-tool-by-alias",
        "primary-tool-unhidden",
    ],
)
def test_a_scenario_goes_as_the_model_says(running: Program, name: str) -> None:
    told = running.replay(read(SCENARIOS / f"{name}.yaml"), of_release(running.row))
    assert told.outcome is Outcome.CONFIRMED, told


def test_a_counterexample_goes_as_the_model_says(running: Program) -> None:
    design = load_model("opencode/1.18.2")
    verdict = prove(design, load_properties()["fork-safe"])
    document = Document(parse(Saved(verdict, design.id, "x.yaml").text(), "x.yaml"), "x.yaml")
    assert running.replay(document, design).outcome is Outcome.CONFIRMED


def test_the_model_of_another_release_is_found_out(running: Program) -> None:
    """1.17.0 refused what 1.18.34 permits."""
    document = read(SCENARIOS / "plan-custom-helper.yaml")
    values = {
        **document.values,
        "questions": [{**q, "expect": "deny"} for q in document.values["questions"]],
    }
    told = running.replay(Document(values, "x.yaml"), of_release(release("1.17.0")))
    assert told.outcome is Outcome.NOT_REPRODUCED
    assert told.differing is not None
    assert (told.differing.expected, told.differing.got) == ("deny", "allow")


def test_random_decisions_agree(running: Program) -> None:
    measuring = Measuring(running, seed=11)
    measuring.random(150)
    assert measuring.found.disagreements == []
    assert measuring.found.rulesets_agreeing == measuring.found.rulesets


# --- predictions that no ruleset decides ---


@pytest.fixture
def project(running: Program, tmp_path: Path) -> Iterator[Sandbox]:
    """A project with helpers, agents in files, and something to read in and beside it."""
    path = running.server.home.path.parent / tmp_path.name
    files = {
        "secret.txt": "THE-SECRET",
        "../beside.txt": "BESIDE-THE-PROJECT",
        ".opencode/agent/good.md": BAD_HEADER.format(star=""),
        ".opencode/agent/bad.md": BAD_HEADER.format(star="  *: deny\n"),
    }
    for name, text in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    sandbox = Sandbox(running.server, running.chat, path)
    sandbox.make({"agent": {"reader": READER, "careful": CAREFUL}, "subagent_depth": 3})
    yield sandbox
    sandbox.dispose()


def became(project: Sandbox, run: Run) -> str:
    """What became of the first call of a run."""
    return of_part(project.parts(run.session)[run.script.calls[0]])


def test_a_path_in_a_dispatch_is_read_whatever_is_denied(project: Sandbox) -> None:
    session, before = Live(project.open(()), "build"), len(project.chat.log)
    beside = project.path.parent / "beside.txt"
    prompt = project.chat.script(())
    run = project.run(session, [task("reader", f"look at @secret.txt, @{beside} {prompt}")])
    seen = json.dumps([entry["request"]["messages"] for entry in project.chat.log[before:]])
    assert "THE-SECRET" in seen
    assert "BESIDE-THE-PROJECT" in seen
    assert run.asked == []
    assert "read" not in project.chat.told(prompt).offered


@pytest.mark.parametrize(("prefix", "passes"), [("", False), ("@general ", True)])
def test_an_agent_in_a_dispatch_lifts_the_check_of_the_helper(
    project: Sandbox, *, prefix: str, passes: bool
) -> None:
    session = Live(project.open(()), "build")
    inner = project.chat.script([task("general", project.chat.script(()))])
    project.run(session, [task("reader", prefix + inner)])
    (helper,) = project.children(session.id)
    assert bool(project.children(helper)) is passes


@pytest.mark.parametrize(
    ("command", "runs"), [("> out.txt", True), ("X=1", True), ("touch a > out.txt", False)]
)
def test_a_line_without_a_command_asks_for_nothing(
    project: Sandbox, *, command: str, runs: bool
) -> None:
    session = Live(project.open(()), "careful")
    run = project.run(session, [Call("bash", {"command": command, "description": "x"})])
    assert (became(project, run) != DENY) is runs
    log = project.server.home.commands
    given = log.read_text(encoding="utf-8") if log.is_file() else ""
    assert (command in given) is runs


@pytest.mark.parametrize(("agent", "writes"), [("good", False), ("bad", True)])
def test_a_header_that_is_no_yaml_leaves_an_agent_unrestricted(
    project: Sandbox, *, agent: str, writes: bool
) -> None:
    session, file = Live(project.open(()), agent), project.path / f"{agent}.txt"
    run = project.run(session, [Call("write", {"filePath": str(file), "content": "x"})])
    assert file.is_file() is writes
    assert (became(project, run) != HIDDEN) is writes


def test_a_session_that_resumes_itself_waits_for_itself(project: Sandbox) -> None:
    session = Live(project.open(()), "build")
    inner = project.chat.script([Call("bash", {"command": "true", "description": "x"})])
    run = project.start(session, [task("general", inner, session.id)])
    run.thread.join(4)
    assert run.thread.is_alive()
    assert not project.chat.told(inner).offered
    project.api.ask("POST", f"/session/{session.id}/abort")
    run.thread.join(30)
    assert not run.thread.is_alive()


def test_what_a_manager_denies_is_undone_by_the_order_of_keys(running: Program) -> None:
    """A key keeps the place of its first occurrence, and the last match wins."""
    managed = {"permission": {"*": "deny", "edit": {"src/*": "deny"}}}
    here = {"permission": {"*": "allow", "bash": "allow", "edit": {"src/*": "ask", "*": "allow"}}}
    with Program(running.row, running.cache, running.given, {"managed": managed}) as other:
        sandbox = Sandbox(other.server, other.chat, other.server.home.path.parent / "managed-1")
        sandbox.make(here)
        session = Live(sandbox.open(()), "build")
        steps = [
            Call("bash", {"command": "true", "description": "x"}),
            Call("write", {"filePath": str(sandbox.path / "src/a.ts"), "content": "x"}),
            Call("read", {"filePath": str(sandbox.path / "README")}),
        ]
        run = sandbox.run(session, steps)
        parts = sandbox.parts(session.id)
        found = [of_part(parts[run.script.calls[place]]) for place in range(3)]
        assert found == ["allow", "allow", "hidden"]
