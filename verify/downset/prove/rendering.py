"""Whether a rendered result can be read as something else: decided over arbitrary strings."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from downset.design.rendering import Field
from downset.language.concrete import Assignment
from downset.prove.logic import STRING, Expr, conj, disj, neg
from downset.prove.replay import replay
from downset.prove.solver import make_solver
from downset.prove.trace import Teller
from downset.verdicts import Counterexample, QueryRecord

if TYPE_CHECKING:
    from downset.design.property import Claim
    from downset.design.rendering import Rendering
    from downset.prove.logic import Bool
    from downset.prove.paths import Told


def forgery(told: Told[Claim], timeout: float, solver_name: str = "z3") -> Counterexample | None:
    """A result that is read back as another one, as a story; `None` if there is none.

    `timeout` is in seconds. Raises `Undecided` if the solver gives up.
    """
    rendering = told.result.rendering
    if rendering is None:
        return None
    values = misread(rendering, timeout, solver_name)
    if values is None:
        return None
    story = Teller(told.script, replay(told.script, Assignment())).counterexample()
    return Counterexample(
        story.agents,
        story.events,
        QueryRecord("", ""),
        (),
        f"The result {values} is rendered as {rendering.render(values)!r}, which is read as "
        f"{rendering.parse(rendering.render(values))}.",
    )


def misread(rendering: Rendering, timeout: float, solver_name: str = "z3") -> dict[str, str] | None:
    """Field values that are not read back as they were, `None` if there are none.

    >>> from downset.design.rendering import Rendering
    >>> sorted(misread(Rendering((Field("id"), " ", Field("text"))), 10.0))
    ['id', 'text']
    """
    solver = make_solver(solver_name, strings=True)
    solver.add(forged(rendering))
    model = solver.check(timeout)
    if model is None:
        return None
    fields = [part for part in rendering.parts if isinstance(part, Field)]
    return {field.name: str(model.chosen.get(field.name, "")) for field in fields}


def forged(rendering: Rendering) -> Bool:
    """The condition that some field does not end where the literal after it is first found.

    An occurrence that starts inside the field lies within the field and all but the last
    character of the literal itself.
    """
    fields = [part for part in rendering.parts if isinstance(part, Field)]
    never = [neg(contains(string(f.name), text)) for f in fields for text in f.never]
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
