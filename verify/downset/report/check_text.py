"""What `check` and `explain` found, for the terminal.

>>> from downset.graph.records import Problem, Severity
>>> print(problem_text(Problem("dead-rule", Severity.ERROR, "it never decides", help="move it")))
error[dead-rule]: it never decides
  help: move it
"""

from __future__ import annotations

import textwrap
from collections import Counter
from typing import TYPE_CHECKING, Final

from downset.report.harmless import harmless
from downset.report.words import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from downset.graph.check import Checked
    from downset.graph.explaining import Explained, Step
    from downset.graph.records import Member, Problem, RuleAt, Side, Suggestion, Witness

WIDTH: Final = 100
FEW: Final = 4
"""How many instances of a grouped finding are shown without `-v`."""


def check_text(checked: Checked, waived: int = 0, *, verbose: bool = False) -> str:
    """All findings, and a last line that counts them."""
    checked = harmless(checked)
    parts = [_head(checked, verbose=verbose)]
    parts += [problem_text(problem, verbose=verbose) for problem in checked.problems]
    if checked.undetermined:
        parts.append(_undetermined(checked.undetermined))
    return "\n\n".join([*parts, _tally(checked, waived)]) + "\n"


def _head(checked: Checked, *, verbose: bool) -> str:
    line = (
        f"{checked.release}: {checked.agents} agents, {checked.users} for users, "
        f"{checked.states} kinds of session"
    )
    files = [f"  {number}. {file}" for number, file in enumerate(checked.files, start=1)]
    return "\n".join([line, "files, the last wins:", *files]) if verbose else line


def _undetermined(questions: Sequence[str]) -> str:
    lines = [f"  {question}" for question in questions[:FEW]]
    more = len(questions) - FEW
    lines += [f"  and {more} more"] if more > 0 else []
    return "\n".join(["undetermined, the budget was spent:", *lines])


def _tally(checked: Checked, waived: int) -> str:
    counts = Counter(problem.severity.value for problem in checked.problems)
    order = ("error", "warning", "note")
    parts = [_plural(counts[name], name) for name in order if counts[name]]
    parts += [f"{waived} waived"] if waived else []
    parts += [f"{len(checked.undetermined)} undetermined"] if checked.undetermined else []
    return ", ".join(parts) or "nothing found"


def _plural(count: int, word: str) -> str:
    return f"{count} {word}{'' if count == 1 else 's'}"


def problem_text(problem: Problem, *, verbose: bool = False) -> str:
    """One finding: where, what, an instance in full, the others in a line each, and the help."""
    start = f"{problem.locations[0]}: " if problem.locations else ""
    lines = [f"{start}{problem.severity.value}[{problem.id}]: {problem.message}"]
    if problem.members and not problem.details:
        lines += _member(problem.members[0])
        lines += _further(problem.members[1:], verbose=verbose)
    lines += _details(problem, verbose=verbose)
    if problem.help:
        lines += textwrap.wrap(
            problem.help, WIDTH, initial_indent="  help: ", subsequent_indent="        "
        )
    if problem.suggestion is not None:
        lines += _suggestion(problem.suggestion)
    return "\n".join(lines)


def _suggestion(suggestion: Suggestion) -> Iterator[str]:
    """The edit, with its patch; or why there is none."""
    if not suggestion.files:
        yield f"  no edit suggested: {suggestion.summary}"
        return
    yield f"  suggested edit: {suggestion.summary}"
    if not suggestion.patch:
        yield "    (a line of it may hold a secret and is not shown; --fix writes it)"
    yield from (f"    {line}" for line in suggestion.patch.splitlines())


def _details(problem: Problem, *, verbose: bool) -> Iterator[str]:
    shown = problem.details if verbose else problem.details[:FEW]
    yield from (f"  {line}" for line in shown)
    if len(shown) < len(problem.details):
        yield f"  and {len(problem.details) - len(shown)} more (-v shows them)"


def _member(member: Member) -> Iterator[str]:
    """One instance: the chain, the request, and who decides what."""
    yield f"  chain    {' -> '.join(map(quoted, member.chain))}"
    yield f"  request  {request_text(member.witness)}"
    sides = [member.ancestor, member.descendant]
    width = max(len(side.agent) for side in sides)
    yield from (f"  {side.agent:{width}}  {_because(side)}" for side in sides)
    if member.dispatch is not None:
        yield f"  started  {_because(member.dispatch)}"
    if member.others:
        yield from _wrapped(f"so too   {', '.join(member.others)}", 11)


def _further(members: Sequence[Member], *, verbose: bool) -> Iterator[str]:
    """The other instances, one line for each agent."""
    by_agent: dict[tuple[str, str], list[Member]] = {}
    for member in members:
        by_agent.setdefault((member.ancestor.agent, member.descendant.agent), []).append(member)
    shown = list(by_agent.items()) if verbose else list(by_agent.items())[:FEW]
    for (above, below), found in shown:
        asked = "; ".join(request_text(member.witness) for member in found)
        yield from _wrapped(f"also     {above} -> {below}: {asked}", 11)
    if len(shown) < len(by_agent):
        yield f"  also     {len(by_agent) - len(shown)} more pairs of agents (-v shows them)"


def _wrapped(text: str, indent: int) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent="  ", subsequent_indent=" " * indent, break_on_hyphens=False
    )


def _because(side: Side) -> str:
    return f"{side.decision:5}  {_by(side.rule)}"


def _by(rule: RuleAt | None) -> str:
    if rule is None:
        return "because no rule matches"
    return f"by `{rule_line(rule)}`  ({_origin(rule)})"


def rule_line(rule: RuleAt) -> str:
    """A rule in the order of its fields.

    >>> from downset.graph.records import RuleAt
    >>> rule_line(RuleAt("bash", "git *", "allow", "defaults"))
    'bash "git *" allow'
    """
    return f"{quoted(rule.permission)} {quoted(rule.pattern)} {rule.action}"


def _origin(rule: RuleAt) -> str:
    return f"{rule.place}, {rule.layer}" if rule.place is not None else rule.layer


def request_text(request: Witness) -> str:
    """A request on one line, whatever is in it.

    >>> from downset.graph.records import Witness
    >>> request_text(Witness("bash", "rm -rf build"))
    'bash rm -rf build'
    """
    pattern = request.pattern
    return f"{request.permission} {pattern if pattern.isprintable() else quoted(pattern)}"


def explain_text(explained: Explained) -> str:
    """The decision of each session of a chain, and what it overrode."""
    explained = harmless(explained)
    parts = [f"{explained.release}: {request_text(explained.request)}"]
    parts += ["\n".join(_step(step, place)) for place, step in enumerate(explained.steps)]
    return "\n\n".join(parts) + "\n"


def _step(step: Step, place: int) -> Iterator[str]:
    yield f"{'  ' * place}{quoted(step.agent)}"
    indent = "  " * (place + 1)
    yield from (indent + line for line in _step_lines(step))


def _step_lines(step: Step) -> Iterable[str]:
    if step.dispatch is not None:
        yield f"started: {step.dispatch}  {_by(step.dispatch_rule)}"
    if step.refused:
        yield f"this cannot happen, because of {step.refused}"
    hidden = ", and the tool is hidden" if step.hidden else ""
    yield f"{step.decision}  {_by(step.rule)}{hidden}"
    yield from (f"  overrode `{rule_line(rule)}`  ({_origin(rule)})" for rule in step.overrode)
    if step.stored:
        stored = "; ".join(rule_line(rule) for rule in step.stored)
        yield f"stores {stored}"
