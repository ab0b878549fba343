r"""Records in which nothing can control a terminal, end a line or hide: for reports made of text.

Names and patterns come from whoever wrote a configuration. What does not print (control
characters, line ends, marks that reverse the order of letters) is shown as an escape.

>>> print(harmless(["a\x1b[2J\n::error::"])[0])
a\x1b[2J\n::error::
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from downset.printable import printable

Record = TypeVar("Record")


def harmless(record: Record) -> Record:
    r"""A record of plain data, or a part of one, with all its texts made printable.

    >>> from downset.graph.records import Witness
    >>> harmless((Witness("edit", "a\x07"), 1, None))
    (Witness(permission='edit', pattern='a\\x07'), 1, None)
    """
    return cast("Record", _made(record))


def _made(part: Any) -> Any:  # noqa: ANN401 -- any part of a record
    if isinstance(part, str):
        return printable(part)
    if isinstance(part, tuple | list):
        return type(part)(map(_made, part))
    if isinstance(part, dict):
        return {_made(key): _made(value) for key, value in part.items()}
    if is_dataclass(part) and not isinstance(part, type):
        return replace(
            part, **{f.name: _made(getattr(part, f.name)) for f in fields(part) if f.init}
        )
    return part
