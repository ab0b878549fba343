"""One clear error, or one finding, for everything that is no configuration."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

import pytest

from downset.config.files import default_release, load
from downset.config.releases import release
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from downset.config.project import Project

    Loaded: TypeAlias = Callable[..., Project]
    Write: TypeAlias = Callable[[Mapping[str, object]], Path]


@pytest.mark.parametrize(
    ("content", "id_"),
    [
        (b'{"permission": {"bash"', "json-syntax"),
        (b"\x7fELF\0\0\0", "not-text"),
        (b'{"permission":\n {"bash": "\xff"}}', "not-text"),
        (b"\xff\xfe{\0}\0", "not-text"),
        (b"[" * 200_000, "too-deep"),
        (b" " * (10 * 1024 * 1024), "too-large"),
        (b"[]", "invalid-config"),
        (b'"allow"', "invalid-config"),
        (b"null", "invalid-config"),
        (b" ", "json-syntax"),
        (b"{" + b'"a":1,' * 10 + b'"permission": NaN}', "json-syntax"),
    ],
)
def test_settings(loaded: Loaded, content: bytes, id_: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded({"opencode.json": content})
    assert caught.value.id == id_
    assert str(caught.value.file).endswith("opencode.json")


@pytest.mark.parametrize(
    ("content", "id_"),
    [
        (b"\x89PNG\0", "not-text"),
        (b"---\nx: \xe4\n---\n", "not-text"),
        (b"#" * (10 * 1024 * 1024), "too-large"),
        (b"---\nx: " + b"[" * 100_000, "too-deep"),
        (b"---\nx: " + b"[" * 300_000, "too-large"),
    ],
)
def test_agents(loaded: Loaded, content: bytes, id_: str) -> None:
    with pytest.raises(InputError) as caught:
        loaded({".opencode/agents/x.md": content})
    assert caught.value.id == id_
    assert str(caught.value.file).endswith("x.md")


def test_where_a_file_stops_being_text(loaded: Loaded) -> None:
    with pytest.raises(InputError, match="not UTF-8") as caught:
        loaded({"opencode.json": b'{\n  "a": "\xff"}'})
    assert (caught.value.line, caught.value.column) == (2, 9)


def test_a_directory_in_place_of_a_file(loaded: Loaded) -> None:
    with pytest.raises(InputError, match="this is not a file"):
        loaded({"opencode.json/x": ""})


def test_a_link_that_leads_out_of_the_project(project: Write, tmp_path: Path) -> None:
    app = project({"../other.json": {"permission": "deny"}})
    (app / "opencode.json").symlink_to(tmp_path / "other.json")
    with pytest.raises(InputError, match="outside the project") as caught:
        load(app, release("1.18.34"))
    assert caught.value.id == "outside"
    (app / ".git").mkdir()
    assert len(load(app, release("1.18.34"), allow_outside=True).user_rules) == 1


def test_a_link_inside_the_project_is_followed(project: Write) -> None:
    app = project({"real.json": {"permission": "deny"}})
    (app / "opencode.json").symlink_to("real.json")
    assert len(load(app, release("1.18.34")).user_rules) == 1


def test_a_link_to_nothing_and_a_link_to_itself(project: Write) -> None:
    for target in ("none.json", "opencode.json"):
        app = project({})
        (app / "opencode.json").symlink_to(target)
        with pytest.raises(InputError, match="cannot be read"):
            load(app, release("1.18.34"))
        (app / "opencode.json").unlink()


def test_agents_behind_a_link_that_leads_out(project: Write, tmp_path: Path) -> None:
    app = project({"opencode.json": {}, ".opencode/x": "", "../agents/x.md": "---\n---\n"})
    (app / ".opencode/agents").symlink_to(tmp_path / "agents")
    found = load(app, release("1.18.34"))
    assert [finding.id for finding in found.findings] == ["outside-not-read"]
    assert "x" not in found.agents


def test_folders_in_a_circle(project: Write) -> None:
    app = project({".opencode/agents/x.md": "---\nmode: all\n---\n"})
    (app / ".opencode/agents/again").symlink_to(app / ".opencode/agents")
    assert "x" in load(app, release("1.18.34")).agents


@pytest.mark.skipif(os.geteuid() == 0, reason="root can read everything")
def test_an_unreadable_directory(project: Write) -> None:
    app = project({"opencode.json": {}, ".opencode/agents/x.md": ""})
    folder = app / ".opencode/agents"
    folder.chmod(0)
    try:
        found = load(app, release("1.18.34"))
    finally:
        folder.chmod(0o700)
    assert [finding.id for finding in found.findings] == ["unreadable"]


def test_a_directory_that_cannot_be_listed(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    app = project({"opencode.json": {}, ".opencode/agents/x.md": ""})
    monkeypatch.setattr("downset.config.markdown.Path.iterdir", refuse)
    [finding] = load(app, release("1.18.34")).findings
    assert (finding.id, finding.message) == ("unreadable", "cannot be read: Permission denied")


def test_whatever_the_system_refuses_is_one_error(
    project: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    app = project({"opencode.json": {}})
    monkeypatch.setattr("downset.config.files.Path.is_dir", refuse)
    for attempt in (lambda: load(app, release("1.18.34")), lambda: default_release(app)):
        with pytest.raises(InputError, match="cannot be read: Permission denied"):
            attempt()


def test_a_device_is_not_read() -> None:
    with pytest.raises(InputError, match="not a file"):
        load("/dev/zero", release("1.18.34"))


def test_a_pipe_is_not_read(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "opencode.json")
    with pytest.raises(InputError, match="not a file"):
        load(tmp_path, release("1.18.34"))


def test_more_agents_than_anybody_has(project: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    app = project({f".opencode/agents/{i}.md": "---\nmode: all\n---\n" for i in range(4)})
    monkeypatch.setattr("downset.config.markdown.MAX_FILES", 3)
    with pytest.raises(InputError, match="more than 3 agents"):
        load(app, release("1.18.34"))
