"""Input of strangers: nothing of it is executed, followed out, shown raw, or endless."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from downset.cli import main
from downset.trust import NO_MODELS

if TYPE_CHECKING:
    from pathlib import Path

CODE = "open({mark!r}, 'w').close()\n"
BAD_NAME = 'x\x1b[2J\x07\u202e\r\n::error::"><script>alert(1)</script>|[a](javascript:b)`'
CONTROLS = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


@pytest.fixture
def code(tmp_path: Path) -> tuple[Path, Path]:
    """A file that would leave a mark, and the mark."""
    mark = tmp_path / "executed"
    file = tmp_path / "model.py"
    file.write_text(CODE.format(mark=str(mark)), encoding="utf-8")
    return file, mark


@pytest.mark.parametrize(
    "args",
    [
        ["prove", "FILE", "--no-models"],
        ["--no-models", "prove", "FILE"],
        ["prove", "baseline/independent", "--no-models", "--properties-file", "FILE"],
        ["matrix", "--no-models", "--model", "FILE"],
        ["matrix", "--no-models", "--properties-file", "FILE"],
        ["--no-models", "properties", "--properties-file", "FILE"],
    ],
)
def test_code_of_others_is_not_executed(
    args: list[str], code: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    file, mark = code
    assert main([arg.replace("FILE", str(file)) for arg in args]) == 2
    assert "error[no-models]" in capsys.readouterr().err
    assert not mark.exists()
    assert NO_MODELS not in os.environ


def test_without_the_option_it_is(code: tuple[Path, Path]) -> None:
    file, mark = code
    main(["prove", str(file)])
    assert mark.exists()


def test_a_scenario_that_names_a_file(
    code: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, mark = code
    story = tmp_path / "story.yaml"
    story.write_text(
        f"id: s\ntitle: t\nmodels: ['{file.name}']\nagents: {{a: {{}}}}\nevents: []\nchecks: []\n",
        encoding="utf-8",
    )
    main(["scenarios", "--no-models", str(story)])
    capsys.readouterr()
    assert not mark.exists()


def test_the_environment_is_obeyed(
    code: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file, mark = code
    monkeypatch.setenv(NO_MODELS, "1")
    assert main(["prove", str(file)]) == 2
    assert "error[no-models]" in capsys.readouterr().err
    assert not mark.exists()


def test_what_comes_with_downset_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    args = ["prove", "baseline/independent", "--property", "own-ask-kept", "--no-models"]
    assert main(args) == 0
    assert "proved" in capsys.readouterr().out


def test_a_link_to_code_is_not_taken_for_a_model_of_downset(
    code: tuple[Path, Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, mark = code
    (tmp_path / "models" / "baseline").mkdir(parents=True)
    link = tmp_path / "models" / "baseline" / "independent.py"
    link.symlink_to(file)
    assert main(["prove", str(link), "--no-models"]) == 2
    capsys.readouterr()
    assert not mark.exists()


@pytest.fixture
def evil(tmp_path: Path) -> Path:
    """A project whose names and patterns try to get out of every report."""
    folder = tmp_path / "evil"
    folder.mkdir()
    config = {
        "permission": {"edit": {BAD_NAME: "deny", "*": "allow"}},
        "agent": {
            BAD_NAME: {"mode": "primary", "permission": {"edit": "deny", "task": "allow"}},
            "helper": {"mode": "subagent", "permission": {"edit": {BAD_NAME: "allow"}}},
        },
    }
    (folder / "opencode.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@pytest.mark.parametrize(
    "args",
    [
        ["check", "EVIL"],
        ["check", "-v", "EVIL"],
        ["check", "EVIL", "EVIL/opencode.json"],
        ["explain", "EVIL", "--chain", BAD_NAME, "--permission", "edit", "--pattern", BAD_NAME],
        ["graph", "EVIL", "--format", "dot"],
        ["graph", "EVIL", "--format", "mermaid"],
        ["graph", "EVIL", "--format", "svg"],
        ["graph", "EVIL", "--format", "html"],
        ["diff", "EVIL", "EVIL/../plain"],
    ],
)
def test_no_name_gets_out_of_a_report(
    args: list[str], evil: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (evil.parent / "plain").mkdir()
    (evil.parent / "plain" / "opencode.json").write_text("{}", encoding="utf-8")
    main([arg.replace("EVIL", str(evil)) for arg in args])
    captured = capsys.readouterr()
    assert captured.out
    for text in (captured.out, captured.err):
        assert not CONTROLS.search(text.replace("\t", " "))
        assert "\n::error::" not in text
    if args[-1] in {"svg", "html"}:
        assert "<script>alert" not in captured.out


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_json_holds_every_name(form: str, evil: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", "--format", form, str(evil)])
    out = capsys.readouterr().out
    assert out.isascii()
    assert len(out.splitlines()) == 1 or form == "json"
    json.loads(out)


def test_secrets_are_in_no_report(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKEN", "very-secret")
    (tmp_path / "app").mkdir()
    (tmp_path / "key").write_text("also-secret")
    (tmp_path / "app/key").write_text("inner-secret")
    config = '{"provider": {"p": {"options": {"apiKey": "{env:TOKEN}", "b": "{file:%s}"}}}}'
    for place in ("./key", "../key", str(tmp_path / "key")):
        (tmp_path / "app/opencode.json").write_text(config % place)
        for form in ("text", "json", "jsonl"):
            for more in ([], ["--global"]):
                main(["check", str(tmp_path / "app"), "--format", form, "-v", *more])
                captured = capsys.readouterr()
                assert "-secret" not in captured.out + captured.err


def test_patterns_made_to_be_hard_end_soon(tmp_path: Path) -> None:
    """By steps, not by the clock: the time here is only far more than is needed."""
    hard = {f"*{'a?' * n}*b{'?' * n}": "deny" for n in range(10, 40)}
    soft = {f"*{'?a' * n}*{'?' * n}": "allow" for n in range(10, 40)}
    config = {
        "permission": {"bash": hard | soft},
        "agent": {
            "one": {"permission": {"bash": soft | hard}},
            "two": {"permission": {"bash": hard}},
        },
    }
    (tmp_path / "opencode.json").write_text(json.dumps(config), encoding="utf-8")
    done = subprocess.run(  # noqa: S603 -- downset itself
        [sys.executable, "-m", "downset", "check", str(tmp_path)],
        check=False,
        capture_output=True,
        timeout=240,
    )
    assert done.returncode in {0, 1, 3}
