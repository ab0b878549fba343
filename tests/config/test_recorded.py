"""The recorded cases and real configurations that are kept beside the repository."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from ruamel.yaml import YAML

from downset.config.files import default_release, load
from downset.config.project import resolve
from downset.config.releases import release
from downset.errors import InputError
from downset.language.matching import W1
from downset.language.rules import ASK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from downset.config.project import Project
    from downset.config.releases import Release
    from downset.language.matching import Matcher
    from downset.language.rules import Action, Rule

NEWEST = release("1.18.34")
Case = dict[str, Any]


def cases(shared: Path) -> Iterator[Case]:
    for path in sorted((shared / "cases" / "bugs").glob("*.json")):
        yield json.loads(path.read_text(encoding="utf-8"))


def of_class(name: str) -> Release:
    """What a case means by a release: its spawn rules, all else as in the newest (FORMAT.md)."""
    row = release(name)
    if row.engine > 1:
        return row
    return replace(
        row,
        matcher=NEWEST.matcher,
        key_order=NEWEST.key_order,
        expands_home=True,
        strict_keys=False,
        text_for_agent=True,
    )


def decision(rules: tuple[Rule, ...], permission: str, pattern: str, matcher: Matcher) -> Action:
    for rule in reversed(rules):
        if matcher.matches(permission, rule.permission) and matcher.matches(pattern, rule.pattern):
            return rule.action
    return ASK


def test_what_one_agent_may_do(shared: Path) -> None:
    """Every check about a root session without rules of its own."""
    count = 0
    for case in cases(shared):
        for check in case.get("checks", ()):
            plain = not {"approved", "root_session", "resume", "visible_tool"} & {*check, *case}
            if not plain or len(check.get("chain", ())) != 1:
                continue
            row = of_class(check["semantics"])
            matcher = row.windows_matcher if check.get("os") == "win32" else row.matcher
            matcher = matcher if check.get("slash_normalised", True) else W1
            agent = resolve(check.get("config", case["config"]), row).agent(check["chain"][0])
            got = decision(agent.ruleset, check["permission"], check["pattern"], matcher)
            assert got.value == check["expect"], (case["id"], check)
            count += 1
    assert count > 30


def test_files_give_the_object_of_the_check(shared: Path, tmp_path: Path) -> None:
    """The loader's cases: raw input, and the object that loading must give."""
    count = 0
    for case in cases(shared):
        config = case.get("config") or {}
        if not {"files", "agent_md", "agent_md_raw"} & set(config):
            continue
        check = next(check for check in case["checks"] if "config" in check)
        row = of_class(check["semantics"])
        home, app = tmp_path / case["id"] / "home", tmp_path / case["id"] / "home" / "app"
        written = write(config, home, app)
        found = load(app, row, home=str(home), include_global=written)
        expected = resolve(check["config"], row, str(home), str(app))
        assert rulesets(found) == rulesets(expected), case["id"]
        count += 1
    assert count >= 1


def write(config: Case, home: Path, app: Path) -> bool:
    """Write a case's files; whether some are the user's own."""
    app.mkdir(parents=True)
    for file in config.get("files", ()):
        own = file["path"].startswith("~/")
        path = home / file["path"][2:] if own else app / file["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({k: v for k, v in file.items() if k != "path"}))
    if header := config.get("agent_md"):
        write_agent(app, header.get("name", "agent"), header)
    if raw := config.get("agent_md_raw"):
        text = raw if raw.startswith("---") else f"---\n{raw}\n---\n"
        path = app / ".opencode" / "agents" / f"{config.get('name', 'agent')}.md"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    return any(file["path"].startswith("~/") for file in config.get("files", ()))


def write_agent(app: Path, name: str, header: Case) -> None:
    path = app / ".opencode" / "agents" / f"{name}.md"
    path.parent.mkdir(parents=True)
    with path.open("w") as file:
        file.write("---\n")
        YAML(typ="safe", pure=True).dump(header, file)
        file.write("---\nYou test.\n")


def rulesets(project: Project) -> dict[str, tuple[Rule, ...]]:
    return {name: agent.ruleset for name, agent in project.agents.items()}


def test_pawwork_orders_keys_as_a_release_in_between(shared: Path) -> None:
    """Its fromConfig puts keys with a star first, as 1.14.21 to 1.14.24 do."""
    entries = json.loads((shared / "cases" / "pawwork-conformance.json").read_text())
    row = replace(of_class("1.18.34"), key_order=release("1.14.21").key_order)
    for entry in (entry for entry in entries if entry["kind"] == "fromConfig"):
        asked = entry["input"]
        rules = tuple(p.rule for p in resolve({"permission": asked["config"]}, row).user_rules)
        got = decision(rules, asked["permission"], asked["pattern"], row.matcher)
        assert got.value == entry["expect"], entry["id"]


@pytest.mark.parametrize("name", ["1.1.16", "1.14.34", "1.17.2", "1.18.2", "1.18.34", "2.0"])
def test_real_configurations_load_or_give_one_error(shared: Path, name: str) -> None:
    for folder in sorted((shared / "cases" / "configs").iterdir()):
        meta = json.loads((folder / "META.json").read_text(encoding="utf-8"))
        for target in (folder, folder / meta["config_root"]):
            try:
                project = load(target, release(name))
            except InputError as error:
                assert error.id in KNOWN_ERRORS, error.format()  # noqa: PT017 -- most load
            else:
                assert project.active


KNOWN_ERRORS = {
    "no-configuration",
    "bad-reference",
    "unknown-key",
    "header-syntax",
    "invalid-config",
}


def test_what_real_configurations_lose_without_a_word(shared: Path) -> None:
    configs = shared / "cases" / "configs"
    folder = configs / "011-dragoscirjan-opencode-config"
    ids = [finding.id for finding in load(folder, default_release(folder)).findings]
    assert ids == ["header-dropped", "header-dropped"]
    folder = configs / "073-11111000000-pro-nix"
    assert [finding.id for finding in load(folder, release("1.18.2")).findings] == ["no-header"] * 2
    folder = configs / "104-rekram1-node-opencode"
    for target, reason in ((folder, "no configuration"), (folder / ".opencode.json", "lsp is not")):
        with pytest.raises(InputError, match=reason):
            load(target, release("1.18.2"))
