"""The project's own scenarios, and what is said of a file that is not one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft202012Validator

from downset.catalogue import all_models
from downset.errors import InputError
from downset.scenarios.own import read, schema
from downset.scenarios.running import results, run, scenario_files, scenario_root
from downset.scenarios.told import expectations, questions

if TYPE_CHECKING:
    from collections.abc import Callable

GOOD = """\
id: a/story
source: somebody's report
summary: A helper edits.
agents:
  lead: {rules: [[edit, "*", deny]]}
models: [opencode/1.17.0]
events:
  - {event: open, session: s1, agent: lead}
  - {event: spawn, session: s2, by: s1, agent: helper}
questions:
  - {session: s2, permission: edit, pattern: a, expect: deny}
"""


def test_every_scenario_of_the_project_agrees() -> None:
    found = list(run(scenario_files([])))
    assert [r for r in found if not r.ok] == []
    assert len(found) > 900


def test_ids_are_where_the_files_are() -> None:
    for file in scenario_files([]):
        name = file.relative_to(scenario_root()).with_suffix("").as_posix()
        assert read(file).values["id"] == name


def test_every_model_of_the_two_seeds_is_asked() -> None:
    documents = [read(file) for file in scenario_files([])]
    asked = {
        name
        for document in documents
        for place in range(len(questions(document)))
        for name in expectations(document, place)
    }
    families = {name.partition("@")[0].partition("/")[0] for name in asked}
    assert {"opencode", "pawwork"} <= families
    assert {m.id for m in all_models() if m.id.startswith("pawwork/")} <= asked


def test_every_hole_of_pawwork_is_told_or_explained() -> None:
    told = " ".join(read(file).values["source"] for file in scenario_files([]))
    readme = (Path(__file__).parents[2] / "scenarios" / "README.md").read_text(encoding="utf-8")
    holes = [*(f"E{n}" for n in range(1, 18)), *(f"O{n}" for n in range(1, 9))]
    explained = [hole for hole in holes if f"**{hole}**" in readme]
    assert explained == ["E8", "E9"]
    for hole in set(holes) - set(explained):
        assert any(f"{hole}{after}" in f"{told} " for after in " (,;abcd"), hole


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_a_good_file(written: Callable[..., Path]) -> None:
    (found,) = results(written(GOOD))
    assert (found.id, found.check, found.got, found.model) == (
        *("a/story", 0, "deny"),
        "opencode/1.17.0",
    )


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("id: a/story", "id: [", "3:8", "expected"),
        ("id: a/story", "id: a story", "1:1", "does not match"),
        ("summary: A helper edits.\n", "", "1:1", "'summary' is a required property"),
        ('[edit, "*", deny]', "[edit, deny]", "5:18", "too short"),
        ("event: spawn", "event: jump", "9:6", "'jump' is not one of"),
        ("by: s1, ", "", "9:5", "'by' is a required property"),
        ("by: s1", "by: s3", "9:33", "there is no session `s3` by then"),
        ("session: s2, permission", "session: s9, permission", "11:6", "no session `s9`"),
        ("expect: deny", "expect: maybe", "11:49", "maybe"),
        ("models: [opencode/1.17.0]\n", "", "10:49", "the answer of which models?"),
        ("[opencode/1.17.0]", "[opencode/0.1]", "10:1", "unknown model `opencode/0.1`"),
        ("opencode/1.17.0", "opencode@0.1.2", "10:1", "unknown release"),
        ("agents:\n  lead: {rules: ", "config:\n  agent: {x: ", "4:1", "opencode/1.17.0: agent.x"),
        ("expect: deny}", "expect: deny, after: 7}", "11:6", "no session `s2` by then"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    old: str, new: str, place: str, message: str, written: Callable[..., Path]
) -> None:
    file = written(GOOD.replace(old, new, 1))
    with pytest.raises(InputError) as error:
        results(file)
    line = error.value.format().splitlines()[0]
    assert line.startswith(f"{file}:{place}: error["), line
    assert message in line


def test_a_baseline_has_no_configuration(written: Callable[..., Path]) -> None:
    text = GOOD.replace("opencode/1.17.0", "baseline/independent")
    assert [r.got for r in results(written(text))] == ["ask"]
    config = text.replace('agents:\n  lead: {rules: [[edit, "*", deny]]}', "config: {}")
    with pytest.raises(InputError, match="give `agents` with their rules"):
        results(written(config))


def test_a_model_file_beside_the_scenario(written: Callable[..., Path]) -> None:
    written(
        "from downset.modelling import Design\n"
        "class Mine(Design):\n    id = 'mine'\n"
        "    def spawn(self, caller, callee, config):\n        return caller.agent.rules\n",
        "mine.py",
    )
    text = GOOD.replace("opencode/1.17.0", "mine.py")
    assert [r.got for r in results(written(text))] == ["deny"]


def test_folders_and_files(tmp_path: Path, written: Callable[..., Path]) -> None:
    file = written(GOOD)
    report = written(json.dumps({"id": "r", "steps": []}), "report.json")
    assert scenario_files([tmp_path, file]) == [report, file]
    for path in (tmp_path / "nothing", tmp_path.joinpath("empty")):
        tmp_path.joinpath("empty").mkdir(exist_ok=True)
        with pytest.raises(InputError):
            scenario_files([path])


@pytest.mark.parametrize("text", ["{", "[]", "{}", '"x"', '[{"id": 1}]'])
def test_json_that_is_no_case(text: str, written: Callable[..., Path]) -> None:
    with pytest.raises(InputError) as error:
        results(written(text, "x.json"))
    assert error.value.id == "bad-scenario"


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "x.yaml"
    file.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="cannot be read"):
        results(file)
