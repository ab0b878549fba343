"""What is found in a configuration, as plain data for the reports.

>>> Witness("edit", "src/app.ts").text
'edit src/app.ts'
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import unified_diff
from enum import Enum
from hashlib import sha256
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


class Severity(Enum):
    """How bad a finding is, the worst first."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"

    @property
    def rank(self) -> int:
        """0 for the worst.

        >>> Severity.NOTE.rank
        2
        """
        return tuple(Severity).index(self)


@dataclass(frozen=True)
class Location:
    """A file, and a line and column from 1, as far as they are known."""

    file: str
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        return ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)


@dataclass(frozen=True)
class RuleAt:
    """A rule, the layer it stands in, and where it was written, if a person wrote it."""

    permission: str
    pattern: str
    action: str
    layer: str
    place: Location | None = None

    @property
    def text(self) -> str:
        """The rule in the order of its fields."""
        return f"{self.permission} {self.pattern} {self.action}"


@dataclass(frozen=True)
class Witness:
    """One request that shows a finding: a permission and a resource."""

    permission: str
    pattern: str

    @property
    def text(self) -> str:
        """As a person would say it."""
        return f"{self.permission} {self.pattern}"


@dataclass(frozen=True)
class Side:
    """What one agent decides about a witness, and by which rule (`None`: because none matches)."""

    agent: str
    decision: str
    rule: RuleAt | None


@dataclass(frozen=True)
class Member:
    """One instance of a finding: a chain, a witness, and who decides what.

    `dispatch` is what the last step but those above the ancestor passes: its decision and rule.
    """

    chain: tuple[str, ...]
    witness: Witness
    ancestor: Side
    descendant: Side
    dispatch: Side | None = None
    others: tuple[str, ...] = ()
    """Further agents for which the witness shows the same."""


@dataclass(frozen=True)
class Suggestion:
    r"""An edit that was tried: what it does, and each file's text before and after.

    Without files it says why there is none.

    >>> print(Suggestion("allow it", (("a.json", "1\n", "2\n"),)).patch, end="")
    --- a.json
    +++ a.json
    @@ -1 +1 @@
    -1
    +2
    """

    summary: str
    files: tuple[tuple[str, str, str], ...] = ()

    @property
    def patch(self) -> str:
        """The edit in the form that `patch` reads, without lines that seem to have a secret.

        Lines around the edit are left out if one of them does; the patch is empty if the edited
        line does.
        """
        for around in (3, 0):
            text = "".join(part for file in self.files for part in _patch(*file, around))
            if not _SECRET.search(text):
                return text
        return ""


_SECRET: Final = re.compile(r"api.?key|token|secret|passw|authorization|bearer", re.IGNORECASE)


def _patch(file: str, old: str, new: str, around: int) -> Iterator[str]:
    before, after = (text.splitlines(keepends=True) for text in (old, new))
    for line in unified_diff(before, after, file, file, n=around):
        yield line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n"


@dataclass(frozen=True)
class Problem:
    """One finding of `check`: a property that fails, or a lint.

    `members` are the instances of a finding that is grouped; the first stands for them all.
    """

    id: str
    severity: Severity
    message: str
    locations: tuple[Location, ...] = ()
    members: tuple[Member, ...] = ()
    rules: tuple[RuleAt, ...] = ()
    details: tuple[str, ...] = ()
    help: str = ""
    subject: str = ""
    """What it is about, for waivers: an agent, a rule, a file."""
    witness: Witness | None = None
    is_property: bool = False
    suggestion: Suggestion | None = None
    """What to do about it, where that was asked for."""

    @property
    def fingerprint(self) -> str:
        """The same as long as what is wrong is the same: no line numbers, no file names.

        >>> Problem("dead-rule", Severity.ERROR, "a message").fingerprint
        '24eafe643ffffecb'
        """
        parts = [self.id, self.subject]
        for member in self.members:
            sides = (member.ancestor, member.descendant)
            parts += [*member.chain, *(side.rule.text for side in sides if side.rule)]
        parts += [rule.text for rule in self.rules]
        parts += [] if self.members or self.rules else [self.message]
        return sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:16]


def ordered(problems: list[Problem]) -> list[Problem]:
    """The worst first; then by place, id and message, so that every run says the same."""

    def key(problem: Problem) -> tuple[object, ...]:
        place = problem.locations[0] if problem.locations else Location("")
        return (
            problem.severity.rank,
            not problem.is_property,
            place.file,
            place.line or 0,
            place.column or 0,
            problem.id,
            problem.message,
        )

    return sorted(problems, key=key)
