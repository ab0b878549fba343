"""opencode 1.14.49 to 1.16.2: of the caller agent's denies only those of edit are carried.

Spawn class T6 (commit c4e676b8a, #27201, 2026-05-13, for the over-restriction #26700 and #26885):
as 1.14.46, but of the caller's *agent* only denies whose permission is literally edit. The tools
map of the first prompt (the guards, and *denies* for the primary tools) still replaces everything
that was carried unless it is empty (#30527, #27886), which takes a callee that mentions both
todowrite and task and a configuration without primary tools.

The caller's agent is the one that its stored row names; the row follows every prompt, also that of
a child (seen on 1.15.0, 1.15.3 and 1.15.13; stored at creation from 1.16.0, 730ea6d2e, #30786).

Matcher W2, availability gate D1 over agent and session rules (G2), mentions and commands skip the
task check (B2). A resume takes any session as it is stored; its prompt replaces that too unless
the map is empty. Modes are never checked when task runs. Seen on 1.15.0, 1.15.3 and 1.15.13.

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
EDIT_DENIED = denied & (permission == "edit")
CARRIED = denied | (permission == "external_directory")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class Opencode11449(Design):
    """Carry the caller agent's edit denies and the session's; the first prompt overwrites them."""

    id = "opencode/1.14.49"
    title = "caller agent's edit denies and session's denies are carried, then overwritten"
    source = "opencode 1.14.49-1.16.2, commit c4e676b8a (#27201); opencode.md 3.1 T6, 3.3"

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
        """The edit denies of pa(s), F(sess(s)), the guards, then the primary tools, allowed."""
        carried = caller.row_rules.where(EDIT_DENIED) + caller.stored.where(CARRIED)
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
