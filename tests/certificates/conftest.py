"""Certificates of a few verdicts, written once and copied for each test that changes them."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from downset.cli import main
from downset.prove.certificate import digest
from downset.prove.cvc5_solver import worker
from downset.prove.manifest import NAME, digest_of, written
from downset.prove.recheck import Rechecker
from downset.prove.sources import Sources

if TYPE_CHECKING:
    from pathlib import Path

MODELS = ("opencode/1.17.2", "pawwork/1132")
PROPERTIES = (
    "session-deny-inherited",
    "todo-guard",
    "recursion-guard",
    "fork-safe",
    "rebuild-stable-user",
)
PROVED, DISPATCH, VIOLATED, FORKED = 0, 1, 2, 3
VACUOUS = 7
"""Places of entries; those of the second model follow those of the first."""


@dataclass(frozen=True)
class Folder:
    """A folder of certificates that a test may change."""

    path: Path

    @property
    def manifest(self) -> dict[str, Any]:
        """The manifest, read anew."""
        loaded: dict[str, Any] = json.loads((self.path / NAME).read_text(encoding="utf-8"))
        return loaded

    def write(self, manifest: dict[str, Any], *, sealed: bool) -> None:
        """Write a changed manifest; `sealed` makes all digests fit again."""
        if sealed:
            for entry in manifest.get("verdicts", ()):
                for obligation in entry["obligations"]:
                    file = self.path / obligation["file"]
                    if file.is_file():
                        obligation["sha256"] = digest(file.read_text(encoding="utf-8"))
            manifest["digest"] = digest_of(manifest)
        (self.path / NAME).write_text(written(manifest), encoding="utf-8")

    def script(self, place: int, obligation: int = 0) -> Path:
        """The file of an obligation."""
        name = self.manifest["verdicts"][place]["obligations"][obligation]["file"]
        return self.path / str(name)

    def problems(self, place: int) -> list[str]:
        """What is wrong with the manifest as a whole and with the entry at a place."""
        checker = Rechecker(self.path, self.manifest, worker().ask)
        found = list(checker.overall().problems)
        if place < len(self.manifest["verdicts"]):
            found += checker.entry(place, Sources(self.manifest)).problems
        return found


@pytest.fixture(scope="session")
def written_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The certificates of some verdicts of two models."""
    folder = tmp_path_factory.mktemp("certificates") / "made"
    asked = [part for name in PROPERTIES for part in ("--property", name)]
    assert main(["prove", *MODELS, *asked, "--certificate", str(folder), "--exit-zero"]) == 0
    return folder


@pytest.fixture
def folder(written_once: Path, tmp_path: Path) -> Folder:
    """A copy of the certificates."""
    shutil.copytree(written_once, tmp_path / "copy")
    return Folder(tmp_path / "copy")
