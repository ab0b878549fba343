"""Settings of all tests: Hypothesis without deadlines, the same examples in every run."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from _pytest.terminal import TerminalReporter

ROOT = str(Path(__file__).parents[1])
if ROOT not in sys.path:
    sys.path.insert(0, ROOT)  # so that tests can share modules: `from tests.laws import ...`

settings.register_profile(
    "house",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
settings.load_profile("house")


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say at the very end which tests of the real program did not run, and why."""
    skipped = [r for r in terminalreporter.stats.get("skipped", ()) if "program" in r.keywords]
    for reason in sorted({str(report.longrepr[-1]) for report in skipped}):
        count = sum(str(report.longrepr[-1]) == reason for report in skipped)
        terminalreporter.write_line(f"{count} tests of the real program did not run: {reason}")
