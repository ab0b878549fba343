"""Making a scenario on which model and program differ as small as it gets.

>>> document = Document({"events": [{"event": "open"}], "config": {"a": {"b": "c"}}}, "x.yaml")
>>> dict(shrunk(document, lambda found: True, 10).values)
{'events': [], 'config': {}}
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

from downset.scenarios.own import Document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

Path = tuple["str | int", ...]


def shrunk(document: Document, fails: Callable[[Document], bool], tries: int) -> Document:
    """The smallest scenario found, within some tries, that still fails.

    Parts are left out one at a time, the largest first: questions, events, agents, keys, rules.
    """
    place, unchanged = 0, False
    while tries > 0:
        paths = list(parts(document.values))
        if place >= len(paths):
            if unchanged:
                break
            place, unchanged = 0, True
            continue
        smaller = without(document, paths[place])
        tries -= 1
        if fails(smaller):
            document, unchanged = smaller, False
        else:
            place += 1
    return document


def parts(values: object, path: Path = ()) -> Iterator[Path]:
    """The parts that can be left out, outer ones first."""
    here = [path] if removable(path) else []
    yield from here
    if isinstance(values, dict):
        for key, value in values.items():
            if path or key in {"questions", "events", "config"}:
                yield from parts(value, (*path, key))
    if isinstance(values, list) and path[-1:] != ("rule",):
        for place in reversed(range(len(values))):
            yield from parts(values[place], (*path, place))


def removable(path: Path) -> bool:
    """Whether a part is an item of a list, or an entry of a configuration.

    >>> removable(("events", 2)), removable(("events", 2, "agent")), removable(("config", "tools"))
    (True, False, True)
    """
    match path:
        case ("questions" | "events", int()):
            return True
        case ("events", int(), "rules" | "tools", _):
            return True
        case ("config", _, *rest):
            return not rest or rest[-1] not in {"mode", "description"}
    return False


def without(document: Document, path: Path) -> Document:
    """A scenario with one part left out."""
    values: Any = copy.deepcopy(dict(document.values))
    inner = values
    for key in path[:-1]:
        inner = inner[key]
    del inner[path[-1]]
    return Document(values, document.file)
