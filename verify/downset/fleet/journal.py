"""The file that a run over many projects writes: a line of JSON for each project, as it is done.

A line is on the disk before the next project counts as done, so that a run can be stopped in any
way, at any time, and gone on with: a last line that is torn is dropped and its project done again.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from contextlib import suppress
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Self

from downset.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

LOOK_BACK: Final = 1 << 16
"""Bytes that are read at a time to find the end of the last whole line."""


class Journal:
    """The records of a run, and which projects are done.

    Use as a context. `go_on` takes up what a former run wrote; without it a file that has
    something in it is refused. Raises `InputError` if the file cannot be used.
    """

    def __init__(self, path: Path, run: str, *, go_on: bool) -> None:
        self.path = path
        self.run = run
        self.codes: Counter[int] = Counter()
        """The exit codes of what is done, and how often."""
        self._done: set[bytes] = set()
        self._file = opened(path)
        try:
            take(self._file, path)
            self._take_up() if go_on else self._refuse_more()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        """Begin to write."""
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        """Write no more."""
        self._file.close()

    def __contains__(self, path: str) -> bool:
        """Whether a project is done."""
        return key(path) in self._done

    def add(self, record: dict[str, Any]) -> None:
        """Write the record of a project, which is then done, come what may."""
        self._file.write(json.dumps(record).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())
        self._note(record)

    def _note(self, record: dict[str, Any]) -> None:
        self._done.add(key(record["path"]))
        self.codes[record["exit_code"]] += 1

    def _refuse_more(self) -> None:
        if self._file.seek(0, os.SEEK_END):
            raise InputError(
                "there is something in this file already",
                id="journal-exists",
                file=self.path,
                help="go on with the run that wrote it, with `--resume`, or take another file",
            )

    def _take_up(self) -> None:
        self._file.truncate(end_of_lines(self._file))
        self._file.seek(0)
        for number, line in enumerate(self._file, start=1):
            self._note(self._record_in(line, number))

    def _record_in(self, line: bytes, number: int) -> dict[str, Any]:
        record: Any = None
        with suppress(ValueError, RecursionError):
            record = json.loads(line)
        if not isinstance(record, dict) or not {"path", "exit_code"} <= record.keys():
            raise InputError(
                "this line is no record of a checked project",
                id="journal-broken",
                file=self.path,
                line=number,
                help="take another file, or remove the line to have its project done again",
            )
        if record.get("run") != self.run:
            raise InputError(
                "this record was made with other options or another version of downset",
                id="journal-differs",
                file=self.path,
                line=number,
                help="go on with the options of the first run, or take another file",
            )
        return record


def opened(path: Path) -> BinaryIO:
    """The file, to be read and written. Raises `InputError`."""
    try:
        return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o666), "rb+")
    except OSError as error:
        raise InputError(
            f"cannot write `{path}`: {error.strerror or error}",
            id="cannot-write",
            help="choose another file for `-o`",
        ) from error


def take(file: BinaryIO, path: Path) -> None:
    """Keep other runs out of a file as long as it is open. Raises `InputError` if one is in."""
    try:
        import fcntl  # noqa: PLC0415 -- not every system has it
    except ImportError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise InputError(
            "another run is writing this file",
            id="journal-taken",
            file=path,
            help="wait for it to end, or take another file",
        ) from error
    except OSError:
        return  # a file system without locks


def end_of_lines(file: BinaryIO) -> int:
    r"""Where the last whole line ends.

    >>> import io
    >>> end_of_lines(io.BytesIO(b'{}\n{"torn'))
    3
    """
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        start = max(0, end - LOOK_BACK)
        file.seek(start)
        place = file.read(end - start).rfind(b"\n")
        if place >= 0:
            return start + place + 1
        end = start
    return 0


def key(path: str) -> bytes:
    """A project in sixteen bytes, so that a run over very many fits into memory."""
    return hashlib.blake2b(path.encode("utf-8", "surrogatepass"), digest_size=16).digest()
