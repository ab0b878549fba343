"""Random parts of scenarios: keys, patterns, resources, permission blocks, session rules.

>>> import random
>>> from downset.config.releases import release
>>> sorted(Words(random.Random(1), release("1.18.34")).tools_map())
['write']
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    import random

    from downset.config.releases import Release

ACTIONS: Final = ("allow", "ask", "deny")
PLAIN_KEYS: Final = ("edit", "bash", "read", "glob", "grep", "task", "external_directory", "skill")
FLAT_KEYS: Final = ("todowrite", "question", "webfetch", "doom_loop")
OTHER_KEYS: Final = (
    *("*", "*", "**", "e*", "edi?", "*sh", "todo*", "t*k", "task*", "write", "Edit", "deploy"),
    *("mcp_*", "mcp_files_read", "mcp_files_*", "downset_*", "", "e", "?dit", "bash "),
)
PATTERNS: Final = (
    *("*", "*", "*", "**", "src/*", "src/**", "src/app.ts", "*.ts", "**/*.ts", "**/.env", "*.env"),
    *("a", "a *", "ls *", "git *", "git push *", "rm -rf *", "* *", "?", "??", "", "a.b", "(a)"),
    *("a+", "[ab]", "$x", "src\\*", "/etc/*", "../*", "general", "w*", "0", "42", "é*", "A", "~x"),
    *("worker", "explore", "boss", "docs/**/x", "a\n*", "^a", "{a,b}", "a|b", "*a*", " *", "* "),
    *("~/x*", "~", "$HOME/y", "$HOMEz", "x/~/y"),
)
RESOURCES: Final = (
    *("src/app.ts", "src", "src/", "src/deep/app.ts", "app.ts", ".env", "x/.env", "a", "a b", "b"),
    *("ls", "ls -la", "lsof", "git push", "git push origin", "git pushy", "rm -rf x", "a.b", "axb"),
    *("(a)", "aa", "[ab]", "$x", "src\\x", "/etc/passwd", "../x", "general", "worker", "*", "é"),
    *("42", "0", "A", "docs//x", "docs/a/x", "a\nb", "^a", "{a,b}", "a|b", "", " ", "~x", "boss"),
)
QUERIES: Final = (
    *("edit", "edit", "edit", "bash", "bash", "read", "task", "external_directory", "webfetch"),
    *("todowrite", "deploy", "mcp_files_read", "glob", "Edit", "e"),
)
TOOLS: Final = (
    *("bash", "edit", "glob", "grep", "read", "skill", "task", "todowrite", "webfetch", "write"),
    *("deploy", "mcp_files_read"),
)


@dataclass(frozen=True)
class Words:
    """Parts of scenarios for a release, from one source of chance."""

    chance: random.Random
    row: Release

    @property
    def tools(self) -> list[str]:
        """Tools to ask about; `question` is offered from 1.1.7 on."""
        return list(TOOLS)

    def action(self) -> str:
        """An action."""
        return self.chance.choice(ACTIONS)

    def pattern(self) -> str:
        """A pattern, about a third of them blanket."""
        return self.chance.choice(PATTERNS)

    def resource(self) -> str:
        """A resource, sometimes one that some pattern just matches or just misses."""
        if self.chance.random() < 0.3:  # noqa: PLR2004 -- three of ten
            return (
                self.pattern().replace("*", self.chance.choice(["", "a", "x/y"])).replace("?", "a")
            )
        return self.chance.choice(RESOURCES)

    def query(self) -> tuple[str, str]:
        """A permission and a resource to ask for."""
        return self.chance.choice(QUERIES), self.resource()

    # --- configuration ---

    def config(self) -> dict[str, Any]:
        """A configuration, which may be one that a release refuses."""
        config: dict[str, Any] = {"agent": self.agents()}
        if self.often():
            config["permission"] = self.block()
        if self.seldom():
            config["experimental"] = {"primary_tools": self.chance.sample(TOOLS, 2)}
        if self.row.depth_limit is not None:
            config["subagent_depth"] = 3
        if self.seldom():
            config["tools"] = self.tools_map()
        return config

    def agents(self) -> dict[str, Any]:
        """Agents of the user's own, and changes of some that are always there."""
        found = {name: self.agent("primary") for name in ("boss", "lead")}
        found |= {name: self.agent("subagent") for name in ("worker", "mid")}
        for name in ("general", "plan", "build", "explore"):
            if self.seldom():
                found[name] = {"permission": self.block()}
        return found

    def agent(self, mode: str) -> dict[str, Any]:
        """One agent; most have a block, some a legacy map of tools."""
        made: dict[str, Any] = {"mode": mode, "description": "an agent"}
        if self.often():
            made["permission"] = self.block()
        if self.seldom():
            made["tools"] = self.tools_map()
        return made

    def block(self) -> object:
        """A permission block."""
        if self.row.text_for_agent and self.chance.random() < 0.05:  # noqa: PLR2004 -- now and then
            return self.action()
        keys = [self.key() for _ in range(self.chance.randint(1, 5))]
        return {key: self.value(key) for key in keys}

    def key(self) -> str:
        """The name of a permission, or a glob for some."""
        pools = (PLAIN_KEYS, PLAIN_KEYS, FLAT_KEYS, OTHER_KEYS)
        return self.chance.choice(self.chance.choice(pools))

    def value(self, key: str) -> object:
        """An action, or actions by pattern."""
        if key in FLAT_KEYS or self.seldom():
            return self.action()
        return {self.pattern(): self.action() for _ in range(self.chance.randint(1, 4))}

    # --- sessions ---

    def session_rules(self) -> dict[str, Any]:
        """Session rules in any order, often none."""
        count = self.chance.choice([0, 0, 1, 2, 3, 5])
        rules = [[self.key(), self.pattern(), self.action()] for _ in range(count)]
        return {"rules": rules} if rules else {}

    def tools_map(self) -> dict[str, bool]:
        """A map that switches tools on and off."""
        names = self.chance.sample(TOOLS, self.chance.choice([1, 1, 2, 3]))
        return {name: self.chance.random() < 0.4 for name in names}  # noqa: PLR2004 -- rather off

    def often(self) -> bool:
        """Three times of four."""
        return self.chance.random() < 0.75  # noqa: PLR2004 -- as it says

    def seldom(self) -> bool:
        """Once of four times."""
        return self.chance.random() < 0.25  # noqa: PLR2004 -- as it says
