"""Hypothesis strategies for a project's own tests: rules, rulesets, agents, configurations.

They favour what goes wrong: keys that are globs, the same key twice, ` *` at the end, `**/`,
blanket denies around narrow rules. Needs Hypothesis.

>>> from hypothesis import find
>>> find(rulesets(), lambda rules: any(rule["action"] == "deny" for rule in rules))
[{'permission': '*', 'pattern': '*', 'action': 'deny'}]
"""

from __future__ import annotations

from typing import Any, Final

from hypothesis import strategies as st

__all__ = ["actions", "agents", "configurations", "patterns", "permissions", "rules", "rulesets"]

_NAMES: Final = ("*", "edit", "bash", "read", "task", "webfetch", "external_directory", "write")
_PIECES: Final = ("*", "**/", "src/", "app.ts", ".env", "git ", "push", " *", "?", "docs/*")

Json = dict[str, Any]


def actions() -> st.SearchStrategy[str]:
    """`allow`, `ask` or `deny`, as text."""
    return st.sampled_from(("deny", "ask", "allow"))


def permissions() -> st.SearchStrategy[str]:
    """Keys under which tools ask, and globs of such keys."""
    globs = st.sampled_from(("e*", "*t", "ba?h", "mcp_*"))
    return st.one_of(st.sampled_from(_NAMES), globs)


def patterns() -> st.SearchStrategy[str]:
    """Patterns of resources, most of them globs."""
    made = st.lists(st.sampled_from(_PIECES), min_size=1, max_size=3).map("".join)
    return st.one_of(st.just("*"), made)


def rules() -> st.SearchStrategy[Json]:
    """One rule: `{"permission", "pattern", "action"}`."""
    return st.fixed_dictionaries(
        {"permission": permissions(), "pattern": patterns(), "action": actions()}
    )


def rulesets(max_size: int = 6) -> st.SearchStrategy[list[Json]]:
    """Ordered rules, the last match decides."""
    return st.lists(rules(), max_size=max_size)


def blocks() -> st.SearchStrategy[Json]:
    """The value of a `permission` key of a configuration."""
    maps = st.dictionaries(patterns(), actions(), min_size=1, max_size=4)
    return st.dictionaries(permissions(), st.one_of(actions(), maps), max_size=4)


def agents() -> st.SearchStrategy[Json]:
    """The value of one agent in a configuration."""
    modes = st.sampled_from(("primary", "subagent", "all"))
    return st.fixed_dictionaries({"mode": modes}, optional={"permission": blocks()})


def configurations(max_agents: int = 3) -> st.SearchStrategy[Json]:
    """The value of a whole configuration file."""
    names = st.sampled_from(("lead", "worker", "plan", "general", "reviewer"))
    return st.fixed_dictionaries(
        {},
        optional={
            "permission": blocks(),
            "agent": st.dictionaries(names, agents(), max_size=max_agents),
        },
    )
