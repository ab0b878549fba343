"""What a design says of a scenario, at every time of it and of every session in it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from downset.design.sessions import Query
from downset.language.concrete import Assignment, Concrete
from downset.language.terms import EMPTY
from downset.scenarios.plays import Play, word_for
from downset.scenarios.readings import concretely, told
from downset.scenarios.stage import approved

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.design.sessions import Session
    from downset.language.rules import Ruleset
    from downset.scenarios.own import Document
    from downset.scenarios.stage import Scene


@dataclass(frozen=True)
class Predicted:
    """A scenario told of a design on real rules. Raises `InputError` if it cannot be told."""

    document: Document
    scene: Scene

    @cached_property
    def reading(self) -> Concrete:
        """The concrete reading."""
        return Concrete(Assignment(), self.scene.design.matcher)

    @cached_property
    def play(self) -> Play:
        """The scenario, told to its end."""
        play = Play(self.document, told(self.scene, self.reading))
        play.run(())
        return play

    def answer(self, place: int) -> str:
        """What the design answers to a question, in the words of scenarios."""
        asked = self.document.values["questions"][place]
        return word_for(asked, concretely(self.reading, self.play.question(place, asked)))

    def session(self, name: str, at: int, *, anew: bool = False) -> Session:
        """A session as an event left it; `anew`: once it was prompted without a map of tools."""
        found = self.play.session(name, at=at)
        return replace(found, tools=EMPTY) if anew else found

    def stored(self, name: str, at: int) -> Ruleset:
        """The rules that a session stores."""
        return self.reading.word(self.session(name, at).stored)

    def hides(self, name: str, at: int, tool: str, *, anew: bool = False) -> bool:
        """Whether a tool is not offered to a session."""
        stage = self.play.stage
        found = stage.design.hidden(self.session(name, at, anew=anew), stage.tool_named(tool))
        return self.reading.formula(found)

    def patterns(self, name: str, at: int, permission: str) -> list[str]:
        """The patterns of a session's rules for a permission."""
        word = self.scene.design.effective(self.session(name, at))
        found = self.reading.word(word)
        return [rule.pattern for rule in found if rule.permission in {permission, "*"}]

    def asks(self, name: str, at: int, permission: str, pattern: str, given: Ruleset) -> bool:
        """Whether a call of a session is a question to the user, once more rules are approved."""
        asked: Mapping[str, Any] = {"session": name, "after": at}
        earlier, query = self.play.approved_by(asked), Query.of(permission, pattern)
        session, design = self.session(name, at), self.scene.design
        word = approved(given) if earlier is None else earlier + approved(given)
        return self.reading.formula(design.decide_with(session, query, word).asks)

    def possible(self, name: str, at: int, agent: str, via: str, *, anew: bool = False) -> bool:
        """Whether a session can dispatch an agent in a way, as things are after an event."""
        found = self.play.possible(self.session(name, at, anew=anew), agent, via)
        return self.reading.formula(found)

    def way(self, name: str, at: int, agent: str) -> str:
        """The plainest way in which a session can dispatch an agent, by the model if in none."""
        ways = [way for way in self.scene.design.ways() if self.possible(name, at, agent, way)]
        return ways[0] if ways else "model"
