"""Which rules a release of opencode plays by: the one table of differences between releases.

Sources: opencode.md (sections 1-6) and opencode-observed.md, which wins where they differ.

>>> release("opencode@1.18.2").model, release("1.17.20").spawn
('opencode/1.18.2', 'T8')
>>> release("1.1.14").matcher == W0, release("1.1.15").matcher == W1
(True, True)
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeVar

from downset.errors import InputError
from downset.language.matching import W0, W1, W2, W2_WINDOWS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.language.matching import Matcher

Version = tuple[int, int, int]
T = TypeVar("T")


class KeyOrder(Enum):
    """In which order the keys of a permission block become rules (opencode.md 1.7)."""

    KNOWN_FIRST = "K0"
    USER_1 = "K1"
    WILDCARDS_FIRST = "K2"
    USER = "K3"


class Header(Enum):
    """What happens to a Markdown agent whose header is not YAML."""

    REJECTED = "the configuration is rejected"
    MENDED_FIRST = "values with a colon are quoted first; if that fails, the file is skipped"
    RETRIED = "values with a colon are quoted for a second try; without any, the header is dropped"


@dataclass(frozen=True)
class Release:
    """One release: what it does in each respect in which releases differ.

    `spawn` is the class of spawn rules (3.1), `model` the id of the design that proves it. `hides`
    and `hides_over` say how and over which rules the availability gate decides (1.4), `asks` how
    several resources of one call are taken together (1.5), `bypass` when a dispatch is not
    checked (3.5). `read_base` is what the path that `read` asks with is relative to.
    """

    version: Version
    engine: int
    spawn: str
    model: str
    matcher: Matcher
    hides: str
    hides_over: str
    asks: str
    bypass: str
    key_order: KeyOrder
    edit_tools: frozenset[str]
    read_tools: frozenset[str]
    edit_in_tools_map: frozenset[str]
    expands_home: bool
    depth_limit: int | None
    read_base: str
    sends_tools: bool
    strict_keys: bool
    text_for_agent: bool
    header: Header
    jsonc_first: bool
    content_last: bool

    @property
    def name(self) -> str:
        """The release as people write it.

        >>> release("v1.18.2").name, release("2.0.4").name
        ('opencode@1.18.2', 'opencode@2.0.4')
        """
        return "opencode@" + ".".join(map(str, self.version))

    @property
    def windows_matcher(self) -> Matcher:
        """The matcher on Windows: from W2 on, case does not matter there (1.3)."""
        return W2_WINDOWS if self.matcher == W2 else self.matcher

    def gate(self, tool: str) -> str:
        """The permission under which the availability gate looks a tool up (1.4).

        >>> release("1.2.27").gate("apply_patch"), release("1.3.0").gate("apply_patch")
        ('apply_patch', 'edit')
        """
        if tool in self.edit_tools:
            return "edit"
        return "read" if tool in self.read_tools else tool

    def since(self, *version: int) -> bool:
        """Whether this is that version or a later one.

        >>> release("1.3.2").since(1, 3, 3)
        False
        """
        return self.version >= version


DEFAULT: Final = "opencode@1.18.2"
DEFAULT_V2: Final = "opencode@2.0"

_NEWEST: Final[Mapping[tuple[int, int], int]] = {
    (1, 1): 65,
    (1, 2): 27,
    (1, 3): 17,
    (1, 4): 11,
    (1, 14): 51,
    (1, 15): 13,
    (1, 16): 2,
    (1, 17): 20,
    (1, 18): 34,
}
_FIRST: Final = (1, 0, 224)


def release(text: str) -> Release:
    """The release that `text` names, with or without `opencode@`; `2.0` is the second engine.

    >>> release("opencode@2.0").engine
    2
    >>> release("1.0.223")
    Traceback (most recent call last):
    downset.errors.InputError: unknown release `1.0.223`
    """
    found = re.fullmatch(r"(?:opencode@)?v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?", text.strip())
    if found is None:
        raise _unknown(text)
    major, minor, patch = (int(part or 0) for part in found.groups())
    if (major, minor) == (2, 0):
        return _second_engine((major, minor, patch))
    if found[3] is None or not _exists((major, minor, patch)):
        raise _unknown(text)
    return _first_engine((major, minor, patch))


def _exists(version: Version) -> bool:
    return version == _FIRST or version[2] <= _NEWEST.get(version[:2], -1)


def _unknown(text: str) -> InputError:
    return InputError(
        f"unknown release `{text}`",
        id="unknown-release",
        help="known are opencode 1.0.224 to 1.18.34 and 2.0, written `opencode@1.18.2`; "
        "releases before 1.0.224 have no rule lists",
    )


def _first_engine(version: Version) -> Release:
    """The row of a release of the first engine (version vectors: opencode.md section 7)."""
    spawn, model = _since(version, _SPAWN)
    return Release(
        version=version,
        engine=1,
        spawn=spawn,
        model=f"opencode/{model}",
        matcher=_since(version, {_FIRST: W0, (1, 1, 15): W1, (1, 2, 11): W2}),
        hides=_since(version, {_FIRST: "D0", (1, 1, 2): "D1"}),
        hides_over=_since(version, {_FIRST: "G1", (1, 3, 0): "G2"}),
        asks=_since(version, {_FIRST: "A0", (1, 2, 27): "A1"}),
        bypass=_since(version, {_FIRST: "B0", (1, 1, 5): "B1", (1, 1, 7): "B2"}),
        key_order=_since(version, _KEY_ORDER),
        edit_tools=_since(version, _EDIT_TOOLS),
        read_tools=_MCP_READ if version >= (1, 17, 10) else frozenset(),
        edit_in_tools_map=_since(version, _EDIT_IN_TOOLS_MAP),
        expands_home=version >= (1, 1, 30),
        depth_limit=1 if version >= (1, 18, 2) else None,
        read_base="worktree" if version >= (1, 14, 45) else "absolute",
        sends_tools=version < (1, 17, 0),
        strict_keys=version < (1, 18, 16),
        text_for_agent=not (1, 14, 26) <= version < (1, 17, 11),
        header=_since(version, _HEADER),
        jsonc_first=version < (1, 3, 14),
        content_last=version >= (1, 1, 49),
    )


def _second_engine(version: Version) -> Release:
    """The row of the second engine, as of #48351 (opencode.md section 6)."""
    return Release(
        version=version,
        engine=2,
        spawn="V2",
        model="opencode/2.0",
        matcher=W2,
        hides="D1",
        hides_over="G2",
        asks="A1",
        bypass="none",
        key_order=KeyOrder.USER,
        edit_tools=frozenset({"edit", "write", "apply_patch"}),
        read_tools=frozenset(),
        edit_in_tools_map=frozenset({"write", "patch"}),
        expands_home=True,
        depth_limit=1,
        read_base="worktree",
        sends_tools=False,
        strict_keys=False,
        text_for_agent=True,
        header=Header.RETRIED,
        jsonc_first=False,
        content_last=True,
    )


def _since(version: Version, rows: Mapping[Version, T]) -> T:
    """The row of the newest version that is not newer than `version`."""
    return rows[max(start for start in rows if start <= version)]


_SPAWN: Final[Mapping[Version, tuple[str, str]]] = {
    _FIRST: ("T1", "1.0.224"),
    (1, 1, 16): ("T2", "1.1.16"),
    (1, 3, 3): ("T3", "1.3.3"),
    (1, 14, 31): ("T4", "1.14.31"),
    (1, 14, 45): ("T5", "1.14.46"),
    (1, 14, 49): ("T6", "1.14.49"),
    (1, 17, 0): ("T7", "1.17.0"),
    (1, 17, 2): ("T8", "1.17.2"),
    (1, 18, 2): ("T9", "1.18.2"),
}
_KEY_ORDER: Final[Mapping[Version, KeyOrder]] = {
    _FIRST: KeyOrder.KNOWN_FIRST,
    (1, 1, 3): KeyOrder.USER_1,
    (1, 14, 21): KeyOrder.WILDCARDS_FIRST,
    (1, 14, 25): KeyOrder.USER,
}
_EDIT_TOOLS: Final[Mapping[Version, frozenset[str]]] = {
    _FIRST: frozenset({"edit", "write", "patch", "multiedit"}),
    (1, 3, 0): frozenset({"edit", "write", "apply_patch", "multiedit"}),
    (1, 14, 20): frozenset({"edit", "write", "apply_patch"}),
}
_EDIT_IN_TOOLS_MAP: Final[Mapping[Version, frozenset[str]]] = {
    _FIRST: frozenset({"edit", "write", "patch", "multiedit"}),
    (1, 14, 20): frozenset({"edit", "write", "patch"}),
}
_MCP_READ: Final = frozenset(
    {"list_mcp_resources", "list_mcp_resource_templates", "read_mcp_resource"}
)
_HEADER: Final[Mapping[Version, Header]] = {
    _FIRST: Header.REJECTED,
    (1, 1, 23): Header.MENDED_FIRST,
    (1, 1, 42): Header.RETRIED,
}
