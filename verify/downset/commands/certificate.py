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
    from collections.abc import Sequence

    from downset.verdicts import Verdict

DISAGREEMENT: Final = "solver-disagreement.smt2"


def write_certificate(folder: Path, verdicts: Sequence[Verdict], decided_by: str) -> None:
    """Write what some verdicts rest on, the manifest last, and print its digest.

    Raises `InputError` if that fails.
    """
    from downset.prove.manifest import NAME, manifest, written  # noqa: PLC0415 -- for `--help`

    found = [verdict.certificate for verdict in verdicts if verdict.certificate is not None]
    whole = manifest(found, decided_by)
    try:
        folder.mkdir(exist_ok=True)
        for certificate in found:
            for name, script in certificate.scripts.items():
                (folder / name).write_text(script, encoding="utf-8", newline="\n")
        (folder / NAME).write_text(written(whole), encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(
            f"cannot write the certificate: {error.strerror or error}",
            id="cannot-write",
            file=folder,
            help="choose another folder for `--certificate`",
        ) from error
    count = sum(len(certificate.scripts) for certificate in found)
    click.echo(f"{folder}: {count} obligations, digest {whole['digest']}", err=True)


def keep_formula(error: BaseException) -> None:
    """Write down the formula on which two solvers disagreed, if that is what an error is about."""
    script = getattr(error, "script", None)
    if isinstance(script, str):
        with suppress(OSError):
            Path(DISAGREEMENT).write_text(script, encoding="utf-8")
            click.echo(f"  the formula is in `{DISAGREEMENT}`", err=True)
