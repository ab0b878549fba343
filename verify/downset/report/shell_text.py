"""Which spelling of a denied command each system catches, as a page of the documentation.

>>> page().splitlines()[0]
'# Shell text: which spelling of a denied command is caught'
"""

from __future__ import annotations

from typing import Final

from downset.shelltext.matchers import caught
from downset.shelltext.spellings import SPELLINGS, SYSTEMS, spelled

COMMAND: Final = "touch p"
HEAD: Final = """\
# Shell text: which spelling of a denied command is caught

One rule denies `touch`, everything else is permitted. **D**: the line is denied; **R**: it is run.
Claude Code 2.1.328 (in bypassPermissions), Codex 0.171, Gemini CLI 0.61 (in yolo) and Qwen Code
0.15.10 were run on every line; what Codex runs is still inside its sandbox. For each of them
`downset/shelltext/matchers.py` has a small matcher, which a test holds to this table. The column
of opencode (1.1.48 and later, pattern `touch *`) is by reading: nothing of it was run.

This is a benchmark of matchers, apart from the verdicts of the matrix: those speak of one command
as a text, however it was found. No system's deny of a text proves that a program is not run.
"""
TAIL: Final = """
`downset check` warns ([shell-spelling](lints/shell-spelling.md)) where a configuration denies a
command and allows one of these spellings of it.
"""


def page() -> str:
    """The page, as Markdown."""
    systems = (*SYSTEMS, "opencode")
    rows = [f"| line | {' | '.join(systems)} |", "|---|" + ":-:|" * len(systems)]
    for spelling in SPELLINGS:
        line = spelled(spelling, COMMAND)
        cells = ["D" if spelling.denied_by(system) else "R" for system in SYSTEMS]
        cells.append("D" if caught("opencode", line, ("touch",)) else "R")
        rows.append(f"| {code(line)} | {' | '.join(cells)} |")
    lowest = [column_total(system) for system in systems]
    rows.append(f"| *denied of {len(SPELLINGS)}* | {' | '.join(map(str, lowest))} |")
    return "\n".join([HEAD, *rows, TAIL])


def column_total(system: str) -> int:
    """How many of the spellings a system denies."""
    return sum(caught(system, spelled(one, COMMAND), ("touch",)) for one in SPELLINGS)


def code(line: str) -> str:
    r"""A line as code in a table, its blanks visible.

    >>> code("a | b"), code("touch" + chr(9) + "p")
    ('`a \\| b`', '`touch⇥p`')
    """
    shown = line.replace("\t", "⇥").replace("|", "\\|")
    return f"`{shown.replace('  ', '␣␣', 1)}`"
