"""opencode.md 1.7 and the legacy maps of 1.9."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.project import Layer, resolve
from downset.config.releases import release
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


def user(config: Mapping[str, object], name: str = "1.18.34") -> list[str]:
    return [str(placed.rule) for placed in resolve(config, release(name)).user_rules]


def agent(entry: Mapping[str, object], name: str = "1.18.34") -> list[str]:
    rules = resolve({"agent": {"x": entry}}, release(name)).agents["x"].rules
    return [str(placed.rule) for placed in rules if placed.layer is Layer.AGENT]


def test_text_and_maps_become_rules_in_the_users_order() -> None:
    block = {"bash": {"*": "ask", "git *": "allow"}, "*": "deny", "edit": "allow"}
    assert user({"permission": block}) == [
        "bash * ask",
        "bash git * allow",
        "* * deny",
        "edit * allow",
    ]


def test_text_for_the_whole_block_is_a_star() -> None:
    assert user({"permission": "ask"}) == ["* * ask"]


def test_keys_that_are_numbers_come_first_as_in_any_object_of_javascript() -> None:
    block = {"bash": {"b": "ask", "10": "deny", "9": "deny", "010": "ask"}}
    assert user({"permission": block}) == [
        "bash 9 deny",
        "bash 10 deny",
        "bash b ask",
        "bash 010 ask",
    ]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("1.1.2", ["edit", "bash", "todowrite", "*", "x", "mcp_*"]),
        ("1.1.3", ["*", "x", "mcp_*", "todowrite", "bash", "edit"]),
        ("1.14.20", ["*", "x", "mcp_*", "todowrite", "bash", "edit"]),
        ("1.14.21", ["*", "mcp_*", "edit", "bash", "todowrite", "x"]),
        ("1.14.24", ["*", "mcp_*", "edit", "bash", "todowrite", "x"]),
        ("1.14.25", ["*", "x", "mcp_*", "todowrite", "bash", "edit"]),
    ],
)
def test_order_of_keys(name: str, expected: list[str]) -> None:
    keys = ["*", "x", "mcp_*", "todowrite", "bash", "edit"]
    rules = user({"permission": dict.fromkeys(keys, "ask")}, name)
    assert [rule.split()[0] for rule in rules] == expected


def test_order_of_patterns_is_always_the_users() -> None:
    block = {"bash": {"rm *": "deny", "*": "allow"}}
    for name in ("1.0.224", "1.1.3", "1.14.21", "1.18.34"):
        assert user({"permission": block}, name) == ["bash rm * deny", "bash * allow"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("~/x", "/home/dev/x"),
        ("~", "/home/dev"),
        ("$HOME/x", "/home/dev/x"),
        ("$HOME", "/home/dev"),
        ("$HOMEx", "/home/devx"),
        ("/some/~/path", "/some/~/path"),
        ("~x", "~x"),
        ("a $HOME", "a $HOME"),
    ],
)
def test_home_in_patterns(pattern: str, expected: str) -> None:
    block = {"permission": {"bash": {pattern: "ask"}}}
    assert user(block) == [f"bash {expected} ask"]
    assert user(block, "1.1.29") == [f"bash {pattern} ask"]


def test_home_in_keys_stands_for_itself() -> None:
    assert user({"permission": {"~": "ask"}}) == ["~ * ask"]


def test_a_tools_map_goes_underneath() -> None:
    """Hence the star of the block, which follows, decides (049)."""
    config = {"tools": {"acme_*": False, "bash": True}, "permission": {"*": "ask", "bash": "deny"}}
    assert user(config) == ["acme_* * deny", "bash * deny", "* * ask"]


def test_tools_that_write_are_edit_and_the_last_one_counts() -> None:
    tools = {"edit": True, "write": False, "patch": True, "apply_patch": False}
    assert user({"tools": tools}) == ["edit * allow", "apply_patch * deny"]
    assert user({"tools": {"multiedit": False}}, "1.14.19") == ["edit * deny"]
    assert user({"tools": {"multiedit": False}}, "1.14.20") == ["multiedit * deny"]


def test_names_of_tools_in_a_block_are_left_alone() -> None:
    assert user({"permission": {"write": "deny"}}) == ["write * deny"]


def test_an_agents_tools_come_first_and_its_block_over_them() -> None:
    entry = {
        "permission": {"bash": "ask", "edit": {"a": "ask"}},
        "tools": {"write": True, "x": False},
    }
    assert agent(entry) == ["edit a ask", "x * deny", "bash * ask"]


def test_in_the_first_release_an_agents_tools_win() -> None:
    entry = {"permission": {"bash": "ask", "edit": "ask"}, "tools": {"write": True, "x": False}}
    assert agent(entry, "1.0.224") == ["edit * allow", "bash * ask", "x * deny"]
    assert agent(entry, "1.1.1") == ["edit * ask", "x * deny", "bash * ask"]


@pytest.mark.parametrize("name", ["1.1.34", "1.2.27", "1.3.2", "1.17.11", "1.18.34"])
def test_text_for_an_agents_block(name: str) -> None:
    assert agent({"permission": "deny"}, name) == ["* * deny"]


@pytest.mark.parametrize("name", ["1.14.34", "1.14.48", "1.15.13", "1.17.0", "1.17.9"])
def test_text_for_an_agents_block_is_an_error_in_between(name: str) -> None:
    with pytest.raises(InputError, match=r"agent\.x\.permission is plain text"):
        agent({"permission": "deny"}, name)
    assert user({"permission": "deny"}, name) == ["* * deny"]


def test_modes_are_primary_agents() -> None:
    config = {
        "agent": {"x": {"mode": "subagent", "permission": {"bash": "ask", "edit": "deny"}}},
        "mode": {"x": {"permission": {"edit": "allow"}}},
    }
    found = resolve(config, release("1.18.34")).agents["x"]
    own = [str(placed.rule) for placed in found.rules if placed.layer is Layer.AGENT]
    assert (found.mode, own) == ("primary", ["bash * ask", "edit * allow"])


def test_every_rule_knows_its_layer() -> None:
    found = resolve({"permission": "ask"}, release("1.18.34")).agents["build"]
    origins = {placed.rule.origin for placed in found.rules}
    assert origins == {
        "defaults",
        "built-in agent",
        "project configuration",
        "tool output directory",
    }
