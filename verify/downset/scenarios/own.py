"""The project's own format: YAML with a JSON Schema, an error at its line and column.

>>> schema()["title"]
'scenario/1'
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedBase
from ruamel.yaml.error import MarkedYAMLError, YAMLError

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from jsonschema.exceptions import ValidationError

HELP = "`scenarios/README.md` describes the format"


@dataclass(frozen=True)
class Document:
    """A scenario as it was read, and where its parts stand."""

    values: Mapping[str, Any]
    file: str

    def error(self, path: Iterable[object], message: str) -> InputError:
        """An error at the place of a part."""
        line, column = place(self.values, path)
        return InputError(
            message, id="scenario", file=self.file, line=line, column=column, help=HELP
        )


def read(file: Path) -> Document:
    """A scenario file that fits the schema. Raises `InputError` with the place if it does not."""
    document = Document(parse(file.read_text(encoding="utf-8"), str(file)), str(file))
    problem = best_match(validator().iter_errors(document.values))
    if problem is not None:
        raise document.error(problem.absolute_path, said(problem))
    return document


@cache
def schema() -> dict[str, Any]:
    """The JSON Schema of a scenario."""
    file = resources.files("downset.scenarios") / "schema" / "scenario-1.schema.json"
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


@cache
def validator() -> Draft202012Validator:
    """What checks a scenario."""
    return Draft202012Validator(schema())


def parse(text: str, file: str) -> Mapping[str, Any]:
    """A mapping with the places of its parts. Raises `InputError`."""
    try:
        whole = YAML().load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line, column = (None, None) if mark is None else (mark.line + 1, mark.column + 1)
        message = error.problem or "not YAML"
        raise InputError(
            message, id="scenario", file=file, line=line, column=column, help=HELP
        ) from error
    except YAMLError as error:
        raise InputError(str(error), id="scenario", file=file, help=HELP) from error
    if not isinstance(whole, dict):
        raise InputError("is not a mapping", id="scenario", file=file, line=1, help=HELP)
    return whole


def place(whole: object, path: Iterable[object]) -> tuple[int, int]:
    r"""The line and column of a part, or of the nearest part around it that has some.

    >>> place(parse("a: 1\nb:\n  - {c: 2}\n", "x.yaml"), ["b", 0, "c"])
    (3, 6)
    """
    line, column = 0, 0
    for key in path:
        if not isinstance(whole, CommentedBase):
            break
        line, column = position(whole, key)
        whole = whole[key]  # type: ignore[index]
    return line + 1, column + 1


def position(whole: CommentedBase, key: object) -> tuple[int, int]:
    """Where an entry starts: a key of a mapping, an item of a list."""
    found = whole.lc.key(key) if isinstance(whole, dict) else whole.lc.item(key)
    return int(found[0]), int(found[1])


def said(problem: ValidationError) -> str:
    """What is wrong, in one line that does not repeat the whole scenario."""
    path = ".".join(str(part) for part in problem.absolute_path)
    message = problem.message if len(problem.message) < LONGEST else f"{problem.validator} fails"
    return f"{path}: {message}" if path else message


LONGEST = 160
