"""The questions for string solvers say what downset answers."""

from __future__ import annotations

import pytest
import z3

from bench.answering import make_downset
from bench.lists import compared
from bench.questions import Question, dead, many_stars, witnesses
from bench.smt import FORMS, script

QUESTIONS = [*witnesses(6, 4), *dead(6, 4), many_stars(3)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
def test_both_ways_of_asking_agree_with_downset(question: Question, form: str) -> None:
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", 5_000)
    solver.from_string(script(question, form))
    said = str(solver.check())
    own, _ = make_downset()(question, 1.0)
    assert said in {own, "unknown"}


def test_the_optional_tail_is_asked_about() -> None:
    ls = (("ls *", "deny"), ("ls ?*", "allow"), ("ls ", "allow"))
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script(Question("tail", "dead", (ls,), 1), "split"))
    assert str(solver.check()) == "sat"
    assert make_downset()(Question("tail", "dead", (ls,), 1), 1.0)[0] == "sat"


def test_questions_are_the_same_every_time() -> None:
    assert witnesses(20, 3) == witnesses(20, 3)
    question = dead(20, 3)[1]
    assert Question.of(question.plain()) == question


def test_no_answer_counts_as_the_time_it_took_and_nothing_as_a_contradiction() -> None:
    own = [
        {"said": "sat", "seconds": 0.1, "memory": 1},
        {"said": "unknown", "seconds": 1, "memory": 1},
    ]
    slow = [{"said": "unknown", "seconds": 5.0, "memory": 2}] * 2
    wrong = [{"said": "unsat", "seconds": 0.2, "memory": 3}] * 2
    assert compared(own, [slow])["ratio"] == pytest.approx(50)
    found = compared(own, [slow, wrong])
    assert (found["ratio"], found["differ"]) == (pytest.approx(2), 1)
    assert "skipped" in compared(own, [])
