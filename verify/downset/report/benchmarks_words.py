"""What the page about benchmarks says about its numbers.

>>> sorted(WHY)
['alloy', 'clingo', 'cvc5', 'minicheck', 'spin', 'z3']
"""

from __future__ import annotations

from typing import Final

INTRODUCTION: Final = """\
# Benchmarks

Made by `make bench` in one run on one machine; never edited by hand. A ratio says how many
times longer a tool took than downset, on the same question in the same run: above 1 downset was
faster. Absolute times say little: other work may have shared the machine.
"""

LISTS: Final = """\
## Questions about lists of globs

*witness*: is there a text that one list denies and another does not? Half of the pairs are
unrelated lists; in the other half the second list is the first with some of its rules turned
into denies, so that there is no witness. *dead*: is there a text that one rule of a list
decides? Every solver is asked in two ways (the whole list folded into one regular expression; a
membership for each rule), and the quicker answer counts. An answer that did not come counts as
the time limit. `differ` counts answers that contradict downset's; there must be none.
"""

HARD: Final = """\
### Lists made to be hard

One glob with very many stars; globs whose deterministic automaton has 2^n states; globs that
count. downset has a budget of steps instead of a time limit, and then says `unknown`.
"""

DELEGATION: Final = """\
## Chains of dispatches, and resuming

*inherit*: what a rule of a session denies, every session below it denies (`session-deny-
inherited`). *resume*: what a session denies, a session that it resumes denies, and all below
(`resume-safe`). The design is opencode/1.17.2. downset is a new process on the command line,
start-up included, and its answer holds for **any** depth, any tools, any patterns and lists of
any length. The peers get the design by hand, in their own words and in the form that suits them
best (`bench/peers`), and look through a world as large as the row says: so many tools, two
patterns, lists of so many rules, chains of so many dispatches. Compiling counts for SPIN,
starting Java for Alloy.
"""

WHY: Final = {
    "cvc5": (
        "cvc5 wins where lists share most of their globs and differ in actions only: it sees "
        "from the memberships alone, as propositions, that no text can do, before it looks at "
        "any string; downset goes over pairs of rules in Python, most of which it drops at a "
        "glance, but there are many. It also wins for a dead rule that a few late, broad "
        "rules cover, where its derivatives need not go through all the rules in between."
    ),
    "z3": "Z3 wins where few rules are left behind the one that is asked about.",
    "spin": (
        "SPIN wins on small worlds and where a counterexample is near: it stops at the first "
        "one, without making it smaller or telling its story."
    ),
    "alloy": (
        "Alloy wins where the whole world fits into a small SAT instance; it pays for the "
        "start of Java only once."
    ),
    "clingo": (
        "clingo wins at every size that was tried. Its answer is about less: the design is "
        "simplified by hand (what a child stores is a set, because order cannot matter "
        "there), all texts are two patterns and a few names, and chains and lists end at the "
        "stated sizes. Under that, the question is a few thousand clauses for a native "
        "program that starts in a tenth of a second. Nearly all of downset's time is the start "
        "of two Python processes and of Z3: once they run, it answers sooner than clingo starts, "
        "though it also has to find out, from the design's code, how long lists and which "
        "texts matter."
    ),
    "minicheck": (
        "minicheck wins on the smallest worlds, where there are few states to go through and "
        "nothing to build."
    ),
}
"""Why a peer is faster where it is."""

PROFILES: Final = """\
## Where the time goes

Shares of the time spent in each module itself, in the three slowest paths. They say where to look,
not how long anything takes: to measure makes small functions slower.
"""

PATHS: Final = {
    "start": "Starting: what a new process imports before it proves",
    "prove": "Proving: all properties of the model that takes longest",
    "check": "Checking: one large configuration",
}

DONE: Final = {
    "start": (
        "Commands import what they need when they need it: the solver, the reader of "
        "configurations and each report."
    ),
    "prove": (
        "Conditions are plain objects, and Z3 is given only those that are asserted, each once, "
        "through its constructors; a part of a formula is encoded once however often it occurs; "
        "what was built is freed in the order that Z3 frees quickly; a smaller story is replayed "
        "once. What is left is Z3's own search and the making of formulas in Python."
    ),
    "check": (
        "A question about lists is first tried on a few plain texts; a pair of rules is dropped at "
        "a glance if it cannot be the last to match; answers are kept for lists that many agents "
        "share. What is left is the matching of texts with globs and the search itself."
    ),
}
"""What was done about each path."""
