r"""Results as a comment on a pull request: the table first, the stories folded below.

>>> from downset.report.results import Result, Rule
>>> print(comment([Result("m", Rule("p", "it holds"), "passed", "p is proved of m.", "")]), end="")
| | where | what |
|:-:|---|---|
| ✓ | m | p is proved of m\. |
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.printable import printable, printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from downset.report.results import Result

SIGNS: Final = {"passed": "✓", "vacuous": "∅", "unknown": "?", "skipped": "–"}
SEVERITIES: Final = {"error": "✗", "warning": "⚠", "note": "·"}
LONGEST: Final = 200
_MARKS: Final = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~&$@])")


def comment(results: Sequence[Result], diagrams: Mapping[int, str] | None = None) -> str:
    """A table with a row for each result, then what each is about.

    `diagrams` are Mermaid texts, by the number of the result.
    """
    lines = ["| | where | what |", "|:-:|---|---|"]
    lines += [
        f"| {_sign(one)} | {_where(one)} | {marked(_short(one.message))} |" for one in results
    ]
    for number, one in enumerate(results):
        if one.shown and one.text:
            lines += _folded(one, (diagrams or {}).get(number, ""))
    return "\n".join(lines) + "\n"


def _row(result: Result) -> str:
    return f"| {_sign(result)} | {_where(result)} | {marked(_short(result.message))} |"


def _sign(result: Result) -> str:
    return SIGNS.get(result.state) or SEVERITIES[result.severity]


def _where(result: Result) -> str:
    if not result.places or result.places[0].line is None:
        return marked(_short(result.suite))
    return marked(_short(str(result.places[0])))


def _folded(result: Result, diagram: str) -> Iterator[str]:
    yield ""
    yield "<details>"
    yield f"<summary>{html(_short(result.message))}</summary>"
    yield ""
    if diagram:
        yield from fenced(diagram, "mermaid")
        yield ""
    yield from fenced(result.text, "text")
    yield ""
    yield "</details>"


def fenced(text: str, language: str) -> Iterator[str]:
    """A block of code that nothing in the text can end."""
    longest = max((len(run) for run in re.findall(r"`{3,}", text)), default=2)
    fence = "`" * (longest + 1)
    yield f"{fence}{language}"
    yield printable_lines(text.rstrip("\n"))
    yield fence


def marked(text: str) -> str:
    r"""A text in which nothing is markup.

    >>> marked("a|b <script>")
    'a\\|b \\<script\\>'
    """
    return _MARKS.sub(r"\\\1", printable(" ".join(text.split())))


def html(text: str) -> str:
    """A text for an element of HTML, on one line."""
    plain = printable(" ".join(text.split()))
    return plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
