"""Results as SARIF 2.1.0, for code scanning: rules, places, the story as a code flow.

Results that nobody has to look at are left out, as the consumers want it.

>>> log = json.loads(sarif([]))
>>> log["version"], log["runs"][0]["invocations"][0]["executionSuccessful"]
('2.1.0', True)
"""

from __future__ import annotations

import json
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote

from downset import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.report.results import Place, Result, Step

SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
PRINT: Final = "downset/v1"
MOST_TEXT: Final = 20_000

Json = dict[str, Any]


def sarif(results: Sequence[Result]) -> str:
    """A log of one run."""
    shown = [result for result in results if result.shown or result.state == "failed"]
    rules = {result.rule.id: result for result in shown}
    numbers = {rule: number for number, rule in enumerate(rules)}
    run: Json = {
        "tool": _tool([_rule(result) for result in rules.values()]),
        "invocations": [{"executionSuccessful": True}],
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, numbers) for result in shown],
    }
    return _log(run)


def sarif_of_failure(message: str) -> str:
    """A valid log for a run that came to nothing.

    >>> json.loads(sarif_of_failure("no file"))["runs"][0]["invocations"][0]["executionSuccessful"]
    False
    """
    note: Json = {"level": "error", "message": {"text": message}}
    run: Json = {
        "tool": _tool([]),
        "invocations": [
            {"executionSuccessful": False, "toolExecutionNotifications": [note]},
        ],
        "results": [],
    }
    return _log(run)


def _log(run: Json) -> str:
    """The log as text; half a pair of surrogates, which strict readers refuse, is replaced."""
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}
    text = json.dumps(log, indent=2, ensure_ascii=False)
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace") + "\n"


def _tool(rules: Sequence[Json]) -> Json:
    return {"driver": {"name": "downset", "semanticVersion": __version__, "rules": list(rules)}}


def _rule(result: Result) -> Json:
    rule = result.rule
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.title},
        "help": {"text": rule.help or rule.title},
        "defaultConfiguration": {"level": result.severity},
    }


def _result(result: Result, numbers: Mapping[str, int]) -> Json:
    found: Json = {
        "ruleId": result.rule.id,
        "ruleIndex": numbers[result.rule.id],
        "kind": "fail" if result.state == "failed" else "open",
        "level": result.severity if result.state == "failed" else "none",
        "message": {"text": f"{result.message}\n\n{result.text[:MOST_TEXT]}"},
        "locations": [_location(at, result.suite) for at in result.places[:1]]
        or [_location(None, result.suite)],
    }
    if len(result.places) > 1:
        found["relatedLocations"] = [
            {**_location(at, ""), "id": number}
            for number, at in enumerate(result.places[1:], start=1)
        ]
    if result.steps:
        flow = [{"location": _step(step, result)} for step in result.steps]
        found["codeFlows"] = [{"threadFlows": [{"locations": flow}]}]
    if result.fingerprint:
        found["partialFingerprints"] = {PRINT: result.fingerprint}
    return found


def _step(step: Step, result: Result) -> Json:
    at = step.place or next(iter(result.places), None)
    return {**_location(at, result.suite), "message": {"text": step.text}}


def _location(at: Place | None, suite: str) -> Json:
    """Where it is; the name of a model or project where no file is known."""
    found: Json = {}
    if suite:
        found["logicalLocations"] = [{"fullyQualifiedName": suite}]
    if at is not None:
        region = _region(at)
        found["physicalLocation"] = {"artifactLocation": {"uri": uri(at.file)}, **region}
    return found


def _region(at: Place) -> Json:
    if at.line is None:
        return {}
    column = at.column or 1
    where = {"startLine": at.line, "startColumn": column, "endLine": at.line}
    return {"region": {**where, "endColumn": column + 1}}


def uri(file: str) -> str:
    """A file as a reference; files below the working directory are given relative to it.

    >>> uri("a b/<x>.json")
    'a%20b/%3Cx%3E.json'
    """
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix(), errors="surrogatepass")
