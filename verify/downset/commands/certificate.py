"""Where certificates go: one folder, a file for each obligation and a manifest.

>>> write_certificate.__name__
'write_certificate'
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.verdicts import Verdict

DISAGREEMENT: Final = "solver-disagreement.smt2"


def write_certificate(folder: Path, verdicts: Sequence[Verdict], decided_by: str) -> None:
    """Write what some verdicts rest on, and print the digest. Raises `InputError` if that fails."""
    from downset.prove.manifest import manifest  # noqa: PLC0415 -- for `--help`

    found = [verdict.certificate for verdict in verdicts if verdict.certificate is not None]
    scripts = {name: text for each in found for name, text in each.scripts.items()}
    write_folder(folder, scripts, manifest(found, decided_by))


def write_theorems(folder: Path, solver: str, decided_by: str) -> None:
    """Write what the theorems rest on, and print the digest. Raises `InputError` if that fails."""
    from downset.prove.manifest import manifest  # noqa: PLC0415 -- for `--help`
    from downset.prove.theorem_certificate import pages  # noqa: PLC0415 -- the same

    found = pages(solver)
    scripts = {name: text for page in found for name, text in page.scripts().items()}
    write_folder(folder, scripts, manifest([], decided_by, [page.entry() for page in found]))


def write_folder(folder: Path, scripts: Mapping[str, str], whole: Mapping[str, object]) -> None:
    """Write scripts, and the manifest last. Raises `InputError` if that fails."""
    from downset.prove.manifest import NAME, written  # noqa: PLC0415 -- for `--help`

    try:
        folder.mkdir(exist_ok=True)
        for name, text in {**scripts, NAME: written(whole)}.items():
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            f"cannot write the certificate: {error.strerror or error}",
            id="cannot-write",
            file=folder,
            help="choose another folder for `--certificate`",
        ) from error
    click.echo(f"{folder}: {len(scripts)} obligations, digest {whole['digest']}", err=True)


def keep_formula(error: BaseException) -> None:
    """Write down the formula on which two solvers disagreed, if that is what an error is about."""
    script = getattr(error, "script", None)
    if isinstance(script, str):
        with suppress(OSError):
            Path(DISAGREEMENT).write_text(script, encoding="utf-8")
            click.echo(f"  the formula is in `{DISAGREEMENT}`", err=True)
