"""Edits that may remove a finding, the smallest first, for each kind of finding.

Whether one does, and what else it does, is found out by trying (`mend`).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.config.edits import NotEditable
from downset.graph.mending.chains import dispatch_denied, shell_asked, writes_asked
from downset.graph.tools import shell_name
from downset.language.rules import DENY, Action

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from downset.graph.mending.bench import Bench, Candidate
    from downset.graph.records import Problem, RuleAt

    Maker = Callable[[Problem, Callable[[], Bench]], Iterator[Candidate]]

_OF_PATHS: Final = ("edit", "read")
NONE: Final = {
    "approval-bounded": "replies stand behind all rules in this release, whatever is written",
    "resume-safe": "a resume keeps old rules in this release, whatever is written",
    "no-lost-grant": "the release carries denies over, whatever is written",
    "merge-order": "the rule that wins is in another file, and its place is that file's",
    "release-dependent": "what is right depends on the releases that you use",
    "open-server": "which of the server's tools to allow is yours to say",
}


def candidates(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """The edits to try."""
    maker = _MAKERS.get(problem.id)
    if maker is not None:
        yield from maker(problem, bench)


def _overruled(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """Behind the rule that wins if it is to limit something; else out, since nothing needs it."""
    count = len(problem.details) + 1
    dead, cover = problem.rules[:count], problem.rules[count:]
    stricter = [rule for rule in dead if any(_is_stricter(rule, other) for other in cover)]
    if not stricter and all(rule.action != DENY.value for rule in dead):
        yield _removed(bench(), dead)
    if len(stricter) == len(dead):
        for behind in reversed(cover):
            yield _moved(bench(), dead, behind)


def _is_stricter(rule: RuleAt, other: RuleAt) -> bool:
    return Action(rule.action) < Action(other.action)


def _moved(work: Bench, rules: Sequence[RuleAt], behind: RuleAt) -> Candidate:
    """With rules behind another."""
    for rule in reversed(rules):
        work.move(rule, behind)
    return work.candidate(f"move {_named(rules)} behind `{behind.text}`")


def _repeated(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    yield _removed(bench(), problem.rules[:1])


def _dangling(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    yield _removed(bench(), problem.rules)


def _removed(work: Bench, rules: Sequence[RuleAt]) -> Candidate:
    """Without rules that decide nothing; from the last on, so that numbers in lists stay right."""
    for rule in sorted(rules, key=_from_the_end):
        work.remove(rule)
    return work.candidate(f"remove {_named(rules)}")


def _named(rules: Sequence[RuleAt]) -> str:
    return ", ".join(f"`{rule.text}`" for rule in rules)


def _from_the_end(rule: RuleAt) -> tuple[str, int, int]:
    place = rule.place
    return (place.file, -(place.line or 0), -(place.column or 0)) if place else ("", 0, 0)


def _another_pattern(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """The pattern that the help names, or the same without `./`."""
    named = re.match(r"write `([^`]+)`", problem.help)
    for rule in problem.rules[:1]:
        plain = rule.pattern.removeprefix("./")
        pattern = named[1] if named else plain
        if pattern != rule.pattern:
            work = bench()
            work.rename(rule, pattern)
            yield work.candidate(f"write `{pattern}` for `{rule.pattern}`")
        elif rule.permission in _OF_PATHS and pattern.startswith("/") and rule.action != "allow":
            work = bench()
            work.instead(rule, "external_directory")
            yield work.candidate(f"write the rule for `{pattern}` under `external_directory`")


def _other_key(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """The key that the help names, or nothing."""
    named = re.match(r"write the rules under `([^`]+)`", problem.help)
    rule = problem.rules[0]
    work = bench()
    document, path = work.at(rule.place)
    entry = path if path[-1].name == rule.permission else path[:-1]
    if named and entry[-2].get(named[1]) is None and entry[-1].name == rule.permission:
        work.edited[document.file] = document.renamed(entry, named[1])
        work.rules.update(f"{named[1]} {r.pattern} {r.action}" for r in problem.rules)
        yield work.candidate(f"write `{named[1]}` for `{rule.permission}`")
    elif not named:
        yield _removed(bench(), problem.rules)


def _base_rule(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """A base rule that asks, or for dispatches one that denies."""
    action = "deny" if problem.id == "guard-lifted" else "ask"
    work = bench()
    for rule in sorted(problem.rules, key=_from_the_end):
        work.beside(rule, "*", action, first=True)
    yield work.candidate(f'start the map with `"*": "{action}"`')


def _root(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """The same rule for a file in the root."""
    work = bench()
    for rule in sorted(problem.rules, key=_from_the_end):
        work.beside(rule, re.sub(r"^\*+/", "", rule.pattern), rule.action)
    yield work.candidate("add the same rules for files in the root")


def _environment(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """Questions about `.env` behind the rule that allows it."""
    work, rule = bench(), problem.rules[0]
    if rule.permission == "*":
        raise NotEditable
    for pattern in () if _is_whole(work, rule) else ("*.env.*", "*.env"):
        work.beside(rule, pattern, "ask")
    if not work.edited:
        document, path = work.at(rule.place)
        rules = {"*": rule.action, "*.env": "ask", "*.env.*": "ask"}
        work.edited[document.file] = document.replaced(path, rules)
        work.rules.update(f"{rule.permission} {pattern} ask" for pattern in rules)
    yield work.candidate("ask about `*.env` and `*.env.*`")


def _is_whole(work: Bench, rule: RuleAt) -> bool:
    """Whether a rule is written as a key with one action, and not in a map."""
    _, path = work.at(rule.place)
    return not path[-2].is_list and path[-1].name == rule.permission


def _header(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    """Keys in quotes that begin with a star, which YAML takes for a reference."""
    work = bench()
    file = problem.locations[0].file
    text = work.text_of(file)
    end = text.find("\n---", 3)
    header = re.sub(r"(?m)^([ \t]*(?:- )?)(\*[^\s:\"']*)([ \t]*:)", r'\1"\2"\3', text[:end])
    work.edited[file] = header + text[end:]
    work.rules.add(f"in {file}")
    yield work.candidate("put keys that begin with `*` in quotes")


def _shell(problem: Problem, bench: Callable[[], Bench]) -> Iterator[Candidate]:
    shell = shell_name(bench().world.release)
    maker = shell_asked if problem.id == "shell-open" else writes_asked
    yield from maker(problem, bench, shell)


_MAKERS: Final[dict[str, Maker]] = {
    "dead-deny": _overruled,
    "dead-rule": _overruled,
    "repeated-rule": _repeated,
    "dangling-target": _dangling,
    "never-matches": _another_pattern,
    "literal-for-prefix": _another_pattern,
    "inert-key": _other_key,
    "no-base-rule": _base_rule,
    "guard-lifted": _base_rule,
    "root-missed": _root,
    "env-exposed": _environment,
    "header-dropped": _header,
    "shell-open": _shell,
    "shell-writes": _shell,
    "no-escalation": dispatch_denied,
    "ask-preserved": dispatch_denied,
    "recursion": dispatch_denied,
}
