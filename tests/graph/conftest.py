"""The recorded cases, where they are at hand."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def shared() -> Path:
    """The recorded cases, which are kept beside the repository."""
    folder = ROOT.parent / "shared" / "cases"
    if not folder.is_dir():
        pytest.skip(f"the recorded cases are not at {folder}")
    return folder
