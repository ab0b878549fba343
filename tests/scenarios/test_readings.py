"""Two readings, neither of which believes the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from downset.design.sessions import Query
from downset.language.rules import ALLOW, DENY, Rule
from downset.prove.replay import literal
from downset.scenarios import readings
from downset.scenarios.designs import model, of_release, release
from downset.scenarios.readings import answers, stored
from downset.scenarios.results import ReadingsDisagree
from downset.scenarios.stage import Cast, Scene, chain

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.scenarios.readings import Asked
    from downset.scenarios.stage import Stage

DENIED = Rule("edit", "*", DENY)
SCENE = Scene(model("opencode/1.17.0"), {"lead": Cast((DENIED,))})


def edits(stage: Stage) -> Mapping[str, Asked]:
    child = chain(stage, ["lead", "helper"])
    return {"edit": stage.design.decide(child, Query.of("edit", "a"))}


def test_both_readings_see_the_inherited_deny() -> None:
    assert answers(SCENE, edits) == {"edit": "deny"}


def test_a_disagreement_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(readings, "concretely", lambda *_: "allow")
    with pytest.raises(ReadingsDisagree, match=r"edit: concrete allow, symbolic \['deny'\]"):
        answers(SCENE, edits)


@pytest.mark.parametrize(
    "other",
    [
        (DENIED,),
        (DENIED, Rule("edit", "*", ALLOW)),
        (Rule("edit", "*", ALLOW), Rule("bash", "*", DENY), DENIED),
    ],
)
def test_other_rules_or_another_order_are_noticed(
    other: tuple[Rule, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = (Rule("edit", "*", ALLOW), DENIED)
    assert stored(SCENE, lambda _stage: literal(rules)) == rules
    seen = iter([literal(rules), literal(other)])
    with pytest.raises(ReadingsDisagree):
        stored(SCENE, lambda _stage: next(seen))
    del monkeypatch


def test_a_release_has_its_own_gates() -> None:
    scoped = (DENIED, Rule("edit", "plans/*", ALLOW))

    def hides(name: str, rules: tuple[Rule, ...], session: tuple[Rule, ...] = ()) -> object:
        scene = Scene(of_release(release(name)), {"a": Cast(rules)})

        def tell(stage: Stage) -> Mapping[str, Asked]:
            tool = stage.tool_named("edit")
            return {"x": stage.design.hidden(stage.opened("a", session), tool)}

        return answers(scene, tell)["x"]

    assert (hides("1.0.224", scoped), hides("1.1.2", scoped)) == (True, False)
    assert (hides("1.2.27", (), (DENIED,)), hides("1.3.0", (), (DENIED,))) == (False, True)
