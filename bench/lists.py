"""The glob questions beside string solvers: ratios on the same question in the same run."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Any, Final

from bench.processes import Asked
from bench.questions import adversarial, dead, witnesses

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bench.questions import Question

SIZES: Final = (10, 30, 100, 300, 1000)
INSTANCES: Final = 6
SECONDS: Final = 5.0
"""The time limit of a solver for one question."""
PEERS: Final = {"cvc5": ("cvc5 folded", "cvc5 split"), "z3": ("z3 folded", "z3 split")}
FLOOR: Final = 1e-6

Answers = list[dict[str, Any]]


def measure(
    sizes: Sequence[int] = SIZES, instances: int = INSTANCES, seconds: float = SECONDS
) -> dict[str, Any]:
    """Rows for each kind of question and size, and for the lists made to be hard."""
    makers: dict[str, Callable[[int, int], list[Question]]] = {"witness": witnesses, "dead": dead}
    rows: list[dict[str, Any]] = []
    for about, make in makers.items():
        done: set[str] = set()
        rows += [
            {"about": about, "rules": size, **row(make(size, instances), seconds, done)}
            for size in sizes
        ]
    hard = [hard_row(question, seconds) for question in adversarial()]
    return {"limit": seconds, "rows": rows, "adversarial": hard}


def row(questions: list[Question], seconds: float, given_up: set[str]) -> dict[str, Any]:
    """One size: each tool's times, and the ratios of each peer to downset, question by question.

    Ways of asking that answered nothing at a smaller size are not tried again: `given_up`.
    """
    own = ask("downset", questions, seconds)
    found: dict[str, Any] = {"questions": len(questions), "downset": summary(own)}
    for peer, ways in PEERS.items():
        asked = {w: ask(w, questions, seconds) for w in ways if w not in given_up}
        given_up |= {w for w, answers in asked.items() if not known(answers)}
        found[peer] = compared(own, list(asked.values()))
    return found


def hard_row(question: Question, seconds: float) -> dict[str, Any]:
    """One list made to be hard."""
    tools = ["downset", *(way for ways in PEERS.values() for way in ways)]
    answers = {tool: ask(tool, [question], seconds)[0] for tool in tools}
    return {
        "name": question.name,
        "answers": {
            tool: {"said": a["said"], "seconds": a["seconds"]} for tool, a in answers.items()
        },
        "agree": len({a["said"] for a in answers.values()} - {"unknown"}) <= 1,
    }


def ask(tool: str, questions: Sequence[Question], seconds: float) -> Answers:
    """All answers of one tool, in one process."""
    with Asked(tool) as asked:
        return [asked.ask(question, seconds) for question in questions]


def known(answers: Answers) -> Answers:
    """The answers that are one."""
    return [answer for answer in answers if answer["said"] != "unknown"]


def summary(answers: Answers) -> dict[str, Any]:
    """The times of one tool."""
    times = [answer["seconds"] for answer in answers]
    return {
        "median": median(times),
        "worst": max(times),
        "unknown": len(answers) - len(known(answers)),
        "memory": max(answer["memory"] for answer in answers),
    }


def compared(own: Answers, ways: Sequence[Answers]) -> dict[str, Any]:
    """A peer's quicker way for each question, and how many times longer than downset it took.

    Where the peer gave no answer, the ratio is that of its time limit, so at least so much.
    """
    if not ways:
        return {"skipped": "it answered nothing at a smaller size"}
    best = [min(answers, key=slowness) for answers in zip(*ways, strict=True)]
    pairs = [pair for pair in zip(own, best, strict=True) if pair[0]["said"] != "unknown"]
    ratios = [peer["seconds"] / max(mine["seconds"], FLOOR) for mine, peer in pairs]
    differ = [1 for mine, peer in pairs if peer["said"] not in {"unknown", mine["said"]}]
    return {
        **summary(best),
        "ratio": median(ratios) if ratios else None,
        "lowest": min(ratios) if ratios else None,
        "differ": len(differ),
    }


def slowness(answer: dict[str, Any]) -> tuple[bool, float]:
    """No answer is slower than any answer."""
    return answer["said"] == "unknown", answer["seconds"]
