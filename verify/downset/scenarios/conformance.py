"""PawWork's own test expectations: a list of entries, each of one kind (pawwork.md section 6).

`pawwork/before-1132` and `pawwork/1132` are the states before and after the change that the
entries compare; approvals are those of 7a4473c90 and those from e3595b705 on (`maint-v1`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from downset.design.sessions import Query, Tool
from downset.errors import InputError
from downset.language.rules import ALLOW, DENY, Rule
from downset.language.terms import ALWAYS, Fixed, Matches, Sort, Strictest, Text
from downset.prove.replay import literal
from downset.scenarios.designs import model
from downset.scenarios.pawwork import Pawwork, from_block, hides
from downset.scenarios.readings import answers, stored
from downset.scenarios.results import UNSUPPORTED, ReadingsDisagree, Result
from downset.scenarios.stage import Cast, Scene, approved

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downset.design.sessions import Session
    from downset.language.rules import Ruleset
    from downset.language.terms import Word
    from downset.scenarios.fields import Fields
    from downset.scenarios.readings import Answer, Asked
    from downset.scenarios.stage import Stage

BEFORE: Final = "pawwork/before-1132"
AFTER: Final = "pawwork/1132"
LATER: Final = "pawwork/maint-v1"
ANYONE: Final = "anyone"
ASKED: Final = "asked"


def is_conformance(value: object) -> bool:
    """Whether a JSON value is a list of such entries.

    >>> is_conformance([{"id": "WM-1", "kind": "match", "input": {}}]), is_conformance([])
    (True, False)
    """
    entries = value if isinstance(value, list) else []
    return bool(entries) and all(
        isinstance(entry, dict) and {"id", "kind", "input"} <= set(entry) for entry in entries
    )


def conformance_results(entries: list[Fields]) -> list[Result]:
    """What the designs answer to each entry, which is one check."""
    return [result(entry) for entry in entries]


def result(entry: Fields) -> Result:
    """What becomes of one entry."""
    kind = entry.text("kind")
    got: object
    try:
        answer = KINDS.get(kind)
        got = f"{UNSUPPORTED}kind `{kind}`" if answer is None else answer(entry.inner("input"))
    except InputError as error:
        got = f"{UNSUPPORTED}{error.message}"
    except ReadingsDisagree as problem:
        got = problem.answer
    expect = entry.values.get("expect")
    return Result(entry.text("id"), 0, expect, got, kind, "pawwork", entry.file)


def match(given: Fields) -> Answer:
    """Whether a value matches a pattern."""
    value = Text(Sort.PATTERN, literal=given.text("value"))
    rules = literal((Rule("*", given.text("pattern"), ALLOW),))
    return one(Scene(model(AFTER)), lambda _stage: rules.last(Matches(value)).seen(ALWAYS))


def evaluate(given: Fields) -> Answer:
    """What an agent's rules decide, with a session's rules behind them."""
    own = given.rules("ruleset" if "ruleset" in given else "agentRuleset")
    return decided(own, given.rules("sessionRuleset"), given)


def decided(own: Ruleset, session: Ruleset, given: Fields) -> Answer:
    """What rules decide about the query of an entry."""
    scene = Scene(model(AFTER), {ANYONE: Cast(own)})
    return one(scene, lambda s: s.design.decide(s.opened(ANYONE, session), query(given)))


def gate1(given: Fields) -> Mapping[str, object]:
    """Which of some tools rules hide."""
    tools, rules = given.texts("tools"), literal(given.rules("ruleset"))
    found = answers(Scene(model(AFTER)), lambda _stage: {t: hides(rules, t) for t in tools})
    return {"hidden": [tool for tool in tools if found[tool]]}


def ask(given: Fields) -> Mapping[str, object]:
    """What becomes of a call that asks for several patterns, at two times."""
    return {
        "at_7a4473c90": asked_at(AFTER, given),
        "from_e3595b705": asked_at(LATER, given),
    }


def asked_at(name: str, given: Fields) -> Answer:
    """Any deny denies, else any ask asks; no pattern at all is allowed (1.5)."""
    patterns = given.values.get("patterns") or []
    permission, word = given.text("permission"), approved(given.rules("approved"))

    def tell(stage: Stage) -> Asked:
        session = stage.opened(ANYONE)
        queries = [Query.of(permission, pattern) for pattern in patterns]
        parts = [stage.design.decide_with(session, query, word) for query in queries]
        return Strictest((Fixed(ALLOW), *parts))

    return one(Scene(model(name), {ANYONE: Cast(given.rules("ruleset"))}), tell)


def from_config(given: Fields) -> object:
    """What the rules of a configuration decide, or which they are."""
    rules = from_block(given.mapping("config"))
    return decided(rules, (), given) if "permission" in given else listed(rules)


def rebuild(given: Fields) -> object:
    """The rules that a session stores after a prompt with a tools map."""
    tools = tuple(
        Rule(name, "*", ALLOW if on else DENY) for name, on in given.mapping("tools").items()
    )
    by_tool = given.flag("createdByAgentTool", default=False)

    def tell(stage: Stage) -> Word:
        session = stage.opened(ANYONE, given.rules("session"))
        return stage.prompted(replace(session, dispatched=by_tool), tools).stored

    return listed(stored(Scene(model(AFTER)), tell))


def dispatch(given: Fields) -> Mapping[str, object]:
    """What a caller may, its child alone, and the child before and after the change."""
    before = facts_of(BEFORE, given)
    after = facts_of(AFTER, given)
    return {
        "caller": after["caller"],
        "subAlone": after["own"],
        "childBefore": before["child"],
        "childAfter": after["child"],
        "callerHidden": after["caller hidden"],
        "childHiddenBefore": before["child hidden"],
        "childHiddenAfter": after["child hidden"],
    }


def facts_of(name: str, given: Fields) -> Mapping[str, Answer]:
    """What a caller and its child may, under one of the models."""
    actors = Pawwork.of(given.mapping("config"))
    tool = Tool.of(given.text("permission"))

    def tell(stage: Stage) -> Mapping[str, Asked]:
        design, asked = stage.design, query(given)
        caller = stage.opened(given.text("caller"), given.rules("parentSession"))
        child = stage.spawn(caller, given.text("sub"))
        return {
            "caller": design.decide(caller, asked),
            "own": design.own(child.agent, asked),
            "child": design.decide(child, asked),
            "caller hidden": hidden(stage, caller, tool),
            "child hidden": hidden(stage, child, tool),
        }

    return answers(Scene(model(name), {}, actors.primary, stranger=actors.cast), tell)


def hidden(stage: Stage, session: Session, tool: Tool) -> Asked:
    """Whether the first gate hides a tool, which is what the entries record."""
    return hides(stage.design.visible(session), tool.name.literal or "")


def one(scene: Scene, tell: Callable[[Stage], Asked]) -> Answer:
    """The answer to a single question."""
    return answers(scene, lambda stage: {ASKED: tell(stage)})[ASKED]


def query(given: Fields) -> Query:
    """The query of an entry."""
    return Query.of(given.text("permission"), given.text("pattern", "*"))


def listed(rules: Ruleset) -> list[dict[str, str]]:
    """Rules as the entries write them."""
    return [
        {"permission": rule.permission, "pattern": rule.pattern, "action": rule.action.value}
        for rule in rules
    ]


KINDS: Final[Mapping[str, Callable[[Fields], object]]] = {
    "match": match,
    "evaluate": evaluate,
    "gate1": gate1,
    "ask": ask,
    "fromConfig": from_config,
    "rebuild": rebuild,
    "dispatch": dispatch,
}
