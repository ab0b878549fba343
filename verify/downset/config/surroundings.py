"""The directories that a configuration's rules are relative to.

>>> here = Surroundings("/home/dev", "/home/dev/app")
>>> here.data, here.relative("/home/dev/.local/share/x")
('/home/dev/.local/share/opencode', '../.local/share/x')
"""

from __future__ import annotations

import posixpath
from dataclasses import dataclass


@dataclass(frozen=True)
class Surroundings:
    """Home, the project's worktree (`/` without git), and the directory for temporary files.

    `data_home` is `XDG_DATA_HOME` where that is set.
    """

    home: str = "/home/dev"
    worktree: str = "/home/dev/app"
    temporary: str = "/tmp"  # noqa: S108 -- only part of a pattern, nothing is written there
    data_home: str | None = None

    @property
    def data(self) -> str:
        """The program's own data directory."""
        base = self.data_home or posixpath.join(self.home, ".local/share")
        return posixpath.join(base, "opencode")

    def relative(self, path: str) -> str:
        """A path as `edit` asks for it: relative to the worktree (opencode.md 1.8)."""
        return posixpath.relpath(path, self.worktree)

    def expanded(self, pattern: str) -> str:
        """A pattern with the home directory in place of a leading `~/` or `$HOME` (1.7).

        >>> here = Surroundings("/home/dev")
        >>> [here.expanded(p) for p in ("~/x", "~", "$HOME/x", "$HOMEx", "a/~/x", "~x")]
        ['/home/dev/x', '/home/dev', '/home/dev/x', '/home/devx', 'a/~/x', '~x']
        """
        if pattern == "~" or pattern.startswith("~/"):
            return self.home + pattern[1:]
        if pattern.startswith("$HOME"):
            return self.home + pattern[len("$HOME") :]
        return pattern
