"""A scenario made ready for the program of a release: configuration, tools, predictions.

Raw rules become a configuration that has them, behind the rules that every agent has; the design
must still answer as before, else the story cannot be told on the program.

>>> plain({"a": [1, {"b": "c"}]})
{'a': [1, {'b': 'c'}]}
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from downset.config.project import resolve
from downset.errors import InputError
from downset.program.calls import ELSEWHERE, OWN, TOOL
from downset.program.outcomes import NotExpressible
from downset.program.predicting import Predicted
from downset.prove.config_form import CLEAN, as_object, starts_clean
from downset.scenarios.casts import NO_LIMIT, cast_of
from downset.scenarios.plays import rules_of
from downset.scenarios.stage import Scene
from downset.scenarios.told import expectations, raw

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.project import Project
    from downset.config.releases import Release
    from downset.config.surroundings import Surroundings
    from downset.design.design import Design
    from downset.scenarios.own import Document


@dataclass(frozen=True)
class Staging:
    """A scenario with its configuration for a release, in a project directory.

    `design` says what is to be expected where the scenario itself does not; its answers are those
    of `release` unless the story is a counterexample of some model.
    """

    document: Document
    row: Release
    design: Design
    here: Surroundings

    @cached_property
    def config(self) -> dict[str, object]:
        """The configuration that the program reads. Raises `NotExpressible`."""
        values = self.document.values
        config: dict[str, Any] = plain(values.get("config", {}))
        agents = {name: agent(given) for name, given in plain(values.get("agents", {})).items()}
        settings = plain(values.get("settings", {}))
        if "primary_tools" in settings:
            config["experimental"] = {"primary_tools": settings["primary_tools"]}
        limit = settings.get("depth_limit", config.pop("subagent_depth", None))
        if self.row.depth_limit is not None and limit is not None:
            config["subagent_depth"] = limit
        given = config.get("agent", {}) | agents
        known = resolve({}, self.row).agents
        for name in mentioned(self.document):
            if name not in known:
                given.setdefault(name, {"description": "an agent"})
        return config | ({"agent": given} if given else {})

    @cached_property
    def project(self) -> Project:
        """The configuration as this package reads it. Raises `NotExpressible`."""
        try:
            return resolve(self.config, self.row, here=self.here)
        except InputError as error:
            raise NotExpressible(f"{self.row.name} refuses it: {error.message}") from error

    @cached_property
    def predicted(self) -> Predicted:
        """What the design says of the scenario with the agents of the configuration."""
        project = self.project
        limit = NO_LIMIT if project.subagent_depth is None else project.subagent_depth
        active = {found.name: cast_of(found) for found in project.active}
        missing = [name for name in mentioned(self.document) if name not in active]
        if missing:
            raise NotExpressible(f"the configuration switches the agent `{missing[0]}` off")
        return Predicted(self.document, Scene(self.design, active, project.primary_tools, limit))

    def expected(self, place: int) -> str:
        """What a question must be answered with: as the scenario says, else as the design does."""
        wanted = self.document.values["questions"][place]["expect"]
        if isinstance(wanted, str) and not self.document.values.get("models"):
            return self.predicted.answer(place)
        named = expectations(self.document, place)
        said = [named[name] for name in (self.row.name, self.design.id) if name in named]
        return said[0] if said else self.predicted.answer(place)

    def check(self) -> None:
        """Raise `NotExpressible` if the configuration is none, or changes what the design answers.

        It changes something if the design answers otherwise with the agents' raw rules.
        """
        values, _told = self.document.values, self.predicted.play
        if "agents" not in values:
            return
        settings = values.get("settings", {})
        agents = {str(name): raw(given) for name, given in values["agents"].items()}
        primary = tuple(settings.get("primary_tools", ()))
        scene = Scene(self.design, agents, primary, settings.get("depth_limit", 1))
        before = Predicted(self.document, scene)
        for place in range(len(values["questions"])):
            if before.answer(place) != self.predicted.answer(place):
                raise NotExpressible(
                    "the rules that every agent of the program has change what the model answers"
                )

    @property
    def tools(self) -> frozenset[str]:
        """Tools that the project must add, for questions about them. Raises `NotExpressible`."""
        asked = [str(q["tool"]) for q in self.document.values["questions"] if "tool" in q]
        for name in asked:
            if name in ELSEWHERE or not TOOL.fullmatch(name):
                raise NotExpressible(f"the tool `{name}` is never offered to the scripted model")
        return frozenset(asked) - OWN


def mentioned(document: Document) -> list[str]:
    """The agents that the events and questions of a scenario name."""
    parts = [*document.values["events"], *document.values["questions"]]
    return [str(part[key]) for part in parts for key in ("agent", "dispatch") if key in part]


def agent(given: Mapping[str, Any]) -> dict[str, object]:
    """An agent of a configuration with raw rules. Raises `NotExpressible`."""
    rules = rules_of(given["rules"])
    block = as_object(rules if starts_clean(rules) else (CLEAN, *rules))
    if block is None:
        raise NotExpressible("no configuration has an agent's rules in this order")
    mode = "primary" if given.get("users_only") else "all"
    return {"mode": mode, "description": "an agent", "permission": block}


def plain(value: object) -> Any:  # noqa: ANN401 -- JSON
    """A part of a scenario without the places of its parts."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list):
        return [plain(part) for part in value]
    return value
