"""Counterexamples are short, every rule in them matters, and their texts are plain."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest
from tests.answers import MODELS, PROPERTIES, SECONDS, answer, kinds, rule_count, story

from downset.catalogue import load_model, load_properties
from downset.design.telling import TOOL_NAMES, TOOLS_MAP
from downset.prove import refuting
from downset.prove.prover import prove
from downset.prove.replay import replay
from downset.prove.shrink import fewer_rules, size
from downset.prove.trace import Teller
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.prove.replay import Replayed, Script
    from downset.verdicts import Counterexample

MOST_EVENTS, MOST_RULES = 6, 6
PLAIN = re.compile(r"[a-zA-Z*?/][a-zA-Z0-9_./*?-]*")
CHECKED = ("no-escalation", "resume-safe", "own-hidden-kept", "primary-tools-reserved")
SHAPES = {"primary tools": TOOL_NAMES, "tools map": TOOLS_MAP}


def violated(model: str) -> Iterator[tuple[str, Counterexample]]:
    """The properties that a model violates, with their stories."""
    for prop in PROPERTIES:
        verdict = answer(model, prop)
        if verdict.status is Status.VIOLATED and verdict.counterexample is not None:
            yield prop, verdict.counterexample


@dataclass
class Kept:
    """What the prover was about to tell."""

    found: list[tuple[Script, Replayed]] = field(default_factory=list)

    def teller(self, script: Script, told: Replayed) -> Teller:
        """Note the story and tell it."""
        self.found.append((script, told))
        return Teller(script, told)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Kept:
    """Where the stories of a test are noted."""
    made = Kept()
    monkeypatch.setattr(refuting, "Teller", made.teller)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_stories_are_short(model: str) -> None:
    long = {
        prop: (len(found.events), rule_count(found))
        for prop, found in violated(model)
        if len(found.events) > MOST_EVENTS or rule_count(found) > MOST_RULES
    }
    assert not long


ODD = pytest.mark.xfail(reason="the model's patterns of whole commands are taken into names")
PLAINLY_TOLD = [
    pytest.param(model, marks=ODD) if model == "gemini-cli/0.61" else model for model in MODELS
]


@pytest.mark.slow
@pytest.mark.parametrize("model", PLAINLY_TOLD)
def test_texts_are_plain(model: str) -> None:
    strange = {
        text
        for _, found in violated(model)
        for text in texts(found)
        if text and not PLAIN.fullmatch(text)
    }
    assert not strange


def texts(found: Counterexample) -> Iterator[str]:
    """Every text that a story shows."""
    yield from (found.query.permission, found.query.resource, found.query.tool or "")
    sessions = [session for event in found.events for session in event.changed]
    rules = [rule for agent in found.agents for rule in agent.rules]
    rules += [rule for session in sessions for rule in session.rules]
    for rule in rules:
        yield from (rule.permission, rule.pattern)
    yield from (agent.name for agent in found.agents)


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_every_rule_matters_and_every_input_keeps_its_shape(model: str, kept: Kept) -> None:
    design, properties = load_model(model), load_properties()
    for prop in CHECKED:
        kept.found.clear()
        if prove(design, properties[prop], timeout=SECONDS).status is not Status.VIOLATED:
            continue
        script, told = kept.found[-1]
        assert told.fails
        for fewer in fewer_rules(told.reading.given):
            again = replay(script, fewer)
            assert not again.fails or again.skipped > told.skipped, (prop, fewer.inputs)
        for name, shape in SHAPES.items():
            rules = told.reading.given.inputs.get(name, ())
            assert all(told.reading.holds_for(shape, rule) for rule in rules), (prop, rules)
            assert len({rule.permission for rule in rules}) == len(rules), (prop, rules)
        assert size(told.reading.given) <= MOST_RULES, prop


@pytest.mark.parametrize(
    ("model", "prop", "events", "rules"),
    [
        ("baseline/independent", "no-escalation", ["open", "spawn"], 1),
        ("opencode/1.17.2", "approval-bounded", ["open", "approve"], 1),
        ("opencode/1.17.2", "resume-safe", ["open", "open", "resume"], 1),
        ("opencode/1.17.2", "agent-deny-inherited", ["open", "spawn"], 1),
        ("opencode/1.17.2", "fork-safe", ["open", "fork"], 1),
        ("opencode/1.14.46", "session-deny-inherited", ["open", "spawn", "prompt"], 1),
    ],
)
def test_the_best_known_stories_are_as_short_as_they_can_be(
    model: str, prop: str, events: list[str], rules: int
) -> None:
    found = story(model, prop)
    assert kinds(found) == events
    assert rule_count(found) == rules
