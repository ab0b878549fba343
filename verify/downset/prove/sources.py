"""The models and properties that a certificate is about: those of the package, or files given."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from downset.catalogue import load_model, load_properties
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from downset.design.design import Design
    from downset.design.property import Property
    from downset.prove.forms import Form


@dataclass
class Sources:
    """Finds what an entry of a manifest is about.

    Of the files that are given, `models` and `files` of properties, only those are executed whose
    digest the manifest has.
    """

    manifest: Form
    models: Sequence[Path] = ()
    files: Sequence[Path] = ()
    _loaded: dict[str, Design] = field(default_factory=dict)

    def model(self, name: str) -> Design:
        """The model of an id. Raises `InputError` if there is none that could be meant."""
        if name not in self._loaded:
            record = self._record("models", name)
            if record.get("shipped") is True:
                self._loaded[name] = load_model(name)
            else:
                self._loaded[name] = load_model(str(self._given(record, self.models, "--model")))
        return self._loaded[name]

    def property(self, name: str) -> Property:
        """The property of an id. Raises `InputError` if there is none that could be meant."""
        record = self._record("properties", name)
        if record.get("shipped") is not True and name not in load_properties():
            self._given(record, self.files, "--properties-file")
        if name not in self._properties:
            raise InputError(
                f"unknown property `{name}`",
                id="unknown-property",
                help="`downset properties` lists them",
            )
        return self._properties[name]

    @cached_property
    def _properties(self) -> dict[str, Property]:
        known = {record.get("sha256") for record in self.manifest["properties"]}
        return load_properties([file for file in self.files if sha256(file) in known])

    def _record(self, kind: str, name: str) -> Form:
        found: list[Form] = [record for record in self.manifest[kind] if record["id"] == name]
        return found[0]

    def _given(self, record: Form, files: Sequence[Path], option: str) -> Path:
        """The file that a record means. Raises `InputError` if it was not given, or is another."""
        for file in files:
            if sha256(file) == record.get("sha256"):
                return file
        raise InputError(
            f"`{record['id']}` is in a file of its own, `{record.get('file')}`, with the SHA-256 "
            f"{record.get('sha256')}",
            id="no-source",
            help=f"give that very file with `{option} FILE`",
        )


def sha256(file: Path) -> str:
    """The SHA-256 of a file. Raises `InputError` if it cannot be read."""
    try:
        return hashlib.sha256(file.read_bytes()).hexdigest()
    except OSError as error:
        raise InputError(
            f"cannot read `{file}`: {error.strerror}", id="no-file", help="give the path of a file"
        ) from error
