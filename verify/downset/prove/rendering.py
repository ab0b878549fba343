"""Whether a rendered result can be read as something else: decided over arbitrary strings."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import z3

from downset.design.rendering import Field
from downset.language.concrete import Assignment
from downset.prove.query import Undecided
from downset.prove.replay import replay
from downset.prove.trace import Teller
from downset.verdicts import Counterexample, QueryRecord

if TYPE_CHECKING:
    from downset.design.property import Claim
    from downset.design.rendering import Rendering
    from downset.prove.paths import Told

Values = dict[str, z3.SeqRef]


def forgery(told: Told[Claim], timeout: float) -> Counterexample | None:
    """A result that is read back as another one, as a story; `None` if there is none.

    `timeout` is in seconds. Raises `Undecided` if the solver gives up.
    """
    rendering = told.result.rendering
    if rendering is None:
        return None
    values = misread(rendering, timeout)
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


def misread(rendering: Rendering, timeout: float) -> dict[str, str] | None:
    """Field values that are not read back as they were, `None` if there are none.

    >>> from downset.design.rendering import Rendering
    >>> sorted(misread(Rendering((Field("id"), " ", Field("text"))), 10.0))
    ['id', 'text']
    """
    solver = z3.Solver()
    solver.set("timeout", int(timeout * 1000), "random_seed", 0)
    fields = [part for part in rendering.parts if isinstance(part, Field)]
    values = {field.name: z3.String(field.name) for field in fields}
    for field in fields:
        for part in field.never:
            solver.add(z3.Not(z3.Contains(values[field.name], z3.StringVal(part))))
    solver.add(differs(rendering, values))
    answer = solver.check()
    if answer == z3.unknown:
        message = f"the solver gave up on strings: {solver.reason_unknown()}"
        raise Undecided(message)
    if answer == z3.unsat:
        return None
    model = solver.model()
    return {
        name: model.eval(value, model_completion=True).as_string() for name, value in values.items()
    }


def differs(rendering: Rendering, values: Values) -> z3.BoolRef:
    """The condition that some field does not end where the literal after it is first found.

    An occurrence that starts inside the field lies within the field and all but the last
    character of the literal itself.
    """
    wrong = [
        z3.Contains(z3.Concat(values[part.name], z3.StringVal(mark[:-1])), z3.StringVal(mark))
        for part, mark in pairwise(rendering.parts)
        if isinstance(part, Field) and isinstance(mark, str)
    ]
    unmarked = any(
        isinstance(one, Field) and isinstance(two, Field) for one, two in pairwise(rendering.parts)
    )
    return z3.Or(*wrong, z3.BoolVal(unmarked))
