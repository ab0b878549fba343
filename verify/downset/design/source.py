"""What a design's own code may not do: ask Python about things that only have a value when run.

Comparing expressions with `==`, or reading their fields, has one answer while a design is told of
arbitrary sessions and another when it is run on real ones. Such code is refused, with its line.
"""

from __future__ import annotations

import ast
import inspect
from functools import cache
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from downset.design.design import Design

FIELDS = frozenset({"permission", "pattern", "action"})
HIDDEN = frozenset({"literal", "variable", "plus", "label", "content", "options"})
PACKAGE = Path(__file__).parent
METHODS = (
    *("spawn", "resume", "prompt", "patch", "fork", "effective", "visible", "decide", "hidden"),
    *("own", "own_hidden", "dispatches", "dispatch_tools", "decide_with"),
    *("spawn_mode", "resume_mode", "restart_mode", "mode_decides", "switched_off"),
    *("documents", "documents_mode", "managed_says"),
)


@cache
def refuse_asides(design: Design) -> None:
    """Raise `InputError` at the first line of a design that is outside the design language.

    >>> from downset.design.design import Design
    >>> refuse_asides(Design())
    """
    for name in METHODS:
        method = getattr(design, name)
        file = source_file(method)
        if file is None or PACKAGE in file.parents:
            continue
        lines, first = inspect.getsourcelines(method)
        tree = ast.parse(dedent("".join(lines)))
        for node, what in asides(tree, reads_callers=design.reads_callers):
            raise InputError(
                what,
                id="model-code",
                file=file,
                line=first + node.lineno - 1,
                help="use `same`, `any`, `last`, `when` and the other operations of the language",
            )


def source_file(method: Callable[..., object]) -> Path | None:
    """The file in which a method is written, if there is one."""
    try:
        found = inspect.getsourcefile(method)
    except (OSError, TypeError):
        return None
    return None if found is None or not Path(found).is_file() else Path(found)


def asides(tree: ast.AST, *, reads_callers: bool) -> Iterator[tuple[ast.expr, str]]:
    """The expressions of a method that ask Python and not the language, and what is wrong."""
    for node in ast.walk(tree):
        what = aside(node, reads_callers=reads_callers)
        if what and isinstance(node, ast.expr):
            yield node, what


def aside(node: ast.AST, *, reads_callers: bool) -> str:
    """What is wrong with one expression, empty if nothing is."""
    if isinstance(node, ast.Compare) and not permitted(node, reads_callers=reads_callers):
        return "an expression of the design language is compared by Python"
    if isinstance(node, ast.Attribute) and node.attr in HIDDEN:
        return f"`.{node.attr}` has no value while a design is written"
    if isinstance(node, ast.Attribute) and node.attr == "caller" and not reads_callers:
        return "a design that looks at callers says so: `reads_callers = True`"
    return ""


def permitted(node: ast.Compare, *, reads_callers: bool) -> bool:
    """Whether a comparison makes a predicate, compares plain strings, or tests for a caller."""
    sides = [node.left, *node.comparators]
    if any(isinstance(side, ast.Name) and side.id in FIELDS for side in sides):
        return True
    if any(isinstance(side, ast.Name) and side.id == "via" for side in sides):
        return True
    absent = all(isinstance(op, ast.Is | ast.IsNot) for op in node.ops)
    return absent and (reads_callers or not mentions_caller(node))


def mentions_caller(node: ast.AST) -> bool:
    """Whether an expression reads a session's caller."""
    return any(isinstance(part, ast.Attribute) and part.attr == "caller" for part in ast.walk(node))
