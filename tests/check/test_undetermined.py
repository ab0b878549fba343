"""A question whose budget is spent is told as undetermined by every check, and never dropped."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from downset.config.files import load
from downset.config.project import resolve
from downset.config.releases import release
from downset.graph.check import check
from downset.graph.diffing import diff
from downset.language.automata import SearchLimit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.check.conftest import Program

SHELL = {"bash": {"*": "ask", "git push --force*": "deny"}}
NO_EDIT = {"permission": {"edit": "deny"}}
ROOT = {"permission": {"edit": {"**/secret.txt": "deny"}}}
ONLY_ALLOWS = {"permission": {"edit": {"docs/*": "allow"}}}

CASES = [
    ("pairs", "no-escalation", {"agent": {"ro": NO_EDIT}}),
    ("pairs", "ask-preserved", {"agent": {"ro": {"permission": {"edit": "ask"}}}}),
    ("approvals", "approval-bounded", {"permission": SHELL}),
    ("resuming", "resume-safe", {}),
    ("lints.patterns", "root-missed", ROOT),
    ("lints.keys", "no-base-rule", ONLY_ALLOWS),
    ("lints.shell", "shell-open", {"agent": {"ro": {"mode": "primary", **NO_EDIT}}}),
]


@pytest.mark.parametrize(("module", "finding", "config"), CASES)
def test_a_spent_budget_is_told(
    project: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
    module: str,
    finding: str,
    config: Mapping[str, object],
) -> None:
    loaded = load(project(config), release("1.18.2"))
    decided = check(loaded)
    assert finding in {problem.id for problem in decided.problems}
    monkeypatch.setattr(import_module(f"downset.graph.{module}"), "witness", _spent)
    undecided = check(loaded)
    assert finding not in {problem.id for problem in undecided.problems}
    assert [what for what in undecided.undetermined if what.startswith(finding)]


def _spent(*_args: object, **_options: object) -> str | None:
    raise SearchLimit


def test_undetermined_is_no_success(
    run: Program, project: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = project({})
    assert run("check", folder).code == 0
    monkeypatch.setattr(import_module("downset.graph.resuming"), "witness", _spent)
    result = run("check", folder)
    assert result.code == 3
    assert "undetermined, the budget was spent:\n  resume-safe: task of build" in result.out


def test_diff_says_where_it_stopped() -> None:
    config = {"permission": {"task": "allow"}}
    old, new = (resolve(config, release(number)) for number in ("1.15.0", "1.17.0"))
    whole, cut = diff(old, new), diff(old, new, most=3)
    assert not whole.undetermined
    assert cut.undetermined == ("chains that need more than 3 pairs of sessions",)
