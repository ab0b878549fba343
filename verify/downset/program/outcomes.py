"""What can go wrong in front of an answer, and the words for what became of a call.

>>> NotExpressible("no tool asks for it").reason
'no tool asks for it'
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


class Unavailable(Exception):
    """The program of a release cannot be had here; says why."""

    @property
    def reason(self) -> str:
        """Why, in one line."""
        return str(self)


class NotExpressible(Exception):
    """A story that cannot be told on the program; says why."""

    @property
    def reason(self) -> str:
        """Why, in one line."""
        return str(self)


class ConfigRefused(Exception):
    """The program refuses a configuration that this package reads; says with what words."""


class ProgramError(Exception):
    """The program did not answer as it does when it works; says what happened."""


ALLOW: Final = "allow"
ASK: Final = "ask"
DENY: Final = "deny"
HIDDEN: Final = "hidden"
OFFERED: Final = "offered"
POSSIBLE: Final = "possible"
REFUSED: Final = "refused"

_DENIED: Final = ("specified a rule", "PermissionDeniedError", "rule which prevents")
_REJECTED: Final = ("rejected permission", "PermissionRejectedError")
_UNKNOWN: Final = ("unavailable tool", "No such tool", "NoSuchTool")


def of_part(part: Mapping[str, Any]) -> str:
    """What became of a call, from the part of the message that records it.

    A call that fails after its permission was checked was allowed.

    >>> of_part({"tool": "invalid", "state": {"status": "completed"}})
    'hidden'
    >>> error = "The user has specified a rule which prevents you from using this"
    >>> of_part({"tool": "write", "state": {"status": "error", "error": error}})
    'deny'
    """
    state = part["state"]
    text = str(state.get("error") or "")
    if part["tool"] == "invalid" or any(mark in text for mark in _UNKNOWN):
        return HIDDEN
    if any(mark in text for mark in _DENIED):
        return DENY
    return ASK if any(mark in text for mark in _REJECTED) else ALLOW
