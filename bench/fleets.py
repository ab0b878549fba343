"""Configurations: one very large, and very many, stopped in the middle and on a cluster too."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from bench.processes import run
from bench.projects import large, many

if TYPE_CHECKING:
    from bench.processes import Run

AGENTS: Final = 300
RULES: Final = 10_000
PROJECTS: Final = 2_000
JOBS: Final = 2
LIMIT: Final = 7_200.0


def measure(projects: int = PROJECTS, agents: int = AGENTS, rules: int = RULES) -> dict[str, Any]:
    """The large project, the many, the stopped run and the cluster."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        found = {"large": check_large(folder / "large", agents, rules)}
        return found | {"many": check_many(folder, projects)}


def check_large(folder: Path, agents: int, rules: int) -> dict[str, Any]:
    """`downset check` of one large project."""
    large(folder, agents, rules)
    done = run([sys.executable, "-m", "downset", "check", folder, "--exit-zero"], LIMIT)
    last = done.out.splitlines()[-1:] or [done.err[-200:]]
    return {"agents": agents, "rules": rules, **took(done), "code": done.code, "said": last[0]}


def check_many(folder: Path, count: int) -> dict[str, Any]:
    """All of many projects: a quarter, all, all with a kill in the middle, all on a cluster."""
    paths = many(folder / "many", count)
    quarter, source = folder / "quarter.txt", folder / "all.txt"
    quarter.write_text("".join(f"{path}\n" for path in paths[: count // 4]), encoding="utf-8")
    source.write_text("".join(f"{path}\n" for path in paths), encoding="utf-8")
    few = run(command(quarter, folder / "few.jsonl"), LIMIT)
    whole = run(command(source, folder / "whole.jsonl"), LIMIT)
    kept = killed(command(source, folder / "killed.jsonl", "--resume"), count // 2)
    rest = run(command(source, folder / "killed.jsonl", "--resume"), LIMIT)
    found = {
        "projects": count,
        "jobs": JOBS,
        "codes": dict(Counter(str(r["exit_code"]) for r in records(folder / "whole.jsonl"))),
        "quarter": took(few),
        "all": took(whole),
        "killed_after": kept,
        "resumed": {**took(rest), **same(folder / "whole.jsonl", folder / "killed.jsonl")},
    }
    return found | {"cluster": on_cluster(source, folder)}


def command(source: Path, out: Path, *more: str) -> list[str | Path]:
    """Check the projects of a list into a file."""
    args = ["check", "--jobs", str(JOBS), "--exit-zero", "--format", "jsonl", *more]
    return [sys.executable, "-m", "downset", *args, "--projects-from", source, "-o", out]


def killed(command: list[str | Path], enough: int) -> int:
    """Start a run and kill it when it has done so many; how many it had done."""
    out = Path(command[-1])
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and (not out.exists() or lines(out) < enough):
        time.sleep(0.2)
    process.send_signal(signal.SIGKILL)
    process.wait()
    return lines(out)


def on_cluster(source: Path, folder: Path) -> dict[str, Any]:
    """The same on a Dask cluster of two processes of this machine."""
    try:
        from distributed import LocalCluster  # noqa: PLC0415 -- an extra
    except ImportError:
        return {"skipped": "Dask is not installed"}
    with LocalCluster(  # type: ignore[no-untyped-call]
        n_workers=JOBS, threads_per_worker=1, dashboard_address=":0", silence_logs=50
    ) as cluster:
        args = command(source, folder / "cluster.jsonl", "--scheduler", cluster.scheduler_address)
        done = run(args, LIMIT)
    return {**took(done), **same(folder / "whole.jsonl", folder / "cluster.jsonl")}


def same(one: Path, two: Path) -> dict[str, Any]:
    """Whether two runs found the same, and each project once."""
    first, second = records(one), records(two)
    paths = [record["path"] for record in second]

    def key(record: dict[str, Any]) -> str:
        return str(record["path"])

    return {
        "equal": sorted(first, key=key) == sorted(second, key=key),
        "lost": len({r["path"] for r in first} - set(paths)),
        "twice": len(paths) - len(set(paths)),
    }


def records(file: Path) -> list[dict[str, Any]]:
    """The records of a run."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def lines(file: Path) -> int:
    """How many whole lines a file has."""
    return file.read_bytes().count(b"\n")


def took(done: Run) -> dict[str, Any]:
    """Times and memory of a program and those it started, the largest of them."""
    return {"seconds": done.seconds, "cpu": done.cpu, "memory": done.memory}
