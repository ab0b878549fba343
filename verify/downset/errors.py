"""Errors a user can mend: where, what, and the next step.

>>> error = InputError("unknown property `no-escape`", id="unknown-property", help="see `x`")
>>> print(error.format())
error[unknown-property]: unknown property `no-escape`
  help: see `x`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.printable import printable

if TYPE_CHECKING:
    import os


class InputError(Exception):
    """Something the user wrote cannot be used; the command line prints it and exits with 2.

    >>> print(InputError("not a rule", id="bad-rule", file="m.py", line=3, column=5).format())
    m.py:3:5: error[bad-rule]: not a rule
    """

    def __init__(  # noqa: PLR0913 -- each part has its own place in the printed line
        self,
        message: str,
        *,
        id: str,  # noqa: A002 -- the word that the printed line and the documentation use
        file: str | os.PathLike[str] | None = None,
        line: int | None = None,
        column: int | None = None,
        help: str | None = None,  # noqa: A002 -- the same
    ) -> None:
        super().__init__(message)
        self.message = message
        self.id = id
        self.file = None if file is None else str(file)
        self.line = line
        self.column = column
        self.help = help

    def __reduce__(self) -> tuple[object, ...]:
        """Survive the way back from a worker process, keyword arguments and all."""
        return _rebuild, (self.message, self.__dict__)

    def format(self) -> str:
        """The error as `file:line:col: error[id]: message` and a help line.

        >>> InputError("no such file", id="no-file", file="m.py").format()
        'm.py: error[no-file]: no such file'
        """
        lines = [printable(f"{self._place()}error[{self.id}]: {self.message}")]
        if self.help:
            lines.append(printable(f"  help: {self.help}"))
        return "\n".join(lines)

    def _place(self) -> str:
        """`file:line:col: `, as far as it is known."""
        if self.file is None:
            return ""
        place = [self.file]
        if self.line is not None:
            place.append(str(self.line))
            if self.column is not None:
                place.append(str(self.column))
        return ":".join(place) + ": "


def _rebuild(message: str, fields: dict[str, object]) -> InputError:
    error = InputError(message, id="")
    error.__dict__.update(fields)
    return error
