"""Colours, progress, and files written whole or not at all."""

from __future__ import annotations

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from typing import TYPE_CHECKING

import pytest

from downset.cli import main
from downset.commands.output import check_writable, emit, write_whole
from downset.commands.progress import tracked
from downset.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    for name in ("NO_COLOR", "FORCE_COLOR", "COLORTERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    return Terminal()


def test_a_terminal_gets_colours(terminal: Terminal) -> None:
    with redirect_stdout(terminal):
        emit("m  p  violated\n", None)
    assert "\x1b[1;31mviolated\x1b[0m" in terminal.getvalue()


def test_no_color(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    with redirect_stdout(terminal):
        emit("✗ violated [bold]:smile:\n", None)
    assert "\x1b[3" not in terminal.getvalue()
    assert "[bold]:smile:" in terminal.getvalue()


def test_a_terminal_is_never_wrapped(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    with redirect_stdout(terminal):
        emit("word " * 20 + "\n", None)
    assert terminal.getvalue().count("\n") == 1


def test_a_pipe_gets_plain_text(capsys: pytest.CaptureFixture[str]) -> None:
    emit("m  p  violated\n", None)
    assert capsys.readouterr().out == "m  p  violated\n"


def test_progress_on_a_terminal_only(terminal: Terminal) -> None:
    for stream, shown in ((terminal, True), (io.StringIO(), False)):
        with redirect_stderr(stream):
            assert list(tracked(iter("abc"), total=3)) == ["a", "b", "c"]
        assert ("deciding" in stream.getvalue()) is shown


def test_letters_that_the_stream_lacks() -> None:
    raw = io.BytesIO()
    with redirect_stdout(io.TextIOWrapper(raw, encoding="latin-1")) as stream:
        assert main(["--version"]) == 0
        emit("✓\n", None)
        stream.flush()
    assert raw.getvalue() == b"downset 0.1.0\n\\u2713\n"


def test_a_failed_write_leaves_nothing(tmp_path: Path) -> None:
    file = tmp_path / "report"
    file.write_text("old")
    with pytest.raises(UnicodeEncodeError):
        write_whole(file, "\ud800")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    file, link = tmp_path / "file", tmp_path / "link"
    link.symlink_to(file)
    write_whole(link, "new")
    assert link.is_symlink()
    assert file.read_text() == "new"


def test_a_device_stays_a_device(tmp_path: Path) -> None:
    write_whole(type(tmp_path)(os.devnull), "gone")
    assert not type(tmp_path)(os.devnull).is_file()


def test_files_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="it is a folder"):
        check_writable(tmp_path)
    with pytest.raises(InputError, match="there is no folder"):
        check_writable(tmp_path / "no" / "file")
    with pytest.raises(InputError, match="cannot write"):
        write_whole(tmp_path / "no" / "file", "text")
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(InputError, match="permission denied"):
        check_writable(tmp_path / "file")
