"""The reader takes what jsonc-parser takes, and names errors as it does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downset.config.findings import Findings
from downset.config.jsonc import parse
from downset.config.texts import Text
from downset.errors import InputError

if TYPE_CHECKING:
    from downset.config.nodes import Node


def read(text: str) -> Node:
    return parse(Text("x.json", text), Findings())


def plain(node: Node) -> object:
    if node.is_mapping:
        return {key: plain(value) for key, value in node.entries.items()}
    return [plain(item) for item in node.items] if isinstance(node.value, tuple) else node.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("// all\n{ /* none */ }", {}),
        ('{"a": [1, 2.5, -3e2, true, false, null,],}', {"a": [1, 2.5, -300.0, True, False, None]}),
        (r'"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00"', '"\\/\b\f\n\r\tä\U0001f600'),
        (r'"\ud83d"', "\N{REPLACEMENT CHARACTER}"),
        ('{"a": 1, "b": 2, "a": 3}', {"a": 3, "b": 2}),
        ('"https://example.org/*"', "https://example.org/*"),
        ('{"__proto__": {"x": 1}, "y": 2}', {"y": 2}),
        ("1" * 400, float("inf")),
    ],
)
def test_values(text: str, value: object) -> None:
    assert plain(read(text)) == value


@pytest.mark.parametrize(
    ("text", "name", "line", "column"),
    [
        ("", "ValueExpected", 1, 1),
        ("// only this", "ValueExpected", 1, 13),
        ('{"a": 1 "b": 2}', "CommaExpected", 1, 9),
        ('{"a" 1}', "ColonExpected", 1, 6),
        ('{"a": }', "ValueExpected", 1, 7),
        ("{a: 1}", "InvalidSymbol", 1, 2),
        ("{true: 1}", "PropertyNameExpected", 1, 2),
        ("{,}", "ValueExpected", 1, 2),
        ("[1,,2]", "ValueExpected", 1, 4),
        ('{\n"a": 1', "CloseBraceExpected", 2, 7),
        ("[1", "CloseBracketExpected", 1, 3),
        ("{", "CloseBraceExpected", 1, 2),
        ("{} {}", "EndOfFileExpected", 1, 4),
        ('{"a": "b', "UnexpectedEndOfString", 1, 7),
        ('{"a": "b\nc"}', "UnexpectedEndOfString", 1, 7),
        ('"a\tb"', "InvalidCharacter", 1, 1),
        ("/* {}", "UnexpectedEndOfComment", 1, 1),
        (r'"\x"', "InvalidEscapeCharacter", 1, 2),
        (r'"\u12"', "InvalidUnicode", 1, 2),
        ("'a'", "InvalidSymbol", 1, 1),
        ("01", "EndOfFileExpected", 1, 2),
        ("]", "ValueExpected", 1, 1),
    ],
)
def test_errors(text: str, name: str, line: int, column: int) -> None:
    with pytest.raises(InputError, match=f"^not valid JSONC: {name}$") as caught:
        read(text)
    assert (caught.value.id, caught.value.line, caught.value.column) == (
        "json-syntax",
        line,
        column,
    )


def test_every_key_and_value_has_its_place() -> None:
    tree = read('{\n  "permission": {"bash": {"*": "ask"}}\n}')
    action = tree["permission"]["bash"]["*"]
    assert (str(action.key), str(action.place)) == ("x.json:2:27", "x.json:2:32")
    assert str(tree["permission"].place) == "x.json:2:17"


def test_duplicate_keys_are_reported() -> None:
    findings = Findings()
    parse(Text("x.json", '{"a": 1,\n "a": 2}'), findings)
    [finding] = findings.all()
    assert (finding.id, str(finding.place)) == ("duplicate-key", "x.json:2:2")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"a":' * 100_000])
def test_deep_nesting_is_one_error(text: str) -> None:
    with pytest.raises(InputError, match="nested more than") as caught:
        read(text)
    assert caught.value.id == "too-deep"


values = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(values, st.booleans(), st.sampled_from([None, 2]))
def test_reads_all_json(value: object, escaped: bool, indent: int | None) -> None:  # noqa: FBT001 -- drawn
    assert plain(read(json.dumps(value, ensure_ascii=escaped, indent=indent))) == value


@given(st.text(alphabet='{}[]:,"\\/*\n tru1e-u0', max_size=30))
def test_never_more_than_an_error(text: str) -> None:
    try:
        read(text)
    except InputError as error:
        assert error.line is not None  # noqa: PT017 -- any text may also be right
