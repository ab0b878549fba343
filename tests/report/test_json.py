"""The JSON says what its schema says, field for field."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from downset.report.json_report import document, schema, verdicts_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.verdicts import Verdict


def validate(text: str) -> None:
    Draft202012Validator(schema()).validate(json.loads(text))


def strict(node: Any) -> Any:  # noqa: ANN401 -- JSON
    """The schema with no room for a field that it does not describe."""
    if isinstance(node, list):
        return [strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    closed = {key: strict(value) for key, value in node.items()}
    if "required" in node and "schema" not in node["required"]:
        closed.setdefault("additionalProperties", False)
    return closed


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(schema())


def test_verdicts_are_as_the_schema_says(
    violated: Verdict, proved: Verdict, unknown: Verdict, golden: Callable[[str, str], None]
) -> None:
    text = verdicts_json("prove", [violated, proved, unknown])
    validate(text)
    golden("prove.json", text)


def test_every_field_is_described(violated: Verdict, proved: Verdict) -> None:
    closed = Draft202012Validator(strict(schema()))
    closed.validate(json.loads(verdicts_json("matrix", [violated, proved])))


def objects(node: Any) -> Iterator[dict[str, Any]]:  # noqa: ANN401 -- JSON
    if isinstance(node, dict):
        yield node
        node = list(node.values())
    if isinstance(node, list):
        for item in node:
            yield from objects(item)


def test_every_field_is_required(violated: Verdict) -> None:
    """So that a report which forgets one, or swaps two of different types, fails above."""
    for definition in objects(schema()["$defs"]):
        if "required" in definition:
            assert definition["required"] == list(definition["properties"])
    result = json.loads(verdicts_json("prove", [violated]))["results"][0]
    del result["counterexample"]["query"]
    with pytest.raises(ValidationError):
        validate(document("prove", [result]))


def test_model_and_property_are_not_swapped(violated: Verdict) -> None:
    result = json.loads(verdicts_json("prove", [violated]))["results"][0]
    assert (result["model"], result["property"]) == ("opencode/1.17.2", "resume-safe")
    assert result["scope"]["cutoff"] == {"caller's session": 2, "callee's agent": 3}
    assert [event["number"] for event in result["counterexample"]["events"]] == [1, 2, 3]


def test_an_unknown_command_is_refused() -> None:
    with pytest.raises(ValidationError):
        validate(document("guess", []))
