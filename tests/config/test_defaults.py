"""opencode.md 2.1, with the corrections of opencode-observed.md."""

from __future__ import annotations

import pytest

from downset.config.defaults import built_in, defaults
from downset.config.project import resolve
from downset.config.releases import release
from downset.config.surroundings import Surroundings

HERE = Surroundings("/home/dev", "/home/dev/app")
DATA = "/home/dev/.local/share/opencode"


def own(name: str, agent: str) -> list[str]:
    return [str(rule) for rule in built_in(release(name), HERE)[agent].rules]


def first(name: str) -> list[str]:
    return [str(rule) for rule in defaults(release(name), HERE)]


def test_defaults_of_the_newest_release() -> None:
    assert first("1.18.34") == [
        "* * allow",
        "doom_loop * ask",
        "external_directory * ask",
        f"external_directory {DATA}/tool-output/* allow",
        "external_directory /tmp/opencode/* allow",
        "question * deny",
        "plan_enter * deny",
        "plan_exit * deny",
        "read * allow",
        "read *.env ask",
        "read *.env.* ask",
        "read *.env.example allow",
    ]


@pytest.mark.parametrize(
    ("rule", "since", "before"),
    [
        ("read *.env deny", "1.1.1", "1.0.224"),
        ("read *.env ask", "1.1.16", "1.1.15"),
        ("question * deny", "1.1.7", "1.1.6"),
        ("plan_exit * deny", "1.1.19", "1.1.18"),
        ("external_directory /tmp/opencode/* allow", "1.14.31", "1.14.30"),
        ("repo_clone * deny", "1.14.42", "1.14.41"),
        ("repo_overview * deny", "1.15.13", "1.16.0"),
        (f"external_directory {DATA}/tool-output allow", "1.1.48", "1.1.49"),
        (f"external_directory {DATA}/tool-output/* allow", "1.1.16", "1.1.15"),
    ],
)
def test_history_of_defaults(rule: str, since: str, before: str) -> None:
    assert rule in first(since)
    assert rule not in first(before)


def test_plan() -> None:
    assert own("1.0.224", "plan") == ["edit * deny", "edit .opencode/plan/*.md allow"]
    assert own("1.18.34", "plan") == [
        "question * allow",
        "plan_exit * allow",
        "task general deny",
        f"external_directory {DATA}/plans/* allow",
        "edit * deny",
        "edit .opencode/plans/*.md allow",
        "edit ../.local/share/opencode/plans/*.md allow",
    ]
    assert "task general deny" not in own("1.17.1", "plan")
    assert "task general deny" in own("1.17.2", "plan")


def test_plan_without_git_has_an_almost_absolute_path() -> None:
    rules = built_in(release("1.18.34"), Surroundings("/home/dev", "/"))["plan"].rules
    assert str(rules[-1]) == "edit home/dev/.local/share/opencode/plans/*.md allow"


def test_general_and_build() -> None:
    assert own("1.3.2", "general") == ["todoread * deny", "todowrite * deny"]
    assert own("1.3.3", "general") == ["todowrite * deny"]
    assert own("1.0.224", "build") == []
    assert own("1.1.19", "build") == ["question * allow", "plan_enter * allow"]
    assert built_in(release("1.1.4"), HERE)["general"].hidden
    assert not built_in(release("1.1.5"), HERE)["general"].hidden


def test_explore() -> None:
    rules = own("1.14.29", "explore")
    assert rules[0] == "* * deny"
    assert "codesearch * allow" in rules
    assert "codesearch * allow" not in own("1.14.30", "explore")
    assert "bash * allow" in rules
    assert "external_directory * ask" not in own("1.2.6", "explore")
    assert rules[-2:] == [
        "external_directory * ask",
        f"external_directory {DATA}/tool-output/* allow",
    ]


def test_helpers_are_hidden_and_may_do_nothing() -> None:
    for name in ("compaction", "title", "summary"):
        agent = resolve({}, release("1.18.34")).agents[name]
        assert agent.hidden
        assert "* * deny" in map(str, agent.ruleset)


def test_the_order_is_defaults_built_in_user_agent_tool_output() -> None:
    """The user's rules follow the built-in ones, so they can lift them (#39715, #24615)."""
    config = {
        "permission": {"edit": "ask"},
        "agent": {"plan": {"permission": {"edit": {"src/*": "deny"}}}},
    }
    plan = resolve(config, release("1.18.34")).agents["plan"]
    layers = list(dict.fromkeys(placed.layer.value for placed in plan.rules))
    assert layers == [
        "defaults",
        "built-in agent",
        "project configuration",
        "agent's own block",
        "tool output directory",
    ]
    edits = [str(rule) for rule in plan.ruleset if rule.permission == "edit"]
    assert edits[-2:] == ["edit * ask", "edit src/* deny"]


def test_the_tool_output_directory_can_be_denied_exactly() -> None:
    def last(pattern: str) -> str:
        config = {"permission": {"external_directory": {pattern: "deny"}}}
        return str(resolve(config, release("1.18.34")).agents["build"].ruleset[-1])

    assert last(f"{DATA}/tool-output/*") == f"external_directory {DATA}/tool-output/* deny"
    assert last("*") == f"external_directory {DATA}/tool-output/* allow"


def test_a_custom_agent_has_no_built_in_rules_and_mode_all() -> None:
    agent = resolve({"agent": {"writer": {}}}, release("1.18.34")).agents["writer"]
    assert (agent.mode, agent.native, agent.hidden) == ("all", False, False)
    assert [str(rule) for rule in agent.ruleset[:-1]] == first("1.18.34")


def test_disabled_agents_do_not_exist() -> None:
    project = resolve({"agent": {"explore": {"disable": True}}}, release("1.18.34"))
    assert project.agents["explore"].disabled
    assert "explore" not in [agent.name for agent in project.active]


def test_an_agent_that_nothing_mentions_has_the_users_rules() -> None:
    for name in ("1.18.34", "2.0"):
        key = "permissions" if name == "2.0" else "permission"
        rule = [{"action": "edit", "resource": "*", "effect": "deny"}]
        project = resolve({key: rule if name == "2.0" else {"edit": "deny"}}, release(name))
        assert "edit * deny" in map(str, project.agent("stranger").ruleset)


def test_the_agent_that_a_user_starts_with() -> None:
    newest = release("1.18.34")
    assert resolve({}, newest).default_agent == "build"
    assert resolve({"default_agent": "plan"}, newest).default_agent == "plan"
    odd = resolve({"default_agent": "explore"}, newest)
    assert odd.default_agent == "build"
    assert [finding.id for finding in odd.findings] == ["bad-default-agent"]


def test_settings_that_all_sessions_share() -> None:
    config = {"experimental": {"primary_tools": ["bash"]}, "subagent_depth": 3, "mcp": {"acme": {}}}
    project = resolve(config, release("1.18.34"))
    assert project.primary_tools == ("bash",)
    assert project.subagent_depth == 3
    assert list(project.mcp_servers) == ["acme"]
    assert resolve({}, release("1.18.34")).subagent_depth == 1
    assert resolve({}, release("1.17.2")).subagent_depth is None
