"""Loading a configuration from files, as one release does.

>>> import pathlib, tempfile
>>> from downset.config.releases import release
>>> with tempfile.TemporaryDirectory() as folder:
...     file = pathlib.Path(folder, "opencode.json")
...     _ = file.write_text('{"agent": {"writer": {"permission": {"edit": "ask"}}}}')
...     project = load(folder, release("1.18.2"))
>>> str(project.agents["writer"].rules[-2].rule)
'edit * ask'
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.config import jsonc
from downset.config.discovery import MANAGED, Document, Where, single, steps
from downset.config.findings import Findings
from downset.config.loading import FirstEngine, SecondEngine
from downset.config.nearby import no_configuration
from downset.config.nodes import Place
from downset.config.reading import Reader, unreadable
from downset.config.releases import DEFAULT, DEFAULT_V2, release
from downset.config.rules_from import Reading
from downset.config.substitution import Substitution
from downset.config.surroundings import Surroundings
from downset.config.texts import Text
from downset.config.v2 import is_v2
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from downset.config.discovery import Step
    from downset.config.loading import Loader
    from downset.config.project import Project
    from downset.config.releases import Release

__all__ = ["default_release", "load"]


def load(  # noqa: PLR0913 -- each is a choice of the user, by name
    path: str | os.PathLike[str],
    release: Release,
    *,
    home: str | None = None,
    environ: Mapping[str, str] | None = None,
    include_global: bool = False,
    allow_outside: bool = False,
    edited: Mapping[str, str] | None = None,
) -> Project:
    """The project in a directory, or the one that a single file stands for.

    With `include_global` the user's own configuration counts too, and with `allow_outside` files
    outside the project are read where the program reads them. `environ` is what `{env:NAME}`
    stands for; none of it gets into the project. `edited` has texts that files are taken to have.
    """
    start = Path(path)
    try:
        where = Where(
            *_extent(start, allow_outside=allow_outside),
            home=Path(home) if home else None,
            environ=environ or {},
            include_global=include_global,
        )
        loader = _loader(where, release, Reader(_roots(where), allow_outside, edited or {}))
        for step in _steps(start, where, release):
            loader.apply(step)
    except OSError as error:
        raise unreadable(Path(error.filename or start), error) from error
    if not loader.files_read and not include_global:
        raise no_configuration(start)
    return loader.project()


def default_release(path: str | os.PathLike[str]) -> Release:
    """The release to assume: the second engine's if a file has its list of rules.

    >>> default_release("/").name
    'opencode@1.18.2'
    """
    start, first = Path(path), release(DEFAULT)
    try:
        where = Where(*_extent(start, allow_outside=False), home=None, environ={})
        documents = [step for step in _steps(start, where, first) if isinstance(step, Document)]
        return release(DEFAULT_V2) if _any_v2(documents, Reader(_roots(where))) else first
    except OSError as error:
        raise unreadable(start, error) from error


def _loader(where: Where, release: Release, reader: Reader) -> Loader:
    findings = Findings()
    home = where.home or Path(_HOME)
    return (FirstEngine if release.engine == 1 else SecondEngine)(
        where,
        Reading(release, _surroundings(where)),
        reader,
        Substitution(where.environ, home, reader, findings),
    )


def _any_v2(documents: Iterable[Document], reader: Reader) -> bool:
    for document in documents:
        try:
            text = Text(str(document.path), reader.text(document.path))
            if is_v2(jsonc.parse(text, Findings())):
                return True
        except InputError:
            continue
    return False


def _steps(start: Path, where: Where, release: Release) -> Iterable[Step]:
    if start.is_dir():
        return steps(where, release)
    if not os.path.lexists(start):
        raise Place(str(start)).error("there is no such file or directory", id="no-file")
    return [single(start)]


def _extent(start: Path, *, allow_outside: bool) -> tuple[Path, Path]:
    """The directory, and the outermost one around it whose files count."""
    if not start.is_dir():
        return start.parent, start.parent
    if not allow_outside:
        return start, start
    directory = start.absolute()
    return directory, _worktree(directory)


def _worktree(directory: Path) -> Path:
    """The nearest directory around this one that git manages, or the top of the file system."""
    around = (directory, *directory.parents)
    return next((folder for folder in around if (folder / ".git").exists()), around[-1])


def _roots(where: Where) -> tuple[Path, ...]:
    """What may be read: the project, what the environment names, and the user's own files."""
    named = [where.environ.get(name) for name in ("OPENCODE_CONFIG", "OPENCODE_CONFIG_DIR")]
    roots = (where.directory, *(Path(path) for path in named if path))
    if where.global_directory is None or where.home is None:
        return roots
    return (*roots, where.global_directory, where.home / ".opencode", MANAGED)


def _surroundings(where: Where) -> Surroundings:
    return Surroundings(
        home=str(where.home or _HOME),
        worktree=str(where.outermost.absolute()),
        data_home=where.environ.get("XDG_DATA_HOME") or None,
    )


_HOME: Final = "/home/dev"
