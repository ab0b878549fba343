"""What to say where there is no configuration: what looks like one nearby."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.config.discovery import NAMES
from downset.config.nodes import Place

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.errors import InputError

_MOST_LOOKED_AT: Final = 2_000
_MOST_NAMED: Final = 5
_NOT_ENTERED: Final = frozenset({".git", "node_modules", ".venv"})


def no_configuration(start: Path) -> InputError:
    """The error for a directory in which the program finds nothing."""
    found = list(_candidates(start))
    named = ", ".join(found[:_MOST_NAMED])
    return Place(str(start)).error(
        "there is no configuration here: no opencode.json, opencode.jsonc or .opencode",
        id="no-configuration",
        help=f"give one of these: {named}" if found else "give a project's directory, or one file",
    )


def _candidates(start: Path) -> Iterator[str]:
    """Files below with the right name, in order of path."""
    looked_at = 0
    for folder, folders, files in os.walk(start):
        folders[:] = sorted(set(folders) - _NOT_ENTERED)
        looked_at += len(files)
        if looked_at > _MOST_LOOKED_AT:
            return
        names = [name for name in sorted(files) if _looks_right(name)]
        yield from (str(Path(folder, name)) for name in names)


def _looks_right(name: str) -> bool:
    return name in NAMES or (name.startswith((".opencode", "opencode")) and ".json" in name)
