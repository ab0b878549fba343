"""Checking certificates: nothing that they say is believed, and Z3 is not asked.

Every entry of the manifest is derived once more from the design, the property and the argument
that it names, every script is compared with the one that follows from them, every witness is
replayed on real rules, and cvc5 decides every script.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from downset.errors import InputError
from downset.prove.certificate import Claimed
from downset.prove.forms import argument_of, assignment_of, exclusion_of, script_of, text
from downset.prove.grounds import groundless
from downset.prove.manifest import NAME, SCHEMA, digest_of, property_record
from downset.prove.refuting import Refutation
from downset.prove.stories import Stories
from downset.prove.theorem_certificate import EVERY_DESIGN, Page
from downset.prove.theorems import statements
from downset.verdicts import Rechecked, Status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from downset.design.design import Design
    from downset.design.property import Property
    from downset.prove.cvc5_solver import Answer
    from downset.prove.forms import Form
    from downset.prove.sources import Sources
    from downset.prove.theorems import Statement

MOST_SHOWN = 60
MALFORMED = (AttributeError, IndexError, KeyError, TypeError, ValueError)


class Decide(Protocol):
    """A solver that reads SMT-LIB."""

    def __call__(self, text: str, seconds: float) -> Answer:
        """What it says to a script."""


@dataclass(frozen=True)
class Rechecker:
    """Checks the entries of one manifest; `timeout` is in seconds, for each script."""

    folder: Path
    manifest: Form
    decide: Decide
    timeout: float = 60.0

    def overall(self, digest: str | None = None) -> Rechecked:
        """What is wrong with the manifest as a whole; `digest` is the one it should have."""
        try:
            problems = tuple(self._overall(digest))
        except MALFORMED as error:
            problems = (f"{NAME} is malformed: {type(error).__name__}: {error}",)
        return Rechecked("", "", "", "rejected" if problems else "accepted", 0, problems)

    def _overall(self, digest: str | None) -> Iterator[str]:
        whole = self.manifest
        if whole.get("schema") != SCHEMA:
            yield f"{NAME} is not of the schema `{SCHEMA}`"
            return
        if whole["digest"] != digest_of(whole):
            yield f"{NAME} was changed: its digest is not `{whole['digest']}`"
        if digest is not None and digest != whole["digest"]:
            yield f"this is not the certificate with the digest `{digest}`"
        asked = [(m["id"], p["id"]) for m in whole["models"] for p in whole["properties"]]
        found = [(entry["model"], entry["property"]) for entry in whole["verdicts"]]
        if sorted(asked) != sorted(found):
            lost = sorted(set(asked) - set(found))
            yield f"not every pair has one verdict: {len(found)} for {len(asked)} pairs {lost[:1]}"
        titles, known = [t["title"] for t in whole["theorems"]], [s.title for s in statements()]
        if titles not in ([], known):
            yield f"these are not the theorems: {titles}"
        entries = [*whole["verdicts"], *whole["theorems"]]
        named = {o["file"] for entry in entries for o in entry["obligations"]}
        for file in sorted(self.folder.glob("*.smt2")):
            if file.name not in named:
                yield f"{file.name}: no verdict mentions this file"

    @property
    def readable(self) -> bool:
        """Whether there are entries that can be looked at, whatever is wrong with the rest."""
        entries = self.manifest.get("verdicts")
        mine = self.manifest.get("schema") == SCHEMA and isinstance(entries, list)
        return mine and all(isinstance(entry, dict) for entry in entries or ())

    @property
    def theorems(self) -> int:
        """How many theorems there are to look at."""
        found = self.manifest.get("theorems")
        return min(len(found), len(statements())) if isinstance(found, list) else 0

    def entry(self, place: int, sources: Sources) -> Rechecked:
        """What became of the entry at a place of the manifest.

        Raises `InputError` if it is about a file that was not given.
        """
        entry = self.manifest["verdicts"][place]
        begun = perf_counter()
        try:
            design = sources.model(entry["model"])
            claimed = claimed_of(entry, design, sources.property(entry["property"]))
            problems = tuple(self._problems(entry, claimed))
            count = len(claimed.sheets)
        except MALFORMED as error:
            problems = (f"the entry is malformed: {type(error).__name__}: {error}",)
            count = 0
        except InputError as error:
            if error.id == "no-source":
                raise
            problems, count = (error.message,), 0
        outcome = "rejected"
        if not problems:
            outcome, problems = self._decided(claimed)
        return Rechecked(
            text_or_nothing(entry, "model"),
            text_or_nothing(entry, "property"),
            text_or_nothing(entry, "verdict"),
            outcome,
            count,
            problems,
            perf_counter() - begun,
        )

    def theorem(self, place: int) -> Rechecked:
        """What became of the theorem at a place of the manifest."""
        begun, statement = perf_counter(), statements()[place]
        try:
            page = page_of(self.manifest["theorems"][place], statement)
            scripts = page.scripts()
            problems = (*unlike(self.manifest["theorems"][place], page.entry()), *page.groundless())
            problems += tuple(p for name in scripts for p in self._changed(name, scripts[name]))
        except MALFORMED as error:
            problems = (f"the entry is malformed: {type(error).__name__}: {error}",)
            scripts = {}
        outcome = "rejected"
        if not problems:
            outcome, problems = self._answered({name: (t, "unsat") for name, t in scripts.items()})
        seconds, name = perf_counter() - begun, f"theorem `{statement.title}`"
        proved = Status.PROVED.value
        return Rechecked(EVERY_DESIGN, name, proved, outcome, len(scripts), problems, seconds)

    def _problems(self, entry: Form, claimed: Claimed) -> Iterator[str]:
        yield from unlike(self._records(claimed, "models"), claimed.model_record)
        recorded = self._records(claimed, "properties")
        yield from unlike(recorded, property_record(claimed.stories.prop))
        yield from unlike(entry, claimed.entry())
        yield from groundless(claimed)
        for sheet in claimed.sheets:
            yield from self._changed(sheet.name, sheet.text)

    def _records(self, claimed: Claimed, kind: str) -> Form:
        wanted = claimed.stories.design.id if kind == "models" else claimed.stories.prop.id
        found: list[Form] = [r for r in self.manifest[kind] if r["id"] == wanted]
        return found[0]

    def _changed(self, name: str, expected: str) -> Iterator[str]:
        try:
            found = (self.folder / name).read_bytes()
        except OSError as error:
            yield f"{name}: {error.strerror}"
            return
        if found != expected.encode("utf-8"):
            yield f"{name}: this is not what the model, the property and the argument lead to"

    def _decided(self, claimed: Claimed) -> tuple[str, tuple[str, ...]]:
        asked = {sheet.name: (sheet.text, sheet.obligation.expected) for sheet in claimed.sheets}
        return self._answered(asked)

    def _answered(self, asked: Mapping[str, tuple[str, str]]) -> tuple[str, tuple[str, ...]]:
        """What comes of deciding scripts, each with the answer that is expected."""
        open_ones = []
        for name, (script, expected) in asked.items():
            answer = self.decide(script, self.timeout)
            if answer.said == "unknown":
                open_ones.append(f"{name}: cvc5 gave up: {answer.reason}")
            elif answer.said != expected:
                return "rejected", (f"{name}: cvc5 says {answer.said}, not {expected}",)
        return ("undetermined" if open_ones else "accepted"), tuple(open_ones)


def claimed_of(entry: Form, design: Design, prop: Property) -> Claimed:
    """What an entry claims. Raises one of `MALFORMED` if it has no such form."""
    asked = entry["asked"]
    stories = Stories(design, prop, None if asked is None else tuple(map(text, asked)))
    witness, refuted = entry["premise"], entry["refutation"]
    return Claimed(
        stories,
        Status(entry["verdict"]),
        text(entry["reason"]),
        argument_of(entry["argument"]),
        witness and (script_of(witness["told"], stories), assignment_of(witness["given"])),
        refuted and refutation_of(refuted, stories),
        {
            place: tuple(map(exclusion_of, obligation["excluded"]))
            for place, obligation in enumerate(entry["obligations"])
        },
    )


def page_of(entry: Form, statement: Statement) -> Page:
    """A theorem with what an entry excludes. Raises one of `MALFORMED` if it has no such form."""
    excluded = [tuple(map(exclusion_of, o["excluded"])) for o in entry["obligations"]]
    return Page(statement, {place: found for place, found in enumerate(excluded) if found})


def refutation_of(form: Form, stories: Stories) -> Refutation:
    """A refutation, read back; the story that it tells is told anew."""
    result = tuple((text(name), text(value)) for name, value in form["result"].items())
    script = script_of(form["told"], stories)
    return Refutation(script, assignment_of(form["given"]), result)


def unlike(recorded: object, derived: object, where: str = "") -> Iterator[str]:
    """The first place at which what is recorded is not what is derived."""
    if isinstance(recorded, dict) and isinstance(derived, dict):
        pairs = [(key, recorded.get(key), derived.get(key)) for key in {**derived, **recorded}]
    elif isinstance(recorded, list) and isinstance(derived, list):
        longest = max(len(recorded), len(derived))
        padded = [[*side, *[None] * (longest - len(side))] for side in (recorded, derived)]
        pairs = [(place, *pair) for place, pair in enumerate(zip(*padded, strict=True))]
    else:
        if type(recorded) is not type(derived) or recorded != derived:
            yield f"{where or 'it'} is {shown(recorded)} and should be {shown(derived)}"
        return
    for key, one, two in pairs:
        found = next(unlike(one, two, f"{where}.{key}" if where else str(key)), None)
        if found is not None:
            yield found
            return


def shown(value: object) -> str:
    """A value, shortened."""
    said = repr(value)
    return said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…"


def text_or_nothing(entry: Mapping[str, Any], key: str) -> str:
    """A text of an entry, if it is one."""
    value = entry.get(key)
    return value if isinstance(value, str) else ""
