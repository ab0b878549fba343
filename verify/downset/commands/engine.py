"""What the commands need of the prover, and the prover that offers it.

>>> Prover() == Prover()
True
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path
    from types import ModuleType

    from downset.verdicts import Verdict


class Model(Protocol):
    """A design, as far as the commands look into it."""

    @property
    def id(self) -> str:
        """Its name on the command line."""

    @property
    def title(self) -> str:
        """One line."""

    @property
    def source(self) -> str:
        """Release, commit and issue."""


class Property(Protocol):
    """A property, as far as the commands look into it."""

    @property
    def id(self) -> str:
        """Its name on the command line."""

    @property
    def sentence(self) -> str:
        """What it says, in English."""

    @property
    def formula(self) -> str:
        """What it says, precisely."""

    @property
    def asked_by(self) -> str:
        """The report that asked for it."""

    @property
    def events(self) -> tuple[str, ...]:
        """The events that may happen."""


class Theorem(Protocol):
    """A statement about properties, with its proof."""

    @property
    def title(self) -> str:
        """Its name."""

    @property
    def statement(self) -> str:
        """What it says."""

    @property
    def holds(self) -> bool:
        """Whether the tool proved it."""

    @property
    def detail(self) -> str:
        """How it was proved, or what refutes it."""


class Engine(Protocol):
    """Loads models and properties, and decides."""

    def load_model(self, ref: str) -> Model:
        """Find the model of an id, or execute the file at a path."""

    def all_models(self) -> Sequence[Model]:
        """List the models of the package, in order."""

    def load_properties(self, extra: Sequence[Path]) -> Mapping[str, Property]:
        """List the properties of the package and of more files, in order."""

    def prove(
        self, model: Model, prop: Property, events: tuple[str, ...] | None, timeout: float
    ) -> Verdict:
        """Decide one pair."""

    def theorems(self) -> Sequence[Theorem]:
        """Prove the theorems."""

    def configured(self, *, solver: str, certify: bool) -> Engine:
        """Decide with this solver from now on, and certify what is decided."""

    def solver_version(self) -> str:
        """Name the solver, with its version."""


@dataclass(frozen=True)
class Prover:
    """The real engine; its modules are imported when first asked, to keep `--help` quick."""

    solver: str = "z3"
    certify: bool = False

    def load_model(self, ref: str) -> Model:
        """Find the model of an id, or execute the file at a path."""
        model: Model = _module("catalogue").load_model(ref)
        return model

    def all_models(self) -> Sequence[Model]:
        """List the models of the package, in order."""
        models: Sequence[Model] = _module("catalogue").all_models()
        return models

    def load_properties(self, extra: Sequence[Path]) -> Mapping[str, Property]:
        """List the properties of the package and of more files, in order."""
        properties: Mapping[str, Property] = _module("catalogue").load_properties(extra)
        return properties

    def prove(
        self, model: Model, prop: Property, events: tuple[str, ...] | None, timeout: float
    ) -> Verdict:
        """Decide one pair."""
        verdict: Verdict
        if self.certify:
            stories = _module("prove.stories").Stories(model, prop, events)
            certified = _module("prove.certifying").certified
            verdict = certified(stories, timeout=timeout, solver=self.solver)
        else:
            decide = _module("prove.prover").prove
            verdict = decide(model, prop, events=events, timeout=timeout, solver=self.solver)
        return verdict

    def theorems(self) -> Sequence[Theorem]:
        """Prove the theorems."""
        theorems: Sequence[Theorem] = _module("prove.theorems").theorems(self.solver)
        return theorems

    def configured(self, *, solver: str, certify: bool) -> Engine:
        """Decide with this solver from now on, and certify what is decided.

        Raises `InputError` if the solver is not installed.
        """
        made = replace(self, solver=solver, certify=certify)
        if solver != self.solver:
            made.solver_version()
        return made

    def solver_version(self) -> str:
        """Name the solver, with its version."""
        version: str = _module("prove.solver").version_of(self.solver)
        return version


def _module(name: str) -> ModuleType:
    return import_module(f"downset.{name}")
