"""Where edits are made: the project's files as documents, and the places in them to write to."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import takewhile
from typing import TYPE_CHECKING, Any, Final

from downset.config.edits import Document, NotEditable
from downset.config.rules_from import Layer
from downset.graph.sessions import location

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downset.config.edits import Path, Steps
    from downset.graph.records import Location, RuleAt
    from downset.graph.sessions import World

BLOCKS: Final = ("permission", "permissions")


@dataclass(frozen=True)
class Candidate:
    """An edit that may remove a finding: what it does, the new texts, and the rules it is about.

    What those rules take away is the point of the edit; anything else must stay as it is.
    """

    summary: str
    edited: Mapping[str, str]
    rules: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Home:
    """A block of permissions: a file, and the keys that lead to it, be they there or not."""

    file: str
    steps: Steps


@dataclass
class Bench:
    """The files of a project, with the edits made so far. Everything raises `NotEditable`."""

    world: World
    text_of: Callable[[str], str]
    edited: dict[str, str] = field(default_factory=dict)
    rules: set[str] = field(default_factory=set)

    def candidate(self, summary: str) -> Candidate:
        """What was done so far."""
        return Candidate(summary, dict(self.edited), frozenset(self.rules))

    def document(self, file: str) -> Document:
        """A file as it is now."""
        text = self.edited.get(file)
        return Document.of(file, self.text_of(file) if text is None else text)

    def at(self, place: Location | None) -> tuple[Document, Path]:
        """A document, and the path to what is written at a place of it."""
        document, steps = self._steps(place)
        return document, document.follow(steps)

    def _steps(self, place: Location | None) -> tuple[Document, Steps]:
        """The keys that lead to what was written at a place before any edit."""
        if place is None:
            raise NotEditable
        original = Document.of(place.file, self.text_of(place.file))
        return self.document(place.file), original.steps(place.line, place.column)

    # --- rules ---

    def remove(self, rule: RuleAt) -> None:
        """Take a rule out."""
        document, path = self.at(rule.place)
        self.edited[document.file] = document.removed(path)

    def move(self, rule: RuleAt, behind: RuleAt) -> None:
        """Move a rule, or the map in which it stands, behind another of the same file."""
        document, steps = self._steps(rule.place)
        other, target = self._steps(behind.place)
        alike = takewhile(lambda pair: pair[0] == pair[1], zip(steps, target, strict=False))
        depth = len(list(alike)) + 1
        if other.file != document.file or depth > min(len(steps), len(target)):
            raise NotEditable
        path, goal = document.follow(steps[:depth]), document.follow(target[:depth])
        self.edited[document.file] = document.moved(path, goal)
        self.rules.add(rule.text)

    def rename(self, rule: RuleAt, pattern: str) -> None:
        """Write another pattern into a rule."""
        document, path = self.at(rule.place)
        if path[-2].is_list or path[-2].name in BLOCKS:
            raise NotEditable
        self.edited[document.file] = document.renamed(path, pattern)
        self.rules.add(f"{rule.permission} {pattern} {rule.action}")

    def beside(self, rule: RuleAt, pattern: str, action: str, *, first: bool = False) -> None:
        """Add a rule of the same permission, behind one or at the start of its map."""
        document, path = self.at(rule.place)
        self.rules.add(f"{rule.permission} {pattern} {action}")
        if path[-2].is_list:
            new = document.inserted(path, None, _item((rule.permission, pattern, action)))
        elif path[-2].name in BLOCKS:
            both = {pattern: action, "*": rule.action} if first else {"*": rule.action}
            new = document.replaced(path, both | {pattern: action})
        elif first:
            new = document.inserted_first(path[:-1], pattern, action)
        else:
            new = document.inserted(path, pattern, action)
        self.edited[document.file] = new

    def instead(self, rule: RuleAt, permission: str) -> None:
        """Write a rule under another key, and no longer where it is."""
        document, path = self.at(rule.place)
        steps = tuple(entry.name or 0 for entry in _block(path)[1:])
        self.edited[document.file] = document.removed(path)
        self.add(Home(document.file, steps), (permission, rule.pattern, rule.action))

    # --- blocks ---

    def home(self, agent: str) -> Home:
        """Where an agent's own permissions are written, or are to be written."""
        config = self.world.agents[agent]
        for rule in config.rules:
            if rule.layer is Layer.AGENT and rule.place.file is not None:
                document, path = self.at(location(rule.place))
                return Home(document.file, tuple(entry.name or 0 for entry in _block(path)[1:]))
        names = ("agents" if self.world.release.engine > 1 else "agent", agent)
        name = BLOCKS[self.world.release.engine > 1]
        if config.place.file is None:
            return Home(self._first_file(), (*names, name))
        return Home(
            config.place.file, (name,) if config.place.file.endswith(".md") else (*names, name)
        )

    def _first_file(self) -> str:
        files = [file.path for file in self.world.project.files_read]
        found = next((file for file in files if not file.endswith(".md")), None)
        if found is None:
            raise NotEditable
        return found

    def add(self, home: Home, rule: tuple[str, str, str]) -> None:
        """Add a rule (permission, pattern, action) at the end of a block of permissions."""
        permission, pattern, action = rule
        self.rules.add(f"{permission} {pattern} {action}")
        document = self.document(home.file)
        path: Path = (document.root,)
        for number, step in enumerate(home.steps):
            found = path[-1].get(str(step))
            if found is None:
                value = self._nested(home.steps[number + 1 :], rule)
                self.edited[home.file] = document.inserted_in(path, str(step), value)
                return
            path = (*path, found)
        self.edited[home.file] = self._added(document, path, rule)

    def _nested(self, steps: Steps, rule: tuple[str, str, str]) -> Any:  # noqa: ANN401 -- a value of JSON
        """A value in which a block with one rule stands below some keys."""
        permission, pattern, action = rule
        if steps:
            return {str(steps[0]): self._nested(steps[1:], rule)}
        if self.world.release.engine > 1:
            return [_item(rule)]
        return {permission: action if pattern == "*" else {pattern: action}}

    def _added(self, document: Document, path: Path, rule: tuple[str, str, str]) -> str:
        permission, pattern, action = rule
        if path[-1].is_list:
            return document.inserted_in(path, None, _item(rule))
        if not path[-1].is_mapping:
            raise NotEditable
        there = path[-1].get(permission)
        if there is None:
            value: str | dict[str, str] = action if pattern == "*" else {pattern: action}
            return document.inserted_in(path, permission, value)
        inner = (*path, there)
        if not there.is_mapping:
            before = document.text[there.value : there.end].strip("\"'")
            whole = {} if pattern == "*" else {"*": before}
            return document.replaced(inner, {**whole, pattern: action} if whole else action)
        old = there.get(pattern)
        if old is not None:
            return document.replaced((*inner, old), action)
        if pattern == "*":
            return document.inserted_first(inner, pattern, action)
        return document.inserted_in(inner, pattern, action)


def _item(rule: tuple[str, str, str]) -> dict[str, str]:
    """A rule as an item of the second engine's list."""
    return dict(zip(("action", "resource", "effect"), rule, strict=True))


def _block(path: Path) -> Path:
    """The part of a path that leads to the permissions in which a rule stands."""
    for length in range(len(path), 0, -1):
        if path[length - 1].name in BLOCKS:
            return path[:length]
    raise NotEditable
