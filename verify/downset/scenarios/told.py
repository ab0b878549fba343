"""What the models and releases of a scenario answer: one check for each question and model."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from downset.config.releases import release
from downset.design.design import Unreadable
from downset.design.sessions import UNDECLARED
from downset.errors import InputError
from downset.scenarios.casts import NO_LIMIT, company
from downset.scenarios.designs import model, of_release
from downset.scenarios.pawwork import Pawwork
from downset.scenarios.plays import Play, rules_of, word_for
from downset.scenarios.readings import answers
from downset.scenarios.results import ReadingsDisagree, Result
from downset.scenarios.stage import Cast, Scene

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.releases import Release
    from downset.design.design import Design
    from downset.scenarios.own import Document

BASES: Final = {"pr-26845": "1.14.46", "pr-27654": "1.14.49", "pr-29778": "1.14.49"}
"""The releases on which proposals were made, whose built-in agents they have."""


def own_results(document: Document) -> list[Result]:
    """One result for each question and each model that it expects something of."""
    expected = [expectations(document, place) for place in range(len(questions(document)))]
    models = dict.fromkeys(name for wanted in expected for name in wanted)
    got = {name: answers_of(document, name, expected) for name in models}
    pairs = [(place, name) for place, wanted in enumerate(expected) for name in wanted]
    return [
        Result(
            document.values["id"],
            check,
            expected[place][name],
            got[name][place],
            about(questions(document)[place]),
            name,
            document.file,
        )
        for check, (place, name) in enumerate(pairs)
    ]


def questions(document: Document) -> list[Mapping[str, Any]]:
    """The questions of a scenario."""
    return list(document.values["questions"])


def expectations(document: Document, place: int) -> dict[str, str]:
    """The answer that each model must give to a question."""
    wanted = questions(document)[place]["expect"]
    if isinstance(wanted, dict):
        return {str(name): str(answer) for name, answer in wanted.items()}
    models = document.values.get("models")
    if not models:
        message = "the answer of which models? name them, here or under `models`"
        raise document.error(("questions", place, "expect"), message)
    return dict.fromkeys(map(str, models), str(wanted))


def answers_of(document: Document, name: str, expected: list[dict[str, str]]) -> dict[int, str]:
    """What one model answers to each question that expects something of it."""
    wanted = [place for place, models in enumerate(expected) if name in models]
    try:
        found = answers(scene(document, name), lambda stage: Play(document, stage).run(wanted))
    except ReadingsDisagree as problem:
        return dict.fromkeys(wanted, problem.answer)
    asked = questions(document)
    return {place: word_for(asked[place], found[str(place)]) for place in wanted}


def about(asked: Mapping[str, Any]) -> str:
    """A question, for people.

    >>> about({"session": "s2", "permission": "edit", "pattern": "a.ts"})
    's2: edit on a.ts'
    """
    if "tool" in asked:
        return f"{asked['session']}: is {asked['tool']} offered"
    if "start" in asked:
        return f"does it start as {asked['start']} with rules that cannot be read"
    if "dispatch" in asked:
        return f"{asked['session']}: may {asked['dispatch']} be dispatched"
    return f"{asked['session']}: {asked['permission']} on {asked['pattern']}"


# --- the setting ---


def scene(document: Document, name: str) -> Scene:
    """The design of a model or release, with the agents and settings of a scenario."""
    design, row = chosen(document, name)
    settings = document.values.get("settings", {})
    primary = tuple(settings.get("primary_tools", ()))
    limit = settings.get("depth_limit")
    if "agents" in document.values:
        agents = {str(k): raw(value) for k, value in document.values["agents"].items()}
        bare = Scene(design, agents, primary, 1 if limit is None else limit)
        return replace(bare, **common(settings, design))
    config = document.values.get("config", {})
    try:
        if row is not None:
            actors = company(config, row)
            depth = actors.limit if limit is None else limit
            return Scene(design, {}, primary or actors.primary, depth, actors.cast)
        if name.startswith("pawwork/"):
            pawwork = Pawwork.of(config)
            return Scene(design, {}, primary or pawwork.primary, NO_LIMIT, pawwork.cast)
    except InputError as error:
        raise document.error(("config",), f"{name}: {error.message}") from error
    message = f"`{name}` has no configuration that is known: give `agents` with their rules"
    raise document.error(("config",), message)


def common(settings: Mapping[str, Any], design: Design) -> dict[str, Any]:
    """What all sessions share: rules, unless they cannot be read, and the modes' settings."""
    lost = "unreadable" in settings
    dropped = lost and design.unreadable[settings["unreadable"]] is Unreadable.DROPPED
    return {
        "shared": () if dropped else rules_of(settings.get("shared", ())),
        "managed": rules_of(settings.get("managed", ())),
        "trusted": bool(settings.get("trusted", True)),
        "locked": bool(settings.get("locked", False)),
        "mode": str(settings.get("mode", "")),
    }


def raw(value: Mapping[str, Any]) -> Cast:
    """An agent that is given by its rules, and perhaps by the mode that it declares."""
    only, mode = bool(value.get("users_only")), str(value.get("mode", UNDECLARED))
    return Cast(rules_of(value["rules"]), users_only=only, mode=mode)


def chosen(document: Document, name: str) -> tuple[Design, Release | None]:
    """A model or a release, and the release whose configuration it reads."""
    try:
        if "@" in name:
            row = release(name)
            return of_release(row), row
        if name.endswith(".py"):
            return model(str(Path(document.file).parent / name)), None
        return model(name), release_of(name)
    except InputError as error:
        raise document.error(("questions",), error.message) from error


def release_of(name: str) -> Release | None:
    """The release whose configuration a model of opencode reads, `None` for others.

    >>> release_of("opencode/pr-29778").name, release_of("pawwork/1132")
    ('opencode@1.14.49', None)
    """
    system, _, version = name.partition("/")
    version = BASES.get(version, version)
    is_release = system == "opencode" and re.fullmatch(r"[0-9.]+", version)
    return release(version) if is_release else None
