"""The parts of the driver that need no server."""

from __future__ import annotations

import json
import random
from http.client import HTTPConnection
from pathlib import Path

import pytest

from downset.config.releases import release
from downset.program import outcomes
from downset.program.calls import real_call
from downset.program.chat import Chat, latest
from downset.program.generating import Generator
from downset.program.home import Home
from downset.program.outcomes import Unavailable
from downset.program.server import version_of
from downset.program.shrinking import shrunk
from downset.program.timetable import Timetable
from downset.program.words import Words
from downset.report.conformance import conformance_markdown, conformance_text
from downset.scenarios.own import Document, validator

ROW = release("1.18.34")
OPEN = {"event": "open", "session": "s1", "agent": "build"}
SPAWN = {"event": "spawn", "session": "s2", "by": "s1", "agent": "general"}
NESTED = {"event": "spawn", "session": "s3", "by": "s2", "agent": "general"}
PATCH = {"event": "patch", "session": "s2", "rules": []}
ASKED = {"session": "s2", "tool": "edit"}


def test_a_child_is_asked_in_its_first_run_unless_something_changed_since() -> None:
    assert Timetable([OPEN, SPAWN], [ASKED]).inside(2) == [0]
    changed = Timetable([OPEN, SPAWN, PATCH], [ASKED, {**ASKED, "after": 2}])
    assert changed.inside(2) == [1]
    assert changed.apart(3) == {"s2": [0]}
    approved = Timetable([OPEN, SPAWN, {"event": "approve", "session": "s1"}], [ASKED])
    assert approved.inside(2) == []
    mentioned = Timetable([OPEN, SPAWN], [{"session": "s2", "dispatch": "b", "via": "mention"}])
    assert mentioned.apart(2) == {"s2": [0]}


def test_a_dispatch_goes_on_in_the_run_of_the_one_before() -> None:
    assert Timetable([OPEN, SPAWN, NESTED], []).chained(2)
    assert not Timetable([OPEN, SPAWN, PATCH, NESTED], []).chained(2)
    assert not Timetable([OPEN, SPAWN, NESTED], [{**ASKED, "began": 2}]).chained(2)


def test_the_newest_script_counts() -> None:
    said: list[dict[str, object]] = [
        {"role": "user", "content": [{"type": "text", "text": "[script 1]"}]},
        {"role": "assistant"},
        {"role": "user", "content": "[script 3]"},
    ]
    assert latest(said) == (3, 0)


def test_a_title_is_no_run(tmp_path: Path) -> None:
    chat = Chat(tmp_path)
    text = chat.script([])
    assert chat.answer({"messages": [{"role": "user", "content": text}]}) == []
    assert not chat.told(text).offered


@pytest.mark.parametrize(
    ("permission", "resource", "tool"),
    [
        ("edit", "src/app.ts", "write"),
        ("edit", "../x", None),
        ("edit", ".git/config", None),
        ("edit", "opencode.json", None),
        ("read", "a", "read"),
        ("bash", "touch a.txt", "bash"),
        ("bash", "cd /", None),
        ("bash", "rm -rf $HOME", None),
        ("glob", "**/*.ts", "glob"),
        ("grep", "a+", "grep"),
        ("deploy", "x", None),
    ],
)
def test_which_tool_asks(tmp_path: Path, permission: str, resource: str, tool: str | None) -> None:
    call = real_call(permission, resource, tmp_path, Home(tmp_path), ROW)
    assert (None if call is None else call.tool) == tool


def test_what_stands_in_the_way_of_a_file_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x", encoding="utf-8")
    inner = real_call("read", "a/b", tmp_path, Home(tmp_path), ROW)
    outer = real_call("read", "a", tmp_path, Home(tmp_path), ROW)
    assert inner is not None
    assert outer is not None
    inner.before()
    assert (tmp_path / "a" / "b").is_file()
    outer.before()
    assert (tmp_path / "a").is_file()


@pytest.mark.parametrize("mode", ["#!/bin/sh\nexit 3\n", "no program at all"])
def test_what_does_not_run_is_unavailable(tmp_path: Path, mode: str) -> None:
    file = tmp_path / "opencode"
    file.write_text(mode, encoding="utf-8")
    file.chmod(0o755)
    with pytest.raises(Unavailable):
        version_of(file, Home(tmp_path / "home"))


def test_layers_are_where_the_program_looks(tmp_path: Path) -> None:
    home = Home(tmp_path / "home", {"global": {"a": 1}, "managed": {"b": 2}})
    home.make("1.18.34")
    user = home.path / "config" / "opencode" / "opencode.json"
    assert json.loads(user.read_text(encoding="utf-8")) == {"a": 1}
    managed = home.environment()["OPENCODE_TEST_MANAGED_CONFIG_DIR"]
    assert managed == str(home.path / "managed")


@pytest.mark.parametrize("name", ["1.1.34", "1.14.41", "1.18.34"])
def test_generated_stories_have_the_form_of_scenarios(name: str) -> None:
    generator = Generator(release(name), 7)
    for number in range(1, 13):
        values = generator.document(number).values
        assert not list(validator().iter_errors(values)), values
        assert values["events"][0]["event"] == "open"
    assert generator.document(2) == Generator(release(name), 7).document(2)
    assert generator.document(2) != Generator(release(name), 8).document(2)


def test_generated_stories_have_the_corners() -> None:
    """Every event, keys that are globs, equal keys in two layers, ` *`, `**/`."""
    stories = [Generator(ROW, 0).document(number).values for number in range(1, 80)]
    kinds = {event["event"] for story in stories for event in story["events"]}
    assert kinds == {"open", "spawn", "resume", "switch", "patch", "prompt", "fork", "approve"}
    text = json.dumps(stories)
    assert all(f'"{part}"' in text for part in ("ls *", "**/.env", "edi?", "mcp_*", "~/x*"))
    twice = [
        story
        for story in stories
        for agent in story["config"]["agent"].values()
        if isinstance(agent.get("permission"), dict)
        and isinstance(story["config"].get("permission"), dict)
        and set(agent["permission"]) & set(story["config"]["permission"])
    ]
    assert twice


def test_a_block_may_be_one_word() -> None:
    words = Words(random.Random(3), ROW)  # noqa: S311 -- examples
    assert any(isinstance(words.block(), str) for _ in range(200))


def test_a_disagreement_is_made_small() -> None:
    values = {
        "config": {"permission": {"edit": {"a": "deny", "b": "ask"}, "bash": "deny"}},
        "events": [OPEN, SPAWN, NESTED],
        "questions": [ASKED],
    }

    def fails(found: Document) -> bool:
        block = found.values["config"].get("permission", {})
        return "b" in block.get("edit", {}) and SPAWN in found.values["events"]

    small = shrunk(Document(values, "x.yaml"), fails, 50).values
    assert small["config"] == {"permission": {"edit": {"b": "ask"}}}
    assert small["events"] == [SPAWN]


def test_what_became_of_a_call() -> None:
    error = {"status": "error", "error": "The user rejected permission to use this"}
    assert outcomes.of_part({"tool": "write", "state": error}) == outcomes.ASK
    other = {"status": "error", "error": "ripgrep execution failed"}
    assert outcomes.of_part({"tool": "grep", "state": other}) == outcomes.ALLOW


MEASURED = {
    "release": "opencode@1.1.34",
    "program": "1.1.34",
    "seed": 0,
    "confirmed": ["a"],
    "not_reproduced": ["b"],
    "not_expressible": {"c": "too | deep"},
    "stories": 2,
    "decisions": 10,
    "agreeing": 9,
    "rulesets": 4,
    "rulesets_agreeing": 4,
    "unasked": 0,
    "kinds": {"call": 10},
    "answers": {"allow": 9, "deny": 1},
    "seconds": 1.5,
    "disagreements": [
        {
            "id": "d",
            "text": "s1: edit on a",
            "expected": "allow",
            "got": "deny",
            "scenario": "",
            "explanation": "a race",
        }
    ],
    "unavailable": "",
}


def test_the_report_of_measurements() -> None:
    missing = {"release": "opencode@1.16.0", "unavailable": "npm serves no such version"}
    text = conformance_markdown([MEASURED, missing])
    assert "| opencode@1.1.34 | 1.1.34 | 1 of 2 | 1 | 9 of 10 | 4 of 4 | 1 of 1 | 0 |" in text
    assert "| opencode@1.16.0 | – | skipped: npm serves no such version |" in text
    assert "| c | too \\| deep | 1.1.34 |" in text
    assert "| opencode@1.1.34 | s1: edit on a | allow | deny | a race |" in text
    assert "1.5" not in text
    lines = conformance_text([MEASURED, missing]).splitlines()
    assert lines[1:3] == ["  ✗ scenario b", "  ✗ s1: edit on a: model allow, program deny"]
    assert lines[3] == "opencode@1.16.0: not measured: npm serves no such version"


def test_the_committed_report_is_the_one_of_the_committed_data() -> None:
    reports = Path(__file__).parents[2] / "reports"
    files = (reports / "data" / "conformance").glob("*.json")
    order = sorted(files, key=lambda file: [int(part) for part in file.stem.split(".")])
    data = [json.loads(file.read_text(encoding="utf-8")) for file in order]
    report = (reports / "conformance.md").read_text(encoding="utf-8")
    assert conformance_markdown(data) == report
    assert all(one["unavailable"] or one["decisions"] >= 2000 for one in data)


def test_a_request_that_makes_no_sense_is_refused_with_the_reason(tmp_path: Path) -> None:
    """With 400, which no client tries again."""
    with Chat(tmp_path) as chat:
        port = int(chat.url.rpartition(":")[2].partition("/")[0])
        connection = HTTPConnection("127.0.0.1", port, timeout=10)
        connection.request("POST", "/v1/chat/completions", b"no JSON")
        assert connection.getresponse().status == 400
        connection.close()
        assert "JSONDecodeError" in chat.log[0]["error"]
