"""Every kind of argument is certified, and a weaker one in its place is rejected."""

# ruff: noqa: ARG002 -- designs have the parameters of the methods that they override

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import pytest

from downset.catalogue import load_model, load_properties
from downset.cli import main
from downset.design.design import Design, Resume
from downset.design.property import Claim, claims
from downset.design.rendering import Field, Rendering
from downset.language.rules import ALLOW
from downset.language.terms import TRUE, Matches
from downset.language.vocabulary import action, among, denied, text
from downset.prove.certificate import Claimed
from downset.prove.certifying import certificate, certified
from downset.prove.cvc5_solver import worker
from downset.prove.manifest import manifest
from downset.prove.problem import NoRuleText, NoVariableText
from downset.prove.recheck import Rechecker, claimed_of
from downset.prove.stories import Stories
from downset.verdicts import Status

if TYPE_CHECKING:
    from pathlib import Path

    from downset.design.property import Property
    from downset.design.sessions import Agent, Config, Session
    from downset.design.story import Story
    from downset.language.terms import Word
    from downset.prove.sources import Sources
    from downset.verdicts import Certificate, Rechecked

PROPERTIES = load_properties()


class Carries(Design):
    """A session's denies are carried; a resume takes over everything of the caller."""

    id = "test/carries"
    resumable = Resume.OWN_CHILDREN

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return caller.stored.where(denied)

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        return self.effective(caller)


class Chained(Design):
    """A deny is carried if a rule with its permission has the pattern of another, and so on."""

    id = "test/chained"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        linked = caller.stored.where(among(caller.stored, "permission", where=action == ALLOW))
        return caller.stored.where(denied & among(linked, "pattern"))


class Rendered(Carries):
    """A result whose name may have the separator in it."""

    id = "test/rendered"
    rendering = Rendering((Field("id"), " ", Field("text")))


@claims("test/in-common", "what is in `edit` and `bash` is also in `task`", formula="...")
def in_common(story: Story) -> Claim:
    """True only because no glob matches the two names and not the third."""
    stored = story.session().stored
    both = matching("edit") & matching("bash")
    return Claim(stored.any(both), ~stored.any(both & ~matching("task")))


@claims("test/apart", "a rule for `edit` is one for `bash`", formula="...")
def apart(story: Story) -> Claim:
    """False."""
    stored = story.session().stored
    return Claim(TRUE, ~stored.any(matching("edit") & ~matching("bash")))


def matching(name: str) -> Any:  # noqa: ANN401 -- a predicate
    return Matches(text(name, "permission"))


@dataclass(frozen=True)
class Given:
    """Sources that are at hand."""

    design: Design
    prop: Property

    def model(self, _name: str) -> Design:
        return self.design

    def property(self, _name: str) -> Property:
        return self.prop


def rechecked(made: Certificate, stories: Stories, folder: Path) -> Rechecked:
    """What becomes of a certificate when it is written and read."""
    for name, script in made.scripts.items():
        (folder / name).write_text(script, encoding="utf-8")
    whole = json.loads(json.dumps(manifest([made], "z3")))
    sources: Sources = Given(stories.design, stories.prop)  # type: ignore[assignment]
    return Rechecker(folder, whole, worker().ask).entry(0, sources)


KINDS = [
    (Carries(), "resume-safe", "combinations", Status.PROVED),
    (Chained(), "own-restriction-kept", "bound", Status.BOUNDED),
    (Chained(), "session-deny-inherited", "none", Status.VIOLATED),
    (Rendered(), "result-unforgeable", "none", Status.VIOLATED),
    (load_model("reference/ceiling"), "result-unforgeable", "dispatch", Status.PROVED),
    (load_model("baseline/independent"), "result-unforgeable", "none", Status.NOT_APPLICABLE),
]


@pytest.mark.parametrize(("design", "prop", "kind", "status"), KINDS)
def test_each_kind_is_certified(
    tmp_path: Path, design: Design, prop: str, kind: str, status: Status
) -> None:
    stories = Stories(design, PROPERTIES[prop])
    verdict = certified(stories)
    made = verdict.certificate
    assert made is not None
    entry: dict[str, Any] = json.loads(json.dumps(made.entry))
    assert (verdict.status, entry["argument"]["kind"]) == (status, kind)
    found = rechecked(made, stories, tmp_path)
    assert (found.outcome, found.problems) == ("accepted", ())
    assert found.obligations == len(made.scripts)


def test_a_combination_that_is_forgotten_is_missed(tmp_path: Path) -> None:
    stories = Stories(Carries(), PROPERTIES["resume-safe"])
    made = certified(stories).certificate
    assert made is not None
    claimed = claimed_of(json.loads(json.dumps(made.entry)), stories.design, stories.prop)
    fewer = replace(claimed.argument, states=claimed.argument.states[1:])
    found = rechecked(certificate(replace(claimed, argument=fewer)), stories, tmp_path)
    assert found.outcome == "rejected"
    assert "cvc5 says sat, not unsat" in found.problems[0]


def test_what_no_strings_realise_is_excluded_and_searched_for_again(tmp_path: Path) -> None:
    stories = Stories(Carries(), in_common)
    verdict = certified(stories)
    made = verdict.certificate
    assert verdict.status is Status.PROVED
    assert made is not None
    entry: dict[str, Any] = json.loads(json.dumps(made.entry))
    excluded = [e for obligation in entry["obligations"] for e in obligation["excluded"]]
    assert excluded[0]["no"] == "text of a rule"
    assert rechecked(made, stories, tmp_path).outcome == "accepted"


def test_what_strings_may_realise_must_not_be_excluded(tmp_path: Path) -> None:
    """A claim that is false becomes `unsat` if enough is excluded; a recheck searches itself."""
    stories = Stories(Carries(), apart)
    proof = claim_of(stories)
    lexicon = proof.sheets[0].problem.encoder.lexicons
    choices = [
        NoRuleText(sort, (), number, bits, plain=True)
        for sort, words in lexicon.items()
        if words.names.targets
        for number in range(words.names.first_other + 3)
        for bits in [(True, False)]
    ]
    false = replace(proof, exclusions={0: choices})
    found = rechecked(certificate(false), stories, tmp_path)
    assert found.outcome == "rejected"
    assert any("strings may realise" in problem for problem in found.problems)


def claim_of(stories: Stories) -> Claimed:
    """A claim that something false is proved."""
    made = certified(Stories(stories.design, in_common)).certificate
    assert made is not None
    return claimed_of(json.loads(json.dumps(made.entry)), stories.design, stories.prop)


def test_what_is_excluded_of_variables_is_searched_for_too() -> None:
    stories = Stories(Carries(), PROPERTIES["session-deny-inherited"])
    sheet = Claimed(stories, Status.PROVED, argument=argument(stories)).sheets[0]
    for sort, lexicon in sheet.problem.encoder.lexicons.items():
        own = tuple(lexicon.names.number(variable) for variable in lexicon.names.variables)
        atoms = tuple(False for _ in lexicon.atoms)
        spellings = tuple(False for _ in lexicon.spellings)
        assert not sheet.problem.certain(NoVariableText(sort, own, atoms, spellings))


def argument(stories: Stories) -> Any:  # noqa: ANN401 -- an argument
    made = certified(stories).certificate
    assert made is not None
    return claimed_of(json.loads(json.dumps(made.entry)), stories.design, stories.prop).argument


OWN_MODEL = '''
"""Every deny of the caller stands behind the callee's own rules."""

from downset.modelling import Agent, Config, Design, Session, Word, denied


class Mine(Design):
    """Carry all denies of the caller."""

    id = "mine/denies"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        return (caller.agent.rules + caller.stored).where(denied)
'''


def test_a_model_of_ones_own_is_checked_with_its_very_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, folder = tmp_path / "mine.py", tmp_path / "proof"
    file.write_text(OWN_MODEL)
    asked = ["--property", "no-escalation", "--certificate", str(folder)]
    assert main(["prove", str(file), *asked]) == 0
    assert main(["recheck", str(folder), "--jobs", "1", "--model", str(file)]) == 0
    assert main(["recheck", str(folder), "--jobs", "1"]) == 2
    assert "error[no-source]" in capsys.readouterr().err
    file.write_text(OWN_MODEL + "\nraise SystemExit  # never run\n")
    assert main(["recheck", str(folder), "--jobs", "1", "--model", str(file)]) == 2


def test_a_property_of_ones_own_is_checked_with_its_very_file(tmp_path: Path) -> None:
    file, folder = tmp_path / "props.py", tmp_path / "proof"
    file.write_text(
        "from downset.modelling import TRUE, Claim, claims\n\n"
        '@claims("mine/fine", "all is well", formula="true")\n'
        "def fine(story):\n"
        "    story.session()\n"
        "    return Claim(TRUE, TRUE)\n"
    )
    own = ["--properties-file", str(file)]
    asked = [*own, "--property", "mine/fine", "--certificate", str(folder)]
    assert main(["prove", "baseline/independent", *asked]) == 0
    assert main(["recheck", str(folder), "--jobs", "1", *own]) == 0
    assert main(["recheck", str(folder), "--jobs", "1"]) == 2


def test_narrower_events_are_certified_as_such(tmp_path: Path) -> None:
    stories = Stories(
        load_model("opencode/1.17.2"), PROPERTIES["session-deny-inherited"], ("spawn",)
    )
    made = certified(stories).certificate
    assert made is not None
    assert rechecked(made, stories, tmp_path).outcome == "accepted"
    assert made.entry["asked"] == ["spawn"]
