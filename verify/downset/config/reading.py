"""Reading files with care: what cannot be read, or must not be, is one clear error.

Nothing outside the root is opened unless that is allowed, not through a symbolic link either; a
file that is too large, or no text, is not read.
"""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.config.nodes import Place

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.errors import InputError

MAX_BYTES: Final = 2 * 1024 * 1024
BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True)
class Reader:
    """Reads below `roots`; anywhere if `allow_outside`. `edited` are texts not yet written."""

    roots: tuple[Path, ...]
    allow_outside: bool = False
    edited: Mapping[str, str] = field(default_factory=dict, repr=False)

    def exists(self, path: Path) -> bool:
        """Whether there is a file, or a link, with this path."""
        return os.path.lexists(path)

    def is_inside(self, path: Path) -> bool:
        """Whether the file, all links followed, may be read.

        >>> Reader((Path("/work"),)).is_inside(Path("/work/../etc/passwd"))
        False
        """
        if self.allow_outside:
            return True
        real = Path(os.path.realpath(path))
        return any(real.is_relative_to(os.path.realpath(root)) for root in self.roots)

    def text(self, path: Path) -> str:
        """The text of a file, without a byte-order mark."""
        if str(path) in self.edited:
            return self.edited[str(path)]
        data = self._data(path)
        if b"\0" in data:
            raise _error(path, "not-text", "this is no text: it has zero bytes in it")
        try:
            return data.decode("utf-8").removeprefix(BOM)
        except UnicodeDecodeError as error:
            line = data[: error.start].count(b"\n") + 1
            column = error.start - (data.rfind(b"\n", 0, error.start) + 1) + 1
            raise Place(str(path), line, column).error(
                "this is not UTF-8", id="not-text", help="save the file as UTF-8"
            ) from error

    def _data(self, path: Path) -> bytes:
        if not self.is_inside(path):
            raise _error(
                path,
                "outside",
                "the file is outside the project, so it is not read",
                "use --allow-outside to read such files",
            )
        try:
            self._look_at(path, path.stat())
            with path.open("rb") as file:
                data = file.read(MAX_BYTES + 1)
        except (OSError, ValueError) as error:
            raise unreadable(path, error) from error
        if len(data) > MAX_BYTES:
            raise _too_large(path)
        return data

    @staticmethod
    def _look_at(path: Path, found: os.stat_result) -> None:
        if not stat.S_ISREG(found.st_mode):
            raise _error(path, "unreadable", "cannot be read: this is not a file")
        if found.st_size > MAX_BYTES:
            raise _too_large(path)


def unreadable(path: Path, error: Exception) -> InputError:
    """The error for what the system refuses to read."""
    reason = getattr(error, "strerror", None) or str(error)
    return _error(path, "unreadable", f"cannot be read: {reason}")


def _too_large(path: Path) -> InputError:
    return _error(path, "too-large", f"the file has more than {MAX_BYTES >> 20} MiB")


def _error(path: Path, id: str, message: str, help: str | None = None) -> InputError:  # noqa: A002 -- as printed
    return Place(str(path)).error(message, id=id, help=help)
