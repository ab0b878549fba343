"""Whether a rendered result can be read as something else: decided over arbitrary strings."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from downset.design.rendering import Field
from downset.prove.logic import STRING, Expr, conj, disj, neg
from downset.prove.solver import make_solver
from downset.verdicts import Counterexample, QueryRecord

if TYPE_CHECKING:
    from downset.design.rendering import Rendering
    from downset.prove.logic import Bool
    from downset.prove.replay import Script


def misread_story(told: Counterexample, script: Script, values: dict[str, str]) -> Counterexample:
    """The story of a result that is read back as another one."""
    rendering = rendering_of(script)
    if rendering is None:
        return told
    return Counterexample(
        told.agents,
        told.events,
        QueryRecord("", ""),
        (),
        f"The result {values} is rendered as {rendering.render(values)!r}, which is read as "
        f"{rendering.parse(rendering.render(values))}.",
    )


def rendering_of(script: Script) -> Rendering | None:
    """The rendering that a story's claim is about, if it is about one."""
    return script.prop.claim(script.story()).rendering


def misread(rendering: Rendering, timeout: float, name: str = "z3") -> dict[str, str] | None:
    """Field values that are not read back as they were, `None` if there are none.

    >>> from downset.design.rendering import Rendering
    >>> sorted(misread(Rendering((Field("id"), " ", Field("text"))), 10.0))
    ['id', 'text']
    """
    solver = make_solver(name, strings=True)
    solver.add(forged(rendering))
    model = solver.check(timeout)
    if model is None:
        return None
    return {field.name: str(model.chosen.get(field.name, "")) for field in rendering.fields}


def forged(rendering: Rendering) -> Bool:
    """The condition that some field does not end where the literal after it is first found.

    An occurrence that starts inside the field lies within the field and all but the last
    character of the literal itself.
    """
    never = [neg(contains(string(f.name), text)) for f in rendering.fields for text in f.never]
    wrong = [
        contains(Expr("str.++", (string(part.name), literal(mark[:-1])), STRING), mark)
        for part, mark in pairwise(rendering.parts)
        if isinstance(part, Field) and isinstance(mark, str)
    ]
    unmarked = any(
        isinstance(one, Field) and isinstance(two, Field) for one, two in pairwise(rendering.parts)
    )
    return conj([*never, disj([*wrong, unmarked])])


def contains(whole: Expr, part: str) -> Expr:
    """The condition that a string has another in it."""
    return Expr("str.contains", (whole, literal(part)))


def string(name: str) -> Expr:
    """A string that may be any."""
    return Expr("variable", width=STRING, value=name)


def literal(text: str) -> Expr:
    """A known string."""
    return Expr("constant", width=STRING, value=text)
