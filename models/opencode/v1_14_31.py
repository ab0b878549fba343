"""opencode 1.14.31 to 1.14.44: the caller session's denies are carried, and then overwritten.

Spawn class T4 (commit d7701dbfb, #23290, 2026-04-29): the child is created with the caller
*session's* denies and external_directory rules, the default denies for todowrite and task, and the
primary tools *allowed*. The tools map of its first prompt (the guards, and *denies* for the
primary tools) replaces all of that unless it is empty, which takes a callee that mentions both
todowrite and task and a configuration without primary tools (#30527).

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored; its prompt replaces that too unless
the map is empty. Modes are never checked when task runs. Seen on 1.14.34 and 1.14.41.

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
    denied,
    permission,
    rules,
)

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit"}
CARRIED = denied | (permission == "external_directory")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode11431(Design):
    """Carry the caller session's denies; the first prompt's tools map overwrites them."""

    id = "opencode/1.14.31"
    title = "caller session's denies are carried, then overwritten by the first prompt"
    source = "opencode 1.14.31-1.14.44, commit d7701dbfb (#23290); opencode.md 3.1 T4"

    matcher = W2
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
    bypasses = ("mention", "command")
    modes = True
    resumable = Resume.ANY_SESSION
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.PROJECT
    snapshots = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """F(sess(s)), the guards, then the primary tools, allowed."""
        carried = caller.stored.where(CARRIED)
        return carried + guards(callee) + config.primary_tools.with_action(ALLOW)

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
