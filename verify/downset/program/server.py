"""A server of the program: started, waited for, and gone with everything it started.

It binds to loopback on a free port, in a home of its own. It ends with the context, and with this
process, however that ends.
"""

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import socket
import subprocess
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Self

from downset.program.api import Api
from downset.program.outcomes import ProgramError, Unavailable

if TYPE_CHECKING:
    from pathlib import Path

    from downset.program.home import Home

START_SECONDS: Final = 120.0
STOP_SECONDS: Final = 5.0
PORTS: Final = range(20000, 30000)
"""Below the ports that the system hands out, so that nothing connects to itself meanwhile."""


@dataclass
class Server:
    """One server; a context manager. `path` is the program, `home` where it lives."""

    path: Path
    home: Home
    version: str = ""
    port: int = 0
    process: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def log(self) -> Path:
        """What the server writes."""
        return self.home.path / "server.log"

    def __enter__(self) -> Self:
        self.home.path.mkdir(parents=True, exist_ok=True)
        self.version = version_of(self.path, self.home)
        self.home.make(self.version)
        self.port = free_port()
        try:
            self.start()
            self.wait()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the process, in a group of its own."""
        at = ["--hostname", "127.0.0.1", "--port", str(self.port), "--print-logs"]
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(  # noqa: S603 -- the program that users ask for
                [*tied(), str(self.path), "serve", *at],
                cwd=self.home.temporary,
                env=self.home.environment(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Wait until requests are answered. Raises `Unavailable` if that takes too long.

        A request that comes before the log says so may never be answered.
        """
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            if self.process is not None and self.process.poll() is not None:
                raise Unavailable(f"the server ended at once: {self.tail()}")
            if b"listening on" in self.log.read_bytes():
                self.home.seed_models()  # the program may have emptied its cache at the start
                if self.answers():
                    return
            time.sleep(0.05)
        raise Unavailable(f"the server did not start within {START_SECONDS:.0f} s: {self.tail()}")

    def answers(self) -> bool:
        """Whether the server answers a request."""
        api = Api(self.port, str(self.home.temporary))
        with contextlib.suppress(ProgramError):
            return api.call("GET", "/path", seconds=5)[0] == 200  # noqa: PLR2004 -- the status "OK"
        return False

    def tail(self) -> str:
        """The end of the log, in one line."""
        return " ".join(self.log.read_text(encoding="utf-8", errors="replace").split())[-300:]

    def stop(self) -> None:
        """End the process and all that it started."""
        process, self.process = self.process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def version_of(path: Path, home: Home) -> str:
    """What the program says its version is. Raises `Unavailable` if it does not run."""
    home.make("")
    try:
        done = subprocess.run(  # noqa: S603 -- the same
            [str(path), "--version"],
            env=home.environment(),
            capture_output=True,
            text=True,
            timeout=START_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(f"{path} does not run: {error}") from error
    if done.returncode != 0 or not done.stdout.strip():
        raise Unavailable(f"{path} does not tell its version: {done.stderr.strip()[:200]}")
    return done.stdout.split()[-1]


def tied() -> list[str]:
    """What makes a process end when this one does, where the system has a command for it."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "KILL", "--"] if setpriv else []


def free_port() -> int:
    """A port on loopback that nothing listens on."""
    for port in random.sample(PORTS, 200):
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise Unavailable("no port is free on loopback")
