"""From a verdict to its certificate: every obligation decided once more, every witness replayed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from downset.prove.blame import Blame
from downset.prove.certificate import Claimed
from downset.prove.manifest import property_record
from downset.prove.prover import prove_with_evidence
from downset.prove.query import Query, Undecided
from downset.prove.refuting import ReadingsDiffer
from downset.prove.rendering import misread
from downset.prove.replay import replay
from downset.verdicts import Certificate, Status

if TYPE_CHECKING:
    from downset.prove.certificate import Sheet
    from downset.prove.prover import Evidence
    from downset.prove.stories import Stories
    from downset.verdicts import Verdict


def certified(stories: Stories, *, timeout: float = 30.0, solver: str = "z3") -> Verdict:
    """The verdict about some stories, with its certificate.

    What cannot be decided once more is `unknown`. Raises as `prove` does, and `ReadingsDiffer` if
    a witness is not confirmed.

    >>> from downset.catalogue import load_model, load_properties
    >>> from downset.prove.stories import Stories
    >>> model, prop = load_model("baseline/independent"), load_properties()["gates-agree"]
    >>> sorted(certified(Stories(model, prop)).certificate.scripts)[0]
    'baseline_independent.gates-agree.01.smt2'
    """
    verdict, evidence = prove_with_evidence(stories, timeout=timeout, solver=solver)
    claimed = claim(stories, verdict, evidence)
    try:
        with Blame(stories.design, stories.prop):
            confirm(claimed, timeout, solver)
    except Undecided as reason:
        said = f"it was decided, and could not be certified: {reason}"
        verdict = replace(verdict, status=Status.UNKNOWN, reason=said, counterexample=None)
        claimed = Claimed(stories, Status.UNKNOWN, said)
    return replace(verdict, certificate=certificate(claimed))


def certificate(claimed: Claimed) -> Certificate:
    """Everything that a claim rests on, as it is written down."""
    prop = property_record(claimed.stories.prop)
    return Certificate(claimed.model_record, prop, claimed.entry(), claimed.files())


def claim(stories: Stories, verdict: Verdict, evidence: Evidence) -> Claimed:
    """What a verdict claims, by what it rests on."""
    if verdict.status in {Status.NOT_APPLICABLE, Status.UNKNOWN}:
        return Claimed(stories, verdict.status, verdict.reason)
    return Claimed(
        stories,
        verdict.status,
        verdict.reason,
        evidence.argument,
        evidence.premise if verdict.status is not Status.VIOLATED else None,
        evidence.refutation,
    )


def confirm(claimed: Claimed, timeout: float, solver: str) -> None:
    """Replay the witnesses, and find what has to be excluded from each obligation.

    Raises `Undecided` if that fails, `ReadingsDiffer` if something is not as the prover said.
    """
    if claimed.premise is not None and not replay(*claimed.premise).happens:
        message = f"{claimed.stories.prop.id}: the replay does not confirm that the premise happens"
        raise ReadingsDiffer(message)
    for sheet in claimed.sheets:
        if answer(sheet, timeout, solver) != sheet.obligation.expected:
            message = f"{sheet.name}: the solver's answer is not the one that it gave before"
            raise ReadingsDiffer(message)


def answer(sheet: Sheet, timeout: float, solver: str) -> str:
    """The solver's answer to one obligation; notes what was excluded on the way to a `no`."""
    obligation = sheet.obligation
    if obligation.rendering is not None:
        return "unsat" if misread(obligation.rendering, timeout, solver) is None else "sat"
    problem = sheet.problem
    query = Query(
        obligation.formula, problem.lengths, problem.matcher, timeout, solver, encoded=problem
    )
    if query.solve() is not None:
        return "sat"
    sheet.exclusions = tuple(query.exclusions)
    return "unsat"
