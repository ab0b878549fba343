"""Typed looks into JSON and YAML, with an error that names the file and the field.

>>> Fields({"id": "x"}, "case.json").text("id")
'x'
>>> Fields({"id": 3}, "case.json").text("id")
Traceback (most recent call last):
downset.errors.InputError: `id` is not a text
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NoReturn

from downset.errors import InputError
from downset.language.rules import ALLOW, Action, Rule

if TYPE_CHECKING:
    from downset.language.rules import Ruleset

PAIR: Final = 2


@dataclass(frozen=True)
class Fields:
    """A mapping of a file; `where` says for people which one of it."""

    values: Mapping[str, Any]
    file: str
    where: str = ""

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def text(self, key: str, default: str | None = None) -> str:
        """A text."""
        value = self.values.get(key, default)
        if not isinstance(value, str):
            self.fail(f"`{key}` is not a text")
        return value

    def flag(self, key: str, *, default: bool) -> bool:
        """True or false."""
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            self.fail(f"`{key}` is not true or false")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts that is not empty."""
        value = self.values.get(key)
        if not isinstance(value, list) or not value or not all(isinstance(v, str) for v in value):
            self.fail(f"`{key}` is not a list of names")
        return list(value)

    def mapping(self, key: str) -> Mapping[str, Any]:
        """A mapping; an empty one where there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, Mapping):
            self.fail(f"`{key}` is not an object")
        return value

    def inner(self, key: str) -> Fields:
        """A mapping inside, to look into."""
        return Fields(self.mapping(key), self.file, f"{self.where}.{key}".lstrip("."))

    def of(self, value: object, where: str) -> Fields:
        """Something else of the same file, to look into."""
        if not isinstance(value, Mapping):
            self.fail(f"{where} is not an object")
        return Fields(value, self.file, where)

    def rules(self, key: str) -> Ruleset:
        """Rules, as triples or as objects; none where there are none."""
        value = self.values.get(key) or []
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.fail(f"`{key}` is not a list of rules")
        return tuple(self.rule(key, item) for item in value)

    def rule(self, key: str, value: object) -> Rule:
        """One rule: permission, pattern and action; a pair is an allow."""
        if isinstance(value, Mapping):
            value = [value.get(name) for name in ("permission", "pattern", "action")]
        parts = value if isinstance(value, list) else []
        match [*parts, ALLOW.value] if len(parts) == PAIR else parts:
            case [str(permission), str(pattern), ("allow" | "ask" | "deny") as action]:
                return Rule(permission, pattern, Action(action))
        return self.fail(f"`{key}` has something that is not a rule: {value}")

    def fail(self, message: str) -> NoReturn:
        """Raise what is wrong."""
        at = f" ({self.where})" if self.where else ""
        raise InputError(f"{message}{at}", id="bad-scenario", file=self.file)
