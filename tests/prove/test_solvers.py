"""Z3, cvc5 and both: the same answers, and what becomes of those that differ or never come."""

from __future__ import annotations

import pickle
import sys
import time
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import strategies

from downset.catalogue import load_model, load_properties
from downset.cli import main
from downset.commands.settings import Settings
from downset.errors import InputError
from downset.language.matching import W2
from downset.language.rules import ALLOW
from downset.language.terms import Input
from downset.language.vocabulary import action, denied
from downset.prove import cvc5_solver
from downset.prove.cvc5_solver import Cvc5, Worker, worker
from downset.prove.deciding import Ledger
from downset.prove.logic import Expr, Values, boolean, conj, disj, equal, neg, vector
from downset.prove.prover import prove
from downset.prove.query import Query
from downset.prove.smtlib import Section, script
from downset.prove.solver import Both, SolversDisagree, Undecided, make_solver, version_of
from downset.verdicts import Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from downset.language.terms import Formula
    from downset.prove.logic import Bool

PROPERTIES = load_properties()
A, B = boolean("a"), boolean("b")
STRANGE = ["a|b", "100%", "back\\slash", ".hidden", "@at", "two\nlines", '"word"', "ü", "%0", "d0"]
QUIET = 'import sys; sys.stdin.readline(); sys.stdout.write("{0}"); sys.stdout.flush(); {1}'


class Fake:
    """A solver that always gives the same answer."""

    def __init__(self, answer: Values | Undecided | None) -> None:
        self.answer = answer

    def add(self, *conditions: Bool) -> None:
        """Take anything."""

    def at_most(self, parts: Sequence[Bool], count: int) -> None:
        """Take anything."""

    def check(self, seconds: float, *assumed: Bool) -> Values | None:
        """Answer."""
        del seconds, assumed
        if isinstance(self.answer, Undecided):
            raise self.answer
        return self.answer


SAT, UNSAT, UNKNOWN = Fake(Values({})), Fake(None), Fake(Undecided("tired"))


@pytest.mark.parametrize("name", ["cvc5", "both"])
@pytest.mark.parametrize(
    ("model", "prop"),
    [
        ("opencode/1.17.2", "session-deny-inherited"),
        ("opencode/1.17.2", "agent-deny-inherited"),
        ("pawwork/1132", "recursion-guard"),
        ("reference/ceiling", "result-unforgeable"),
        ("opencode/2.0", "resume-safe"),
    ],
)
def test_the_verdict_does_not_depend_on_the_solver(model: str, prop: str, name: str) -> None:
    design = load_model(model)
    expected = prove(design, PROPERTIES[prop])
    found = prove(design, PROPERTIES[prop], solver=name)
    assert found.status is expected.status
    assert found.scope.argument == expected.scope.argument


@settings(max_examples=60)
@given(strategies.formulas())
def test_both_decide_any_formula_alike(formula: Formula) -> None:
    lengths = Ledger(20.0).lengths(formula)
    if sum(lengths.values()) <= 8:
        try:
            Query(formula, lengths, W2, 20.0, "both").solve()
        except Undecided:
            return


def test_fewer_rules_are_found_by_cvc5_too() -> None:
    word = Input("S")
    query = Query(word.any(denied) & word.any(action == ALLOW), {word: 4}, W2, name="cvc5")
    query.at_most(2)
    found = query.solve()
    assert found is not None
    assert len(found.inputs["S"]) == 2
    query.at_most(1)
    assert query.solve() is None


@settings(max_examples=30)
@given(st.lists(st.booleans(), max_size=6), st.integers(0, 4))
def test_at_most_counts(chosen: list[bool], count: int) -> None:
    made = Cvc5()
    parts = [boolean(f"p{place}") for place in range(len(chosen))]
    made.at_most(parts, count)
    values = Values({f"p{place}": value for place, value in enumerate(chosen)})
    assert all(values.holds(condition) for condition in made.asserted) == (sum(chosen) <= count)


@pytest.mark.parametrize("name", STRANGE)
def test_names_of_any_kind_come_back(name: str) -> None:
    for each in ("z3", "cvc5"):
        made = make_solver(each)
        made.add(equal(vector(name), -3), neg(boolean(name + "'")))
        found = made.check(10.0)
        assert found is not None
        assert found.number(vector(name)) == -3
        assert not found.holds(boolean(name + "'"))


@pytest.mark.parametrize("text", [*STRANGE, "  two  spaces  " + 200 * "x ", 90 * " |"])
def test_strings_of_any_kind_come_back(text: str) -> None:
    known = Expr("constant", width=-1, value=text)
    for each in ("z3", "cvc5"):
        made = make_solver(each, strings=True)
        made.add(Expr("=", (Expr("variable", width=-1, value="s"), known)))
        found = made.check(10.0)
        assert found is not None
        assert found.chosen["s"] == text


def test_a_disagreement_is_an_error_of_its_own() -> None:
    both = Both({"one": SAT, "two": UNSAT})
    both.add(A)
    with pytest.raises(SolversDisagree) as caught:
        both.check(1.0, B)
    assert caught.value.id == "solver-disagreement"
    assert "one says sat, two says unsat" in caught.value.format()
    assert "(assert |a|)" in caught.value.script
    assert "(assert |b|)" in caught.value.script


def test_no_is_believed_only_if_both_say_so() -> None:
    assert Both({"one": UNSAT, "two": UNSAT}).check(1.0) is None
    for pair in ((UNSAT, UNKNOWN), (UNKNOWN, UNSAT), (UNKNOWN, UNKNOWN)):
        with pytest.raises(Undecided, match="tired"):
            Both(dict(zip("ab", pair, strict=True))).check(1.0)


def test_a_model_is_enough_from_one_because_it_is_replayed() -> None:
    for pair in ((SAT, UNKNOWN), (UNKNOWN, SAT)):
        assert Both(dict(zip("ab", pair, strict=True))).check(1.0) is SAT.answer


def test_a_disagreement_is_loud_and_keeps_the_formula(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def made(name: str, *, strings: bool = False) -> Both:
        del name, strings
        return Both({"z3": SAT, "cvc5": UNSAT})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("downset.prove.query.make_solver", made)
    command = ["prove", "baseline/independent", "--solver", "both", "--exit-zero"]
    assert main(command, Settings(apart=False)) == 2
    said = capsys.readouterr().err
    assert "error[solver-disagreement]" in said
    assert "the formula is in `solver-disagreement.smt2`" in said
    assert "(check-sat)" in (tmp_path / "solver-disagreement.smt2").read_text()


def test_a_disagreement_comes_out_of_another_process() -> None:
    sent = pickle.dumps(SolversDisagree({"z3": "sat", "cvc5": "unsat"}, "(script)"))
    error = pickle.loads(sent)  # noqa: S301 -- made here
    assert (error.script, error.id) == ("(script)", "solver-disagreement")
    assert "z3 says sat, cvc5 says unsat" in error.format()


@pytest.mark.parametrize(
    ("does", "reason", "seconds"),
    [
        ("raise SystemExit(3)", "ended, code 3", 30.0),
        ("import os; os.abort()", "ended, code -6", 30.0),
        ("import time; time.sleep(60)", "did not answer in time", 0.2),
    ],
)
def test_a_solver_that_dies_or_hangs_is_unknown(
    monkeypatch: pytest.MonkeyPatch, does: str, reason: str, seconds: float
) -> None:
    monkeypatch.setattr(cvc5_solver, "GRACE", 0.3)
    broken = Worker((sys.executable, "-c", QUIET.format("", does)))
    begun = time.monotonic()
    for _ in range(2):
        answer = broken.ask("(check-sat)", seconds)
        assert (answer.said, reason in answer.reason) == ("unknown", True), answer
    assert time.monotonic() - begun < 40


def test_a_solver_without_memory_is_unknown() -> None:
    tight = Worker((sys.executable, "-P", str(cvc5_solver.WORKER), str(64 << 20)))
    text = script([Section("", [boolean(f"p{place}") for place in range(20_000)])])
    answer = tight.ask(text, 20.0)
    assert answer.said == "unknown"
    assert answer.reason


def test_what_cvc5_cannot_read_is_unknown() -> None:
    answer = worker().ask("(assert |no such thing|)", 5.0)
    assert (answer.said, bool(answer.reason)) == ("unknown", True)


def test_time_runs_out_for_each_solver() -> None:
    holes = range(11)
    place = {(i, j): boolean(f"{i} in {j}") for i in range(12) for j in holes}
    pigeons: list[Bool] = [disj(place[i, j] for j in holes) for i in range(12)]
    pigeons += [
        neg(conj((place[i, j], place[k, j]))) for j in holes for i in range(12) for k in range(i)
    ]
    for name in ("z3", "cvc5"):
        made = make_solver(name)
        made.add(*pigeons)
        with pytest.raises(Undecided):
            made.check(0.2)


def test_a_formula_that_nobody_decides_is_an_unknown_verdict(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("downset.prove.query.make_solver", lambda _: UNKNOWN)
    verdict = prove(load_model("baseline/independent"), PROPERTIES["no-escalation"])
    assert (verdict.status, verdict.reason) == (Status.UNKNOWN, "tired")


def test_cvc5_is_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cvc5_solver, "find_spec", lambda _: None)
    for name in ("cvc5", "both"):
        with pytest.raises(InputError) as caught:
            make_solver(name)
        assert caught.value.id == "no-cvc5"
    assert main(["prove", "baseline/independent", "--solver", "cvc5"]) == 2


def test_versions_are_named() -> None:
    assert version_of("both") == f"{version_of('z3')} and {version_of('cvc5')}"
    assert version_of("cvc5").startswith("cvc5 1.")


def test_what_a_solver_was_asked_before_changes_no_model() -> None:
    def models() -> dict[str, object]:
        made = make_solver("z3")
        made.add(disj((A, B)))
        found = made.check(5.0)
        assert found is not None
        return dict(found.chosen)

    first = models()
    other = make_solver("z3")
    other.add(disj((B, A)), neg(A))
    other.check(5.0)
    assert models() == first
