"""Replaying scenarios on the program of one release, one project for each, one server for all."""

from __future__ import annotations

import json
import re
import signal
import tempfile
import threading
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from downset.config.surroundings import Surroundings
from downset.program.chat import Chat, text_of
from downset.program.home import Home
from downset.program.installing import binary
from downset.program.network import private_network
from downset.program.outcomes import ConfigRefused, NotExpressible, ProgramError
from downset.program.sandbox import Sandbox
from downset.program.server import Server
from downset.program.staging import Staging
from downset.program.steps import Outcome, Replayed
from downset.program.telling import Telling

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from types import FrameType

    from downset.config.releases import Release
    from downset.design.design import Design
    from downset.scenarios.own import Document

LONGEST: Final = 2000


@dataclass
class Program:
    """The program of a release, running; a context manager. Raises `Unavailable`.

    `cache` is where programs are installed and transcripts are kept, `given` a program that is
    there already, `layers` configurations besides the project's.
    """

    row: Release
    cache: Path
    given: Path | None = None
    layers: Mapping[str, object] = field(default_factory=dict)
    private: bool = False
    stack: ExitStack = field(default_factory=ExitStack)
    projects: int = 0

    def __enter__(self) -> Self:
        path = self.given or binary(self.row, self.cache)
        with ExitStack() as stack:
            stack.enter_context(ended_by_signals())
            work = stack.enter_context(tempfile.TemporaryDirectory(prefix="downset-", **KEEP_GOING))
            self.private = stack.enter_context(private_network())
            home = Home(Path(work).resolve() / "home", self.layers)
            self.chat = stack.enter_context(Chat(home.probes))
            self.server = stack.enter_context(Server(path.resolve(), home))
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error: object) -> None:
        self.stack.close()

    @property
    def version(self) -> str:
        """What the program says its version is."""
        return self.server.version

    def replay(self, document: Document, design: Design, *, strict: bool = False) -> Replayed:
        """Tell a scenario to the program, and compare it with a design.

        With `strict` the rules that sessions store are compared after every event. Raises
        `InputError` for a scenario that makes no sense, `ProgramError` if the program fails.
        """
        self.projects += 1
        path = self.server.home.path.parent / f"project-{self.projects}"
        here = Surroundings(
            str(self.server.home.path),
            str(path),
            str(self.server.home.temporary),
            str(self.server.home.data),
        )
        staging = Staging(document, self.row, design, here)
        self.chat.log.clear()
        begin = self.server.log.stat().st_size
        telling = Telling(staging, Sandbox(self.server, self.chat, path), strict)
        reason = self.told(telling)
        outcome = outcome_of(telling, reason)
        kept = self.transcript(begin, telling)
        return Replayed(
            str(document.values["id"]),
            self.row.name,
            self.version,
            outcome,
            tuple(telling.steps),
            reason if outcome is not Outcome.CONFIRMED else "",
            None if kept is None else str(kept),
        )

    def told(self, telling: Telling) -> str:
        """Tell a scenario; returns why it cannot be told, or not all of it."""
        try:
            telling.staging.check()
            telling.sandbox.make(telling.staging.config, telling.staging.tools)
            telling.tell()
            reason = next(iter([*telling.refused.values(), *telling.unasked.values()]), "")
        except NotExpressible as why:
            reason = why.reason
        except ConfigRefused as why:
            telling.compare(0, "configuration", "the configuration is read", "accepted", str(why))
            reason = ""
        if telling.sandbox.path.is_dir():
            telling.sandbox.dispose()
        return reason

    # --- transcripts ---

    def transcript(self, begin: int, telling: Telling) -> Path | None:
        """Keep what was said in a scenario; nothing is kept where nothing can be written."""
        name = re.sub(r"[^\w.-]+", "-", str(telling.staging.document.values["id"]))
        target = self.cache / "transcripts" / f"{name}-{self.row.name}.jsonl"
        records = [
            {"configuration": telling.staging.config if telling.sandbox.path.is_dir() else None},
            *(said(entry) for entry in self.chat.log),
            *({"server": line} for line in self.log_since(begin)),
            *({"step": {**asdict(step), "ok": step.ok}} for step in telling.steps),
        ]
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            lines = (json.dumps(record) + "\n" for record in records)
            target.write_text("".join(lines), encoding="utf-8")
        except OSError:
            return None
        return target

    def log_since(self, begin: int) -> list[str]:
        """What the server wrote about permissions, and its errors."""
        with self.server.log.open("rb") as log:
            log.seek(begin)
            lines = log.read().decode("utf-8", "replace").splitlines()
        return [line[:LONGEST] for line in lines if "evaluated" in line or "ERROR" in line]


KEEP_GOING: Final[dict[str, Any]] = {"ignore_cleanup_errors": True}
"""The server may still write a file while its directory is removed."""


def outcome_of(telling: Telling, reason: str) -> Outcome:
    """What a telling comes to: a difference counts, whatever else could not be told."""
    if not all(step.ok for step in telling.steps):
        return Outcome.NOT_REPRODUCED
    return Outcome.NOT_EXPRESSIBLE if reason or not telling.steps else Outcome.CONFIRMED


def failed(program: Program, document: Document, design: Design) -> Replayed:
    """A replay; if the program fails at something, that is why there is no answer."""
    try:
        return program.replay(document, design)
    except ProgramError as why:
        found = unavailable(document, program.row, f"the program failed: {why}")
        return replace(found, program=program.version)


def unavailable(document: Document, row: Release, reason: str) -> Replayed:
    """The record of a scenario whose program cannot be had."""
    return Replayed(str(document.values["id"]), row.name, None, Outcome.UNAVAILABLE, (), reason)


def said(entry: dict[str, Any]) -> dict[str, object]:
    """One request to the model in short: what was offered, the last message, and the answer."""
    if "error" in entry:
        return {"model": entry}
    request = entry["request"]
    offered = [tool["function"]["name"] for tool in request.get("tools") or ()]
    last = [text_of(message)[:LONGEST] for message in request.get("messages", ())[-1:]]
    calls = [call["function"] for call in entry["calls"]]
    return {"model": {"offered": offered, "last": last, "calls": calls}}


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Make a request to terminate clean up as Ctrl-C does."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
