"""The program of one release, or a skip with the reason; what was skipped is said at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.releases import release
from downset.program.installing import default_cache
from downset.program.outcomes import Unavailable
from downset.program.replaying import Program

if TYPE_CHECKING:
    from collections.abc import Iterator

RELEASE = "opencode@1.18.34"


@pytest.fixture(scope="session")
def running() -> Iterator[Program]:
    """A server of the program, for all tests of one worker."""
    try:
        program = Program(release(RELEASE), default_cache())
        program.__enter__()
    except Unavailable as why:
        pytest.skip(f"{RELEASE} is not here: {why.reason}")
    try:
        yield program
    finally:
        program.__exit__()
