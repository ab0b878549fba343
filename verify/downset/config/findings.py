"""What the loader has to say about a configuration that can be used.

Errors, which leave an agent with more than was written: `header-dropped` and `agent-skipped` (a
Markdown header that the program cannot read), `v2-key` and `mixed-forms` (keys of the other
engine), `file-skipped` (a file that the second engine leaves out), `agent-twice`,
`bad-environment`, `outside-not-read` (agents), `unreadable`. Warnings: `no-header`,
`unknown-key`, `duplicate-key`, `bad-default-agent`. Notes: `outside-not-read` (`{file:}`).

>>> print(Finding("unknown-key", Severity.WARNING, "`permissions` is not read"))
warning[unknown-key]: `permissions` is not read
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from downset.config.nodes import NOWHERE

if TYPE_CHECKING:
    from downset.config.nodes import Place


class Severity(Enum):
    """How bad a finding is: an error leaves an agent with more than was written."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing to tell: what, where, and what to do about it."""

    id: str
    severity: Severity
    message: str
    place: Place = NOWHERE
    help: str | None = None

    def __str__(self) -> str:
        """As errors are printed: `file:line:col: severity[id]: message`."""
        start = f"{self.place}: " if self.place != NOWHERE else ""
        text = f"{start}{self.severity.value}[{self.id}]: {self.message}"
        return f"{text}\n  help: {self.help}" if self.help else text


class Findings:
    """Findings as they come up, each once."""

    def __init__(self) -> None:
        self._found: dict[Finding, None] = {}

    def error(self, id: str, message: str, place: Place, help: str | None = None) -> None:  # noqa: A002 -- as printed
        """Add one that leaves an agent with more than was written."""
        self.add(Finding(id, Severity.ERROR, message, place, help))

    def warning(self, id: str, message: str, place: Place, help: str | None = None) -> None:  # noqa: A002 -- as printed
        """Add one that deserves a look."""
        self.add(Finding(id, Severity.WARNING, message, place, help))

    def note(self, id: str, message: str, place: Place, help: str | None = None) -> None:  # noqa: A002 -- as printed
        """Add one that is good to know."""
        self.add(Finding(id, Severity.NOTE, message, place, help))

    def add(self, finding: Finding) -> None:
        """Add a finding, unless it is there."""
        self._found.setdefault(finding)

    def all(self) -> tuple[Finding, ...]:
        """Everything found, in the order in which it came up."""
        return tuple(self._found)
