"""Certificates that are as they were written are accepted, without Z3."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import z3

from downset.cli import main
from downset.prove.cvc5_solver import Answer
from downset.prove.recheck import Rechecker
from downset.prove.sources import Sources

if TYPE_CHECKING:
    from tests.certificates.conftest import Folder

ROOT = Path(__file__).parents[2]
WITHOUT_Z3 = """
import sys

class Refuse:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "z3":
            raise ImportError("z3 was imported")

sys.meta_path.insert(0, Refuse())
from downset.cli import main

code = main(["recheck", sys.argv[1], "--jobs", "1"])
assert "z3" not in sys.modules
sys.exit(code)
"""


def run_without_z3(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", WITHOUT_Z3, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "verify")}
    return subprocess.run(  # noqa: S603 -- this interpreter and a text of ours
        command, capture_output=True, text=True, check=False, env=environment
    )


def test_what_was_written_is_accepted_without_z3(written_once: Path) -> None:
    done = run_without_z3(written_once)
    assert (done.returncode, done.stderr) == (0, "")
    assert re.fullmatch(r"10 verdicts accepted, \d+ obligations decided\n", done.stdout)


def test_designs_and_properties_are_told_without_z3() -> None:
    code = "import downset.modelling, downset.catalogue, sys; downset.catalogue.all_models(); "
    code += "downset.catalogue.load_properties(); sys.exit('z3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0  # noqa: S603


def test_several_processes_say_the_same(
    written_once: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["recheck", str(written_once), "--jobs", "2", "--format", "json"]) == 0
    results = json.loads(capsys.readouterr().out)["results"]
    assert [r["outcome"] for r in results] == 11 * ["accepted"]


def test_the_digest_is_printed_and_can_be_demanded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = str(tmp_path / "proof")
    main(["prove", "baseline/independent", "--property", "gates-agree", "--certificate", where])
    digest = capsys.readouterr().err.split("digest ")[1].strip()
    assert main(["recheck", where, "--digest", digest]) == 0
    assert main(["recheck", where, "--digest", 64 * "0"]) == 1
    assert "not the certificate with the digest" in capsys.readouterr().out


def test_every_script_is_standard_and_says_what_it_expects(written_once: Path) -> None:
    for file in written_once.glob("*.smt2"):
        lines = file.read_text(encoding="ascii").splitlines()
        code = [line for line in lines if not line.startswith(";")]
        assert code[0] == "(set-logic QF_BV)"
        assert code[2] in {"(set-info :status unsat)", "(set-info :status sat)"}
        assert code[-1] == "(check-sat)"
        assert any(re.match(r"; model: .*, SHA-256 [0-9a-f]{64}$", line) for line in lines)


def test_two_runs_write_the_same_bytes(written_once: Path, tmp_path: Path) -> None:
    """Also if other things are decided before, and sets are in another order."""
    again = tmp_path / "again"
    one, two = "opencode/1.17.2", "pawwork/1132"
    args = ["prove", two, one, "--property", "fork-safe", "--property", "session-deny-inherited"]
    command = [sys.executable, "-m", "downset", *args, "--certificate", str(again), "--exit-zero"]
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT / "verify")}
    subprocess.run(command, check=True, env=environment, capture_output=True)  # noqa: S603
    scripts = sorted(again.glob("*.smt2"))
    assert scripts
    for file in scripts:
        assert file.read_bytes() == (written_once / file.name).read_bytes()
    first, second = (json.loads((f / "manifest.json").read_text()) for f in (written_once, again))
    entries = {(e["model"], e["property"]): e for e in first["verdicts"]}
    for entry in second["verdicts"]:
        assert entry == entries[entry["model"], entry["property"]]


def test_theorems_are_certified_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "theorems"
    assert main(["properties", "--theorems", "--certificate", str(folder)]) == 0
    assert main(["recheck", str(folder)]) == 0
    assert capsys.readouterr().out.endswith("5 verdicts accepted, 5 obligations decided\n")
    assert run_without_z3(folder).returncode == 0
    file = min(folder.glob("*.smt2"))
    file.write_text(file.read_text().replace("(check-sat)", "(assert false)\n(check-sat)"))
    assert main(["recheck", str(folder)]) == 1


def test_z3_reads_the_scripts_as_it_decided_them(written_once: Path) -> None:
    for file in written_once.glob("*.smt2"):
        text = file.read_text(encoding="ascii")
        solver = z3.Solver(ctx=z3.Context())
        solver.from_string(text)
        expected = re.search(r":status (\w+)", text)
        assert expected is not None
        assert str(solver.check()) == expected[1]


def test_a_solver_that_gives_up_leaves_it_undetermined(folder: Folder) -> None:
    checker = Rechecker(folder.path, folder.manifest, lambda *_: Answer("unknown", reason="tired"))
    found = checker.entry(0, Sources(folder.manifest))
    assert found.outcome == "undetermined"
    assert "gave up: tired" in found.problems[0]


def test_a_solver_that_says_otherwise_rejects(folder: Folder) -> None:
    checker = Rechecker(folder.path, folder.manifest, lambda *_: Answer("sat"))
    assert checker.entry(0, Sources(folder.manifest)).outcome == "rejected"


def test_without_cvc5_nothing_is_checked(
    written_once: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("downset.prove.cvc5_solver.find_spec", lambda _: None)
    assert main(["recheck", str(written_once)]) == 2
    assert "error[no-cvc5]" in capsys.readouterr().err


def test_a_folder_without_certificates(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recheck", str(tmp_path)]) == 2
    assert "error[no-certificate]" in capsys.readouterr().err


@pytest.mark.parametrize("taken", ["file", "full", "deep"])
def test_a_place_that_cannot_be_written_is_refused_before_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], taken: str
) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "other").write_text("x")
    where = tmp_path / ("none/deep" if taken == "deep" else taken)
    assert main(["prove", "baseline/independent", "--certificate", str(where)]) == 2
    assert "error[cannot-write]" in capsys.readouterr().err


@pytest.mark.slow
def test_every_property_of_a_design_is_certified(tmp_path: Path) -> None:
    folder = tmp_path / "all"
    main(["prove", "baseline/full-inheritance", "--certificate", str(folder), "--exit-zero"])
    assert run_without_z3(folder).returncode == 0
