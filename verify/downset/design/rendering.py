"""How a dispatch's result is rendered for the caller, and read back.

A rendering is a sequence of literal texts and fields. It is read from left to right: a field
extends to the first occurrence of the literal that follows it, the last one to the end.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Field:
    """A place for one of the parts of a result; `never` are texts that it cannot contain."""

    name: str
    never: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rendering:
    """A template over arbitrary texts.

    >>> form = Rendering((Field("id", never=(" ",)), " ", Field("text")))
    >>> form.render({"id": "s1", "text": "done"})
    's1 done'
    >>> form.parse("s1 done")
    {'id': 's1', 'text': 'done'}
    """

    parts: tuple[str | Field, ...]

    @property
    def fields(self) -> list[Field]:
        """The places for parts of a result, in order."""
        return [part for part in self.parts if isinstance(part, Field)]

    def render(self, values: dict[str, str]) -> str:
        """The text that the caller sees."""
        return "".join(part if isinstance(part, str) else values[part.name] for part in self.parts)

    def parse(self, text: str) -> dict[str, str] | None:
        """The fields as read back, or `None` where the text does not have the form."""
        values: dict[str, str] = {}
        pending: Field | None = None
        for part in self.parts:
            if isinstance(part, Field):
                pending = part
                continue
            place = text.find(part)
            if place < 0 or (pending is None and place > 0):
                return None
            if pending is not None:
                values[pending.name] = text[:place]
            text, pending = text[place + len(part) :], None
        if pending is not None:
            values[pending.name] = text
        return values
