"""How rules, queries and statuses are written, in one place for every report.

>>> from downset.verdicts import RuleRecord
>>> rule_text(RuleRecord("edit", "*", "deny", layer="agent"))
'edit * deny'
>>> rule_text(RuleRecord("bash", "git *", "allow", layer="session"))
'bash "git *" allow'
"""

from __future__ import annotations

import json
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from downset.verdicts import QueryRecord, RuleRecord, Verdict

SYMBOLS: Final[Mapping[Status, str]] = MappingProxyType(
    {
        Status.PROVED: "✓",
        Status.VIOLATED: "✗",
        Status.BOUNDED: "~",
        Status.VACUOUS: "∅",
        Status.NOT_APPLICABLE: "–",
        Status.UNKNOWN: "?",
    }
)


def quoted(word: str) -> str:
    r"""A string as one word: in quotes if it is empty, has spaces, or does not print.

    >>> print(quoted("src/app.ts"), quoted(""), quoted("* *"), quoted("a\x1bb"))
    src/app.ts "" "* *" "a\u001bb"
    """
    if word and not any(letter.isspace() or letter == '"' for letter in word):
        return word if word.isprintable() else json.dumps(word)
    return json.dumps(word, ensure_ascii=not word.isprintable())


def rule_text(rule: RuleRecord) -> str:
    """A rule in the order of its fields: permission, pattern, action, and its priority if any."""
    rank = f", priority {rule.priority}" if rule.priority else ""
    return f"{quoted(rule.permission)} {quoted(rule.pattern)} {rule.action}{rank}"


def query_text(query: QueryRecord) -> str:
    """What is asked, as words.

    >>> from downset.verdicts import QueryRecord
    >>> query_text(QueryRecord("edit", "src/app.ts"))
    'edit on src/app.ts'
    >>> query_text(QueryRecord("edit", "*", tool="write"))
    'edit on * (tool write)'
    >>> query_text(QueryRecord("", "", tool="write"))
    'tool write'
    """
    tool = "" if query.tool is None else f"tool {quoted(query.tool)}"
    if not query.permission:
        return tool
    asked = f"{quoted(query.permission)} on {quoted(query.resource)}"
    return f"{asked} ({tool})" if tool else asked


def tally(verdicts: Iterable[Verdict]) -> str:
    """How many verdicts of each status, in the order of `Status`.

    >>> from downset.verdicts import Scope, Verdict
    >>> tally([Verdict("m", "p", Status.PROVED, Scope())])
    '1 verdict: 1 proved'
    """
    counts = Counter(verdict.status for verdict in verdicts)
    total = counts.total()
    parts = ", ".join(f"{counts[status]} {status.value}" for status in Status if counts[status])
    return f"{total} verdict{'' if total == 1 else 's'}: {parts or 'nothing asked'}"
