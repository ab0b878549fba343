"""Applying the parts of a configuration one after the other.

The first engine merges all documents deeply, and rejects the whole configuration if it rejects
one of them. The second engine keeps documents apart, and leaves out what it cannot read.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from downset.config import jsonc
from downset.config.discovery import Agents, Document, Inline
from downset.config.markdown import agent_files, read_agent
from downset.config.nodes import EMPTY, Node, Place, merged
from downset.config.project import FileRead, from_document, from_documents
from downset.config.rules_from import Layer
from downset.config.schema import decode, decode_agent, decode_block
from downset.config.texts import Text
from downset.config.v2 import v2_agent, v2_document
from downset.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from downset.config.discovery import AgentFile, Step, Where
    from downset.config.project import Project
    from downset.config.reading import Reader
    from downset.config.rules_from import Reading
    from downset.config.substitution import Substitution


class Loader(ABC):
    """What both engines do alike: find, read and parse, and note what was read."""

    def __init__(
        self, where: Where, reading: Reading, reader: Reader, substitution: Substitution
    ) -> None:
        self.where = where
        self.reading = reading
        self.findings = substitution.findings
        self.reader = reader
        self.substitution = substitution
        self.files_read: list[FileRead] = []
        self.layers: dict[str | None, Layer] = {}

    def apply(self, step: Step) -> None:
        """Apply one part, if it is there."""
        if isinstance(step, Document):
            if self.reader.exists(step.path):
                self.layers[str(step.path)] = step.layer
                self.document(step)
        elif isinstance(step, Inline):
            self.layers[step.name] = Layer.ENVIRONMENT
            self.text(Text(step.name, step.text), self.where.directory)
        elif isinstance(step, Agents):
            files = agent_files(step.path, self.reader, self.findings)
            self.agents([file for file in files if not file.is_mode])
            self.agents([file for file in files if file.is_mode])
        else:
            self.agents([step])

    def document(self, step: Document) -> None:
        """Read a file of settings and apply it."""
        content = self.reader.text(step.path)
        self.files_read.append(FileRead(str(step.path), step.layer))
        if content:
            self.text(Text(str(step.path), content), step.path.parent)

    def header(self, file: AgentFile) -> tuple[str, Node] | None:
        """The id and header of an agent's file, `None` where the program skips it."""
        self.files_read.append(FileRead(str(file.path), Layer.AGENT))
        return read_agent(file, self.reader, self.reading.release, self.findings)

    def layer_of(self, place: Place) -> Layer:
        """The layer of a top-level rule that was written at a place."""
        return self.layers.get(place.file, Layer.PROJECT)

    @abstractmethod
    def text(self, text: Text, directory: Path) -> None:
        """Apply the text of a document."""

    @abstractmethod
    def agents(self, files: Sequence[AgentFile]) -> None:
        """Apply files of agents, or of modes, of one directory."""

    @abstractmethod
    def project(self) -> Project:
        """What everything applied so far amounts to."""


class FirstEngine(Loader):
    """opencode 1: one document, into which each further one is merged."""

    merged: Node = EMPTY

    def text(self, text: Text, directory: Path) -> None:
        """Put in what the text refers to, parse, check, and merge."""
        tree = jsonc.parse(self.substitution.apply(text, directory), self.findings)
        decoded = decode(tree, self.reading.release, self.findings)
        self.merged = merged(self.merged, decoded)

    def agents(self, files: Sequence[AgentFile]) -> None:
        """Merge headers into the agents of those names; of two files of one name one counts."""
        found: dict[str, Node] = {}
        for file in files:
            entry = self._entry(file)
            if entry is None:
                continue
            name, node = entry
            if name in found:
                self._twice(name, node.where(), found[name].where())
            found[name] = node
        agents = merged(self.merged.get("agent") or EMPTY, Node(found))
        self.merged = self.merged.with_entry("agent", agents)

    def _entry(self, file: AgentFile) -> tuple[str, Node] | None:
        found = self.header(file)
        if found is None:
            return None
        name, header = found
        try:
            entry = decode_agent(f"agent.{name}", header, self.reading.release, self.findings)
        except InputError as error:
            if not file.is_mode:
                raise
            self._skipped_mode(error)
            return None
        return name, entry

    def _twice(self, name: str, place: Place, other: Place) -> None:
        text = f"{other.file} has an agent `{name}` too: which file counts is not defined"
        self.findings.error("agent-twice", text, place, "give each its own name")

    def project(self) -> Project:
        """The project of the merged document, and of the permissions in the environment."""
        override = self.where.environ.get("OPENCODE_PERMISSION")
        if override:
            self._override(override)
        return from_document(
            self.merged, self.reading, self.findings, self.layer_of, self.files_read
        )

    def _override(self, value: str) -> None:
        name = "OPENCODE_PERMISSION"
        self.layers[name] = Layer.ENVIRONMENT
        try:
            block = jsonc.parse(Text(name, value), self.findings)
        except InputError:
            if not self.reading.release.since(1, 15, 6):
                raise
            text = "this is not JSON, so the program ignores it"
            self.findings.error("bad-environment", text, Place(name))
            return
        if not block.is_mapping:
            raise Place(name).error("this is not an object of permissions", id="invalid-config")
        decode_block("permission", block, self.reading.release)
        self.merged = merged(self.merged, Node({"permission": block}))

    def _skipped_mode(self, error: InputError) -> None:
        self.findings.error(
            "agent-skipped",
            f"{error.message}, so the program skips the file: nothing in it has any effect",
            Place(error.file, error.line, error.column),
            error.help,
        )


class SecondEngine(Loader):
    """opencode 2: documents one after the other, without those that cannot be read."""

    def __init__(
        self, where: Where, reading: Reading, reader: Reader, substitution: Substitution
    ) -> None:
        super().__init__(where, reading, reader, substitution)
        self.documents: list[Node] = []

    def text(self, text: Text, directory: Path) -> None:
        """Parse and check; a document that is wrong counts for nothing."""
        del directory
        try:
            tree = jsonc.parse(text, self.findings)
            self.documents.append(v2_document(tree, self.reading.release, self.findings))
        except InputError as error:
            self._skipped(error)

    def agents(self, files: Sequence[AgentFile]) -> None:
        """Add a document for each agent."""
        for file in files:
            found = self.header(file)
            if found is None:
                continue
            name, header = found
            try:
                entry = v2_agent(header, self.reading.release, f"agents.{name}")
            except InputError as error:
                self._skipped(error)
                continue
            self.documents.append(Node({"agents": Node({name: entry})}))

    def project(self) -> Project:
        """The project of all documents that can be read."""
        return from_documents(
            self.documents, self.reading, self.findings, self.layer_of, self.files_read
        )

    def _skipped(self, error: InputError) -> None:
        self.findings.error(
            "file-skipped",
            f"{error.message}: the program leaves the whole file out without a word, so that "
            "no rule in it has any effect",
            Place(error.file, error.line, error.column),
            error.help,
        )
