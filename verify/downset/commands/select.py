"""Turning names from the command line into properties and events, or into a helpful error.

>>> print(unknown("event", "spwan", ["resume", "spawn"]).format())
error[unknown-event]: unknown event `spwan`
  help: did you mean `spawn`? known: resume, spawn
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from downset.commands.engine import Property


def choose(known: Mapping[str, Property], names: Sequence[str]) -> list[Property]:
    """The properties of these names, each once; all of them if no name is given."""
    for name in names:
        if name not in known:
            hint = "`downset properties` lists them"
            raise unknown("property", name, known, hint=hint)
    return [known[name] for name in dict.fromkeys(names or known)]


def parse_events(text: str | None, known: Mapping[str, Property]) -> tuple[str, ...] | None:
    """The events of `--events E,E`, each one that some property knows.

    >>> parse_events(None, {}) is None
    True
    """
    if text is None:
        return None
    events = tuple(dict.fromkeys(event.strip() for event in text.split(",")))
    words = sorted({event for prop in known.values() for event in prop.events})
    for event in events:
        if event not in words:
            raise unknown("event", event, words)
    return events


def unknown(kind: str, name: str, known: Iterable[str], hint: str | None = None) -> InputError:
    """The error for a name that nobody has, with the nearest one that somebody has."""
    known = list(known)
    near = get_close_matches(name, known, n=1)
    question = f"did you mean `{near[0]}`? " if near else ""
    return InputError(
        f"unknown {kind} `{name}`",
        id=f"unknown-{kind}",
        help=question + (hint or f"known: {', '.join(known)}"),
    )
