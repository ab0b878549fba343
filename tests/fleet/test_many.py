"""Many projects: one bad one stops nobody, a kill loses nothing, a cluster finds the same."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from typing import TYPE_CHECKING

import jsonschema
import pytest

from downset.cli import main
from downset.report.json_report import schema

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def records(file: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def by_path(found: list[dict[str, object]]) -> list[str]:
    """Records in the order of their paths, to be compared."""
    return sorted(json.dumps(record, sort_keys=True) for record in found)


def listed(paths: list[Path], tmp_path: Path) -> str:
    file = tmp_path / "list.txt"
    file.write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
    return str(file)


def test_one_bad_project_stops_nobody(
    projects: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "found.jsonl"
    args = ["check", "--jobs", "2", "--format", "jsonl", "-o", str(out)]
    assert main([*args, *map(str, projects), "/no/such", str(projects[1])]) == 2
    found = records(out)
    assert Counter(r["path"] for r in found) == Counter([*map(str, projects), "/no/such"])
    errors = [r["path"] for r in found if r["status"] == "error"]
    assert sorted(map(str, errors)) == sorted([str(projects[0]), str(projects[10]), "/no/such"])
    for record in found:
        jsonschema.validate(record, schema())
    assert "13 projects" in capsys.readouterr().err


def test_each_project_is_found_as_when_it_is_alone(
    projects: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", "--format", "jsonl", str(projects[1]), str(projects[2])])
    together = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    for record in together:
        main(["check", "--format", "json", record["path"]])
        assert json.loads(capsys.readouterr().out)["results"] == record["results"]


def test_a_line_of_text_for_each(projects: list[Path], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *map(str, projects[:3])]) == 2
    lines = sorted(capsys.readouterr().out.splitlines())
    assert [line.split("  ")[0] for line in lines] == [str(path) for path in projects[:3]]
    assert "error[json-syntax]" in lines[0]


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["check"], "which project?"),
        (["check", "--resume", "a", "b"], "nothing to resume"),
        (["check", "--format", "json", "a", "b"], "jsonl"),
        (["check", "--projects-from", "/no/such", "--format", "jsonl"], "cannot be read"),
        (["check", "--release", "x@1", "a", "b"], "x@1"),
        (["check", "--scheduler", "tcp://127.0.0.1:1", "a"], "no Dask scheduler"),
    ],
)
def test_wrong_usage(args: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed")
    assert main(args) == 2
    assert said in capsys.readouterr().err


def test_a_killed_run_is_gone_on_with(projects: list[Path], tmp_path: Path) -> None:
    """Nothing is lost, nothing done twice, and all is as if nothing had happened."""
    source = listed(projects, tmp_path)
    out, whole = tmp_path / "found.jsonl", tmp_path / "whole.jsonl"
    args = ["check", "--jobs", "2", "--projects-from", source, "--format", "jsonl"]
    command = [sys.executable, "-m", "downset", *args, "-o", str(out), "--resume"]
    for enough in (3, 7):
        run = subprocess.Popen(  # noqa: S603 -- downset itself
            command, stderr=subprocess.DEVNULL
        )
        while run.poll() is None and (not out.exists() or out.read_bytes().count(b"\n") < enough):
            time.sleep(0.005)
        run.send_signal(signal.SIGKILL)
        run.wait()
    assert main([*args, "-o", str(out), "--resume"]) == main([*args, "-o", str(whole)]) == 2
    assert by_path(records(out)) == by_path(records(whole))
    assert main([*args, "-o", str(out), "--resume"]) == 2
    assert len(records(out)) == len(projects)


def test_a_project_that_takes_too_long(
    projects: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    args = ["check", "--format", "jsonl", "--max-seconds", "0.001", *map(str, projects[1:3])]
    assert main(args) == 3
    for line in capsys.readouterr().out.splitlines():
        record = json.loads(line)
        assert record["status"] == "unknown"
        assert record["error"]["message"] == "the check took longer than 0.001 s and was stopped"


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """A cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="Dask is not installed")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        yield cluster.scheduler_address


@pytest.mark.slow
def test_a_cluster_finds_the_same(projects: list[Path], tmp_path: Path, scheduler: str) -> None:
    here, there = tmp_path / "here.jsonl", tmp_path / "there.jsonl"
    args = ["check", "--projects-from", listed(projects, tmp_path), "--format", "jsonl"]
    assert main([*args, "-o", str(here)]) == 2
    assert main([*args, "-o", str(there), "--scheduler", scheduler]) == 2
    assert by_path(records(here)) == by_path(records(there))
