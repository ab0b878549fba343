"""The engine's verdicts are those that were typed by hand beside each model."""

from __future__ import annotations

import pytest
from tests.answers import MODELS, PROPERTIES, answer

from downset.catalogue import model_root
from downset.commands.expected import differences, load_expected, strays

EXPECTED = load_expected(model_root())


@pytest.mark.slow
@pytest.mark.parametrize("model", MODELS)
def test_the_engine_says_what_was_typed_by_hand(model: str) -> None:
    verdicts = [answer(model, prop) for prop in PROPERTIES]
    assert not list(differences(verdicts, EXPECTED))


def test_nothing_is_expected_of_what_does_not_exist() -> None:
    assert not list(strays(EXPECTED, MODELS, PROPERTIES))


def test_expectations_are_typed_for_every_pair() -> None:
    assert {(m, p) for m in MODELS for p in PROPERTIES} <= set(EXPECTED)
