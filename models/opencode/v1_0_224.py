"""opencode 1.0.224 to 1.1.15: a constant list of denies for every sub-agent.

Spawn class T1 (commit 351ddeed9, #6319, 2026-01-01): the child is created with denies for
todowrite, todoread and task, and *allows* for the primary tools; its first prompt sends a tools
map, which replaces all of that by the same denies and *denies* for the primary tools. Nothing of
the caller is looked at.

Matcher W0, availability gate D0 (the decision at the resource `*`) over agent rules only (G1),
no mention bypass, but a slash command's dispatch is checked against the callee's rules (B0). A
resume takes any session, and its prompt replaces what that session stored. Modes are never
checked when task runs. PATCH ignores session rules (until 1.4.4). All as in 1.0.224: from 1.1.2
the gate is D1, from 1.1.5 mentions and commands skip the check, from 1.1.15 the matcher is W1.
Seen on 1.1.11, whose task tool is hidden from a sub-agent with a task rule of its own.

Outside the model: where the agents' own rules come from (config layers, key order, built-in rules),
which resources a tool asks for (bash parsing, the move destination of apply_patch), requests
with several patterns (A0), doom_loop (decided by agent rules only), the unchecked read of `@path`
in a prompt, and what a pending question's settlement does to other questions.
"""

from downset.modelling import (
    ALLOW,
    DENY,
    EMPTY,
    W0,
    Agent,
    Approvals,
    Config,
    Design,
    Fork,
    Formula,
    Query,
    Resume,
    Session,
    Tool,
    Word,
    last_match,
    rules,
)

EDIT_TOOLS = {"write": "edit", "patch": "edit", "multiedit": "edit"}
GUARDS = rules(
    ("todowrite", "*", DENY), ("todoread", "*", DENY), ("task", "*", DENY), origin="sub-agent guard"
)


class Opencode10224(Design):
    """Give every child the same denies, whatever its caller and its agent."""

    id = "opencode/1.0.224"
    title = "every child gets the same three denies, nothing of its caller"
    source = "opencode 1.0.224-1.1.15, commit 351ddeed9 (#6319); opencode.md 3.1 T1"

    matcher = W0
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
    modes = True
    resumable = Resume.ANY_SESSION
    patchable = False
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.PROJECT
    snapshots = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The constant guards, then the primary tools, allowed (never effective: 3.4)."""
        return GUARDS + config.primary_tools.with_action(ALLOW)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        """R(b), the map as rules: each key once: the guards again, and the primary tools off."""
        return GUARDS + config.primary_tools.without(GUARDS)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A prompt's tools map, if not empty, replaces the session's rules (3.2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.4)."""
        return Fork(EMPTY)

    def own_hidden(self, agent: Agent, tool: Tool) -> Formula:
        """A tool is hidden if its permission is denied at the resource `*` (1.4, D0)."""
        return self.own(agent, Query.of(tool.gate, "*")).denies

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """The availability gate looks at the agent's rules alone (1.4, G1)."""
        return self.own_hidden(session.agent, tool) | self.hidden_by_prompt(session, tool)

    def ways(self) -> list[str]:
        """The model dispatches, or the user by a slash command."""
        return ["model", "command"]

    def dispatches(self, caller: Session, callee: Agent, via: str) -> Formula:
        """A command's dispatch is checked against agent(b) ++ sess(s), by no gate (3.5, B0)."""
        if via != "command":
            return super().dispatches(caller, callee, via)
        asked = callee.rules + caller.stored
        query = Query.of(self.dispatch, callee.name)
        return ~last_match(asked, query.permission, query.resource, self.default).denies
