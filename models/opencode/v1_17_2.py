"""opencode 1.17.2 to 1.18.1: a callee's own permissions decide.

Spawn class T8 (commit 3ad6923c6, #31696, 2026-06-10): the caller's *agent* is no longer looked
at; the child stores the caller *session's* denies and external_directory rules, the default
denies for todowrite and task, and then the guards again and *denies* for the primary tools, but
for rules that are there already. Dispatches send no tools map.

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored. Modes are never checked when task
runs. Seen on 1.17.9, 1.17.11 and 1.17.18.

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
CARRIED = denied | (permission == "external_directory")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode1172(Design):
    """Carry the caller session's denies; add the defaults that the callee does not mention."""

    id = "opencode/1.17.2"
    title = "caller session's denies are carried, caller agent's are not"
    source = "opencode 1.17.2-1.18.1, commit 3ad6923c6 (#31696); opencode.md 3.1 T8"

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
        carried = caller.stored.where(CARRIED) + guards(callee)
        return carried + (guards(callee) + config.primary_tools).without(carried)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A prompt's tools map, if not empty, replaces the session's rules (3.2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.4)."""
        return Fork(EMPTY)
