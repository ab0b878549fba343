"""The question as a state machine in Python, for minicheck, which looks through all its states.

Run as `python -m bench.peers.explicit QUESTION DEPTH TOOLS LENGTH`, in a process of its own.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from itertools import product
from typing import Final

from bench.peers.world import Said, World
from bench.processes import run

MOST_STATES: Final = 50_000_000
DENY, ASK, ALLOW = range(3)
Rule = tuple[int, bool, int]
"""A key (0 is `*`), whether the pattern is `src/*`, and an action."""
Rules = tuple[Rule, ...]
Asked = tuple[int, bool]
"""A key, and whether the resource is in `src`."""
State = tuple[str, int, frozenset[tuple[int, bool]], Asked, bool]
"""Where in the story, how deep, what the session denies, what is asked, and whether all is well."""


@dataclass(frozen=True)
class Machine:
    """The states and steps of a world."""

    world: World

    @cached_property
    def lists(self) -> list[Rules]:
        """All rulesets."""
        letters = list(product(range(self.world.tools + 1), (False, True), (DENY, ASK, ALLOW)))
        return [rules for n in range(self.world.length + 1) for rules in product(letters, repeat=n)]

    @cached_property
    def guards(self) -> list[int]:
        """The keys that a child is denied unless its agent mentions them."""
        return [self.world.names.index(name) + 1 for name in self.world.guarded]

    def steps(self, state: State) -> list[tuple[str, State]]:
        """Where a story can go on."""
        place, depth, denies, asked, well = state
        if place == "start":
            queries = product(range(1, self.world.tools + 1), (False, True))
            return [("ask", ("opened", 0, frozenset[tuple[int, bool]](), q, True)) for q in queries]
        if not well or depth == self.world.depth:
            return []
        if place == "opened":
            return self._opened(asked)
        return self._dispatches(depth, denies, asked)

    def _opened(self, asked: Asked) -> list[tuple[str, State]]:
        """A session whose stored rules deny; or any session, resumed by one that denies."""
        found: dict[State, None] = {}
        for stored in self.lists:
            said = last(stored, asked)
            if self.world.question == "inherit":
                if said == DENY:
                    found[("chain", 0, kept(stored), asked, True)] = None
            elif said is not None:
                found[("chain", 0, kept(stored), asked, said == DENY)] = None
            else:
                for well in (True, False):  # some agent denies, some does not
                    found[("chain", 0, kept(stored), asked, well)] = None
        return [("open", state) for state in found]

    def _dispatches(
        self, depth: int, denies: frozenset[tuple[int, bool]], asked: Asked
    ) -> list[tuple[str, State]]:
        found: dict[State, None] = {}
        for rules in self.lists:
            mentioned = {key for key, _, _ in rules}
            below = denies | {(key, False) for key in self.guards if key not in mentioned}
            well = any(hits(key, src, asked) for key, src in below) or last(rules, asked) == DENY
            found[("chain", depth + 1, below, asked, well)] = None
        return [("dispatch", state) for state in found]


def hits(key: int, src: bool, asked: Asked) -> bool:  # noqa: FBT001 -- a pattern, as everywhere here
    """Whether a key and a pattern match what is asked."""
    return key in {0, asked[0]} and (not src or asked[1])


def last(rules: Rules, asked: Asked) -> int | None:
    """What the last rule says that matches."""
    return next((act for key, src, act in reversed(rules) if hits(key, src, asked)), None)


def kept(rules: Rules) -> frozenset[tuple[int, bool]]:
    """The denies of a list."""
    return frozenset((key, src) for key, src, act in rules if act == DENY)


def ask(world: World, seconds: float) -> Said:
    """Run minicheck on the question."""
    if find_spec("minicheck") is None:
        return Said("skipped", why="the package minicheck is not installed")
    sizes = [world.question, str(world.depth), str(world.tools), str(world.length)]
    found = run([sys.executable, "-m", "bench.peers.explicit", *sizes], seconds)
    known = found.code == 0 and found.out.strip() in {"holds", "fails"}
    said = found.out.strip() if known else "unknown"
    return Said(said, found.seconds, found.memory, "" if known else found.err[-200:])


def main(question: str, depth: int, tools: int, length: int) -> None:
    """Print `holds`, `fails` or `unknown`."""
    import minicheck  # noqa: PLC0415 -- only this process needs it

    machine = Machine(World(question, depth, tools, length))
    protocol = minicheck.Protocol(
        name="chain",
        candidate=False,
        fields=("place", "depth", "denies", "asked", "well"),
        initial=("start", 0, frozenset(), (0, False), True),
        transitions=machine.steps,
        invariants={"denied": lambda state: state["well"]},
    )
    found = minicheck.check_safety(protocol, max_states=MOST_STATES)
    holds = found["properties"]["denied"]["holds"]
    sys.stdout.write({True: "holds\n", False: "fails\n"}.get(holds, "unknown\n"))


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
