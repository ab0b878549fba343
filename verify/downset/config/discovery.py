"""Which files make up a configuration, in the order in which the program applies them.

opencode.md 1.9 and opencode-configs.md section 5 ("Precedence"). Organisations' remote
configurations and macOS managed preferences are not files, and are left out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.config.rules_from import Layer

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from downset.config.releases import Release


@dataclass(frozen=True)
class Document:
    """A file of settings, if it is there."""

    path: Path
    layer: Layer


@dataclass(frozen=True)
class Agents:
    """A directory in which agents and modes may be, each a Markdown file."""

    path: Path


@dataclass(frozen=True)
class AgentFile:
    """One agent's or mode's file, and the directory to which its id is relative."""

    path: Path
    directory: Path
    is_mode: bool = False


@dataclass(frozen=True)
class Inline:
    """Settings given in the environment."""

    name: str
    text: str = field(repr=False)


Step = Document | Agents | AgentFile | Inline


@dataclass(frozen=True)
class Where:
    """Where to look: the directory, the outermost one, and what else may count."""

    directory: Path
    outermost: Path
    home: Path | None
    environ: Mapping[str, str] = field(repr=False)
    include_global: bool = False

    @property
    def global_directory(self) -> Path | None:
        """The user's configuration directory, if it counts."""
        if not self.include_global or self.home is None:
            return None
        base = self.environ.get("XDG_CONFIG_HOME")
        return (Path(base) if base else self.home / ".config") / "opencode"

    def upward(self) -> list[Path]:
        """The directory and those around it, up to the outermost one.

        >>> [str(path) for path in Where(Path("/a/b/c"), Path("/a"), None, {}).upward()]
        ['/a/b/c', '/a/b', '/a']
        """
        around = [self.directory, *self.directory.parents]
        if self.outermost not in around:
            return [self.directory]
        return around[: around.index(self.outermost) + 1]


def steps(where: Where, release: Release) -> Iterator[Step]:
    """Everything to apply, the last wins; each only if it is there."""
    if release.engine > 1:
        yield from _second_engine(where)
    else:
        yield from _first_engine(where, release)


def single(path: Path) -> Step:
    """The step for one file given by its path.

    >>> str(single(Path("x/.opencode/agents/deep/a.md")).directory)
    'x/.opencode'
    """
    if path.suffix != ".md":
        return Document(path, Layer.PROJECT)
    for folder in path.parents:
        if folder.name in (*AGENT_FOLDERS, *MODE_FOLDERS):
            return AgentFile(path, folder.parent, folder.name in MODE_FOLDERS)
    return AgentFile(path, path.parent)


def is_config_directory(path: Path) -> bool:
    """Whether this is itself a directory of configuration, as `~/.config/opencode` is.

    So it is if it is called `.opencode`, or if it has settings and agents but no `.opencode`.
    """
    if path.name == ".opencode":
        return True
    if (path / ".opencode").is_dir():
        return False
    has_settings = any((path / name).is_file() for name in NAMES)
    return has_settings and any((path / f).is_dir() for f in (*AGENT_FOLDERS, *MODE_FOLDERS))


def _first_engine(where: Where, release: Release) -> Iterator[Step]:
    home = where.global_directory
    if home is not None:
        for name in ("config.json", *NAMES):
            yield Document(home / name, Layer.GLOBAL)
    if path := where.environ.get("OPENCODE_CONFIG"):
        yield Document(Path(path), Layer.ENVIRONMENT)
    content = where.environ.get("OPENCODE_CONFIG_CONTENT")
    inline = [Inline("OPENCODE_CONFIG_CONTENT", content)] if content else []
    projects = () if where.environ.get("OPENCODE_DISABLE_PROJECT_CONFIG") else where.upward()
    yield from _project_documents(projects, release)
    if not release.content_last:
        yield from inline
    if home is not None:
        yield Agents(home)
    if is_config_directory(where.directory):
        yield Agents(where.directory)
    yield from _directories(where, projects, release)
    if release.content_last:
        yield from inline
    if home is not None:
        yield from (Document(MANAGED / n, Layer.GLOBAL) for n in _names(release))


def _project_documents(projects: Sequence[Path], release: Release) -> Iterator[Step]:
    """From the outermost directory inwards; until 1.3.13 all `.jsonc` files first."""
    outermost_first = projects[::-1]
    if release.jsonc_first:
        paths = [d / name for name in _names(release) for d in outermost_first]
    else:
        paths = [d / name for d in outermost_first for name in _names(release)]
    yield from (Document(path, Layer.PROJECT) for path in paths)


def _directories(where: Where, projects: Sequence[Path], release: Release) -> Iterator[Step]:
    """`.opencode` directories: the innermost first, so that an outer one wins over it (1.9)."""
    paths = [path / ".opencode" for path in projects if path.name != ".opencode"]
    for path in paths:
        yield from _directory(path, release, Layer.PROJECT)
    if where.include_global and where.home is not None:
        own = where.home / ".opencode"
        if own not in paths:
            yield from _directory(own, release, Layer.GLOBAL)
    if named := where.environ.get("OPENCODE_CONFIG_DIR"):
        yield from _directory(Path(named), release, Layer.ENVIRONMENT)


def _directory(path: Path, release: Release, layer: Layer) -> Iterator[Step]:
    yield from (Document(path / name, layer) for name in _names(release))
    yield Agents(path)


def _second_engine(where: Where) -> Iterator[Step]:
    """Global files, then direct ones, then `.opencode` directories, each from outside inwards."""
    if where.global_directory is not None:
        yield from (Document(where.global_directory / n, Layer.GLOBAL) for n in NAMES)
        yield Agents(where.global_directory)
    outermost_first = where.upward()[::-1]
    for directory in outermost_first:
        yield from (Document(directory / name, Layer.PROJECT) for name in NAMES)
    for directory in outermost_first:
        path = directory / ".opencode"
        yield from (Document(path / name, Layer.PROJECT) for name in NAMES)
        yield Agents(path)
    if is_config_directory(where.directory):
        yield Agents(where.directory)


def _names(release: Release) -> tuple[str, ...]:
    return NAMES[::-1] if release.jsonc_first else NAMES


MANAGED: Final = Path("/etc/opencode")
NAMES: Final = ("opencode.json", "opencode.jsonc")
AGENT_FOLDERS: Final = ("agent", "agents")
MODE_FOLDERS: Final = ("mode", "modes")
