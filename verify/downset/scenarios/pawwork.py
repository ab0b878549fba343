"""PawWork's agents and configuration (pawwork.md 1.4, 1.9 and 1.10).

>>> [str(rule) for rule in from_block({"bash": "allow", "*": "deny", "task": "ask"})]
['* * deny', 'bash * allow', 'agent * ask']
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from downset.config.findings import Findings
from downset.config.merging import folded
from downset.config.nodes import EMPTY, of
from downset.config.releases import KeyOrder, release
from downset.config.rules_from import Layer, Reading, from_config
from downset.config.schema import decode
from downset.config.surroundings import Surroundings
from downset.language.rules import ALLOW, ASK, DENY, Rule
from downset.language.terms import And
from downset.language.vocabulary import blanket_denied, text
from downset.scenarios.stage import Cast

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.config.nodes import Node
    from downset.language.rules import Action, Ruleset
    from downset.language.terms import Formula, Word

HELPERS: Final = ("/TRUNC/*", "/TMP/*")
"""The directories for long tool output and for temporary files, as the cases call them."""
READING: Final = Reading(
    replace(release("1.18.34"), key_order=KeyOrder.USER), Surroundings("/home/dev")
)


@dataclass(frozen=True)
class Pawwork:
    """The agents of a configuration."""

    document: Node

    @classmethod
    def of(cls, config: Mapping[str, object]) -> Pawwork:
        """Read a configuration. Raises `InputError`.

        >>> Pawwork.of({}).cast("nobody").rules
        ()
        """
        document = decode(of(config), READING.release, Findings())
        return cls(folded(document, READING.release))

    @property
    def primary(self) -> tuple[str, ...]:
        """The tools reserved for sessions that users open."""
        tools = (self.document.get("experimental") or EMPTY).get("primary_tools")
        return tuple(str(item.value) for item in tools.items) if tools else ()

    def cast(self, name: str) -> Cast:
        """The agent with a name; a look-up of an unknown name yields nothing (1.10)."""
        written = (self.document.get("agent") or EMPTY).get(name)
        if written is None and name not in BUILT_IN:
            return Cast()
        block = (written.get("permission") if written else None) or EMPTY
        rules = (
            *DEFAULTS,
            *BUILT_IN.get(name, ()),
            *rules_of(self.document.get("permission") or EMPTY),
            *rules_of(block),
        )
        mode = written.get("mode") if written else None
        chosen = str(mode.value) if mode else MODES.get(name, "all")
        return Cast((*rules, *helpers(rules)), users_only=chosen == "primary")


def from_block(block: Mapping[str, object]) -> Ruleset:
    """The rules of a permission block (1.9). Raises `InputError`."""
    document = decode(of({"permission": block}), READING.release, Findings())
    return rules_of(document["permission"])


def rules_of(block: Node) -> Ruleset:
    """The rules of a decoded block: keys with a star first, `task` renamed to `agent`."""
    entries = sorted(block.ordered(), key=lambda entry: "*" not in entry[0])
    names = [name for name, _ in entries]
    kept = {
        "agent" if name == "task" else name: node
        for name, node in entries
        if name != "task" or "agent" not in names
    }
    placed = from_config(replace(block, value=kept), READING, Layer.AGENT)
    return tuple(found.rule for found in placed)


def helpers(rules: Ruleset) -> Ruleset:
    """The program's own directories, each unless it is denied by its exact name."""
    barred = {(rule.permission, rule.pattern) for rule in rules if rule.action is DENY}
    return tuple(
        Rule("external_directory", pattern, ALLOW)
        for pattern in HELPERS
        if ("external_directory", pattern) not in barred
    )


def hides(word: Word, tool: str) -> Formula:
    """Whether rules hide a tool: the last rule named for each of its keys is a whole deny (1.4)."""
    return And(tuple(blanket_denied(word, text(key, "permission")) for key in keys(tool)))


def keys(tool: str) -> tuple[str, ...]:
    """The keys under which the first gate looks a tool up.

    >>> keys("write"), keys("browser_click"), keys("opencli_run")
    (('edit',), ('browser',), ('opencli_read', 'opencli_write'))
    """
    if tool in {"edit", "write", "apply_patch"}:
        return ("edit",)
    if tool.startswith("browser_"):
        return ("browser",)
    return ("opencli_read", "opencli_write") if tool.startswith("opencli_") else (tool,)


def _all(action: Action, *names: str) -> Ruleset:
    return tuple(Rule(name, "*", action) for name in names)


def _bash(action: Action, *patterns: str) -> Ruleset:
    return tuple(Rule("bash", pattern, action) for pattern in patterns)


DEFAULTS: Final[Ruleset] = (
    *_all(ALLOW, "*"),
    *_all(ASK, "doom_loop"),
    *_all(DENY, "question", "plan_enter", "plan_exit"),
    *_all(ALLOW, "read"),
    Rule("read", "*.env", ASK),
    Rule("read", "*.env.*", ASK),
    Rule("read", "*.env.example", ALLOW),
    *_bash(ALLOW, "*"),
    *_bash(ASK, "sudo *"),
    *_bash(DENY, "dd *", "mkfs*", "rm *", "rmdir *", "unlink *", "find * -delete*"),
    *_bash(DENY, "Remove-Item *", "del *", "erase *", "rd *"),
    *_all(ALLOW, "external_directory"),
)
_EXPLORES: Final = ("grep", "glob", "bash", "webfetch", "websearch", "read", "external_directory")
BUILT_IN: Final[Mapping[str, Ruleset]] = {
    "build": _all(ALLOW, "question", "plan_enter"),
    "general": _all(DENY, "todowrite"),
    "explore": (*_all(DENY, "*"), *_all(ALLOW, *_EXPLORES)),
    **dict.fromkeys(("compaction", "title", "summary"), _all(DENY, "*")),
}
MODES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("build", "compaction", "title", "summary"), "primary"),
    **dict.fromkeys(("general", "explore"), "subagent"),
}
