"""opencode 1.14.46 to 1.14.48: the caller agent's denies are carried too, and overwritten as well.

Spawn class T5 (commit b8ca71d30, #26597, 2026-05-09, for the Plan mode bypass #26514; in 1.14.45
by its sync commit, in 1.14.46 by its users): before what 1.14.31 stores, the child is created with
every deny of the caller's *agent*. The tools map of its first prompt (the guards, and *denies* for
the primary tools) still replaces all of that unless it is empty, so it reaches only callees that
mention both todowrite and task, under a configuration without primary tools (#30527, #26700).

The caller's agent is the one that its stored row names (3.3): until 1.14.46 a switch leaves the
row, and a child's row names none, so that a grandchild gets no agent denies (#30610). From
1.14.47 (0fffcdfe4, #26765) the row follows every prompt, as seen on 1.14.48.

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored; its prompt replaces that too unless
the map is empty. Modes are never checked when task runs. Seen on 1.14.48.

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


class Opencode11446(Design):
    """Carry the denies of the caller's agent and session; the first prompt overwrites them."""

    id = "opencode/1.14.46"
    title = "caller agent's and session's denies are carried, then overwritten by the first prompt"
    source = "opencode 1.14.45-1.14.48, commit b8ca71d30 (#26597); opencode.md 3.1 T5, 3.3"

    matcher = W2
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
    bypasses = ("mention", "command")
    modes = True
    resumable = Resume.ANY_SESSION
    row_agent_follows = False
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.PROJECT
    snapshots = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The denies of pa(s), F(sess(s)), the guards, then the primary tools, allowed."""
        carried = caller.row_rules.where(denied) + caller.stored.where(CARRIED)
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
