"""Headers of Markdown agents, and what becomes of broken ones (opencode-configs.md 4.3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.findings import Findings, Severity
from downset.config.frontmatter import read
from downset.config.releases import release
from downset.errors import InputError

if TYPE_CHECKING:
    from downset.config.nodes import Node


def header(text: str, name: str = "1.18.34") -> tuple[Node | None, list[str]]:
    findings = Findings()
    node = read(text, "a.md", release(name), findings)
    return node, [finding.id for finding in findings.all()]


def entries(text: str, name: str = "1.18.34") -> dict[str, object]:
    node, ids = header(text, name)
    assert node is not None
    assert ids == []
    return {key: value.value for key, value in node.entries.items()}


def test_a_header_with_places() -> None:
    node, _ = header("---\nmode: primary\npermission:\n  bash:\n    'git *': allow\n---\nHi\n")
    assert node is not None
    allow = node["permission"]["bash"]["git *"]
    assert (allow.value, str(allow.key), str(allow.place)) == ("allow", "a.md:5:5", "a.md:5:14")


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", "yes"),
        ("on", "on"),
        ("true", True),
        ("TRUE", True),
        ("~", None),
        ("", None),
        ("'true'", "true"),
        ("!!str true", "true"),
        ("0.5", 0.5),
        ("012", 10),
        ("0x1F", 31),
        ("1_000", 1000),
        ("anthropic/claude", "anthropic/claude"),
        ("#000000", None),
        ("'#00ff00'", "#00ff00"),
        ("|\n  two\n  lines", "two\nlines\n"),
        ("a # comment", "a"),
    ],
)
def test_values_as_js_yaml_reads_them(written: str, value: object) -> None:
    assert entries(f"---\nx: {written}\ny: 1\n---\n") == {"x": value, "y": 1}


def test_dates_are_no_text() -> None:
    [value] = entries("---\nx: 2026-01-02\n---\n").values()
    assert isinstance(value, float)


@pytest.mark.parametrize(
    "broken",
    [
        "*: deny",
        "edit: deny\n  bash: deny",
        "mode: all\nmode: primary",
        "x: @y",
        "x: [a",
        "x: *nowhere",
        "x: !custom y",
        "x: 'a' b",
        "{{NAME}}-x: 1\n- b",
        "a\n...\nb: c\n",
    ],
)
def test_a_header_that_is_not_yaml_is_dropped_as_a_whole(broken: str) -> None:
    """The agent is there, unrestricted: the most severe finding."""
    node, ids = header(f"---\npermission: deny\n{broken}\n---\nText\n")
    assert node is not None
    assert (dict(node.entries), ids) == ({}, ["header-dropped"])


def test_the_finding_says_where_and_why() -> None:
    findings = Findings()
    read("---\nmode: all\nmode: primary\n---\n", "a.md", release("1.18.34"), findings)
    [finding] = findings.all()
    assert finding.severity is Severity.ERROR
    assert str(finding.place) == "a.md:3:1"
    assert "duplicated mapping key `mode`" in finding.message


def test_values_with_a_colon_are_mended() -> None:
    text = "---\ndescription: Use this: always\nmode: primary\n---\n"
    assert entries(text) == {"description": "Use this: always", "mode": "primary"}


def test_places_are_those_of_the_file_after_mending() -> None:
    node, ids = header("---\na: b: c\nd: e: f\npermission:\n  edit: deny\n---\n")
    assert node is not None
    assert str(node["permission"]["edit"].key) == "a.md:5:3"
    assert ids == []


def test_what_mending_does_not_mend_is_skipped() -> None:
    """The second text is another one, so that its failure is noticed, and the file skipped."""
    node, ids = header("---\ndescription: a: b\n*: deny\n---\n")
    assert (node, ids) == (None, ["agent-skipped"])


def test_older_releases_reject_or_skip() -> None:
    broken = "---\n*: deny\n---\n"
    with pytest.raises(InputError, match=r"1\.1\.22 rejects the configuration") as caught:
        header(broken, "1.1.22")
    assert (caught.value.id, caught.value.line) == ("header-syntax", 2)
    for name in ("1.1.23", "1.1.41"):
        assert header(broken, name) == (None, ["agent-skipped"])
    assert header(broken, "1.1.42")[1] == ["header-dropped"]


@pytest.mark.parametrize("text", ["", "Hi", " ---\na: b\n---", "----\na: b\n---"])
def test_a_file_without_a_header_is_an_agent_too(text: str) -> None:
    node, ids = header(text)
    assert node is not None
    assert (dict(node.entries), ids) == ({}, ["no-header"])


@pytest.mark.parametrize("text", ["---\n---\nHi", "---\n# nothing\n---\n", "---\nnull\n---"])
def test_an_empty_header(text: str) -> None:
    node, ids = header(text)
    assert node is not None
    assert (dict(node.entries), ids) == ({}, ["no-header"])


@pytest.mark.parametrize("text", ["---\n- a\n- b\n---\n", "---\njust text\n---\n"])
def test_a_header_that_is_no_mapping(text: str) -> None:
    assert header(text)[1] == ["header-dropped"]


def test_windows_line_ends_and_a_missing_end() -> None:
    assert entries("---\r\nmode: all\r\n---\r\nHi") == {"mode": "all"}
    assert entries("---\nmode: all\n") == {"mode": "all"}


def test_a_header_in_json() -> None:
    assert entries('---json\n{"mode": "all"}\n---\n') == {"mode": "all"}
    assert header('---json\n{"mode": }\n---\n')[1] == ["header-dropped"]
    assert header("---toml\nmode = 1\n---\n")[1] == ["header-dropped"]


def test_a_header_that_is_a_program_is_never_run() -> None:
    with pytest.raises(InputError, match="never run") as caught:
        header("---js\n{mode: process.exit(1)}\n---\n")
    assert caught.value.id == "header-is-code"


def test_anchors_and_merge_keys() -> None:
    text = "---\nbase: &b {edit: deny, bash: ask}\npermission:\n  <<: *b\n  bash: allow\n---\n"
    node, ids = header(text)
    assert node is not None
    assert {k: v.value for k, v in node["permission"].entries.items()} == {
        "edit": "deny",
        "bash": "allow",
    }
    assert ids == []


def test_references_that_explode_are_one_error() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]" for i in range(1, 30)]
    with pytest.raises(InputError, match="references to anchors") as caught:
        header("---\n" + "\n".join(lines) + "\n---\n")
    assert caught.value.id == "too-large"


def test_deep_and_long_headers_are_one_error() -> None:
    with pytest.raises(InputError, match="nested more than"):
        header("---\nx: " + "[" * 5_000 + "\n---\n")
    with pytest.raises(InputError, match="longer than"):
        header("---\nx: " + "y" * 300_000 + "\n---\n")


def test_tags_run_nothing() -> None:
    for tag in ("!!python/object", "!!js/function", "!run", "!!binary"):
        assert header(f"---\nx: {tag} [exit]\n---\n")[1] == ["header-dropped"]


def test_a_tag_with_a_colon_is_mended_to_text() -> None:
    text = "!!python/object/apply:os.system [exit]"
    assert entries(f"---\nx: {text}\n---\n") == {"x": text}
