"""One tool in a process of its own: `python -m bench.answering TOOL` reads questions, a line each.

An answer has `said` (`sat`, `unsat` or `unknown`), `seconds` with the reading of the question
left out, and `memory`, the most that the process ever had, in bytes.
"""

from __future__ import annotations

import json
import resource
import sys
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final

from bench.questions import Question
from bench.smt import script

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = tuple[str, float]
Tool = "Callable[[Question, float], Answer]"


def main(tool: str, memory: int) -> None:
    """Answer until there are no more questions."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    answer = TOOLS[tool]()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for line in sys.stdin:
        asked: dict[str, Any] = json.loads(line)
        said, seconds = answer(Question.of(asked["question"]), asked["seconds"])
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        sys.stdout.write(json.dumps({"said": said, "seconds": seconds, "memory": most}) + "\n")
        sys.stdout.flush()


def make_downset() -> Callable[[Question, float], Answer]:
    """The searches of `downset check`, with its own budget in place of a time limit."""
    from downset.language import dead, lists  # noqa: PLC0415 -- only this process needs it
    from downset.language.automata import SearchLimit  # noqa: PLC0415
    from downset.language.kinds import TEXT  # noqa: PLC0415
    from downset.language.matching import W2  # noqa: PLC0415
    from downset.language.rules import DENY, Action  # noqa: PLC0415

    def answer(question: Question, _seconds: float) -> Answer:
        begun = perf_counter()
        made = [
            lists.GlobList.of(W2, tuple((glob, Action(action)) for glob, action in ls))
            for ls in question.lists
        ]
        if question.about == "dead":
            state = dead.fate(made[0], question.number, TEXT).state
            said = {dead.State.ALIVE: "sat", dead.State.UNKNOWN: "unknown"}.get(state, "unsat")
        else:
            try:
                found = lists.witness(made, ({DENY}, lists.NOT_DENY), TEXT)
                said = "unsat" if found is None else "sat"
            except SearchLimit:
                said = "unknown"
        return said, perf_counter() - begun

    return answer


def make_z3(form: str) -> Callable[[Question, float], Answer]:
    """Z3's string solver."""
    import z3  # noqa: PLC0415

    def answer(question: Question, seconds: float) -> Answer:
        text = script(question, form)
        begun = perf_counter()
        solver = z3.Solver(ctx=z3.Context())
        solver.set("timeout", int(seconds * 1000))
        solver.from_string(text)
        return str(solver.check()), perf_counter() - begun

    return answer


def make_cvc5(form: str) -> Callable[[Question, float], Answer]:
    """cvc5's string solver."""
    from downset.prove.cvc5_worker import decide  # noqa: PLC0415

    def answer(question: Question, seconds: float) -> Answer:
        text = script(question, form)
        begun = perf_counter()
        said = str(decide(text, int(seconds * 1000))["answer"])
        return said, perf_counter() - begun

    return answer


TOOLS: Final[dict[str, Callable[[], Callable[[Question, float], Answer]]]] = {
    "downset": make_downset,
    "z3 folded": partial(make_z3, "folded"),
    "z3 split": partial(make_z3, "split"),
    "cvc5 folded": partial(make_cvc5, "folded"),
    "cvc5 split": partial(make_cvc5, "split"),
}

if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
