"""Which call of a tool asks for a permission: the program's own tools where they can be used.

>>> written("src/app.ts"), written("../x"), written("src/")
(True, False, False)
>>> spoken("touch a.txt"), spoken("echo $(date)")
(True, False)
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.program.chat import Call

if TYPE_CHECKING:
    from pathlib import Path

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


def real_call(permission: str, resource: str, project: Path) -> Call | None:
    """The call of one of the program's own tools that asks for just this, if there is one."""
    if permission == "edit" and written(resource):
        file = project / resource
        arguments = {"filePath": str(file), "content": "x"}
        return Call("write", arguments, lambda: file.unlink(missing_ok=True))
    if permission == "bash" and spoken(resource):
        return Call("bash", {"command": resource, "description": "run"})
    return None


def happened(call: Call, home: Home, project: Path) -> bool:
    """Whether a call left its mark: the file is there, the shell was given the command."""
    if call.tool == "write":
        return (project / str(call.arguments["filePath"])).is_file()
    if not home.commands.is_file():
        return False
    return str(call.arguments["command"]) in home.commands.read_text(encoding="utf-8")


def shown(call: Call, project: Path) -> str:
    """A call, for people."""
    if call.tool == "write":
        return f"write {str(call.arguments['filePath']).removeprefix(f'{project}/')}"
    return f"{call.tool} `{call.arguments['command']}`"
