"""opencode 1.1.16 to 1.3.2: an agent with a task rule may dispatch further.

Spawn class T2 (commit 5d37e58d3, #8111, 2026-01-12, for #8114): as in 1.0.224, but the task deny
is left out for a callee that has a rule literally named task, whatever its action. The child is
created with the primary tools *allowed*; its first prompt sends a tools map, never empty, which
replaces all of that by the same guards and *denies* for the primary tools.

Matcher W1, availability gate D1 over agent rules only (G1), mentions and commands skip the task
check (B2). A resume takes any session, and its prompt replaces what that session stored. Modes
are never checked when task runs. PATCH ignores session rules (until 1.4.4). From 1.2.11 the
matcher is W2, from 1.3.0 the gate looks at session rules too (G2). `apply_patch` is here though it
came later in this range (1.1.26, b7ad6bd83, in place of `patch`): until 1.3.0 it asked for
edit but was looked up as itself (#16028). Seen on 1.1.34, 1.2.27 and 1.3.2 (there with G2).

Outside the model: where the agents' own rules come from (config layers, key order, built-in rules),
which resources a tool asks for (bash parsing, the move destination of apply_patch), requests
with several patterns (A0), doom_loop (decided by agent rules only), the unchecked read of `@path`
in a prompt, and what a pending question's settlement does to other questions.
"""

from downset.modelling import (
    ALLOW,
    DENY,
    EMPTY,
    W1,
    Agent,
    Approvals,
    Config,
    Design,
    Fork,
    Resume,
    Session,
    Word,
    permission,
    rules,
)

EDIT_TOOLS = {"write": "edit", "patch": "edit", "multiedit": "edit"}
ASKS_EDIT = {**EDIT_TOOLS, "apply_patch": "edit"}
TODO_GUARD = rules(("todowrite", "*", DENY), ("todoread", "*", DENY), origin="todo guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies: always the todo tools, and TASK(b)."""
    return TODO_GUARD + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode1116(Design):
    """Give every child the todo denies, and the task deny unless its agent mentions task."""

    id = "opencode/1.1.16"
    title = "a callee's own task rule lifts the task guard, nothing of its caller"
    source = "opencode 1.1.16-1.3.2, commit 5d37e58d3 (#8111); opencode.md 3.1 T2"

    matcher = W1
    aliases = EDIT_TOOLS
    asks_as = ASKS_EDIT
    bypasses = ("mention", "command")
    modes = True
    resumable = Resume.ANY_SESSION
    patchable = False
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.PROJECT
    snapshots = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The guards, then the primary tools, allowed (never effective: 3.4)."""
        return guards(callee) + config.primary_tools.with_action(ALLOW)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        """R(b), the map as rules, each key once: the guards, and the primary tools off."""
        given = guards(callee)
        return given + config.primary_tools.without(given)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A prompt's tools map, if not empty, replaces the session's rules (3.2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.4)."""
        return Fork(EMPTY)

    def visible(self, session: Session) -> Word:
        """The availability gate looks at the agent's rules alone (1.4, G1)."""
        return session.agent.rules
