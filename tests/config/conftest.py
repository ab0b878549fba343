"""Files to load, and the recorded cases where they are at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.config.files import load
from downset.config.releases import release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downset.config.project import Project

ROOT = Path(__file__).parents[2]

Writer = "Callable[[Mapping[str, object]], Path]"


@pytest.fixture
def project(tmp_path: Path) -> Callable[[Mapping[str, object]], Path]:
    """Write files below a new directory `app`; a mapping is written as JSON."""

    def write(files: Mapping[str, object]) -> Path:
        app = tmp_path / "app"
        app.mkdir(exist_ok=True)
        for name, content in files.items():
            path = app / name
            path.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, bytes):
                path.write_bytes(content)
            else:
                text = content if isinstance(content, str) else json.dumps(content)
                path.write_text(text, encoding="utf-8")
        return app

    return write


@pytest.fixture
def loaded(
    project: Callable[[Mapping[str, object]], Path],
) -> Callable[..., Project]:
    """Write files and load them as a release does, by default the newest known of V1."""

    def write_and_load(
        files: Mapping[str, object], name: str = "1.18.34", **how: object
    ) -> Project:
        return load(project(files), release(name), **how)  # type: ignore[arg-type]

    return write_and_load


@pytest.fixture(scope="session")
def shared() -> Path:
    """The recorded cases, which are kept beside the repository."""
    folder = ROOT.parent / "shared"
    if not (folder / "cases").is_dir():
        pytest.skip(f"the recorded cases are not at {folder}")
    return folder
