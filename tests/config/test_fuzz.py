"""Whatever is in the files: a project, or an `InputError`, and nothing else."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from downset.config.files import default_release, load
from downset.config.project import Project
from downset.config.releases import release
from downset.errors import InputError

RELEASES = ("1.0.224", "1.1.2", "1.1.23", "1.1.42", "1.14.21", "1.17.9", "1.18.34", "2.0")
releases = st.sampled_from(RELEASES)

keys = st.sampled_from(
    [
        *("permission", "permissions", "agent", "agents", "mode", "tools", "experimental", "mcp"),
        *("default_agent", "subagent_depth", "primary_tools", "disable", "disabled", "hidden"),
        *("action", "resource", "effect", "bash", "edit", "*", "x_*", "task", "webfetch", "plan"),
        *("build", "x", "write", "7", "__proto__", "{env:A}", "{file:opencode.json}", "name"),
    ]
)
words = st.sampled_from(
    ["allow", "ask", "deny", "", "primary", "~/x", "{env:A}", "{file:x}", "{file:../y}", "\ud800"]
)
values = st.recursive(
    words | st.booleans() | st.integers(-2, 3) | st.none() | st.text(max_size=3),
    lambda inner: st.dictionaries(keys, inner, max_size=4) | st.lists(inner, max_size=3),
    max_leaves=25,
)
lines = st.lists(
    st.builds(
        "{}{}{} {}".format,
        st.sampled_from(["", "  ", "- ", "\t"]),
        keys | st.text(max_size=3),
        st.sampled_from([":", " :", "", ": &a", ": *a", ": !!str"]),
        words | st.sampled_from(["[", "{", "'", '"', "|", ">", "a: b", "# x", "0x1", "1:30", "<<"]),
    ),
    max_size=8,
)
headers = lines.map(lambda some: "---\n" + "\n".join(some) + "\n---\nText")


def attempt(files: dict[str, bytes], name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for path, content in files.items():
            target = Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        default_release(folder)
        try:
            project = load(folder, release(name), environ={"A": 'de"ny'})
        except InputError as error:
            assert error.id  # noqa: PT017 -- most inputs are wrong, some are right
        else:
            assert isinstance(project, Project)
            assert all(isinstance(agent.ruleset, tuple) for agent in project.agents.values())


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


fuzz = settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)


@fuzz
@given(st.dictionaries(keys, values, max_size=5), releases)
def test_objects(config: dict[str, object], name: str) -> None:
    attempt({"opencode.json": encoded(json.dumps(config))}, name)


@fuzz
@given(headers, headers, releases)
def test_headers(agent: str, mode: str, name: str) -> None:
    files = {".opencode/agents/a.md": encoded(agent), ".opencode/modes/m.md": encoded(mode)}
    attempt(files, name)


@fuzz
@given(st.binary(max_size=40), st.text(max_size=40), releases)
def test_anything(settings_: bytes, agent: str, name: str) -> None:
    attempt({"opencode.json": settings_, ".opencode/agents/a.md": encoded("---\n" + agent)}, name)


@fuzz
@given(
    st.dictionaries(keys, values, max_size=4),
    st.integers(0, 400),
    st.sampled_from(['"', "{", "}", "//", "/*", ",", "\\", "\0", "\n", "{env:A}", "{file:"]),
    releases,
)
def test_damaged_files(config: dict[str, object], at: int, damage: str, name: str) -> None:
    text = json.dumps(config, indent=1)
    at = min(at, len(text))
    attempt({"opencode.json": encoded(text[:at] + damage + text[at:])}, name)
    attempt({"opencode.json": encoded(text[:at])}, name)


@pytest.mark.slow
@settings(max_examples=500, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.text(alphabet="-:#&*!|>'\"%@`{}[],?\n \tabc~<", max_size=60), releases)
def test_signs_of_yaml(text: str, name: str) -> None:
    attempt({".opencode/agent/a.md": encoded(f"---\n{text}\n---\n")}, name)
