"""Agents and modes that are Markdown files: which there are, and what they are called."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from downset.config import frontmatter
from downset.config.discovery import AGENT_FOLDERS, MODE_FOLDERS, AgentFile
from downset.config.nodes import Node, Place
from downset.config.yaml_tree import js_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.config.findings import Findings
    from downset.config.reading import Reader
    from downset.config.releases import Release

MAX_FILES: Final = 5_000


def agent_files(directory: Path, reader: Reader, findings: Findings) -> list[AgentFile]:
    """The files below `agent`, `agents`, then those in `mode` and `modes`, in order of name."""
    agents = [
        AgentFile(path, directory)
        for folder in AGENT_FOLDERS
        for path in _files(directory / folder, reader, findings, deep=True)
    ]
    modes = [
        AgentFile(path, directory, is_mode=True)
        for folder in MODE_FOLDERS
        for path in _files(directory / folder, reader, findings, deep=False)
    ]
    return agents + modes


def read_agent(
    file: AgentFile, reader: Reader, release: Release, findings: Findings
) -> tuple[str, Node] | None:
    """The id and the header of one agent, or `None` where the program skips the file."""
    header = frontmatter.read(reader.text(file.path), str(file.path), release, findings)
    if header is None:
        return None
    name = header.get("name")
    agent_id = agent_id_of(file, release) if name is None or release.engine > 1 else js_text(name)
    start = Place(str(file.path), 1, 1)
    if file.is_mode:
        header = header.with_entry("mode", Node("primary", start))
    return agent_id, replace(header, place=start, key=start)


def agent_id_of(file: AgentFile, release: Release) -> str:
    """The id that an agent has by its path: nested folders are part of it.

    Until 1.15.5 the folder is looked for anywhere in the path (#25713), and until 1.1.15 only a
    folder `agent` counts.

    >>> from downset.config.releases import release
    >>> from pathlib import Path
    >>> file = AgentFile(Path("/p/.opencode/agents/code/tester.md"), Path("/p/.opencode"))
    >>> agent_id_of(file, release("1.18.2")), agent_id_of(file, release("1.1.14"))
    ('code/tester', 'tester')
    """
    if release.engine == 1 and not release.since(1, 15, 6):
        return _after_folder(file, release)
    relative = file.path.relative_to(file.directory)
    is_known = relative.parts[0] in (*AGENT_FOLDERS, *MODE_FOLDERS)
    below = relative.relative_to(relative.parts[0]) if is_known else Path(relative.name)
    return below.with_suffix("").as_posix()


def _after_folder(file: AgentFile, release: Release) -> str:
    path = file.path.absolute().with_suffix("").as_posix()
    folders = AGENT_FOLDERS if release.since(1, 1, 16) else AGENT_FOLDERS[:1]
    if not file.is_mode:
        for folder in [f"/{top}{f}/" for top in (".opencode/", "") for f in folders]:
            if folder in path:
                return path.split(folder, 1)[1]
    return file.path.stem


def _files(folder: Path, reader: Reader, findings: Findings, *, deep: bool) -> Iterator[Path]:
    """Markdown files in a folder; links are followed, but not outside, nor in a circle."""
    waiting, seen, count = [folder], set[str](), 0
    while waiting:
        current = waiting.pop()
        real = os.path.realpath(current)
        if real in seen or not _may_enter(current, reader, findings):
            continue
        seen.add(real)
        below = []
        for entry in _entries(current, findings):
            if entry.is_dir():
                below.append(entry)
            elif entry.suffix == ".md" and _may_enter(entry, reader, findings):
                count += 1
                yield entry
        if count > MAX_FILES:
            text = f"more than {MAX_FILES} agents"
            raise Place(str(folder)).error(text, id="too-large")
        waiting += reversed(below) if deep else []


def _may_enter(path: Path, reader: Reader, findings: Findings) -> bool:
    if not path.exists():
        return False
    if reader.is_inside(path):
        return True
    findings.error(
        "outside-not-read",
        "this leads out of the project, so it is not read; the program does read it",
        Place(str(path)),
        "use --allow-outside to read such files",
    )
    return False


def _entries(folder: Path, findings: Findings) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError as error:
        reason = error.strerror or str(error)
        findings.error("unreadable", f"cannot be read: {reason}", Place(str(folder)))
        return []
