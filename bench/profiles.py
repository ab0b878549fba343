"""Where the time goes in the slowest paths: shares of the time spent inside each module itself."""

from __future__ import annotations

import cProfile
import pstats
import sys
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Final

from bench.processes import run
from bench.projects import large

if TYPE_CHECKING:
    from collections.abc import Callable

SLOWEST: Final = "pawwork/two-channel-3"
"""The model whose properties take longest."""
MOST: Final = 8
LIMIT: Final = 120.0


def measure(agents: int = 60, rules: int = 2_000) -> dict[str, Any]:
    """Shares of time by module: starting, the slowest model, a large configuration."""
    return {
        "start": started(),
        "prove": shares(prove_all),
        "check": shares(lambda: check_large(agents, rules)),
    }


def started() -> list[dict[str, Any]]:
    """What a new process imports before it proves, slowest first, in seconds of their own."""
    code = "import downset.cli, downset.prove.prover, downset.catalogue"
    done = run([sys.executable, "-X", "importtime", "-c", code], LIMIT)
    found: Counter[str] = Counter()
    for line in done.err.splitlines():
        parts = line.removeprefix("import time:").split("|")
        if len(parts) == len(("self", "cumulative", "name")) and parts[0].strip().isdigit():
            found[parts[2].strip().split(".")[0]] += int(parts[0])
    total = found.total() or 1
    return [{"name": name, "share": n / total} for name, n in found.most_common(MOST)]


def prove_all() -> None:
    """Decide all properties of the slowest model."""
    from downset.catalogue import load_model, load_properties  # noqa: PLC0415 -- not for the peers
    from downset.prove.prover import prove  # noqa: PLC0415

    model = load_model(SLOWEST)
    for prop in load_properties().values():
        prove(model, prop)


def check_large(agents: int, rules: int) -> None:
    """Check one large configuration."""
    from downset.config.files import default_release, load  # noqa: PLC0415 -- not for the peers
    from downset.graph.check import check  # noqa: PLC0415

    with TemporaryDirectory() as name:
        folder = large(Path(name) / "large", agents, rules)
        check(load(folder, default_release(folder)))


def shares(work: Callable[[], None]) -> list[dict[str, Any]]:
    """The modules in which some work spends most of its time."""
    profile = cProfile.Profile()
    profile.runcall(work)
    found: Counter[str] = Counter()
    rows: dict[tuple[str, int, str], tuple[int, int, float, float, Any]]
    rows = pstats.Stats(profile).stats  # type: ignore[attr-defined]
    for (file, _, _), (_, _, own, _, _) in rows.items():
        found[module(file)] += int(own * 1_000_000)
    total = found.total() or 1
    return [{"name": name, "share": n / total} for name, n in found.most_common(MOST)]


def module(file: str) -> str:
    """A short name for a file: a module of downset, a package, or Python itself."""
    parts = Path(file).with_suffix("").parts
    if "downset" in parts:
        last = len(parts) - 1 - parts[::-1].index("downset")
        return ".".join(parts[last + 1 :])
    if "site-packages" in parts:
        return parts[parts.index("site-packages") + 1]
    return "Python"
