"""Edits of texts: the tree changes as meant, and every other character stays."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from downset.config import jsonc
from downset.config.edits import Document, NotEditable
from downset.config.findings import Findings
from downset.config.texts import Text

if TYPE_CHECKING:
    from downset.config.nodes import Node

NAMES = st.lists(st.sampled_from(["a", "b", "git *", "*", 'q"', "ü"]), unique=True, min_size=1)
SPACES = st.sampled_from(["", " ", "\n", "\n    ", " /* c, */ ", " // c, }\n  ", "\r\n\t"])


def plain(node: Node) -> object:
    if node.is_mapping:
        return {key: plain(inner) for key, inner in node.entries.items()}
    return node.value


def read(text: str) -> object:
    return plain(jsonc.parse(Text("a.json", text), Findings()))


@st.composite
def texts(draw: st.DrawFn) -> tuple[str, list[str]]:
    """An object of objects, with comments and spaces anywhere."""
    outer = draw(NAMES)
    parts = [_entry(draw, name, draw(NAMES)) for name in outer]
    end = draw(st.sampled_from(["", ","]))
    body = (draw(SPACES) + ",").join(parts)
    return "{" + draw(SPACES) + body + end + draw(SPACES) + "}", outer


def _entry(draw: st.DrawFn, name: str, inner: list[str]) -> str:
    rules = [
        draw(SPACES) + json.dumps(key) + draw(SPACES) + ":" + draw(SPACES) + '"ask"'
        for key in inner
    ]
    end = draw(st.sampled_from(["", ","]))
    return draw(SPACES) + json.dumps(name) + ": {" + ",".join(rules) + end + draw(SPACES) + "}"


@given(texts(), st.data())
def test_insert(made: tuple[str, list[str]], data: st.DataObject) -> None:
    text, names = made
    name = data.draw(st.sampled_from(names))
    document = Document.of("a.json", text)
    outer = document.root.get(name)
    assert outer is not None
    expected = read(text)
    assert isinstance(expected, dict)
    place = data.draw(st.integers(0, len(outer.entries)))
    if place:
        path = (document.root, outer, outer.entries[place - 1])
        new = document.inserted(path, "new", "deny")
    else:
        new = document.inserted_first((document.root, outer), "new", "deny")
    rules = list(expected[name].items())
    rules.insert(place, ("new", "deny"))
    assert read(new) == {**expected, name: dict(rules)}
    assert list(read(new)[name]) == [key for key, _ in rules]  # type: ignore[index]
    assert _is_subsequence(text, new)


@given(texts(), st.data())
def test_remove_and_rename(made: tuple[str, list[str]], data: st.DataObject) -> None:
    text, names = made
    name = data.draw(st.sampled_from(names))
    document = Document.of("a.json", text)
    outer = document.root.get(name)
    assert outer is not None
    inner = data.draw(st.sampled_from(outer.entries))
    path = (document.root, outer, inner)
    expected = read(text)
    assert isinstance(expected, dict)
    left = {key: value for key, value in expected[name].items() if key != inner.name}
    assert read(document.removed(path)) == {**expected, name: left}
    assert _is_subsequence(document.removed(path), text)
    renamed = read(document.renamed(path, "new"))
    assert list(renamed[name]) == [  # type: ignore[index]
        "new" if key == inner.name else key for key in expected[name]
    ]


@given(texts(), st.data())
def test_move(made: tuple[str, list[str]], data: st.DataObject) -> None:
    text, names = made
    document = Document.of("a.json", text)
    outer = document.root.get(data.draw(st.sampled_from(names)))
    assert outer is not None
    if len(outer.entries) == 1:
        return
    first = data.draw(st.integers(0, len(outer.entries) - 2))
    behind = data.draw(st.integers(first + 1, len(outer.entries) - 1))
    path, target = [(document.root, outer, outer.entries[n]) for n in (first, behind)]
    keys = [entry.name for entry in outer.entries]
    keys.insert(behind, keys.pop(first))
    try:
        moved = read(document.moved(path, target))
    except NotEditable:
        return
    assert list(moved[outer.name]) == keys  # type: ignore[index]


def _is_subsequence(short: str, long: str) -> bool:
    rest = iter(long)
    return all(sign in rest for sign in short)


HEADER = """---
mode: all # why
permission:
  # first
  edit: deny
  bash:
    '*': ask
---
Text""".replace("\n", "\r\n")


@pytest.mark.parametrize(
    ("line", "column", "new"),
    [
        (5, 3, HEADER.replace("edit: deny\r\n", "edit: deny\r\n  read: deny\r\n")),
        (6, 3, HEADER.replace("'*': ask\r\n", "'*': ask\r\n  read: deny\r\n")),
        (2, 1, HEADER.replace("# why\r\n", "# why\r\nread: deny\r\n")),
    ],
)
def test_insert_in_a_header(line: int, column: int, new: str) -> None:
    document = Document.of("a.md", HEADER)
    assert document.inserted(document.path(line, column), "read", "deny") == new


def test_header_edits() -> None:
    document = Document.of("a.md", HEADER)
    edit, bash, star = (document.path(line, 3 + 2 * (line == 7)) for line in (5, 6, 7))
    assert document.removed(edit) == HEADER.replace("  edit: deny\r\n", "")
    assert document.removed(star) == HEADER.replace("  bash:\r\n    '*': ask\r\n", "")
    assert document.renamed(star, "git *") == HEADER.replace("'*'", '"git *"')
    assert document.moved(edit, bash) == HEADER.replace("  edit: deny\r\n", "").replace(
        "ask\r\n", "ask\r\n  edit: deny\r\n"
    )
    assert document.inserted_first((*bash[:-1], bash[-1]), "x", "deny") == HEADER.replace(
        "'*'", "x: deny\r\n    '*'"
    )


@pytest.mark.parametrize(
    "text", ["no header", "---\na: &x 1\nb: *x\n---\n", "---\n- a\n---\n", "---\na: [\n---\n"]
)
def test_what_is_no_header_is_not_edited(text: str) -> None:
    with pytest.raises(NotEditable):
        Document.of("a.md", text)


@pytest.mark.parametrize("text", ["", "{", "[1, 2", '{"a" 1}'])
def test_what_is_no_json_is_not_edited(text: str) -> None:
    with pytest.raises(NotEditable):
        Document.of("a.json", text)


def test_nothing_empty_is_left() -> None:
    document = Document.of("a.json", '{"permission": {"bash": {"*": "ask"}, "edit": "ask"}}')
    assert document.removed(document.path(1, 26)) == '{"permission": {"edit": "ask"}}'
    header = Document.of("a.md", "---\nmode: all\npermission:\n  edit: deny\n---\n")
    assert header.removed(header.path(4, 3)) == "---\nmode: all\n---\n"


def test_a_place_with_nothing_is_not_edited() -> None:
    document = Document.of("a.json", '{"a": "ask"}')
    for line, column in ((1, 1), (1, 3), (9, 1), (None, 1)):
        with pytest.raises(NotEditable):
            document.path(line, column)
