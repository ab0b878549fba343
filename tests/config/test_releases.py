from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.config.releases import DEFAULT, KeyOrder, release
from downset.errors import InputError
from downset.language.matching import W0, W1, W2, W2_WINDOWS

if TYPE_CHECKING:
    from downset.config.releases import Release


def vector(name: str) -> tuple[object, ...]:
    row = release(name)
    return (row.spawn, row.hides_over, row.asks, row.hides, row.bypass, row.key_order.value)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("1.0.224", ("T1", "G1", "A0", "D0", "B0", "K0")),
        ("1.1.2", ("T1", "G1", "A0", "D1", "B0", "K0")),
        ("1.1.3", ("T1", "G1", "A0", "D1", "B0", "K1")),
        ("1.1.5", ("T1", "G1", "A0", "D1", "B1", "K1")),
        ("1.1.7", ("T1", "G1", "A0", "D1", "B2", "K1")),
        ("1.1.16", ("T2", "G1", "A0", "D1", "B2", "K1")),
        ("1.2.27", ("T2", "G1", "A1", "D1", "B2", "K1")),
        ("1.3.0", ("T2", "G2", "A1", "D1", "B2", "K1")),
        ("1.3.3", ("T3", "G2", "A1", "D1", "B2", "K1")),
        ("1.14.21", ("T3", "G2", "A1", "D1", "B2", "K2")),
        ("1.14.25", ("T3", "G2", "A1", "D1", "B2", "K3")),
        ("1.14.31", ("T4", "G2", "A1", "D1", "B2", "K3")),
        ("1.14.45", ("T5", "G2", "A1", "D1", "B2", "K3")),
        ("1.14.49", ("T6", "G2", "A1", "D1", "B2", "K3")),
        ("1.17.0", ("T7", "G2", "A1", "D1", "B2", "K3")),
        ("1.17.2", ("T8", "G2", "A1", "D1", "B2", "K3")),
        ("1.18.2", ("T9", "G2", "A1", "D1", "B2", "K3")),
    ],
)
def test_version_vectors(name: str, expected: tuple[object, ...]) -> None:
    """opencode.md section 7."""
    assert vector(name) == expected


@pytest.mark.parametrize(
    ("name", "matcher"),
    [("1.1.14", W0), ("1.1.15", W1), ("1.2.10", W1), ("1.2.11", W2), ("1.18.34", W2), ("2.0", W2)],
)
def test_matchers(name: str, matcher: object) -> None:
    assert release(name).matcher == matcher


def test_case_matters_not_on_windows_from_the_third_matcher_on() -> None:
    assert release("1.2.11").windows_matcher == W2_WINDOWS
    assert release("1.2.10").windows_matcher == W1


@pytest.mark.parametrize(
    ("name", "model"),
    [
        ("1.1.15", "opencode/1.0.224"),
        ("1.3.2", "opencode/1.1.16"),
        ("1.14.30", "opencode/1.3.3"),
        ("1.14.44", "opencode/1.14.31"),
        ("1.14.48", "opencode/1.14.46"),
        ("1.16.2", "opencode/1.14.49"),
        ("1.17.1", "opencode/1.17.0"),
        ("1.18.1", "opencode/1.17.2"),
        ("1.18.34", "opencode/1.18.2"),
        ("2.0.7", "opencode/2.0"),
    ],
)
def test_each_release_has_the_model_of_its_spawn_rules(name: str, model: str) -> None:
    assert release(f"opencode@{name}").model == model


@pytest.mark.parametrize(
    ("name", "tool", "key"),
    [
        ("1.2.27", "patch", "edit"),
        ("1.2.27", "apply_patch", "apply_patch"),
        ("1.3.0", "apply_patch", "edit"),
        ("1.3.0", "multiedit", "edit"),
        ("1.14.20", "multiedit", "multiedit"),
        ("1.17.9", "read_mcp_resource", "read_mcp_resource"),
        ("1.17.10", "read_mcp_resource", "read"),
    ],
)
def test_aliases_of_tools(name: str, tool: str, key: str) -> None:
    assert release(name).gate(tool) == key


def test_other_differences() -> None:
    assert release("1.18.1").depth_limit is None
    assert release("1.18.2").depth_limit == 1
    assert (release("1.14.44").read_base, release("1.14.45").read_base) == ("absolute", "worktree")
    assert release("1.16.2").sends_tools
    assert not release("1.17.0").sends_tools
    assert not release("1.1.29").expands_home
    assert release("1.1.30").expands_home


@pytest.mark.parametrize(
    "name",
    ["1.0.223", "1.18.35", "1.5.0", "1.18", "3.0", "", "latest", "0.1.2", "1.18.2.1", "9" * 5000],
)
def test_unknown_releases_are_errors(name: str) -> None:
    with pytest.raises(InputError, match="unknown release") as caught:
        release(name)
    assert caught.value.id == "unknown-release"


def test_all_spellings_are_one_release() -> None:
    rows: set[Release] = {release(s) for s in ("1.18.2", "v1.18.2", "opencode@1.18.2", DEFAULT)}
    assert [row.key_order for row in rows] == [KeyOrder.USER]
