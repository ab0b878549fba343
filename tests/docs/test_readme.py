"""README.md shows what the tool prints, and its example model does what is said of it."""

from __future__ import annotations

import re
from pathlib import Path

from tests.answers import MODELS, PROPERTIES, answer

from downset.catalogue import load_model, load_properties
from downset.prove.prover import prove
from downset.report.markdown import matrix_markdown
from downset.report.text import verdict_text
from downset.verdicts import Status

README = (Path(__file__).parent.parent.parent / "README.md").read_text(encoding="utf-8")


def part(name: str) -> str:
    """A marked part of the file."""
    found = re.search(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", README, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_matrix_is_the_one_that_is_decided() -> None:
    verdicts = [answer(model, prop) for model in MODELS for prop in PROPERTIES]
    assert part("matrix").strip() == matrix_markdown(verdicts).strip()


def test_the_story_is_the_one_that_is_told() -> None:
    told = verdict_text(answer("opencode/1.17.2", "resume-safe")).split("\n  obligations")[0]
    assert told in part("story")


def test_the_example_model_is_judged_as_said(tmp_path: Path) -> None:
    code = re.search(r"```python\n(.*?)```", README, re.DOTALL)
    assert code is not None
    file = tmp_path / "mine.py"
    file.write_text(code[1], encoding="utf-8")
    model, properties = load_model(str(file)), load_properties()
    assert len(code[1].splitlines()) <= 20
    assert prove(model, properties["no-escalation"]).status is Status.PROVED
    assert prove(model, properties["no-lost-grant"]).status is Status.VIOLATED
