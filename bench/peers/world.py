"""The finite world that the peers look through, and what is asked of it.

The design is opencode/1.17.2. A ruleset is a list of at most `length` rules; a rule has one of the
tools or `*` as its key, `*` or `src/*` as its pattern, and an action. A resource is inside `src` or
outside. A session that a user opens has any rules stored and an agent with any rules. A dispatch
carries the denies of what its caller stores, and denies `todowrite` and `task` unless the callee
has a rule of that name; what a session stores stands behind its agent's rules, and the last match
decides, by default ask.

`inherit`: what a rule stored in a session denies, every session of a chain below denies.
`resume`: what a session denies, another session of a user's that it resumes denies, and every
session of a chain below that.

>>> World("inherit", depth=2, tools=3).names
('edit', 'todowrite', 'task')
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NAMES: Final = ("edit", "todowrite", "task", "bash", "webfetch", "read", "grep", "deploy")
GUARDED: Final = ("todowrite", "task")


@dataclass(frozen=True)
class World:
    """How large, and what is asked."""

    question: str
    depth: int
    tools: int
    length: int = 2

    @property
    def names(self) -> tuple[str, ...]:
        """The tools."""
        return NAMES[: self.tools]

    @property
    def guarded(self) -> tuple[str, ...]:
        """The tools that a child is denied unless its agent mentions them."""
        return tuple(name for name in GUARDED if name in self.names)

    @property
    def covers(self) -> str:
        """What an answer covers, in words."""
        return f"{self.tools} tools, {self.length} rules in a list, depth {self.depth}"


@dataclass(frozen=True)
class Said:
    """An answer: `holds`, `fails`, `unknown` or `skipped`, with the reason of the last two."""

    answer: str
    seconds: float = 0.0
    memory: int = 0
    why: str = ""
    searching: float | None = None
    """Seconds of the search alone, where something is compiled first."""
