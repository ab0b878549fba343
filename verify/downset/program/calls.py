"""Which call of a tool asks for a permission: the program's own tools where they can be used.

>>> written("src/app.ts"), written("../x"), written("src/")
(True, False, False)
>>> spoken("touch a.txt"), spoken("echo $(date)")
(True, False)
"""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING, Final

from downset.program.chat import Call

if TYPE_CHECKING:
    from pathlib import Path

    from downset.config.releases import Release
    from downset.program.home import Home

PATH: Final = re.compile(r"(?!\.git(/|$)|opencode\.json$|\.opencode(/|$))[\w.-]+(/[\w.-]+)*")
COMMAND: Final = re.compile(r"(?!cd\b|pushd\b|popd\b)[A-Za-z][\w-]*( [\w.=-][\w./=-]*)*")
TOOL: Final = re.compile("[A-Za-z][A-Za-z0-9_-]{0,60}")
OWN: Final = frozenset(
    {"bash", "edit", "glob", "grep", "question", "read", "skill", "task", "todowrite", "webfetch"}
    | {"write"}
)
"""Tools that every release offers to the scripted model unless rules hide them."""
ELSEWHERE: Final = frozenset({"apply_patch", "patch", "multiedit", "invalid", "list", "todoread"})
"""Tools that exist in some releases, or for some models only; none is put in their place."""


def written(resource: str) -> bool:
    """Whether a resource is the path of a file that a tool can write inside a project."""
    return PATH.fullmatch(resource) is not None and ".." not in resource.split("/")


def spoken(resource: str) -> bool:
    """Whether a resource is the text of one plain command, which a shell may be given."""
    return COMMAND.fullmatch(resource) is not None and ".." not in resource


def real_call(
    permission: str, resource: str, project: Path, home: Home, row: Release
) -> Call | None:
    """The call of one of the program's own tools that asks for just this, if there is one.

    Every argument is given: 1.18.34 cannot list the questions that are pending if one of them is of
    a call that left an optional argument out.
    """
    file = project / resource
    match permission:
        case "edit" if written(resource):
            arguments = {"filePath": str(file), "content": "x"}
            return Call("write", arguments, lambda: cleared(file), file.is_file)
        case "read" if written(resource) and row.read_base == "worktree":
            return Call("read", {"filePath": str(file)}, lambda: there(file))
        case "bash" if spoken(resource):
            arguments = {"command": resource, "description": "run"}
            return Call("bash", arguments, left=lambda: ran(resource, home))
        case "glob" if resource:
            return Call("glob", {"pattern": resource, "path": str(project)})
        case "grep" if resource:
            return Call("grep", {"pattern": resource, "path": str(project), "include": "*"})
    return None


def ran(command: str, home: Home) -> bool:
    """Whether the shell was given a command."""
    return home.commands.is_file() and command in home.commands.read_text(encoding="utf-8")


def cleared(file: Path) -> None:
    """Remove what earlier calls left in the place of a file, or of a directory above it."""
    for above in [one for one in file.parents if one.is_file()]:
        above.unlink()
    if file.is_dir():
        shutil.rmtree(file)
    file.unlink(missing_ok=True)


def there(file: Path) -> None:
    """Make sure that there is a file to read."""
    cleared(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.touch()


def shown(call: Call, project: Path) -> str:
    """A call, for people."""
    about = next(iter(call.arguments.values()))
    return f"{call.tool} {str(about).removeprefix(f'{project}/')}"
