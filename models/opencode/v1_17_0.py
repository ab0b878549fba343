"""opencode 1.17.0 and 1.17.1: what is carried stays, for dispatches send no tools map any more.

Spawn class T7 (commit f43209bb8, #31394, 2026-06-08, for #30527): the child stores the edit denies
of the caller's *agent*, the caller *session's* denies and external_directory rules, the default
denies for todowrite and task, and then the guards again and *denies* for the primary tools, but
for rules that are there already. No tools map overwrites it. A user's map still does.

The caller's agent is the one that its stored row names, which follows (3.3).

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored. Modes are never checked when task
runs. Seen on 1.17.0.

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

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit"}
EDIT_DENIED = denied & (permission == "edit")
CARRIED = denied | (permission == "external_directory")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode1170(Design):
    """Carry the caller agent's edit denies and the session's denies, for good."""

    id = "opencode/1.17.0"
    title = "caller agent's edit denies and session's denies are carried, and stay"
    source = "opencode 1.17.0-1.17.1, commit f43209bb8 (#31394); opencode.md 3.1 T7, 3.3"

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
        """C ++ (D without C): the guards once more, and the primary tools' denies."""
        carried = caller.row_rules.where(EDIT_DENIED) + caller.stored.where(CARRIED)
        carried = carried + guards(callee)
        return carried + (guards(callee) + config.primary_tools).without(carried)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A prompt's tools map, if not empty, replaces the session's rules (3.2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.4)."""
        return Fork(EMPTY)
