"""Assertions for a project's own tests; a counterexample is the message of the failure.

>>> assert_proved("baseline/full-inheritance", "no-escalation")
>>> assert_decides({"agent": {"ro": {"permission": {"edit": "deny"}}}}, ["ro"], "edit", "a", "deny")
>>> assert_no_new_access({"permission": {"edit": "allow"}}, {"permission": {"edit": "deny"}})
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.config.project import Project
    from downset.verdicts import Verdict

    Configuration = str | os.PathLike[str] | Mapping[str, object]

__all__ = ["assert_decides", "assert_no_new_access", "assert_proved"]


def assert_proved(model: str | os.PathLike[str], prop: str) -> None:
    """Fail unless a property is proved of a model: an id, or the path of a file.

    Raises `AssertionError` with the verdict and its story, `InputError` for what cannot be loaded.
    """
    __tracebackhide__ = True
    from downset.report.text import verdict_text  # noqa: PLC0415 -- nothing is imported unasked
    from downset.verdicts import Status  # noqa: PLC0415 -- the same

    verdict = _verdict(os.fspath(model), prop)
    if verdict.status is not Status.PROVED:
        raise AssertionError("\n" + verdict_text(verdict))


def _verdict(model: str, prop: str) -> Verdict:
    from downset.catalogue import load_model, load_properties  # noqa: PLC0415 -- the same
    from downset.errors import InputError  # noqa: PLC0415 -- the same
    from downset.prove.prover import prove  # noqa: PLC0415 -- the same

    found = load_properties().get(prop)
    if found is None:
        raise InputError(
            f"unknown property `{prop}`", id="unknown-property", help="see `downset properties`"
        )
    return prove(load_model(model), found)


def assert_no_new_access(
    old: Configuration, new: Configuration, release: str | None = None
) -> None:
    """Fail if any chain of agents may do more under one configuration than under another.

    Configurations are paths, or the value of a settings file. Raises `AssertionError` with each
    gain and a request that shows it, or if that could not be decided.
    """
    __tracebackhide__ = True
    from downset.graph.diffing import diff  # noqa: PLC0415 -- nothing is imported unasked
    from downset.report.check_diff import diff_text  # noqa: PLC0415 -- the same

    found = diff(_project(old, release), _project(new, release))
    if found.undetermined or any(change.direction == "gain" for change in found.changes):
        raise AssertionError("\n" + diff_text(found))


def assert_decides(  # noqa: PLR0913 -- a question has this many parts
    configuration: Configuration,
    chain: Sequence[str],
    permission: str,
    pattern: str,
    expected: str,
    *,
    release: str | None = None,
) -> None:
    """Fail unless the last agent of a chain decides a request as expected.

    `expected` is `allow`, `ask` or `deny`. Raises `AssertionError` with the deciding rule and what
    it overrode.
    """
    __tracebackhide__ = True
    from downset.graph.explaining import explain  # noqa: PLC0415 -- nothing is imported unasked
    from downset.report.check_text import explain_text  # noqa: PLC0415 -- the same

    found = explain(_project(configuration, release), chain, permission, pattern)
    if found.steps[-1].decision != expected:
        raise AssertionError(f"expected {expected}\n" + explain_text(found))


def _project(configuration: Configuration, release: str | None) -> Project:
    from downset.config.files import default_release, load  # noqa: PLC0415 -- the same
    from downset.config.project import resolve  # noqa: PLC0415 -- the same
    from downset.config.releases import DEFAULT  # noqa: PLC0415 -- the same
    from downset.config.releases import release as release_of  # noqa: PLC0415 -- the same

    if isinstance(configuration, str | os.PathLike):
        path = Path(configuration)
        return load(path, default_release(path) if release is None else release_of(release))
    return resolve(configuration, release_of(release or DEFAULT))
