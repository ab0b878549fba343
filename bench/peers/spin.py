"""The question in Promela, for SPIN: a process that chooses rules and dispatches, and an assertion.

A rule is one number: `key * 6 + pattern * 3 + action`, key 0 being `*`; the largest is no rule.
The denies that a child stores are bits. Choices are forgotten when they were used, so that states
merge.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from bench.peers.world import Said
from bench.processes import run

if TYPE_CHECKING:
    from bench.peers.world import World

MODEL: Final = """\
#define NONE {none}
#define DENY 0
#define KEY(r) ((r) / 6)
#define PAT(r) (((r) % 6) / 3)
#define ACT(r) ((r) % 3)
#define MATCH(r) ((r) < NONE && (KEY(r) == 0 || KEY(r) == tool + 1) && (PAT(r) == 0 || inside))
#define HAS(r, k) ((r) < NONE && KEY(r) == (k))
#define BIT(r) (1 << (KEY(r) * 2 + PAT(r)))
#define DENIED(k) ((denies >> ((k) * 2)) & 1 || (inside && (denies >> ((k) * 2 + 1)) & 1))

int denies; byte tool, depth; bool inside, wanted;
byte s0, s1, a0, a1;

inline any(r) {{ select(r : 0 .. NONE) }}
inline said(first, second, what) {{
  if
  :: MATCH(second) -> what = ACT(second)
  :: else -> if :: MATCH(first) -> what = ACT(first) :: else -> what = 3 fi
  fi
}}
inline keep(r) {{
  if :: r < NONE && ACT(r) == DENY -> denies = denies | BIT(r) :: else fi
}}

active proctype chain() {{
  byte what;
  select(tool : 0 .. {last}); select(inside : 0 .. 1);
  any(s0); any(s1); skip;
{premise}
  d_step {{ keep(s0); keep(s1); s0 = NONE; s1 = NONE; a0 = NONE; a1 = NONE; what = 0 }};
  do
  :: depth < {depth} ->
     any(a0); any(a1); skip;
     d_step {{
{guards}
       said(a0, a1, what);
       assert(what == DENY || DENIED(0) || DENIED(tool + 1));
       what = 0; a0 = NONE; a1 = NONE; depth++
     }}
  :: else -> break
  od
}}
"""
INHERIT: Final = """\
  d_step { said(s0, s1, what); wanted = (what == DENY) };
  if :: wanted :: else -> goto done fi; skip;"""
RESUME: Final = """\
  d_step { said(s0, s1, what); wanted = (what == DENY); s0 = NONE; s1 = NONE };
  if
  :: wanted
  :: what == 3 -> any(a0); any(a1); skip; d_step { said(a0, a1, what); wanted = (what == DENY) };
     if :: wanted :: else -> goto done fi
  :: else -> goto done
  fi; skip;
  any(s0); any(s1); any(a0); any(a1); skip;
  d_step {
    said(s0, s1, what);
    if :: what == 3 -> said(a0, a1, what) :: else fi;
    assert(what == DENY)
  };"""
GUARD: Final = (
    "       if :: !HAS(a0, {key}) && !HAS(a1, {key}) -> denies = denies | {bit} :: else fi;"
)


def model(world: World) -> str:
    """The question as Promela."""
    premise = RESUME if world.question == "resume" else INHERIT
    keys = [world.names.index(name) + 1 for name in world.guarded]
    text = MODEL.format(
        none=(world.tools + 1) * 6,
        last=world.tools - 1,
        depth=world.depth,
        premise=premise,
        guards="\n".join(GUARD.format(key=key, bit=1 << (key * 2)) for key in keys),
    )
    return text.removesuffix("}\n") + "done: skip\n}\n"


def ask(world: World, seconds: float) -> Said:
    """Generate, compile and run the verifier."""
    for needed in ("spin", "gcc"):
        if shutil.which(needed) is None:
            return Said("skipped", why=f"`{needed}` is not installed")
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "chain.pml").write_text(model(world), encoding="utf-8")
        made = run(["spin", "-a", "chain.pml"], seconds, folder)
        flags = ["-O2", "-DSAFETY", "-DMEMLIM=4096", "-w"]
        built = run(["gcc", *flags, "-o", "pan", "pan.c"], seconds, folder)
        if built.code != 0:
            return Said("unknown", why=f"spin or gcc failed: {(made.out + built.err)[:200]}")
        left = seconds - made.seconds - built.seconds
        found = run([folder / "pan", "-m1000000", "-w24"], max(left, 0.1), folder)
    total = made.seconds + built.seconds + found.seconds
    return Said(answer(found.code, found.out), total, found.memory, "", found.seconds)


def answer(code: int | None, out: str) -> str:
    """What the verifier's output says."""
    if code is None or "max search depth too small" in out or "out of memory" in out:
        return "unknown"
    if "assertion violated" in out:
        return "fails"
    return "holds" if "errors: 0" in out else "unknown"
