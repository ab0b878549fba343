"""What a release rejects, in the words of opencode-configs.md section 5 and the program."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.findings import Severity
from downset.config.project import resolve
from downset.config.releases import release
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"permission": "maybe"}, "permission has the value `maybe`, not an action"),
        ({"permission": {"bash": "no"}}, "permission.bash has the value `no`, not an action"),
        ({"permission": {"bash": {"*": None}}}, r"permission.bash.\* has the value, not an action"),
        ({"permission": {"bash": ["ask"]}}, "permission.bash has the value, not an action"),
        ({"permission": ["ask"]}, "permission is neither an action nor an object"),
        ({"permission": {"webfetch": {"*": "deny"}}}, "permission.webfetch takes allow"),
        ({"permission": {"question": {"*": "deny"}}}, "permission.question takes allow"),
        ({"tools": {"bash": "yes"}}, "tools.bash is not true or false"),
        ({"tools": []}, "tools is not an object"),
        ({"agent": []}, "agent is not an object"),
        ({"agent": {"x": "y"}}, "agent.x is not an object"),
        ({"agent": {"x": {"mode": "secondary"}}}, "agent.x.mode is not primary"),
        ({"agent": {"x": {"hidden": "yes"}}}, "agent.x.hidden is not true or false"),
        ({"agent": {"x": {"disable": 1}}}, "agent.x.disable is not true or false"),
        ({"agent": {"x": {"steps": 0}}}, "agent.x.steps is not a positive whole number"),
        ({"agent": {"x": {"temperature": "hot"}}}, "agent.x.temperature is not a number"),
        ({"agent": {"x": {"color": "pink"}}}, "agent.x.color is not a colour"),
        ({"agent": {"x": {"tools": {"bash": 1}}}}, "agent.x.tools.bash is not true or false"),
        ({"mode": {"x": {"permission": {"a": 1}}}}, "mode.x.permission.a has the value"),
        ({"default_agent": 7}, "default_agent is not text"),
        ({"experimental": {"primary_tools": "bash"}}, "primary_tools is not a list of names"),
        ({"lsp": {"gopls": {"command": "gopls"}}}, "lsp is not servers whose commands are lists"),
        ({"subagent_depth": -1}, "subagent_depth is not a whole number"),
    ],
)
def test_values_that_no_release_takes(config: Mapping[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        resolve(config, release("1.18.34"))
    assert caught.value.id == "invalid-config"


def test_unknown_keys_are_errors_up_to_a_release_and_ignored_since() -> None:
    with pytest.raises(InputError, match="unrecognized key `permisson`") as caught:
        resolve({"permisson": {}}, release("1.18.15"))
    assert caught.value.id == "unknown-key"
    [finding] = resolve({"permisson": {}}, release("1.18.16")).findings
    assert (finding.id, finding.severity) == ("unknown-key", Severity.WARNING)


@pytest.mark.parametrize(
    ("key", "value", "since", "before"),
    [
        ("subagent_depth", 2, "1.18.2", "1.18.1"),
        ("references", {}, "1.17.1", "1.17.0"),
        ("shell", "sh", "1.14.27", "1.14.26"),
        ("skills", {}, "1.1.43", "1.1.42"),
    ],
)
def test_known_keys_depend_on_the_release(key: str, value: object, since: str, before: str) -> None:
    resolve({key: value}, release(since))
    with pytest.raises(InputError, match="unrecognized key"):
        resolve({key: value}, release(before))


@pytest.mark.parametrize("name", ["1.0.224", "1.2.15", "1.18.15"])
def test_settings_of_the_screen_are_always_taken(name: str) -> None:
    assert resolve({"theme": "dark", "keybinds": {}, "tui": {}}, release(name)).findings == ()


def test_the_second_engines_list_is_not_read_by_the_first() -> None:
    rules = [{"action": "edit", "resource": "*", "effect": "deny"}]
    project = resolve({"permissions": rules}, release("1.18.34"))
    assert project.user_rules == ()
    [finding] = project.findings
    assert (finding.id, finding.severity) == ("v2-key", Severity.ERROR)


def test_permissions_of_an_agent_are_not_read_by_the_first_engine() -> None:
    """046: unknown keys of an agent become options of its model."""
    project = resolve({"agent": {"x": {"permissions": {"edit": "deny"}}}}, release("1.18.34"))
    assert "edit * deny" not in map(str, project.agents["x"].ruleset)
    assert [finding.id for finding in project.findings] == ["v2-key"]


def test_language_servers() -> None:
    for servers in (True, False, {}, {"x": {"disabled": True}}, {"x": {"command": ["x", "-v"]}}):
        assert resolve({"lsp": servers}, release("1.18.34")).findings == ()


def test_action_only_keys_depend_on_the_release() -> None:
    block = {"permission": {"codesearch": {"*": "ask"}, "todoread": {"*": "ask"}}}
    assert len(resolve(block, release("1.18.34")).user_rules) == 2
    with pytest.raises(InputError, match="takes allow"):
        resolve(block, release("1.2.27"))


def test_nested_too_deeply() -> None:
    value: object = "x"
    for _ in range(150):
        value = {"a": value}
    with pytest.raises(InputError, match="nested more than 100 deep"):
        resolve({"agent": {"x": {"options": value}}}, release("1.18.34"))
