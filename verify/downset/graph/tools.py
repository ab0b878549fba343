"""What tools ask with: which permissions there are in a release, and which resources they name.

Sources: opencode.md 1.8 and 2.1, opencode-configs.md section 5 ("Values asked").

>>> from downset.config.project import resolve
>>> from downset.config.releases import release
>>> [asked.permission for asked in permissions(resolve({}, release("1.18.2")))][:4]
['edit', 'bash', 'task', 'external_directory']
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from downset.language import kinds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from downset.config.project import Project
    from downset.config.releases import Release
    from downset.language.kinds import Kind

UNLISTED: Final = "(any other tool)"


@dataclass(frozen=True)
class Asked:
    """One permission, and the resources it is asked for.

    `asks` is false for tools that are only offered or hidden; `harmless` tools neither change
    anything nor tell anything.
    """

    permission: str
    kind: Kind
    asks: bool = True
    harmless: bool = False


def dispatch_name(release: Release) -> str:
    """The permission of the tool that dispatches.

    >>> from downset.config.releases import release
    >>> dispatch_name(release("2.0"))
    'subagent'
    """
    return "subagent" if release.engine > 1 else "task"


def shell_name(release: Release) -> str:
    """The permission of the tool that runs commands."""
    return "shell" if release.engine > 1 else "bash"


def permissions(project: Project) -> tuple[Asked, ...]:
    """Every permission that a tool of the release asks with, the weightiest first."""
    release = project.release
    found = [
        Asked("edit", kinds.PATH),
        Asked(shell_name(release), kinds.COMMAND),
        Asked(dispatch_name(release), kinds.names(*(a.name for a in project.active))),
        Asked("external_directory", kinds.FOLDER),
        Asked("read", kinds.PATH if release.read_base == "worktree" else kinds.OUTER_PATH),
        Asked("webfetch", kinds.ADDRESS),
        *(Asked(name, kinds.TEXT) for name in ("websearch", "grep", "glob")),
        Asked("skill", kinds.NAME, harmless=True),
    ]
    if _has_codesearch(release):
        found.append(Asked("codesearch", kinds.TEXT))
    found += [Asked(name, kinds.STAR, harmless=True) for name in _plain(release)]
    found += [Asked(n, kinds.STAR, asks=False, harmless=True) for n in _offered(release)]
    return tuple(found)


def unlisted(project: Project, known: Iterable[str] = ()) -> Asked:
    """All other tools: those of MCP servers and plugins, by any name; they name no resource.

    >>> from downset.config.project import resolve
    >>> from downset.config.releases import release
    >>> project = resolve({"mcp": {"acme": {}}}, release("1.18.2"))
    >>> asked = unlisted(project)
    >>> asked.kind.prefer, asked.kind.contains("acme_x"), "edit" in asked.kind.never
    (('acme_tool',), True, True)
    """
    servers = [f"{name}_tool" for name in project.mcp_servers if kinds.NAME.contains(name)]
    prefer = (*servers, *(name for name in known if kinds.NAME.contains(name)))
    taken = sorted({*built_in_names(project), *inert(project.release)})
    kind = kinds.excluding(replace(kinds.NAME, prefer=prefer), *taken)
    return Asked(UNLISTED, kind)


def built_in_names(project: Project) -> set[str]:
    """Names that tools of the program have, or ask with."""
    release = project.release
    known = {asked.permission for asked in permissions(project)}
    return known | {"doom_loop", "invalid", "batch", *release.edit_tools, *release.read_tools}


def inert(release: Release) -> dict[str, str]:
    """Keys under which no tool of the release asks, and what to write instead.

    >>> from downset.config.releases import release
    >>> inert(release("1.18.2"))["write"]
    'the tool asks for `edit`'
    """
    edit = "the tool asks for `edit`"
    found = dict.fromkeys(("write", "patch", "apply_patch", "multiedit"), edit)
    found["list"] = "there is no such tool any more"
    if release.since(1, 3, 3) or release.engine > 1:
        found["todoread"] = "there is no such tool any more"
    if not _has_codesearch(release):
        found["codesearch"] = "there is no such tool any more"
    if release.engine == 1:
        found |= {"shell": "the tool asks for `bash`", "subagent": "the tool asks for `task`"}
    else:
        found |= {"bash": "the tool asks for `shell`", "task": "the tool asks for `subagent`"}
    return found


def _has_codesearch(release: Release) -> bool:
    return release.engine == 1 and not release.since(1, 14, 30)


def _plain(release: Release) -> list[str]:
    """Tools that ask with `*`."""
    names = ["todowrite", "lsp"]
    return [*names, "todoread"] if release.engine == 1 and not release.since(1, 3, 3) else names


def _offered(release: Release) -> list[str]:
    """Tools that are offered or hidden, and never ask."""
    names = ["question"] if release.since(1, 1, 7) else []
    return [*names, "plan_enter", "plan_exit"] if release.since(1, 1, 19) else names
