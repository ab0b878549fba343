"""`{env:NAME}` and `{file:PATH}` in a configuration, replaced in its text before it is parsed.

opencode-configs.md section 5: an unset variable is empty, a missing file is an error, `~/` is the
home directory, other paths are relative to the file, and lines that begin with `//` are left
alone. What is put in is not looked at again, so that files cannot include each other in a circle.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from downset.config.findings import Findings
    from downset.config.reading import Reader
    from downset.config.texts import Text


@dataclass(frozen=True)
class Substitution:
    """What to put in: the environment, and files as far as they may be read."""

    environ: Mapping[str, str] = field(repr=False)
    home: Path
    reader: Reader
    findings: Findings

    def apply(self, text: Text, directory: Path) -> Text:
        """The text with everything put in; `directory` is what paths are relative to."""
        text = text.replaced(
            (found.start(), found.end(), self.environ.get(found[1], ""))
            for found in _ENV.finditer(text.expanded)
        )
        parts = []
        for found in _FILE.finditer(text.expanded):
            if not _is_comment(text.expanded, found.start()):
                content = self._content(text, found, directory)
                parts.append((found.start(), found.end(), json.dumps(content)[1:-1]))
        return text.replaced(parts)

    def _content(self, text: Text, found: re.Match[str], directory: Path) -> str:
        written = text.as_written(found.start(), found.end())
        place = text.place(found.start())
        path = self._path(found[1], directory)
        if not self.reader.is_inside(path):
            self.findings.note(
                "outside-not-read",
                f"`{written}` is outside the project: it is taken to be there, and not read",
                place,
                "use --allow-outside to read such files",
            )
            return ""
        if not self.reader.exists(path):
            raise place.error(f"bad file reference: `{written}` does not exist", id="bad-reference")
        return self.reader.text(path).strip()

    def _path(self, path: str, directory: Path) -> Path:
        return self.home / path[2:] if path.startswith("~/") else directory / path


def _is_comment(text: str, offset: int) -> bool:
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line.lstrip().startswith("//")


_ENV: Final = re.compile(r"\{env:([^}]+)\}")
_FILE: Final = re.compile(r"\{file:([^}]+)\}")
