"""Fill the generated parts of README.md (the matrix, a story), and write docs/shell-text.md.

Run by `make readme`; a test checks that what is committed is what this writes.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from downset.report.shell_text import page

ROOT = Path(__file__).parent.parent
STORY = ("prove", "opencode/1.17.2", "--property", "resume-safe", "--exit-zero")


def downset(*arguments: str) -> str:
    """What a command prints."""
    command = [sys.executable, "-m", "downset", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)  # noqa: S603
    return done.stdout


def without_times(text: str) -> str:
    """A report without the time it took.

    >>> without_times("obligations  7, decided in 0.31 s")
    'obligations  7'
    """
    return re.sub(r", decided in [0-9.]+ s", "", text)


def filled(readme: str, part: str, content: str) -> str:
    """The text with one marked part replaced."""
    pattern = rf"(<!-- {part} -->\n).*?(<!-- /{part} -->)"
    return re.sub(pattern, lambda m: f"{m[1]}{content.strip()}\n{m[2]}", readme, flags=re.DOTALL)


def generated(readme: str) -> str:
    """README.md with all generated parts."""
    story = without_times(downset(*STORY)).split("\n\n1 verdict")[0]
    shown = f"```text\n$ downset {' '.join(STORY[:-1])}\n{story}\n```"
    readme = filled(readme, "story", shown)
    return filled(readme, "matrix", downset("matrix", "--format", "markdown", "--exit-zero"))


def main() -> None:
    """Rewrite README.md and docs/shell-text.md."""
    (ROOT / "docs" / "shell-text.md").write_text(page(), encoding="utf-8")
    path = ROOT / "README.md"
    path.write_text(generated(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
