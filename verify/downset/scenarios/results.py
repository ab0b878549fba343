"""What became of each check of a scenario: plain data for the reports.

>>> Result("001", 0, "deny", "allow").ok, Result("013", None, None, None).ok
(False, None)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

UNSUPPORTED = "unsupported: "
DISAGREE = "readings disagree: "


@dataclass(frozen=True)
class Result:
    """One check: what is expected and what the design answers, in the same shape.

    `check` counts from 0; it is `None`, as are the answers, for a case without checks. `about`
    says for people what was asked, `model` of which model or release, `file` where.
    """

    id: str
    check: int | None
    expect: object
    got: object
    about: str = ""
    model: str = ""
    file: str = ""

    @property
    def ok(self) -> bool | None:
        """Whether the answer is the expected one."""
        return None if self.check is None else self.got == self.expect


def disagreements(results: Iterable[Result]) -> list[Result]:
    """The checks for which one of the two readings is wrong, whatever is expected.

    >>> disagreements([Result("001", 0, "deny", "ask")])
    []
    """
    return [r for r in results if isinstance(r.got, str) and r.got.startswith(DISAGREE)]


class Unsupported(Exception):
    """A check that asks for something no design of the package can answer; says what."""


class ReadingsDisagree(Exception):
    """The concrete and the symbolic reading of a design give different answers."""

    @property
    def answer(self) -> str:
        """The disagreement in place of an answer; it is never the expected one."""
        return f"{DISAGREE}{self}"


def agree(results: Iterable[Result]) -> bool:
    """Whether every check got the answer that is expected.

    >>> agree([Result("013", None, None, None)]), agree([Result("001", 0, "deny", "ask")])
    (True, False)
    """
    return all(result.ok is not False for result in results)
