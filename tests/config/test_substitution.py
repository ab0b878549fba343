"""`{env:}` and `{file:}`, and that nothing secret is kept."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, TypeAlias

import pytest

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from downset.config.project import Project

    Loaded: TypeAlias = Callable[..., Project]

SECRET = "s3cr3t-7f"  # noqa: S105 -- looked for in everything that can be printed


def test_values_of_the_environment_never_get_into_the_project(loaded: Loaded) -> None:
    config = {
        "provider": {"x": {"options": {"apiKey": "{env:KEY}"}}},
        "permission": {"bash": {"curl {env:KEY} *": "deny"}, "{env:KEY}_x": "ask"},
        "mcp": {"{env:KEY}": {}},
        "agent": {"a{env:KEY}": {"prompt": "{env:KEY}"}},
        "default_agent": "{env:KEY}",
    }
    project = loaded({"opencode.json": config}, environ={"KEY": SECRET})
    assert [str(placed.rule) for placed in project.user_rules] == [
        "bash curl {env:KEY} * deny",
        "{env:KEY}_x * ask",
    ]
    assert "a{env:KEY}" in project.agents
    assert SECRET not in repr(project)
    assert SECRET not in "\n".join(map(str, project.findings))


def test_an_error_does_not_show_them(loaded: Loaded) -> None:
    for config in (
        {"permission": {"bash": "{env:KEY}"}},
        {"permission": {"bash": {"*": "x{env:KEY}"}}},
        {"agent": {"x": {"mode": "{env:KEY}"}}},
        {"{env:KEY}": 1},
    ):
        with pytest.raises(InputError) as caught:
            loaded({"opencode.json": config}, "1.18.15", environ={"KEY": SECRET})
        assert SECRET not in caught.value.format()


def test_actions_may_come_from_the_environment(loaded: Loaded) -> None:
    config = {"permission": {"bash": "{env:ACTION}"}, "agent": {"x": {"mode": "{env:MODE}"}}}
    environ = {"ACTION": "deny", "MODE": "primary"}
    project = loaded({"opencode.json": config}, environ=environ)
    assert str(project.user_rules[0].rule) == "bash * deny"
    assert project.agents["x"].mode == "primary"


def test_places_are_those_of_the_file_as_written(loaded: Loaded) -> None:
    text = '{"username": "{env:USER}", "permission": {"bash": "ask"}}'
    column = text.index('"bash"') + 1
    for value in ("", "x" * 50, "two\\nlines"):
        project = loaded({"opencode.json": text}, environ={"USER": value})
        assert str(project.user_rules[0].place).endswith(f":1:{column}")


def test_what_is_not_set_is_empty(loaded: Loaded) -> None:
    with pytest.raises(InputError, match=r"permission\.bash has the value, not an action"):
        loaded({"opencode.json": {"permission": {"bash": "{env:NONE}"}}})


def test_a_value_may_change_how_the_text_is_read(loaded: Loaded) -> None:
    """It is put into the text, not into the string: a quote ends the string."""
    config = '{"username": "{env:X}", "permission": "ask"}'
    with pytest.raises(InputError, match="CommaExpected") as caught:
        loaded({"opencode.json": config}, environ={"X": f'{SECRET}" "'})
    assert caught.value.line == 1
    assert SECRET not in caught.value.format()


def test_files_are_put_in(loaded: Loaded) -> None:
    files = {
        "opencode.json": {"permission": {"bash": "{file:./action.txt}"}},
        "action.txt": "\n deny \n",
    }
    assert str(loaded(files).user_rules[0].rule) == "bash * deny"


def test_quotes_and_line_ends_in_files_do_no_harm(loaded: Loaded) -> None:
    files = {
        "opencode.json": {"agent": {"x": {"prompt": "{file:p.txt}"}}, "permission": "ask"},
        "p.txt": 'Say "hi"\\ }\n{file:opencode.json}',
    }
    assert len(loaded(files).user_rules) == 1


def test_a_missing_file_is_an_error(loaded: Loaded) -> None:
    text = '{\n"agent": {"x": {"prompt": "{file:none.txt}"}}}'
    with pytest.raises(InputError, match=r"bad file reference: `\{file:none.txt\}`") as caught:
        loaded({"opencode.json": text})
    assert (caught.value.id, caught.value.line, caught.value.column) == ("bad-reference", 2, 28)


def test_comments_are_left_alone(loaded: Loaded) -> None:
    assert loaded({"opencode.json": '{\n  // "x": "{file:none.txt}"\n}'}).findings == ()


@pytest.mark.parametrize("path", ["../secret.txt", "/etc/passwd", "~/secret.txt"])
def test_files_outside_are_not_read(loaded: Loaded, path: str) -> None:
    files = {
        "opencode.json": {"agent": {"x": {"prompt": f"{{file:{path}}}"}}, "permission": "ask"},
        "../secret.txt": SECRET,
    }
    project = loaded(files)
    assert [finding.id for finding in project.findings] == ["outside-not-read"]
    assert len(project.user_rules) == 1


def test_files_outside_are_read_if_that_is_allowed(loaded: Loaded) -> None:
    files = {".git/x": "", "opencode.json": bash("{file:../a.txt}"), "../a.txt": "deny"}
    assert str(loaded(files, allow_outside=True).user_rules[0].rule) == "bash * deny"


def test_a_file_that_refers_to_itself_is_read_once(loaded: Loaded) -> None:
    text = json.dumps({"agent": {"x": {"prompt": "{file:opencode.json}"}}, "permission": "ask"})
    assert len(loaded({"opencode.json": text}).user_rules) == 1


def test_the_second_engine_puts_nothing_in(loaded: Loaded) -> None:
    rule = {"action": "edit", "resource": "{env:KEY}", "effect": "deny"}
    project = loaded({"opencode.json": {"permissions": [rule]}}, "2.0", environ={"KEY": SECRET})
    assert str(project.user_rules[0].rule) == "edit {env:KEY} deny"


def bash(action: str) -> dict[str, object]:
    return {"permission": {"bash": action}}
