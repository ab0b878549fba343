"""Files that cannot be used: one message each, with the file and the line."""

from __future__ import annotations

from textwrap import dedent
from typing import TYPE_CHECKING

import pytest

from downset import catalogue
from downset.catalogue import load_model, load_properties
from downset.errors import InputError
from downset.prove.prover import prove

if TYPE_CHECKING:
    from pathlib import Path

HEAD = """\
from downset.modelling import *

class Mine(Design):
    id = "test/mine"
"""
SPAWN = """\
    def spawn(self, caller, callee, config):
        return caller.stored
"""


def written(folder: Path, body: str, head: str = HEAD) -> str:
    """The path of a model file."""
    file = folder / "mine.py"
    file.write_text(head + body, encoding="utf-8")
    return str(file)


def complaint(path: str) -> InputError:
    """What is said of a model file."""
    with pytest.raises(InputError) as caught:
        load_model(path)
    return caught.value


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("    def spawn(self, caller, callee, config)\n        return caller.stored\n", 5, "':'"),
        (SPAWN.replace("caller.stored", "[]"), 5, "`spawn` must return a Word"),
        (SPAWN.replace("caller.stored", "None"), 5, "`spawn` must return a Word"),
        (SPAWN.replace("caller.stored", "caller.rules"), 6, "no attribute 'rules'"),
        (SPAWN.replace("caller.stored", "caller.stored.sort()"), 6, "no attribute 'sort'"),
        (SPAWN.replace("caller.stored", "[r for r in caller.stored]"), 6, "looped over"),
        (SPAWN.replace("caller.stored", "caller.stored[0]"), 6, "not subscriptable"),
        (SPAWN.replace("caller.stored", "caller.stored.where(pattern == 3)"), 6, "not with int"),
        (
            SPAWN.replace(
                "return caller.stored",
                "if caller.stored.any():\n            return caller.stored\n        return EMPTY",
            ),
            6,
            "no truth value",
        ),
        (
            SPAWN + "    def decide(self, session, query):\n        return True\n",
            7,
            "`decide` must return a Decision",
        ),
        (
            SPAWN + "    def hidden(self, session, tool):\n        return DENY\n",
            7,
            "`hidden` must return a Formula",
        ),
        (
            SPAWN + "    def fork(self, session):\n        return session.stored\n",
            7,
            "`fork` must return a Fork",
        ),
        ("    pass\nimport no_such_module\n", 6, "no_such_module"),
    ],
)
def test_a_fault_in_a_model_is_found_at_its_line(
    tmp_path: Path, body: str, line: int, words: str
) -> None:
    path = written(tmp_path, body)
    error = complaint(path)
    assert (error.file, error.line) == (path, line)
    assert words in error.message
    assert error.format().startswith(f"{path}:{line}:")
    assert error.format().count("error[") == 1


def test_a_missing_spawn_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, "    default = ASK\n")
    error = complaint(path)
    assert error.file == path
    assert "define `spawn`" in error.message


def test_a_missing_spawn_has_a_line(tmp_path: Path) -> None:
    assert complaint(written(tmp_path, "    default = ASK\n")).line is not None


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (SPAWN + "while True:\n    pass\n", 8),
        (SPAWN.replace("return", "while True:\n            pass\n        return"), 7),
    ],
)
def test_an_endless_loop_is_stopped_at_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, line: int
) -> None:
    monkeypatch.setattr(catalogue, "LOADING_SECONDS", 1)
    error = complaint(written(tmp_path, body))
    assert error.id == "endless"
    assert error.line is not None
    assert abs(error.line - line) <= 1


def test_a_model_that_ends_the_program_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, SPAWN + "raise SystemExit(0)\n")
    with pytest.raises((InputError, SystemExit)) as caught:
        load_model(path)
    assert isinstance(caught.value, InputError)


def test_a_fault_that_only_some_stories_reach_is_found_at_its_line(tmp_path: Path) -> None:
    faulty = "        if callee.label == 'callee 2':\n            return 3\n"
    body = SPAWN.replace("        return", faulty + "        return")
    path = written(tmp_path, body.replace("caller.stored", "caller.agent.rules.where(denied)"))
    with pytest.raises(InputError) as caught:
        prove(load_model(path), load_properties()["agent-deny-inherited"])
    assert caught.value.line is not None


@pytest.mark.parametrize("name", ["opencode/9.9.9", "no-such-model", "opencode"])
def test_an_unknown_model_is_named(name: str) -> None:
    error = complaint(name)
    assert (error.id, error.file) == ("unknown-model", None)
    assert name in error.message


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert complaint(str(tmp_path / "nothing.py")).id == "no-file"


def test_two_models_in_a_file_are_one_too_many(tmp_path: Path) -> None:
    second = SPAWN + '\n\nclass Other(Mine):\n    id = "test/other"\n'
    path = written(tmp_path, second)
    error = complaint(path)
    assert error.file == path
    assert "test/mine, test/other" in error.message


def test_a_file_without_a_model_is_one_too_few(tmp_path: Path) -> None:
    path = written(tmp_path, "x = 1\n", head="")
    assert "none" in complaint(path).message


def test_a_property_file_needs_a_property(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("x = 1\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        load_properties([file])
    assert (caught.value.id, caught.value.file) == ("no-property", str(file))


def test_a_fault_in_a_property_is_found_at_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        dedent("""\
            from downset.modelling import *

            @claims("test/mine", "nothing", formula="true")
            def mine(story):
                session = story.session()
                return Claim(session.nothing, TRUE)
        """),
        encoding="utf-8",
    )
    with pytest.raises(InputError) as caught:
        prove(load_model("baseline/independent"), load_properties([file])["test/mine"])
    assert (caught.value.file, caught.value.line) == (str(file), 6)
