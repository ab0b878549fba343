"""What a design has and another has not: events, and how globs are read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.comparisons import Setting
from downset.prove.shapes import SHAPES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.design.design import Design
    from downset.language.matching import Matcher

SPELLINGS = (("ls", "ls *"), ("a\\b", "a/b"), ("a/b", "a\\b"), ("A", "a"))


def settings(old: Design, new: Design) -> tuple[Setting, ...]:
    """How two designs differ in what can happen at all.

    >>> from downset.catalogue import load_model
    >>> one, two = load_model("baseline/independent"), load_model("opencode/1.18.2")
    >>> [setting.name for setting in settings(one, two)][:2]
    ['event `prompt`', "event `resume another's`"]
    """
    return (*events(old, new), *matching(old.matcher, new.matcher), *rendering(old, new))


def events(old: Design, new: Design) -> Iterator[Setting]:
    """Events that one of two designs has."""
    for shape in SHAPES:
        had, has = shape.has(old), shape.has(new)
        if had != has:
            way = "gain" if has else "loss"
            name = f"event `{shape.id}`"
            words = [shape.says if there else "no such event" for there in (had, has)]
            yield Setting("change" if shape.id in NEUTRAL else way, name, *words)


NEUTRAL = frozenset({"patch", "prompt", "patch in a run", "patch in a prompt"})
"""Events by which users change rules; to have them is neither a gain nor a loss."""


def matching(old: Matcher, new: Matcher) -> Iterator[Setting]:
    """A text and a glob on which two matchers disagree, if they are not the same."""
    for text, glob in SPELLINGS:
        before, after = (one.matches(text, glob) for one in (old, new))
        if before != after:
            said = [
                f"`{glob}` {'matches' if hit else 'does not match'} `{text}`"
                for hit in (before, after)
            ]
            yield Setting("change", "matcher", *said)
            return


def rendering(old: Design, new: Design) -> Iterator[Setting]:
    """Whether results are rendered in different ways."""
    if old.rendering != new.rendering:
        said = ["none" if d.rendering is None else "rendered" for d in (old, new)]
        yield Setting("change", "rendering of results", *said)


def alike_matchers(old: Design, new: Design) -> tuple[Design, Design]:
    """Two designs, the old one read with the matcher of the new one."""
    if old.matcher == new.matcher:
        return old, new
    kind = type(old)
    return type(
        kind.__name__, (kind,), {"matcher": new.matcher, "__module__": kind.__module__}
    )(), new
