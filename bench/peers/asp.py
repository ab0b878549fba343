"""The question as an answer set program, for clingo: an answer set is a counterexample.

Run as `python -m bench.peers.asp QUESTION DEPTH TOOLS LENGTH`, in a process of its own.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

from bench.peers.world import Said, World
from bench.processes import run

if TYPE_CHECKING:
    from collections.abc import Iterator

RULES: Final = """\
key(star). pat(all). pat(src). act(allow). act(ask). act(deny). res(in). res(out).
key(T) :- tool(T).
% Lists: a session that a user opened has stored rules and an agent, a step of the chain an agent.
list(stored(a)). list(agent(a)). list(stored(b)) :- resume. list(agent(b)) :- resume.
list(agent(N)) :- step(N).
{ rule(L, I, K, P, A) : key(K), pat(P), act(A) } 1 :- list(L), slot(I).
1 { asked(T, R) : tool(T), res(R) } 1.
% The last match decides.
match(L, I, A) :- rule(L, I, K, P, A), asked(T, R), fits(K, T), within(P, R).
fits(star, T) :- tool(T). fits(T, T) :- tool(T). within(all, R) :- res(R). within(src, in).
matched(L) :- match(L, _, _).
said(L, A) :- match(L, I, A), not match(L, J, B) : slot(J), J > I, act(B).
% What a user's session denies.
denies(S) :- said(stored(S), deny).
denies(S) :- said(agent(S), deny), not matched(stored(S)).
% A dispatch carries denies, and adds those that the callee's agent does not mention.
carried(1, K, P) :- rule(stored(S), _, K, P, deny), top(S).
carried(N, K, P) :- step(N), below(N - 1, K, P).
below(N, K, P) :- step(N), carried(N, K, P).
below(N, G, all) :- step(N), guarded(G), not rule(agent(N), I, G, P, A) : slot(I), pat(P), act(A).
child(N) :- below(N, K, P), asked(T, R), fits(K, T), within(P, R).
child(N) :- said(agent(N), deny).
% A counterexample.
wrong :- step(N), not child(N).
wrong :- resume, not denies(b).
:- not wrong.
"""


def program(world: World) -> str:
    """The question with its size."""
    return "\n".join(facts(world)) + "\n" + RULES


def facts(world: World) -> Iterator[str]:
    """What is particular about a world."""
    yield from (f"tool({name})." for name in world.names)
    yield from (f"guarded({name})." for name in world.guarded)
    yield f"slot(1..{world.length}). step(1..{world.depth})."
    if world.question == "resume":
        yield "resume. top(b). :- not denies(a)."
    else:
        yield "top(a). :- not said(stored(a), deny)."
    yield "#defined resume/0. #defined guarded/1."


def ask(world: World, seconds: float) -> Said:
    """Run clingo on the question."""
    if find_spec("clingo") is None:
        return Said("skipped", why="the package clingo is not installed")
    sizes = [world.question, str(world.depth), str(world.tools), str(world.length)]
    found = run([sys.executable, "-m", "bench.peers.asp", *sizes], seconds)
    known = found.code == 0 and found.out.strip() in {"holds", "fails"}
    said = found.out.strip() if known else "unknown"
    return Said(said, found.seconds, found.memory, "" if known else found.err[-200:])


def main(question: str, depth: int, tools: int, length: int) -> None:
    """Print `holds` or `fails`."""
    import clingo  # noqa: PLC0415 -- only this process needs it

    control = clingo.Control(["1"])
    control.add("base", [], program(World(question, depth, tools, length)))
    control.ground([("base", [])])
    sys.stdout.write("fails\n" if control.solve().satisfiable else "holds\n")


if __name__ == "__main__":
    main(sys.argv[1], *map(int, sys.argv[2:]))
