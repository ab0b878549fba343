r"""Verdicts as pytest tests: each asks for the proof, and its docstring tells the story.

>>> from downset.verdicts import Scope, Status, Verdict
>>> text = emitted([Verdict("a/1", "p-q", Status.PROVED, Scope())], {"a/1": "a/1"})
>>> print("\n".join(text.splitlines()[-2:]))
def test_a_1_p_q() -> None:
    assert_proved('a/1', 'p-q')
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from downset.report.text import story_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from downset.verdicts import Verdict


def emitted(verdicts: Sequence[Verdict], names: Mapping[str, str]) -> str:
    """A module of tests; `names` are the models as seen from it, by their ids."""
    models = ", ".join(dict.fromkeys(re.sub(r"\s+", " ", verdict.model) for verdict in verdicts))
    lines = [
        f'"""Permission properties of {_plain(models)}."""',
        "",
        "from pathlib import Path",
        "",
        "from downset.testing import assert_proved",
        "",
        "HERE = Path(__file__).parent",
    ]
    for verdict in verdicts:
        lines += ["", "", *_test(verdict, names[verdict.model])]
    return "\n".join(lines) + "\n"


def _test(verdict: Verdict, name: str) -> Iterator[str]:
    title = re.sub(r"\W+", "_", f"{verdict.model}_{verdict.property}", flags=re.ASCII).strip("_")
    yield f"def test_{title}() -> None:"
    if verdict.counterexample is not None:
        yield '    """When this test was written, it failed:'
        yield ""
        for line in story_text(verdict.counterexample).splitlines():
            yield f"    {_plain(line)}".rstrip()
        yield '    """'
    model = f"HERE / {name!r}" if name.endswith(".py") else repr(name)
    yield f"    assert_proved({model}, {verdict.property!r})"


def _plain(text: str) -> str:
    """Text for a docstring."""
    plain = text.encode("ascii", "backslashreplace").decode()
    return plain.replace("\\", "\\\\").replace('"', "'")
