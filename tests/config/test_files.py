"""opencode.md 1.9: which files count, in which order, and how they are merged."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import pytest

from downset.config.files import load
from downset.config.project import Layer
from downset.config.releases import release
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from downset.config.project import Project

    Loaded: TypeAlias = Callable[..., Project]
    Write: TypeAlias = Callable[[Mapping[str, object]], Path]


def rules(project: Project) -> list[str]:
    return [str(placed.rule) for placed in project.user_rules]


def bash(value: object) -> dict[str, object]:
    return {"permission": {"bash": value}}


def test_the_first_position_is_kept_and_the_value_replaced(loaded: Loaded) -> None:
    """Hence `rm -rf build` runs: the star of the second file is appended (observed)."""
    project = loaded(
        {
            "opencode.json": bash({"bash *": "ask", "*": "deny"}),
            "opencode.jsonc": bash({"*": "allow", "cat *": "ask"}),
        }
    )
    assert rules(project) == ["bash bash * ask", "bash * allow", "bash cat * ask"]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"edit": "deny"}, {"edit": {"docs/**": "allow"}}, ["edit docs/** allow"]),
        ({"edit": {"a": "ask"}}, {"edit": "deny"}, ["edit * deny"]),
        ({"bash": "allow"}, {"*": "deny"}, ["bash * allow", "* * deny"]),
        ({"*": "ask", "bash": "allow"}, {"*": "deny"}, ["* * deny", "bash * allow"]),
        (
            {"bash": {"*": "ask", "rm *": "deny"}},
            {"bash": {"rm *": "allow", "*": "allow"}},
            ["bash * allow", "bash rm * allow"],
        ),
        ("ask", {"bash": "deny"}, ["* * ask", "bash * deny"]),
        ({"bash": "deny"}, "ask", ["bash * deny", "* * ask"]),
    ],
)
def test_merging(loaded: Loaded, first: object, second: object, expected: list[str]) -> None:
    project = loaded(
        {"opencode.json": {"permission": first}, "opencode.jsonc": {"permission": second}}
    )
    assert rules(project) == expected


def test_every_rule_keeps_its_place_through_merging(loaded: Loaded) -> None:
    project = loaded(
        {
            "opencode.json": '{\n "permission": {"bash": "ask", "edit": "ask"}\n}',
            ".opencode/opencode.json": '{\n\n "permission": {"bash": "deny"}}',
        }
    )
    places = [str(placed.place).rpartition("app/")[2] for placed in project.user_rules]
    assert places == [".opencode/opencode.json:3:17", "opencode.json:2:32"]
    assert str(project.user_rules[0].place) in project.user_rules[0].rule.origin


def test_comments_commas_and_a_mark_at_the_start_in_any_file(loaded: Loaded) -> None:
    text = '\ufeff// mine\n{"permission": {"bash": "ask",},}'
    project = loaded({"opencode.json": text})
    assert rules(project) == ["bash * ask"]
    assert str(project.user_rules[0].place).endswith("opencode.json:2:17")


def test_an_empty_file_is_an_empty_configuration(loaded: Loaded) -> None:
    assert rules(loaded({"opencode.json": ""})) == []


def test_the_newest_order_of_files(project: Write, tmp_path: Path) -> None:
    app = project(
        {
            ".git/HEAD": "",
            "opencode.json": bash("ask"),
            ".opencode/opencode.json": bash("ask"),
            "sub/opencode.jsonc": bash("ask"),
            "sub/opencode.json": bash("ask"),
            "sub/.opencode/opencode.jsonc": bash("ask"),
            "sub/.opencode/agents/z.md": "---\nmode: all\n---",
            "sub/.opencode/agent/a.md": "---\nmode: all\n---",
            "sub/.opencode/modes/m.md": "---\nmodel: x/y\n---",
            "../home/.opencode/opencode.json": bash("ask"),
            "../home/.config/opencode/config.json": bash("ask"),
            "../home/.config/opencode/opencode.json": bash("ask"),
            "../home/.config/opencode/agents/g.md": "---\nmode: all\n---",
            "../extra.json": bash("ask"),
            "../dir/opencode.json": bash("ask"),
        }
    )
    found = load(
        app / "sub",
        release("1.18.34"),
        home=str(tmp_path / "home"),
        environ={
            "OPENCODE_CONFIG": str(tmp_path / "extra.json"),
            "OPENCODE_CONFIG_DIR": str(tmp_path / "dir"),
        },
        include_global=True,
        allow_outside=True,
    )
    paths = [file.path.removeprefix(f"{tmp_path}/") for file in found.files_read]
    resolved = [path.replace("app/../", "") for path in paths]
    assert resolved == [
        "home/.config/opencode/config.json",
        "home/.config/opencode/opencode.json",
        "extra.json",
        "app/opencode.json",
        "app/sub/opencode.json",
        "app/sub/opencode.jsonc",
        "home/.config/opencode/agents/g.md",
        "app/sub/.opencode/opencode.jsonc",
        "app/sub/.opencode/agent/a.md",
        "app/sub/.opencode/agents/z.md",
        "app/sub/.opencode/modes/m.md",
        "app/.opencode/opencode.json",
        "home/.opencode/opencode.json",
        "dir/opencode.json",
    ]
    assert found.agents["m"].mode == "primary"
    assert found.here.worktree == str(app)


def test_files_that_the_environment_names_count(project: Write, tmp_path: Path) -> None:
    app = project({"opencode.json": bash("ask"), "../dir/agents/x.md": "---\nmode: primary\n---\n"})
    found = load(app, release("1.18.34"), environ={"OPENCODE_CONFIG_DIR": str(tmp_path / "dir")})
    assert found.agents["x"].mode == "primary"


def test_the_home_directory_beats_the_project(project: Write, tmp_path: Path) -> None:
    """#19296, #28177, and observed: `~/.opencode` comes after the project's own files."""
    app = project(
        {
            "opencode.json": bash("deny"),
            ".opencode/opencode.json": bash("deny"),
            "../home/.opencode/opencode.json": bash("allow"),
        }
    )
    home = str(tmp_path / "home")
    assert rules(load(app, release("1.18.34"), home=home)) == ["bash * deny"]
    found = load(app, release("1.18.34"), home=home, include_global=True)
    assert rules(found) == ["bash * allow"]
    assert found.user_rules[0].layer is Layer.GLOBAL


def test_until_1_3_13_files_that_end_in_json_win(loaded: Loaded) -> None:
    files = {"opencode.json": bash("ask"), "opencode.jsonc": bash("deny")}
    assert rules(loaded(files, "1.3.13")) == ["bash * ask"]
    assert rules(loaded(files, "1.3.14")) == ["bash * deny"]


def test_settings_in_the_environment(loaded: Loaded) -> None:
    files = {"opencode.json": bash("ask"), ".opencode/opencode.json": bash("allow")}
    environ = {"OPENCODE_CONFIG_CONTENT": '{"permission": {"bash": "deny"}}'}
    found = loaded(files, environ=environ)
    assert rules(found) == ["bash * deny"]
    assert found.user_rules[0].layer is Layer.ENVIRONMENT
    assert str(found.user_rules[0].place) == "OPENCODE_CONFIG_CONTENT:1:17"
    assert rules(loaded(files, "1.1.48", environ=environ)) == ["bash * allow"]


def test_permissions_in_the_environment_are_merged_last(loaded: Loaded) -> None:
    files = {"opencode.json": bash({"*": "ask", "rm *": "deny"})}
    environ = {"OPENCODE_PERMISSION": '{"bash": {"*": "allow"}, "edit": "deny"}'}
    assert rules(loaded(files, environ=environ)) == [
        "bash * allow",
        "bash rm * deny",
        "edit * deny",
    ]


def test_permissions_in_the_environment_that_are_not_json(loaded: Loaded) -> None:
    files = {"opencode.json": bash("ask")}
    found = loaded(files, environ={"OPENCODE_PERMISSION": "{"})
    assert (rules(found), [f.id for f in found.findings]) == (["bash * ask"], ["bad-environment"])
    with pytest.raises(InputError, match="CloseBraceExpected"):
        loaded(files, "1.15.5", environ={"OPENCODE_PERMISSION": "{"})
    with pytest.raises(InputError, match="not an object"):
        loaded(files, environ={"OPENCODE_PERMISSION": '"allow"'})


def test_the_projects_files_can_be_switched_off(loaded: Loaded) -> None:
    with pytest.raises(InputError, match="no configuration"):
        loaded({"opencode.json": bash("ask")}, environ={"OPENCODE_DISABLE_PROJECT_CONFIG": "1"})


def test_one_agent_in_two_files(loaded: Loaded) -> None:
    project = loaded(
        {
            "opencode.json": {
                "agent": {"x": {"tools": {"bash": False}, "permission": {"a": "ask"}}}
            },
            ".opencode/agents/x.md": "---\nmode: subagent\npermission: {bash: ask, b: deny}\n---",
        }
    )
    own = [str(p.rule) for p in project.agents["x"].rules if p.layer is Layer.AGENT]
    assert own == ["bash * ask", "a * ask", "b * deny"]
    assert project.agents["x"].mode == "subagent"


@pytest.mark.parametrize(
    ("path", "name", "agent"),
    [
        (".opencode/agents/tester.md", "1.18.34", "tester"),
        (".opencode/agent/code/tester.md", "1.18.34", "code/tester"),
        (".opencode/agents/code/tester.md", "1.1.16", "code/tester"),
        (".opencode/agents/code/tester.md", "1.1.15", "tester"),
        (".opencode/agent/code/tester.md", "1.1.15", "code/tester"),
        (".opencode/agents/v1.2.md", "1.18.34", "v1.2"),
        (".opencode/agents/.hidden.md", "1.18.34", ".hidden"),
        (".opencode/modes/tester.md", "1.18.34", "tester"),
    ],
)
def test_ids_by_path(loaded: Loaded, path: str, name: str, agent: str) -> None:
    assert agent in loaded({path: "---\ntemperature: 1\n---\n"}, name).agents


def test_modes_are_not_looked_for_in_folders_below(loaded: Loaded) -> None:
    files = {"opencode.json": {}, ".opencode/modes/deep/x.md": "---\nmode: all\n---\n"}
    assert "deep/x" not in loaded(files).agents


def test_a_name_in_the_header_is_the_id(loaded: Loaded) -> None:
    text = "---\nname: BuildAgent\npermission:\n  edit: deny\n---\n"
    project = loaded({".opencode/agents/sub/build-agent.md": text})
    assert "sub/build-agent" not in project.agents
    assert "edit * deny" in map(str, project.agents["BuildAgent"].ruleset)
    named = {"name: BuildAgent": "name: 7"}
    [(old, new)] = named.items()
    assert "7" in loaded({".opencode/agents/x.md": text.replace(old, new)}).agents


def test_two_files_of_one_name(loaded: Loaded) -> None:
    """Only one of them counts, and not their union; which one, the file system decides."""
    files = {
        ".opencode/agent/x.md": "---\npermission: {bash: deny}\n---",
        ".opencode/agents/x.md": "---\npermission: {edit: deny}\n---",
    }
    project = loaded(files)
    own = [str(p.rule) for p in project.agents["x"].rules if p.layer is Layer.AGENT]
    assert own == ["edit * deny"]
    assert [finding.id for finding in project.findings] == ["agent-twice"]


def test_a_dropped_header_leaves_the_agent_unrestricted(loaded: Loaded) -> None:
    text = "---\nmode: subagent\npermission:\n  edit: deny\n*: deny\n---\nYou test.\n"
    project = loaded({".opencode/agents/x.md": text})
    assert project.agents["x"].mode == "all"
    assert not any(p.layer is Layer.AGENT for p in project.agents["x"].rules)
    assert [finding.id for finding in project.findings] == ["header-dropped"]


def test_a_header_that_the_release_rejects(loaded: Loaded) -> None:
    text = "---\npermission:\n  bash: sometimes\n---\n"
    with pytest.raises(InputError, match=r"agent\.x\.permission\.bash has the value") as caught:
        loaded({".opencode/agents/x.md": text})
    assert (caught.value.line, caught.value.column) == (3, 9)


def test_a_mode_that_the_release_rejects_is_skipped(loaded: Loaded) -> None:
    text = "---\npermission:\n  bash: sometimes\n---\n"
    project = loaded({".opencode/modes/x.md": text})
    assert "x" not in project.agents
    assert [finding.id for finding in project.findings] == ["agent-skipped"]


def test_one_file_alone(project: Write) -> None:
    app = project({"opencode.json": bash("ask"), "my.json##x": bash("deny")})
    found = load(app / "my.json##x", release("1.18.34"))
    assert rules(found) == ["bash * deny"]
    assert [file.path for file in found.files_read] == [str(app / "my.json##x")]


def test_one_agents_file_alone(project: Write) -> None:
    app = project({".opencode/agents/deep/x.md": "---\npermission:\n  edit: deny\n---\n"})
    found = load(app / ".opencode/agents/deep/x.md", release("1.18.34"))
    assert "edit * deny" in map(str, found.agents["deep/x"].ruleset)


@pytest.mark.parametrize("name", ["1.1.16", "1.18.34", "2.0"])
def test_a_directory_of_configuration(loaded: Loaded, name: str) -> None:
    """As a repository that is somebody's `~/.config/opencode` has it."""
    files = {"opencode.json": bash("ask"), "agents/x.md": "---\nmode: primary\n---\n"}
    assert loaded(files, name).agents["x"].mode == "primary"


def test_nothing_to_load_says_what_there_is_nearby(project: Write) -> None:
    app = project({"config/opencode/opencode.jsonc": {}, ".opencode.json": {}})
    with pytest.raises(InputError, match="no configuration here") as caught:
        load(app, release("1.18.34"))
    assert caught.value.id == "no-configuration"
    assert "config/opencode/opencode.jsonc" in str(caught.value.help)


def test_a_project_without_files_may_have_the_users(project: Write, tmp_path: Path) -> None:
    app = project({"../home/.config/opencode/opencode.json": bash("ask")})
    found = load(app, release("1.18.34"), home=str(tmp_path / "home"), include_global=True)
    assert (rules(found), found.user_rules[0].layer) == (["bash * ask"], Layer.GLOBAL)


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file") as caught:
        load(tmp_path / "none", release("1.18.34"))
    assert caught.value.id == "no-file"


def test_the_second_engine_reads_the_users_files_first(project: Write, tmp_path: Path) -> None:
    def one(resource: str) -> dict[str, object]:
        return {"permissions": [{"action": "edit", "resource": resource, "effect": "deny"}]}

    app = project(
        {
            ".git/HEAD": "",
            "opencode.json": one("outer"),
            ".opencode/opencode.json": one("outer folder"),
            "sub/opencode.json": one("inner"),
            "sub/.opencode/opencode.json": one("inner folder"),
            "../home/.config/opencode/opencode.json": one("home"),
            "../home/.config/opencode/agents/g.md": "---\nmode: primary\n---\n",
        }
    )
    home = str(tmp_path / "home")
    found = load(app / "sub", release("2.0"), home=home, include_global=True, allow_outside=True)
    assert [placed.rule.pattern for placed in found.user_rules] == [
        "home",
        "outer",
        "inner",
        "outer folder",
        "inner folder",
    ]
    assert found.agents["g"].mode == "primary"


def test_the_users_directory_may_be_elsewhere(project: Write, tmp_path: Path) -> None:
    app = project({"../xdg/opencode/opencode.json": bash("ask")})
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "xdg"), "XDG_DATA_HOME": "/data"}
    found = load(app, release("1.18.34"), home="/h", environ=environ, include_global=True)
    assert rules(found) == ["bash * ask"]
    assert found.here.data == "/data/opencode"


def test_an_agents_file_outside_any_folder_is_called_after_itself(project: Write) -> None:
    app = project({"notes.md": "---\nmode: subagent\n---\n"})
    assert load(app / "notes.md", release("1.18.34")).agents["notes"].mode == "subagent"
    assert load(app / "notes.md", release("2.0")).agents["notes"].mode == "subagent"


def test_servers_that_are_switched_off_do_not_count(loaded: Loaded) -> None:
    servers = {"a": {"type": "local"}, "b": {"enabled": False}, "c": {"enabled": True}}
    assert list(loaded({"opencode.json": {"mcp": servers}}).mcp_servers) == ["a", "c"]
    files = {"opencode.json": {"mcp": {"servers": {"a": {}, "b": {"disabled": True}}}}}
    assert list(loaded(files, "2.0").mcp_servers) == ["a"]
