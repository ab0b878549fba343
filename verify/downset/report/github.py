r"""Results as workflow commands: annotations on the lines of a pull request.

A runner shows ten of each kind, so the worst come first, and a last line counts the others.

>>> from downset.report.results import Place, Result, Rule
>>> result = Result("m", Rule("p", "t"), "failed", "100 %\nno", "", places=(Place("a,b", 3, 4),))
>>> print(commands([result]), end="")
::error title=p,file=a%2Cb,line=3,col=4::100 %25%0Ano
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.printable import printable_lines

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.report.results import Result

MOST: Final = 10
KINDS: Final = {"error": "error", "warning": "warning", "note": "notice"}
MOST_SUMMARY: Final = 1 << 20


def commands(results: Sequence[Result]) -> str:
    """The commands, at most ten of each kind."""
    lines: list[str] = []
    for severity, kind in KINDS.items():
        found = [one for one in results if one.shown and one.severity == severity]
        more = len(found) - MOST
        shown = found if more <= 0 else found[: MOST - 1]
        lines += [_command(kind, one) for one in shown]
        if more > 0:
            lines.append(f"::{kind} title=downset::{more + 1} more of this kind")
    return "".join(f"{line}\n" for line in lines)


def _command(kind: str, result: Result) -> str:
    return f"::{kind} {','.join(_properties(result))}::{_data(printable_lines(result.message))}"


def _properties(result: Result) -> Iterator[str]:
    yield f"title={_property(result.rule.id)}"
    for at in result.places[:1]:
        yield f"file={_property(at.file)}"
        if at.line is not None:
            yield f"line={at.line}"
        if at.column is not None:
            yield f"col={at.column}"


def _data(text: str) -> str:
    r"""Text behind the `::`.

    >>> _data("50%\r\n")
    '50%25%0D%0A'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def summary(markdown: str) -> str:
    """A step summary that fits: cut at a line, with a word about it.

    >>> summary("short")
    'short'
    """
    data = markdown.encode("utf-8", "backslashreplace")
    if len(data) <= MOST_SUMMARY:
        return markdown
    cut = data[: MOST_SUMMARY - 200].decode("utf-8", "ignore")
    text = cut[: cut.rfind("\n") + 1]
    open_folds = text.count("<details>") - text.count("</details>")
    fence = "```\n" if text.count("\n```") % 2 else ""
    return text + fence + "</details>\n" * open_folds + "\nThe rest did not fit.\n"
