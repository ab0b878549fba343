"""opencode 1.18.2 and later: as 1.17.2, with a limit to the depth of dispatches.

Spawn class T9 (commit 285d315b4, #37124, 2026-07-15): the child stores what 1.17.2 stores: the
caller *session's* denies and external_directory rules, the default denies for todowrite and task,
and then the guards again and *denies* for the primary tools, but for rules that are there
already. A session with `subagent_depth` (default 1) or more sessions above it dispatches nothing;
that is checked first, also for mentions, commands and resumes (5.3). Dispatches send no tools map.

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored. Modes are never checked when task
runs. The tools for MCP resources are looked up as, and ask for, read (from 1.17.10, 3f3f12082,
#33483). Read at 1.18.18; seen on 1.18.3, 1.18.33 and 1.18.34.

Outside the model: where the agents' own rules come from (config layers, key order, built-in rules),
which resources a tool asks for (bash parsing, the move destination of apply_patch), requests
with several patterns (A1), doom_loop (decided by agent rules only), the unchecked read of `@path`
in a prompt, and what a pending question's settlement does to other questions.
"""

from downset.modelling import (
    DENY,
    EMPTY,
    W2,
    Agent,
    Approvals,
    Config,
    Design,
    Fork,
    Resume,
    Session,
    Word,
    denied,
    permission,
    rules,
)

ALIASES = {
    "write": "edit",
    "apply_patch": "edit",
    "list_mcp_resources": "read",
    "list_mcp_resource_templates": "read",
    "read_mcp_resource": "read",
}
CARRIED = denied | (permission == "external_directory")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode1182(Design):
    """Carry the caller session's denies, add the defaults, and limit the depth."""

    id = "opencode/1.18.2"
    title = "as 1.17.2, with a depth limit"
    source = "opencode 1.18.2-1.18.34, commit 285d315b4 (#37124); opencode.md 3.1 T9, 5.3"

    matcher = W2
    aliases = ALIASES
    asks_as = ALIASES
    bypasses = ("mention", "command")
    modes = True
    resumable = Resume.ANY_SESSION
    depth_limited = True
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.PROJECT
    snapshots = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """C ++ (D without C): the guards once more, and the primary tools' denies."""
        carried = caller.stored.where(CARRIED) + guards(callee)
        return carried + (guards(callee) + config.primary_tools).without(carried)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A prompt's tools map, if not empty, replaces the session's rules (3.2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.4)."""
        return Fork(EMPTY)
