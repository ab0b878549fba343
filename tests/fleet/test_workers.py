"""Calls that hang, crash or grow are ended, and the others are done."""

from __future__ import annotations

import importlib
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest

from downset.apart.calls import MIB, Call, Limits
from downset.apart.workers import each, in_order
from downset.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

WORK = """
import os
import signal
import sys
import time

from downset.errors import InputError

def do(what):
    if what == "hang":
        time.sleep(1000)
    if what == "grow":
        return len(bytearray(1 << 40))
    if what == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "leave":
        os._exit(7)
    if what == "print":
        print("this is not an answer")
    if what == "refuse":
        raise InputError("no good", id="bad", file="f", line=1)
    if what == "odd":
        return sys.modules
    return what.upper()
"""


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """A module that another process can import."""
    (tmp_path / "work_apart.py").write_text(WORK)
    monkeypatch.syspath_prepend(tmp_path)
    return importlib.import_module("work_apart")


def test_each_failure_is_told_and_the_rest_is_done(work: ModuleType) -> None:
    asked = ["a", "hang", "grow", "crash", "leave", "print", "b"]
    calls = [Call(work.do, (what,)) for what in asked]
    outcomes = each(calls, jobs=2, limits=Limits(1.5, 512 * MIB), quiet=True)
    assert [outcome.value or outcome.failure for outcome in in_order(outcomes)] == [
        "A",
        "took longer than 1.5 s and was stopped",
        "needed more than 512 MiB of memory",
        "crashed (SIGSEGV)",
        "crashed (exit code 7)",
        "PRINT",
        "B",
    ]


def test_what_a_call_raises_is_raised(work: ModuleType) -> None:
    with pytest.raises(InputError) as caught:
        list(each([Call(work.do, ("refuse",))], jobs=1))
    assert caught.value.format() == "f:1: error[bad]: no good"
    with pytest.raises(RuntimeError, match="pickle"):
        list(each([Call(work.do, ("odd",))], jobs=1))


def test_no_more_calls_are_taken_than_there_are_processes(work: ModuleType) -> None:
    taken = []

    def calls() -> object:
        for number in range(50):
            taken.append(number)
            yield Call(work.do, ("a",))

    outcomes = each(calls(), jobs=2)  # type: ignore[arg-type]
    next(outcomes)
    assert len(taken) <= 4
    outcomes.close()  # type: ignore[attr-defined]


def test_a_process_ends_with_whoever_started_it(tmp_path: Path) -> None:
    """Also in the middle of a call, and also if that was killed."""
    (tmp_path / "slow_apart.py").write_text(
        "import os, sys, time\n"
        "def slow(file):\n"
        "    open(file, 'w').write(str(os.getpid()))\n"
        "    time.sleep(1000)\n"
    )
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from slow_apart import slow\n"
        "from downset.apart.calls import Call\n"
        "from downset.apart.workers import each\n"
        "list(each([Call(slow, (sys.argv[1] + '/pid',))], 1))\n"
    )
    parent = subprocess.Popen(  # noqa: S603 -- downset itself
        [sys.executable, "-c", script, str(tmp_path)]
    )
    pid = eventually((tmp_path / "pid").read_text)
    parent.kill()
    parent.wait()
    eventually(lambda: not alive(int(pid)))


def alive(pid: int) -> bool:
    """Whether a process is there and not only waiting to be buried."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8") as file:  # noqa: PTH123 -- no file of ours
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def eventually(attempt: object, seconds: float = 20.0) -> str:
    """What an attempt gives when it first gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            found = attempt()  # type: ignore[operator]
        except OSError:
            found = None
        if found:
            return str(found)
        time.sleep(0.05)
    pytest.fail("it never happened")
