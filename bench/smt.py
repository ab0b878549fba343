"""The same questions for string solvers, in SMT-LIB, in the two ways in which one would ask.

`folded` makes one regular expression of a whole list (a rule of the wanted action adds its glob,
any other takes its glob away) and asks one membership. `split` says of each rule whether its glob
matches. A solver is given both, and the quicker answer counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bench.questions import Entry, Question

FORMS: Final = ("folded", "split")
ALL: Final = "re.all"
NOTHING: Final = "re.none"


def script(question: Question, form: str) -> str:
    """A question as a script; `sat` means that there is a text.

    A text is not empty. It has no backslash, because the matcher reads one as a slash.
    """
    asked = {
        ("witness", "folded"): folded_witness,
        ("witness", "split"): split_witness,
        ("dead", "folded"): folded_dead,
        ("dead", "split"): split_dead,
    }[question.about, form](question)
    return "\n".join(
        [
            "(set-logic QF_SLIA)",
            "(declare-const x String)",
            '(assert (not (= x "")))',
            '(assert (not (str.contains x "\\u{5c}")))',
            *(f"(assert {condition})" for condition in asked),
            "(check-sat)",
        ]
    )


def folded_witness(question: Question) -> list[str]:
    """In the denied texts of the first list and not in those of the second."""
    first, second = (denied(ls) for ls in question.lists)
    return [f"(str.in_re x (re.inter {first} (re.comp {second})))"]


def split_witness(question: Question) -> list[str]:
    """Each list as nested conditions over memberships, the last rule outermost."""
    first, second = (decided(ls) for ls in question.lists)
    return [first, f"(not {second})"]


def folded_dead(question: Question) -> list[str]:
    """In the rule's glob and in none of the later ones."""
    glob, later = parts(question)
    if not later:
        return [member(regex(glob))]
    return [member(f"(re.inter {regex(glob)} (re.comp {union([regex(g) for g in later])}))")]


def split_dead(question: Question) -> list[str]:
    """One membership for the rule, and one that does not hold for each later rule."""
    glob, later = parts(question)
    return [member(regex(glob)), *(f"(not {member(regex(g))})" for g in later)]


def parts(question: Question) -> tuple[str, list[str]]:
    """The glob of the rule that a question asks about, and those of the later rules."""
    globs = [glob for glob, _ in question.lists[0]]
    return globs[question.number - 1], globs[question.number :]


def denied(ls: Sequence[Entry]) -> str:
    """All texts that a list denies, as one regular expression."""
    made = NOTHING
    for glob, action in ls:
        one = regex(glob)
        made = union([made, one]) if action == "deny" else f"(re.inter {made} (re.comp {one}))"
    return made


def decided(ls: Sequence[Entry]) -> str:
    """Whether a list denies a text, as a condition."""
    made = "false"
    for glob, action in ls:
        made = f"(ite {member(regex(glob))} {'true' if action == 'deny' else 'false'} {made})"
    return made


def regex(glob: str) -> str:
    """A glob as a regular expression, its optional tail included.

    >>> regex("a?*"), regex("ls *")
    ('(re.++ (str.to_re "a") re.allchar re.all)', '(re.++ (str.to_re "ls") (re.opt ...))')
    """
    if glob.endswith(" *") and glob != " *":
        return f'(re.++ {regex(glob[:-2])} (re.opt (re.++ (str.to_re " ") {ALL})))'
    pieces: list[str] = []
    literal = ""
    for sign in [*glob, ""]:
        if sign in {"*", "?", ""}:
            if literal:
                pieces.append(f'(str.to_re "{literal}")')
            literal = ""
            pieces += [ALL] if sign == "*" else ["re.allchar"] if sign else []
        else:
            literal += sign if sign.isalnum() or sign in "/._-" else f"\\u{{{ord(sign):x}}}"
    return pieces[0] if len(pieces) == 1 else f"(re.++ {' '.join(pieces)})"


def union(regexes: Sequence[str]) -> str:
    """At least one of some regular expressions."""
    return regexes[0] if len(regexes) == 1 else f"(re.union {' '.join(regexes)})"


def member(regular: str) -> str:
    """Membership of the text."""
    return f"(str.in_re x {regular})"
