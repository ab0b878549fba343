"""opencode.md section 6, and opencode-configs.md section 5 ("V2")."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.files import default_release
from downset.config.project import Layer, resolve
from downset.config.releases import release
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from downset.config.project import Project

V2 = release("2.0")


def rule(action: str, resource: str, effect: str) -> dict[str, object]:
    return {"action": action, "resource": resource, "effect": effect}


def test_lists_come_through_unchanged_behind_the_built_in_rules() -> None:
    config = {
        "permissions": [rule("shell", "*", "ask"), rule("shell", "ls *", "allow")],
        "agents": {"tester": {"mode": "subagent", "permissions": [rule("edit", "*", "deny")]}},
    }
    project = resolve(config, V2)
    assert [str(placed.rule) for placed in project.agents["tester"].rules] == [
        "* * allow",
        "external_directory * ask",
        "shell * ask",
        "shell ls * allow",
        "edit * deny",
    ]
    assert project.agents["tester"].mode == "subagent"
    assert [str(r) for r in project.agents["build"].ruleset[-2:]] == [
        "shell * ask",
        "shell ls * allow",
    ]


@pytest.mark.parametrize(
    ("action", "pattern", "expected"),
    [
        ("edit", "~/x", "/home/dev/x"),
        ("read", "$HOME", "/home/dev"),
        ("external_directory", "$HOME/x", "/home/dev/x"),
        ("edit", "$HOMEx", "$HOMEx"),
        ("shell", "~/x", "~/x"),
    ],
)
def test_home_stands_for_a_directory_only_where_paths_are_asked_for(
    action: str, pattern: str, expected: str
) -> None:
    project = resolve({"permissions": [rule(action, pattern, "deny")]}, V2)
    assert str(project.user_rules[0].rule) == f"{action} {expected} deny"


def test_a_file_of_the_first_engine_is_migrated() -> None:
    config = {
        "tools": {"write": False, "bash": True},
        "permission": {"bash": {"*": "ask", "rm *": "deny"}, "task": "deny"},
        "agent": {
            "x": {"permission": {"edit": "deny"}, "disable": False},
            "plan": {"disable": True},
        },
        "mode": {"m": {"permission": {"read": "ask"}}},
    }
    project = resolve(config, V2)
    assert [str(placed.rule) for placed in project.user_rules] == [
        "edit * deny",
        "shell * allow",
        "shell * ask",
        "shell rm * deny",
        "subagent * deny",
    ]
    assert str(project.agents["x"].ruleset[-1]) == "edit * deny"
    assert project.agents["m"].mode == "primary"
    assert project.agents["plan"].disabled


def test_a_mixture_is_read_in_the_old_form() -> None:
    config = {"permission": {"bash": "ask"}, "permissions": [rule("edit", "*", "deny")]}
    project = resolve(config, V2)
    assert [str(placed.rule) for placed in project.user_rules] == ["shell * ask"]
    assert [finding.id for finding in project.findings] == ["mixed-forms"]


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"permissions": {"edit": "deny"}}, "permissions is not a list of rules"),
        ({"permissions": [{"action": "edit"}]}, "permissions.0 has no resource"),
        ({"permissions": [rule("edit", "*", "no")]}, "permissions.0.effect is not an effect"),
        ({"agents": {"x": {"permissions": "deny"}}}, "agents.x.permissions is not a list"),
        ({"agents": {"x": {"mode": "no"}}}, "agents.x.mode is not primary"),
    ],
)
def test_what_the_second_engine_does_not_take(config: Mapping[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        resolve(config, V2)


def test_documents_are_appended_and_every_folder_beats_every_direct_file(
    loaded: Callable[..., Project],
) -> None:
    project = loaded(
        {
            ".opencode/opencode.json": {"permissions": [rule("edit", "b", "deny")]},
            "opencode.json": {"permissions": [rule("edit", "a", "deny")], "agents": {"x": {}}},
            ".opencode/agents/x.md": "---\nmode: primary\npermissions:\n"
            "  - {action: edit, resource: c, effect: ask}\n---\n",
            ".opencode/agent/old.md": "---\nname: other\npermission:\n  bash: deny\n---\n",
        },
        "2.0",
    )
    assert [str(placed.rule) for placed in project.user_rules] == ["edit a deny", "edit b deny"]
    assert str(project.agents["x"].ruleset[-1]) == "edit c ask"
    assert project.agents["x"].mode == "primary"
    assert str(project.agents["old"].ruleset[-1]) == "shell * deny"
    assert "other" not in project.agents


def test_what_cannot_be_read_is_left_out_without_a_word(loaded: Callable[..., Project]) -> None:
    project = loaded(
        {
            "opencode.json": '{"permissions": [}',
            ".opencode/agents/x.md": "---\nmode: sometimes\n---\n",
        },
        "2.0",
    )
    assert project.user_rules == ()
    assert [finding.id for finding in project.findings] == ["file-skipped", "file-skipped"]
    assert str(project.findings[0].place).endswith("opencode.json:1:18")


def test_disabled_agents_can_be_added_again_by_a_later_file(loaded: Callable[..., Project]) -> None:
    project = loaded(
        {
            "opencode.json": {"agents": {"plan": {"disabled": True}, "x": {"disabled": True}}},
            "opencode.jsonc": {"agents": {"plan": {"permissions": [rule("edit", "*", "ask")]}}},
        },
        "2.0",
    )
    assert project.agents["x"].disabled
    plan = project.agents["plan"]
    assert not plan.disabled
    assert "edit * deny" not in map(str, plan.ruleset)


def test_the_release_to_assume_depends_on_the_list(
    project: Callable[[Mapping[str, object]], Path],
) -> None:
    assert default_release(project({"opencode.json": {}})).name == "opencode@1.18.2"
    assert default_release(project({"opencode.json": "{"})).name == "opencode@1.18.2"
    assert (
        default_release(project({"opencode.jsonc": {"permissions": []}})).name == "opencode@2.0.0"
    )


def test_layers_of_the_second_engine(loaded: Callable[..., Project]) -> None:
    project = loaded({"opencode.json": {"permissions": [rule("edit", "b", "deny")]}}, "2.0")
    [placed] = project.user_rules
    assert placed.layer is Layer.PROJECT
    assert (placed.place.line, placed.place.column) == (1, 18)
