"""The text of a document with other text put into it, and where each part came from.

Places are always those of the document as written. What was put in is kept apart, so that it
never gets into anything printable.

>>> text = Text("a.json", '{"x": "{env:KEY}"}').replaced([(7, 16, "secret")])
>>> text.expanded, text.as_written(7, 13), str(text.place(14))
('{"x": "secret"}', '{env:KEY}', 'a.json:1:18')
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from downset.config.nodes import Place

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, order=True)
class Span:
    """A part of the expanded text, and the part of the original in whose place it is."""

    start: int
    end: int
    origin_start: int
    origin_end: int


@dataclass(frozen=True)
class Text:
    """A document: its file, its text as written, and its text after substitutions."""

    file: str
    original: str = field(repr=False)
    expanded: str = field(default="", repr=False)
    spans: tuple[Span, ...] = ()

    def __post_init__(self) -> None:
        if not self.spans:
            object.__setattr__(self, "expanded", self.original)

    def replaced(self, parts: Iterable[tuple[int, int, str]]) -> Text:
        """This text with parts of `expanded`, given in order by start and end, replaced."""
        pieces, spans, position, length = [], list[Span](), 0, 0
        for start, end, new in parts:
            spans += self._moved(position, start, length - position)
            length += start - position
            spans.append(Span(length, length + len(new), *self._origin(start, end)))
            pieces += [self.expanded[position:start], new]
            length += len(new)
            position = end
        if not pieces:
            return self
        spans += self._moved(position, len(self.expanded), length - position)
        expanded = "".join([*pieces, self.expanded[position:]])
        return Text(self.file, self.original, expanded, tuple(spans))

    def place(self, offset: int) -> Place:
        """The place of an offset in the expanded text."""
        origin = self.origin(offset)
        line = bisect_right(self._lines, origin)
        return Place(self.file, line, origin - self._lines[line - 1] + 1)

    def origin(self, offset: int) -> int:
        """The offset in the text as written that corresponds to one in the expanded text."""
        index = bisect_right(self._starts, offset) - 1
        if index < 0:
            return offset
        span = self.spans[index]
        return span.origin_start if offset < span.end else offset - span.end + span.origin_end

    def is_verbatim(self, start: int, end: int) -> bool:
        """Whether a part of the expanded text is as it was written."""
        index = bisect_right(self._starts, end) - 1
        return index < 0 or not self._touches(self.spans[index], start, end)

    def as_written(self, start: int, end: int) -> str:
        """The original of a part of the expanded text."""
        return self.original[slice(*self._origin(start, end))]

    @staticmethod
    def _touches(span: Span, start: int, end: int) -> bool:
        return span.start <= end and start <= span.end

    def _origin(self, start: int, end: int) -> tuple[int, int]:
        first = self.origin(start)
        index = bisect_right(self._starts, end) - 1
        span = self.spans[index] if index >= 0 else None
        inside = span is not None and span.start < end < span.end
        return first, max(first, span.origin_end if span and inside else self.origin(end))

    def _moved(self, start: int, end: int, by: int) -> list[Span]:
        return [
            Span(span.start + by, span.end + by, span.origin_start, span.origin_end)
            for span in self.spans
            if start <= span.start and span.end <= end
        ]

    @cached_property
    def _starts(self) -> list[int]:
        return [span.start for span in self.spans]

    @cached_property
    def _lines(self) -> list[int]:
        breaks = [i + 1 for i, sign in enumerate(self.original) if sign == "\n"]
        return [0, *breaks]
