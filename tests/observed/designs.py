"""Which model stands for a real release, and where the release differs from the model it is in.

A model is written for one release of a class whose spawn rules are the same; other members of the
class differ in some gate or matcher, as the model's docstring says. Those differences are here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from downset.catalogue import load_model
from downset.config.releases import release
from downset.design.design import Design
from downset.language.matching import W2

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True)
class Difference:
    """What a release does differently from the model of its class, and why that is known."""

    overrides: Mapping[str, object]
    reason: str


DIFFERENCES: dict[str, Difference] = {
    "1.1.11": Difference(
        {
            "own_hidden": Design.own_hidden,
            "bypasses": ("mention", "command"),
            "ways": Design.ways,
            "dispatches": Design.dispatches,
        },
        "from 1.1.2 a tool is hidden by the last rule named for it (D1, 2f5b2b23d), from 1.1.7 a "
        "mention in the last user message skips the check, as commands do (B2, 34c9d106e #7165)",
    ),
    "1.2.27": Difference({"matcher": W2}, "from 1.2.11 the matcher is W2 (ee754c46f, #14738)"),
    "1.3.2": Difference(
        {"matcher": W2, "visible": Design.visible},
        "as 1.2.27; from 1.3.0 the availability gate looks at session rules too "
        "(G2, c2ca1494e, #17064)",
    ),
    "1.14.48": Difference(
        {"row_agent_follows": True},
        "from 1.14.47 the stored row names the agent of the newest prompt (0fffcdfe4, #26765)",
    ),
}


def design_of(name: str) -> Design:
    """The design of a real release: the model of its class, with what is known to differ."""
    model = model_of(release(name).model)
    if name not in DIFFERENCES:
        return model
    made = type(f"As{name}", (type(model),), dict(DIFFERENCES[name].overrides))()
    assert isinstance(made, Design)
    return made


@cache
def model_of(ref: str) -> Design:
    """A model of the package, loaded once."""
    return load_model(ref)
