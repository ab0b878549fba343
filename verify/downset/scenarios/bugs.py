"""Recorded bug reports: `bugs/NNN-slug.json`, as the format of the collection describes them.

What a check calls its semantics is a class of spawn rules; matcher, gates, key order and all else
are those of the newest release, unless the check says otherwise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from downset.config.releases import DEFAULT, release
from downset.design.sessions import Query
from downset.errors import InputError
from downset.language.matching import W1
from downset.scenarios.casts import company, reading_row
from downset.scenarios.designs import model, with_spawn_rules_of
from downset.scenarios.readings import answers
from downset.scenarios.results import UNSUPPORTED, ReadingsDisagree, Result, Unsupported
from downset.scenarios.stage import Cast, Scene, approved, chain

if TYPE_CHECKING:
    from downset.config.releases import Release
    from downset.design.sessions import Session
    from downset.language.matching import Matcher
    from downset.scenarios.casts import Company
    from downset.scenarios.fields import Fields
    from downset.scenarios.readings import Answer, Asked
    from downset.scenarios.stage import Stage

FLAT: Final = "rules"
ANYONE: Final = "anyone"
KNOWN: Final = frozenset(
    (
        *("semantics", "chain", "config", "root_session", "rules", "approved", "resume"),
        *("agent_persisted", "permission", "pattern", "visible_tool", "expect"),
        *("os", "slash_normalised", "top_keys_sorted", "note"),
    )
)


def is_bug(value: object) -> bool:
    """Whether a JSON value is a recorded report.

    >>> is_bug({"id": "001", "steps": []}), is_bug({"permission": {}})
    (True, False)
    """
    return isinstance(value, dict) and "id" in value and bool({"checks", "steps"} & set(value))


def bug_results(case: Fields) -> list[Result]:
    """What the designs answer to each check of a report; one line for a report without checks."""
    name = case.text("id")
    checks = case.values.get("checks") or []
    if not checks:
        return [Result(name, None, None, None, case.text("summary", ""), file=case.file)]
    return [
        result(case, name, place, Check(case, case.of(check, f"check {place}")))
        for place, check in enumerate(checks)
    ]


def result(case: Fields, name: str, place: int, check: Check) -> Result:
    """What becomes of one check."""
    got: Answer
    try:
        got = check.answer()
    except Unsupported as reason:
        got = f"{UNSUPPORTED}{reason}"
    except ReadingsDisagree as problem:
        got = problem.answer
    return Result(
        name, place, check.own.values.get("expect"), got, check.about, check.semantics, case.file
    )


class Check:
    """One check of a report; what it does not say itself, the report says."""

    def __init__(self, case: Fields, own: Fields) -> None:
        self.case = case
        self.own = own
        self.semantics = own.text("semantics", "")

    @property
    def about(self) -> str:
        """What is asked, for people."""
        if "visible_tool" in self.own:
            return f"is {self.own.text('visible_tool')} offered"
        return f"{self.own.text('permission', '')} on {self.own.text('pattern', '*')}"

    def answer(self) -> Answer:
        """What the design answers. Raises `Unsupported` or `ReadingsDisagree`."""
        strange = sorted(set(self.own.values) - KNOWN)
        if strange:
            raise Unsupported(f"field `{strange[0]}` of a check")
        found = answers(self.scene(), lambda stage: {"asked": self.asked(stage)})["asked"]
        return not found if "visible_tool" in self.own else found

    # --- the setting ---

    def scene(self) -> Scene:
        """The design and the agents."""
        if self.semantics == FLAT:
            return self.flat_scene()
        row = self.row()
        persisted = self.own.flag("agent_persisted", default=True)
        design = with_spawn_rules_of(row, matcher=self.matcher(row.matcher), persisted=persisted)
        if "rules" in self.own:
            return Scene(design, {ANYONE: Cast(self.own.rules("rules"))})
        actors = self.company(row)
        return Scene(design, {}, actors.primary, actors.limit, actors.cast)

    def flat_scene(self) -> Scene:
        """Plain last match on a flat list; aliases only for the visibility of tools."""
        if "rules" not in self.own:
            raise Unsupported("semantics `rules` without a list of rules")
        row = release(DEFAULT)
        design = with_spawn_rules_of(row, matcher=self.matcher(row.matcher), persisted=True)
        return Scene(design, {ANYONE: Cast(self.own.rules("rules"))})

    def row(self) -> Release:
        """The release whose class of spawn rules is meant."""
        system, _, _ = self.semantics.partition("@")
        if system != "opencode":
            raise Unsupported(f"semantics `{self.semantics}`")
        try:
            row = release(self.semantics)
            model(row.model)
        except InputError as error:
            raise Unsupported(f"semantics `{self.semantics}`") from error
        return row

    def company(self, row: Release) -> Company:
        """The agents of the check's configuration, else of the report's."""
        sorted_keys = self.own.flag("top_keys_sorted", default=False)
        source = self.own if "config" in self.own else self.case
        try:
            return company(source.mapping("config"), reading_row(row, sorted_keys=sorted_keys))
        except InputError as error:
            raise Unsupported(f"configuration: {error.message}") from error

    def matcher(self, matcher: Matcher) -> Matcher:
        """Case does not matter on Windows; before backslashes were slashes, it did (1.3, W2)."""
        if not self.own.flag("slash_normalised", default=True):
            return W1
        windows = self.own.text("os", "linux") == "win32"
        return release(DEFAULT).windows_matcher if windows else matcher

    # --- the story ---

    def asked(self, stage: Stage) -> Asked:
        """The decision, or whether the tool is hidden, at the end of the story."""
        session = self.session(stage)
        if "visible_tool" in self.own:
            return stage.design.hidden(session, stage.tool_named(self.own.text("visible_tool")))
        query = Query.of(self.own.text("permission"), self.own.text("pattern", "*"))
        if "approved" in self.own:
            return stage.design.decide_with(session, query, approved(self.own.rules("approved")))
        return stage.design.decide(session, query)

    def session(self, stage: Stage) -> Session:
        """The session that decides."""
        if "rules" in self.own:
            return stage.opened(ANYONE, self.own.rules("root_session"))
        rules = (self.own if "root_session" in self.own else self.case).rules("root_session")
        if "resume" not in self.own:
            return chain(stage, self.own.texts("chain"), rules)
        resume = self.own.inner("resume")
        child = chain(stage, resume.texts("created_by_chain"), rules)
        return stage.resume(child.caller or child, child, resume.text("resumed_as"))
