"""Denies of a command that another spelling of the same command escapes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.graph.lints.blocks import Lint, problem, shown, together
from downset.graph.records import Severity, Witness
from downset.graph.tools import shell_name
from downset.language.rules import ALLOW, DENY
from downset.shelltext.matchers import asked_by_opencode
from downset.shelltext.spellings import SPELLINGS, spelled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.config.rules_from import PlacedRule
    from downset.graph.callgraph import CallGraph
    from downset.graph.columns import Column
    from downset.graph.lints.blocks import Block
    from downset.graph.records import Problem

COMMAND: Final = re.compile(r"([\w./-]+(?: [\w./=-]+)*) ?\*?")
"""A pattern that names a command: plain words, perhaps with a star behind them."""
SAME: Final = tuple(one for one in SPELLINGS if re.search(r"\{[cwh]\}", one.template))
"""The spellings that run the command itself."""
NAMED: Final = 3


def shell_spelling(_graph: CallGraph, written: Sequence[Block]) -> list[Problem]:
    """Denied commands of which a known spelling is allowed all the same."""
    found: list[Problem] = []
    for block in written:
        shell = shell_name(block.world.release)
        problems = [
            escape(block, rule, column)
            for _, rule in block.written
            if rule.rule.action is DENY and rule.rule.permission == shell
            for asked, column in block.asked(rule)
            if asked.permission == shell and not column.hides
        ]
        found += together([one for one in problems if one is not None], "that are spelled around")
    return found


def escape(block: Block, rule: PlacedRule, column: Column) -> Problem | None:
    """The spellings of a denied command that are allowed, `None` if there are none."""
    command = denied_command(rule.rule.pattern)
    if command is None or column.decide(command) is not DENY:
        return None
    lines = [spelled(one, command) for one in SAME]
    open_lines = [line for line in lines if runs(column, line)]
    if not open_lines:
        return None
    names = ", ".join(f"`{line}`" for line in open_lines[:NAMED])
    return problem(
        "shell-spelling",
        Severity.WARNING,
        f"{shown(rule)} of {block.name} does not catch {names}: "
        f"{len(open_lines)} of {len(lines)} known spellings are allowed",
        [rule],
        help='say what may run in place of what may not: {"*": "ask", …}; see docs/shell-text.md',
        witness=Witness(rule.rule.permission, open_lines[0]),
        subject=block.agent,
    )


def runs(column: Column, line: str) -> bool:
    """Whether a line is run unasked: every command in it is allowed.

    A line in which no command is found is asked about by nobody.
    """
    return all(column.decide(text) is ALLOW for text in asked_by_opencode(line))


def denied_command(pattern: str) -> str | None:
    """A command that a pattern denies, with an argument; `None` if the pattern names none.

    >>> denied_command("git push *"), denied_command("rm"), denied_command("*secret*")
    ('git push x', 'rm x', None)
    """
    found = COMMAND.fullmatch(pattern)
    return None if found is None else f"{found[1]} x"


LINTS: Final = (
    Lint(
        "shell-spelling",
        Severity.WARNING,
        "a denied command that can be spelled otherwise",
        shell_spelling,
    ),
)
