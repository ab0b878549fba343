"""The manifest of a folder of certificates: which models and properties, and every verdict."""

from __future__ import annotations

import hashlib
import inspect
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from downset import __version__
from downset.catalogue import model_root
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from downset.design.design import Design
    from downset.design.property import Property
    from downset.prove.forms import Form
    from downset.verdicts import Certificate

SCHEMA: Final = "downset-certificate/1"
NAME: Final = "manifest.json"
PACKAGE: Final = Path(__file__).parent.parent


def manifest(
    certificates: Iterable[Certificate], decided_by: str, theorems: Iterable[Form] = ()
) -> Form:
    """The manifest of some certificates; `decided_by` names the solver and its version.

    >>> sorted(manifest([], "z3 1"))[:3]
    ['decided_by', 'digest', 'downset']
    """
    found = list(certificates)
    whole: Form = {
        "schema": SCHEMA,
        "downset": __version__,
        "decided_by": decided_by,
        "models": each_once(certificate.model for certificate in found),
        "properties": each_once(certificate.property for certificate in found),
        "verdicts": [certificate.entry for certificate in found],
        "theorems": list(theorems),
    }
    return {**whole, "digest": digest_of(whole)}


def each_once(records: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Records in the order in which they come, each id once."""
    return list({record["id"]: record for record in records}.values())


def digest_of(whole: Mapping[str, Any]) -> str:
    """The SHA-256 of everything that a manifest says, but for its own digest.

    The manifest has the digest of every script, so this one stands for the whole folder.
    """
    kept = {key: value for key, value in whole.items() if key != "digest"}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def written(whole: Mapping[str, Any]) -> str:
    """A manifest as it stands in its file."""
    return json.dumps(whole, indent=1) + "\n"


def read(folder: Path) -> Form:
    """The manifest of a folder. Raises `InputError` if there is none, or it cannot be read."""
    file = folder / NAME
    try:
        whole = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(
            f"there is no certificate in `{folder}`: {error.strerror}",
            id="no-certificate",
            file=file,
            help="give the folder that `--certificate` wrote",
        ) from error
    except ValueError:
        return {}
    return whole if isinstance(whole, dict) else {}


def model_record(design: Design) -> Form:
    """Which file a model is, and what is in it."""
    source = inspect.getsourcefile(type(design))
    record = {"id": design.id, "title": design.title, "source": design.source}
    return {**record, **file_record(source, model_root())}


def property_record(prop: Property) -> Form:
    """Which file a property is in, and what it says."""
    source = inspect.getsourcefile(getattr(prop, "begin", None) or prop.claim)
    record = {"id": prop.id, "sentence": prop.sentence, "formula": prop.formula}
    return {**record, "events": list(prop.events), **file_record(source, PACKAGE)}


def file_record(source: str | None, root: Path) -> Form:
    """A file by its place under a folder of downset, or by its name, and its SHA-256."""
    if source is None or not Path(source).is_file():
        return {"file": "", "shipped": False, "sha256": ""}
    file = Path(source).resolve()
    shipped = file.is_relative_to(root.resolve())
    name = file.relative_to(root.resolve()).as_posix() if shipped else file.name
    sha256 = hashlib.sha256(file.read_bytes()).hexdigest()
    return {"file": name, "shipped": shipped, "sha256": sha256}
