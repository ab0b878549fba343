"""What is in the file of a run is done, and nothing else is."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from downset.errors import InputError
from downset.fleet.journal import Journal, end_of_lines

if TYPE_CHECKING:
    from pathlib import Path


def record(path: str, run: str = "r", code: int = 0) -> dict[str, object]:
    return {"path": path, "run": run, "exit_code": code}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "found.jsonl"


def test_a_torn_line_is_dropped_and_the_rest_kept(file: Path) -> None:
    with Journal(file, "r", go_on=False) as journal:
        for path in ("a", "b"):
            journal.add(record(path, code=1))
    whole = file.read_bytes()
    for torn in range(1, len(whole)):
        file.write_bytes(whole[:torn])
        with Journal(file, "r", go_on=True) as journal:
            done = [path for path in ("a", "b") if path in journal]
            assert len(done) == whole[:torn].count(b"\n") == journal.codes[1]
            for path in {"a", "b"} - set(done):
                journal.add(record(path, code=1))
        assert file.read_bytes() == whole


def test_a_long_torn_line(file: Path) -> None:
    file.write_bytes(json.dumps(record("a")).encode() + b"\n" + b"x" * 200_000)
    with Journal(file, "r", go_on=True) as journal:
        assert "a" in journal
    assert file.read_bytes().endswith(b"}\n")
    with file.open("rb") as opened:
        assert end_of_lines(opened) == file.stat().st_size


def test_a_line_that_is_no_record(file: Path) -> None:
    file.write_text(json.dumps(record("a")) + "\n[]\n" + json.dumps(record("b")) + "\n")
    with pytest.raises(InputError) as caught:
        Journal(file, "r", go_on=True)
    assert (caught.value.id, caught.value.line) == ("journal-broken", 2)


def test_records_of_another_run_are_not_mixed_in(file: Path) -> None:
    file.write_text(json.dumps(record("a", run="other")) + "\n")
    with pytest.raises(InputError) as caught:
        Journal(file, "r", go_on=True)
    assert caught.value.id == "journal-differs"


def test_a_file_with_something_in_it_is_not_written_over(file: Path) -> None:
    file.write_text("precious")
    with pytest.raises(InputError) as caught:
        Journal(file, "r", go_on=False)
    assert caught.value.id == "journal-exists"
    assert file.read_text() == "precious"


def test_two_runs_do_not_write_one_file(file: Path) -> None:
    pytest.importorskip("fcntl", reason="this system has no locks of files")
    with Journal(file, "r", go_on=False), pytest.raises(InputError) as caught:
        Journal(file, "r", go_on=True)
    assert caught.value.id == "journal-taken"


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        Journal(tmp_path, "r", go_on=False)
    assert caught.value.id == "cannot-write"
