"""A home of one's own for the program: directories, environment, and a shell that only records.

Releases must not share a home: an older one fails on the database of a newer one.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

SETTINGS: Final = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    "OPENCODE_DISABLE_MODELS_FETCH": "1",
    "OPENCODE_DISABLE_PRUNE": "1",
    "OPENCODE_DISABLE_SHARE": "1",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_AUTHOR_NAME": "nobody",
    "GIT_AUTHOR_EMAIL": "nobody@localhost",
    "GIT_COMMITTER_NAME": "nobody",
    "GIT_COMMITTER_EMAIL": "nobody@localhost",
    "NO_PROXY": "127.0.0.1",
    "HTTP_PROXY": "http://127.0.0.1:9",
    "HTTPS_PROXY": "http://127.0.0.1:9",
}
KEPT: Final = ("PATH", "LANG", "TERM")
PLUGIN: Final = "@opencode-ai/plugin"
RECORDER: Final = '#!/bin/sh\nprintf \'%s\\n\' "$*" >> "$DOWNSET_COMMANDS"\n'


@dataclass(frozen=True)
class Home:
    """A directory in which the program lives, and finds nothing of anybody's.

    `layers` are configurations besides the project's: `global` is the user's own, `managed` that
    of whoever manages the machine.
    """

    path: Path
    layers: Mapping[str, object] = field(default_factory=dict)

    @property
    def data(self) -> Path:
        """Where the program keeps its data."""
        return self.path / "data"

    @property
    def temporary(self) -> Path:
        """The directory for temporary files."""
        return self.path / "tmp"

    @property
    def commands(self) -> Path:
        """The commands that were run: the shell writes them down and does nothing else."""
        return self.path / "commands.txt"

    @property
    def probes(self) -> Path:
        """Where the probing tool reads what to ask for, and writes what came of it."""
        return self.path / "probes"

    def make(self, version: str) -> None:
        """Make all directories, as a version of the program wants them."""
        for name in ("config/opencode", "cache/opencode", "data", "state", "tmp", "probes", "bin"):
            (self.path / name).mkdir(parents=True, exist_ok=True)
        settled(self.path / "config" / "opencode", version)
        shell = self.path / "bin" / "bash"
        shell.write_text(RECORDER, encoding="utf-8")
        shell.chmod(0o755)
        self.seed_models()
        for layer, folder in (("global", "config/opencode"), ("managed", "managed")):
            if layer in self.layers:
                (self.path / folder).mkdir(exist_ok=True)
                file = self.path / folder / "opencode.json"
                file.write_text(json.dumps(self.layers[layer]), encoding="utf-8")

    def seed_models(self) -> None:
        """Write a list of models without any; old releases fail without one."""
        known = {"opencode": {"id": "opencode", "name": "none", "env": [], "models": {}}}
        cache = self.path / "cache" / "opencode"
        cache.mkdir(parents=True, exist_ok=True)
        (cache / "models.json").write_text(json.dumps(known), encoding="utf-8")

    def environment(self) -> dict[str, str]:
        """The environment of the program, and of nothing else."""
        here = {key: os.environ[key] for key in KEPT if key in os.environ}
        directories = {
            "HOME": self.path,
            "OPENCODE_TEST_HOME": self.path,
            "XDG_CONFIG_HOME": self.path / "config",
            "XDG_CACHE_HOME": self.path / "cache",
            "XDG_DATA_HOME": self.data,
            "XDG_STATE_HOME": self.path / "state",
            "TMPDIR": self.temporary,
            "SHELL": self.path / "bin" / "bash",
            "DOWNSET_COMMANDS": self.commands,
            "DOWNSET_PROBES": self.probes,
            "OPENCODE_TEST_MANAGED_CONFIG_DIR": self.path / "managed",
        }
        return here | SETTINGS | {key: str(value) for key, value in directories.items()}


def settled(directory: Path, version: str) -> None:
    """Make a directory of configuration look as if the plugin package were installed in it.

    The program installs that package wherever it finds tools, and waits for it; without a network
    that takes minutes. Nothing here uses it.
    """
    there = directory / "node_modules" / PLUGIN
    there.mkdir(parents=True, exist_ok=True)
    lock = {"node_modules/" + PLUGIN: {"version": version}}
    wanted = {"dependencies": {PLUGIN: version}}
    files = {
        there / "package.json": {"name": PLUGIN, "version": version},
        directory / "package.json": wanted,
        directory / "package-lock.json": {"lockfileVersion": 3, "packages": {"": wanted} | lock},
        directory / "node_modules" / ".package-lock.json": {"lockfileVersion": 3, "packages": lock},
    }
    for file, value in files.items():
        file.write_text(json.dumps(value), encoding="utf-8")
