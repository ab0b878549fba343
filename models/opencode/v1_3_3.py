"""opencode 1.3.3 to 1.14.30: an agent with a todowrite rule may keep a todo list.

Spawn class T3 (commits 77fc88c8a, #19128, and 66a56551b, #19125, 2026-03-25): both guards are left
out for a callee that has a rule literally of that name. The child is created with the primary
tools *allowed*; the tools map of its first prompt has the same guards and *denies* for the primary
tools, and replaces the child's rules unless it is empty. Nothing of the caller is looked at.

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored; its prompt replaces that too unless
the map is empty. Modes are never checked when task runs. PATCH ignores session rules (until 1.4.4,
d62ec7776, #22070, which appends them). `multiedit` is gone from 1.14.20. No served release of
this class was run: 1.3.2 is the last of the class before, 1.14.34 the first seen of the next.

Outside the model: where the agents' own rules come from (config layers, key order, built-in rules),
which resources a tool asks for (bash parsing, the move destination of apply_patch), requests
with several patterns (A1), doom_loop (decided by agent rules only), the unchecked read of `@path`
in a prompt, and what a pending question's settlement does to other questions.
"""

from downset.modelling import (
    ALLOW,
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
    permission,
    rules,
)

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit", "multiedit": "edit"}
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode133(Design):
    """Add the default denies that the callee does not mention; nothing of the caller."""

    id = "opencode/1.3.3"
    title = "the callee's own rules lift the guards, nothing of its caller"
    source = "opencode 1.3.3-1.14.30, commits 77fc88c8a, 66a56551b (#19125); opencode.md 3.1 T3"

    matcher = W2
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
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
        """The guards, then the primary tools, allowed."""
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
