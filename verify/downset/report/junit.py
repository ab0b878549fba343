"""Results as JUnit XML: a suite for each model or project, a case for each property or finding.

>>> print(junit([]), end="")
<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="downset" tests="0" failures="0" errors="0" skipped="0" />
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from downset.report.results import Result

_ILLEGAL: Final = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(results: Sequence[Result]) -> str:
    """All results; what is not decided is an error, never skipped."""
    root = ET.Element("testsuites", {"name": "downset", **_counts(results)})
    for suite in dict.fromkeys(result.suite for result in results):
        cases = [result for result in results if result.suite == suite]
        seconds = f"{sum(case.seconds for case in cases):.3f}"
        element = ET.SubElement(
            root, "testsuite", {"name": _legal(suite), **_counts(cases), "time": seconds}
        )
        for case in cases:
            _case(element, case)
    ET.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def _counts(results: Sequence[Result]) -> dict[str, str]:
    found = Counter(_tag(result) for result in results)
    names = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    counts = {name: str(found[tag]) for name, tag in names.items()}
    return {"tests": str(len(results)), **counts}


def _tag(result: Result) -> str:
    """A finding that only notes something is no failure."""
    if result.state == "failed" and not result.shown:
        return ""
    tags = {"failed": "failure", "vacuous": "failure", "unknown": "error", "skipped": "skipped"}
    return tags.get(result.state, "")


def _case(suite: ET.Element, result: Result) -> None:
    name = f"{result.rule.id} {result.instance}".rstrip()
    case = ET.SubElement(
        suite,
        "testcase",
        {
            "name": _legal(name),
            "classname": _legal(result.suite),
            "time": f"{result.seconds:.3f}",
        },
    )
    tag = _tag(result)
    if not tag:
        return
    kind = {"failed": "violated"}.get(result.state, result.state)
    body = ET.SubElement(case, tag, {"message": _legal(result.message)})
    if tag != "skipped":
        body.set("type", kind)
        body.text = _legal(result.text)


def _legal(text: str) -> str:
    r"""The text without what XML has no way to say, which is written as an escape.

    >>> _legal("a\x00b\ud800")
    'a\\x00b\\ud800'
    """
    return _ILLEGAL.sub(lambda found: ascii(found[0])[1:-1], text)
