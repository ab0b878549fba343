"""A program with an engine that answers what a test wants."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from downset.cli import main
from downset.commands.settings import Settings
from downset.errors import InputError
from downset.verdicts import Scope, Status, Verdict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from downset.commands.engine import Model, Property, Theorem


@dataclass(frozen=True)
class FakeModel:
    id: str
    title: str = "a design"
    source: str = "release 1, commit abc"


@dataclass(frozen=True)
class FakeProperty:
    id: str
    sentence: str = "A callee never gains.\nNot even later."
    formula: str = "E_s = deny => E_c = deny"
    asked_by: str = "issue 1"
    events: tuple[str, ...] = ("spawn", "resume")


@dataclass(frozen=True)
class FakeTheorem:
    title: str = "the meet"
    statement: str = "Exactly one function will do."
    holds: bool = True
    detail: str = "19683 functions tried"


@dataclass
class FakeEngine:
    """Two models, two properties; `answers` are by model and property, else proved."""

    answers: dict[tuple[str, str], Status] = field(default_factory=dict)
    fault: BaseException | None = None
    proofs: list[FakeTheorem] = field(default_factory=lambda: [FakeTheorem()])
    asked: list[tuple[str, str, tuple[str, ...] | None, float]] = field(default_factory=list)
    files: list[Path] = field(default_factory=list)
    configuration: tuple[str, bool] = ("", False)

    def load_model(self, ref: str) -> Model:
        if ref.endswith(".py"):
            raise InputError("invalid syntax", id="model-syntax", file=ref, line=3, column=7)
        return FakeModel(ref)

    def all_models(self) -> Sequence[Model]:
        return [FakeModel("one/1.0"), FakeModel("two", title="another\nwith more lines")]

    def load_properties(self, extra: Sequence[Path]) -> Mapping[str, Property]:
        self.files += extra
        return {name: FakeProperty(name) for name in ("no-escalation", "ask-preserved")}

    def prove(
        self, model: Model, prop: Property, events: tuple[str, ...] | None, timeout: float
    ) -> Verdict:
        if self.fault is not None:
            raise self.fault
        self.asked.append((model.id, prop.id, events, timeout))
        status = self.answers.get((model.id, prop.id), Status.PROVED)
        return Verdict(model.id, prop.id, status, Scope(events=events or prop.events))

    def theorems(self) -> Sequence[Theorem]:
        return self.proofs

    def configured(self, *, solver: str, certify: bool) -> FakeEngine:
        self.configuration = (solver, certify)
        return self

    def solver_version(self) -> str:
        return "z3 1.2"


@dataclass(frozen=True)
class Result:
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Program:
    """Runs `downset` in this process."""

    engine: FakeEngine
    capture: pytest.CaptureFixture[str]

    def __call__(self, *args: str) -> Result:
        code = main(list(args), Settings(engine=self.engine, apart=False))
        captured = self.capture.readouterr()
        return Result(code, captured.out, captured.err)


@pytest.fixture
def engine() -> FakeEngine:
    return FakeEngine()


@pytest.fixture
def run(engine: FakeEngine, capsys: pytest.CaptureFixture[str]) -> Program:
    return Program(engine, capsys)


@pytest.fixture
def theorem() -> FakeTheorem:
    """One that does not hold."""
    return FakeTheorem(holds=False, detail="")
