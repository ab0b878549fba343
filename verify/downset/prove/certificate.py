"""The certificate of one verdict: everything that it rests on, for another solver to decide.

It is derived from the claim alone: the stories, the kind of verdict, the argument, the witnesses
and the excluded choices. The prover derives it to write it, a rechecker to compare.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import quote

from downset.design.property import premise, violation
from downset.language.terms import FALSE
from downset.prove.argument import DEEPEST, Argument, Obligation, about
from downset.prove.cutoff import explained
from downset.prove.deciding import lengths
from downset.prove.forms import argument_form, assignment_form, exclusion_form, script_form
from downset.prove.manifest import model_record
from downset.prove.paths import Told
from downset.prove.problem import Problem
from downset.prove.rendering import forged, rendering_of
from downset.prove.smtlib import Section, script
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.design.property import Claim
    from downset.language.concrete import Assignment
    from downset.language.terms import Input
    from downset.prove.forms import Form
    from downset.prove.letters import Lexicon
    from downset.prove.problem import Exclusion
    from downset.prove.refuting import Refutation
    from downset.prove.replay import Script
    from downset.prove.stories import Stories


@dataclass(frozen=True)
class Claimed:
    """What a verdict claims, and the little that its certificate cannot be derived without.

    `exclusions` are by the place of the obligation that needs them.
    """

    stories: Stories
    status: Status
    reason: str = ""
    argument: Argument = field(default_factory=lambda: Argument("none"))
    premise: tuple[Script, Assignment] | None = None
    refutation: Refutation | None = None
    exclusions: Mapping[int, Sequence[Exclusion]] = field(default_factory=dict)

    @cached_property
    def sheets(self) -> list[Sheet]:
        """One sheet for each obligation."""
        return [
            Sheet(self, obligation, place, tuple(self.exclusions.get(place, ())))
            for place, obligation in enumerate(self.obligations())
        ]

    @cached_property
    def model_record(self) -> Form:
        """Which file the model is, and what is in it."""
        return model_record(self.stories.design)

    def obligations(self) -> list[Obligation]:
        """Those of the argument, then the witnesses."""
        found = list(self.argument.obligations(self.stories))
        if self.premise is not None:
            told = retold(self.premise[0])
            happens = premise(told.story, told.result)
            found.append(about("the premise can happen", told, happens, "sat"))
        if self.refutation is not None:
            told = retold(self.refutation.script)
            found.append(self._refuting(told))
        return found

    def _refuting(self, told: Told[Claim]) -> Obligation:
        part = "the story refutes it"
        if self.refutation is not None and self.refutation.result:
            rendering = rendering_of(told.script)
            return Obligation(part, told.script, FALSE, "sat", rendering=rendering)
        return about(part, told, violation(told.story, told.result), "sat")

    def entry(self) -> Form:
        """What the manifest says of the verdict."""
        refuted = self.refutation
        return {
            "model": self.stories.design.id,
            "property": self.stories.prop.id,
            "asked": None if self.stories.asked is None else list(self.stories.asked),
            "verdict": self.status.value,
            "reason": self.reason,
            "scope": self.scope(),
            "argument": argument_form(self.argument),
            "premise": None if self.premise is None else witness_form(*self.premise),
            "refutation": None if refuted is None else refutation_form(refuted),
            "obligations": [sheet.form() for sheet in self.sheets],
        }

    def scope(self) -> Form:
        """What the verdict quantifies over, by its obligations."""
        found: dict[str, int] = {}
        for sheet in self.sheets:
            for name, count in sheet.lengths.items():
                found[name] = max(count, found.get(name, 0))
        limited = any(sheet.bounded for sheet in self.sheets)
        bounded = self.status is Status.BOUNDED
        most = f"up to {max(found.values(), default=0)} rules each" if limited else "any length"
        return {
            "rules": most if bounded else "any length",
            "depth": f"up to {DEEPEST + 1}" if bounded else "any",
            "events": list(self.stories.events),
            "cutoff": dict(sorted(found.items())),
            "argument": self.argument.sentence(self.stories),
        }

    def files(self) -> dict[str, str]:
        """The scripts, by their names."""
        return {sheet.name: sheet.text for sheet in self.sheets}


@dataclass
class Sheet:
    """One obligation of a certificate: a script, and what is said of it."""

    claimed: Claimed
    obligation: Obligation
    place: int
    exclusions: tuple[Exclusion, ...] = ()

    @cached_property
    def measured(self) -> tuple[dict[Input, int], str]:
        """How many rules of each input are enough, and why nothing is, if so."""
        return lengths(self.obligation.formula)

    @property
    def lengths(self) -> dict[str, int]:
        """How many rules of each input are enough."""
        return {word.name: count for word, count in self.measured[0].items()}

    @property
    def bounded(self) -> str:
        """Why an answer would hold only up to a bound; empty if it does not."""
        return self.obligation.bounded or self.measured[1]

    @cached_property
    def problem(self) -> Problem:
        """The obligation, encoded."""
        return Problem(
            self.obligation.formula, self.measured[0], self.claimed.stories.design.matcher
        )

    @property
    def name(self) -> str:
        """The name of its file."""
        stories = self.claimed.stories
        parts = plain(stories.design.id), plain(stories.prop.id), f"{self.place + 1:02}"
        return ".".join([*parts, "smt2"])

    @cached_property
    def text(self) -> str:
        """The script, with what it is about in front."""
        status, rendering = self.obligation.expected, self.obligation.rendering
        if rendering is not None:
            section = Section("what would be misread", [forged(rendering)])
            return script([section], status, self.header())
        return self.problem.script(status, self.exclusions, self.header())

    def header(self) -> list[str]:
        """What the script is about."""
        stories, expected = self.claimed.stories, self.obligation.expected
        about_it = {
            "model": f"{stories.design.id}, SHA-256 {self.claimed.model_record['sha256']}",
            "property": f"{stories.prop.id}: {stories.prop.sentence}",
            "events": ", ".join(stories.events),
            "part": self.obligation.part,
            "told of": self.obligation.script.reach.value,
            "way": ", ".join(f"{name}: {way}" for name, way in self.obligation.way),
            "expected": expected,
            "rules": ", ".join(f"{name} {count}" for name, count in self.lengths.items()),
        }
        lines = [f"{key}: {ascii_only(value)}" for key, value in about_it.items() if value]
        return [*lines, *(line for lexicon in self.lexicons() for line in vocabulary(lexicon))]

    def lexicons(self) -> list[Lexicon]:
        """The texts of the obligation, of both sorts."""
        rendering = self.obligation.rendering is not None
        return [] if rendering else list(self.problem.encoder.lexicons.values())

    def form(self) -> Form:
        """What the manifest says of the obligation."""
        return {
            "file": self.name,
            "sha256": digest(self.text),
            "expected": self.obligation.expected,
            "part": self.obligation.part,
            "told": script_form(self.obligation.script),
            "way": dict(self.obligation.way),
            "bounded": self.bounded,
            "rulesets": [row.form() for row in explained(self.obligation.formula)],
            "texts": {lexicon.sort.value: texts_form(lexicon) for lexicon in self.lexicons()},
            "excluded": [exclusion_form(exclusion) for exclusion in self.exclusions],
        }


def retold(script: Script) -> Told[Claim]:
    """A story told once more, with its claim."""
    story = script.story()
    return Told(script, story, script.prop.claim(story))


def witness_form(script: Script, given: Assignment) -> Form:
    """A story and the rules and texts in it."""
    return {"told": script_form(script), "given": assignment_form(given)}


def refutation_form(found: Refutation) -> Form:
    """A refutation, with the story that is shown to people."""
    trace = json.loads(json.dumps(asdict(found.counterexample())))
    form = witness_form(found.script, found.given)
    return {**form, "result": dict(found.result), "trace": trace}


def vocabulary(lexicon: Lexicon) -> list[str]:
    """What the numbers of a sort's texts mean, and its match bits."""
    names, sort = lexicon.names, lexicon.sort.value
    known = [*map(json.dumps, names.constants)]
    known += [f"own text of {ascii_only(text.variable or '')}" for text in names.variables]
    numbers = ", ".join(f"{number} {text}" for number, text in enumerate(known))
    shown = [f"{sort} numbers: {numbers}" if known else f"{sort} numbers:"]
    shown[0] += f"{',' if known else ''} {names.first_other} and above: texts that nothing names"
    targets = ", ".join(
        f"~{place} {text}" for place, text in enumerate(texts_form(lexicon)["queried"])
    )
    return [*shown, f"{sort} match bits: {targets}"] if targets else shown


def texts_form(lexicon: Lexicon) -> Form:
    """The texts of one sort that an obligation mentions."""
    names = lexicon.names
    queried = [
        json.dumps(text.literal) if text.variable is None else ascii_only(text.variable)
        for text in names.targets
    ]
    variables = [text.variable for text in names.variables]
    globs = [
        f"{ascii_only(text.variable or '')} ~ {json.dumps(glob)}" for glob, text in lexicon.atoms
    ]
    return {
        "constants": names.constants,
        "variables": variables,
        "queried": queried,
        "atoms": globs,
    }


def plain(name: str) -> str:
    """A name as part of a file's name, different names differently.

    >>> plain("opencode/1.17.2"), plain("a_b")
    ('opencode_1.17.2', 'a%5Fb')
    """
    return quote(name, safe="/").replace("_", "%5F").replace("/", "_")


def ascii_only(text: str) -> str:
    r"""A text in one line of plain letters.

    >>> ascii_only("a\nb")
    'a\\nb'
    """
    return json.dumps(text)[1:-1].replace('\\"', '"')


def digest(text: str) -> str:
    """The SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
