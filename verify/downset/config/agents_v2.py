"""The agents of the second engine: rules of all documents are appended, nothing is merged.

opencode.md section 6: the rules of every document's `permissions` follow the built-in ones of
every agent, then come the agent's own, document by document.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.config.agents import AgentConfig
from downset.config.defaults import built_in, defaults
from downset.config.nodes import EMPTY, NOWHERE
from downset.config.rules_from import (
    Layer,
    from_list,
    of_program,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from downset.config.defaults import BuiltIn
    from downset.config.nodes import Node, Place
    from downset.config.rules_from import (
        LayerOf,
        PlacedRule,
        Reading,
    )


@dataclass
class _Draft:
    mode: str
    native: bool
    hidden: bool
    rules: list[PlacedRule] = field(default_factory=list)
    place: Place = NOWHERE
    disabled: bool = False

    def finished(self, name: str) -> AgentConfig:
        rules = () if self.disabled else tuple(self.rules)
        return AgentConfig(
            name, self.mode, self.native, self.hidden, self.disabled, rules, self.place
        )


def user_rules(
    documents: Iterable[Node], reading: Reading, layer_of: LayerOf
) -> tuple[PlacedRule, ...]:
    """The rules of all documents, in the order of the documents."""
    return tuple(
        placed
        for document in documents
        for placed in from_list(document.get("permissions") or EMPTY, reading, layer_of)
    )


def agents_of_v2(
    documents: Sequence[Node], reading: Reading, user: tuple[PlacedRule, ...]
) -> dict[str, AgentConfig]:
    """All agents: the built-in ones, then those that documents add, as documents are read."""
    drafts = {
        name: _native(native, reading, user)
        for name, native in built_in(reading.release, reading.here).items()
    }
    for document in documents:
        for name, entry in (document.get("agents") or EMPTY).ordered():
            _apply(drafts, name, entry, reading, user)
    return {name: draft.finished(name) for name, draft in drafts.items()}


def agent_of_v2(name: str, reading: Reading, user: tuple[PlacedRule, ...]) -> AgentConfig:
    """An agent that no document mentions: it has no rules of its own."""
    return _custom(EMPTY, reading, user).finished(name)


def _native(native: BuiltIn, reading: Reading, user: tuple[PlacedRule, ...]) -> _Draft:
    draft = _Draft(native.mode, native=True, hidden=native.hidden)
    draft.rules += of_program(defaults(reading.release, reading.here), Layer.DEFAULTS)
    draft.rules += [*of_program(native.rules, Layer.BUILT_IN), *user]
    return draft


def _custom(entry: Node, reading: Reading, user: tuple[PlacedRule, ...]) -> _Draft:
    draft = _Draft("all", native=False, hidden=False, place=entry.where())
    draft.rules += of_program(defaults(reading.release, reading.here), Layer.DEFAULTS)
    draft.rules += user
    return draft


def _apply(
    drafts: dict[str, _Draft],
    name: str,
    entry: Node,
    reading: Reading,
    user: tuple[PlacedRule, ...],
) -> None:
    draft = drafts.get(name)
    if (node := entry.get("disabled")) is not None and node.value is True:
        drafts[name] = draft or _custom(entry, reading, user)
        drafts[name].disabled = True
        return
    if draft is None or draft.disabled:
        draft = drafts[name] = _custom(entry, reading, user)
    if draft.place == NOWHERE:
        draft.place = entry.where()
    if (node := entry.get("mode")) is not None and node.text:
        draft.mode = node.text
    if (node := entry.get("hidden")) is not None:
        draft.hidden = node.value is True
    draft.rules += from_list(entry.get("permissions") or EMPTY, reading, Layer.AGENT)
