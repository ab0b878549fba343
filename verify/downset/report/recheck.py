"""What became of certificates, as text and JSON.

>>> from downset.verdicts import Rechecked
>>> print(recheck_text([Rechecked("m", "p", "proved", "accepted", 3)]), end="")
1 verdict accepted, 3 obligations decided
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from typing import TYPE_CHECKING, Final

from downset.report.json_report import document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from downset.verdicts import Rechecked

OUTCOMES: Final = ("accepted", "rejected", "undetermined")


def recheck_text(results: Sequence[Rechecked]) -> str:
    """What was not accepted, and why; then how many verdicts were."""
    problems = [line for result in results for line in problem_lines(result)]
    return "\n".join([*problems, tally(results)]) + "\n"


def problem_lines(result: Rechecked) -> Iterator[str]:
    """One line for each problem, under a line that says of what."""
    if result.outcome != "accepted":
        about = f"{result.model}  {result.property}" if result.model else "the manifest"
        yield f"{about}  {result.outcome}"
        yield from (f"  {problem}" for problem in result.problems)
        yield ""


def tally(results: Sequence[Rechecked]) -> str:
    """How many verdicts were accepted, and how many were not."""
    verdicts = [result for result in results if result.model]
    counts = Counter(result.outcome for result in verdicts)
    parts = [f"{counts[word]} {word}" for word in OUTCOMES if counts[word]]
    said = "1 verdict" if len(verdicts) == 1 else f"{len(verdicts)} verdicts"
    all_good = counts["accepted"] == len(verdicts) > 0
    head = f"{said} accepted" if all_good else ": ".join([said, ", ".join(parts) or "none"])
    decided = sum(result.obligations for result in verdicts if result.outcome == "accepted")
    nothing = sum(result.verdict == "unknown" for result in verdicts)
    tail = f"; {nothing} `unknown`, which claims nothing" if nothing else ""
    return f"{head}, {decided} obligations decided{tail}"


def recheck_json(results: Sequence[Rechecked]) -> str:
    """The results of `recheck`; the manifest as a whole has no model."""
    return document("recheck", [result_of(result) for result in results])


def result_of(result: Rechecked) -> dict[str, object]:
    """One result as an element of `results`."""
    seconds = round(result.seconds, 3)
    return {**asdict(result), "problems": list(result.problems), "seconds": seconds}
