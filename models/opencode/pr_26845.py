"""opencode #26845, proposed 2026-05-11 and closed: of the caller's agent, only edit denies.

Against 1.14.46 (spawn class T5, #26597), the release that copied every deny of the caller's agent
and so took from delegates what they were given (#26700): one filter narrows that to rules named
edit, write or apply_patch. The same idea was merged as #27201 with edit alone (T6). The rest is as
in the base: the first prompt replaces all of it by R(b) unless the callee names both task and
todowrite and there are no primary tools (3.4); the caller's agent is the one that the session row
names, which a switch and a child's row do not follow (3.3); matcher W2, gates D1 and G2, B2.
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
EDIT_CLASS = permission.in_(("edit", "write", "apply_patch"))
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class OpencodePr26845(Design):
    """Carry the caller agent's edit-class denies and the caller session's denies."""

    id = "opencode/pr-26845"
    title = "as 1.14.46, but only edit-class denies of the caller's agent are carried"
    source = "opencode #26845 (closed) on 1.14.46; opencode.md 3.1 T5 and unmerged proposals"

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
        """T5 with the caller agent's denies filtered by name (3.1)."""
        carried = caller.row_rules.where(denied & EDIT_CLASS) + caller.stored.where(CARRIED)
        return carried + guards(callee) + config.primary_tools.with_action(ALLOW)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        """R(b), the map as rules: the guards, and the primary tools off (T3)."""
        given = guards(callee)
        return given + config.primary_tools.without(given)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A prompt's tools map, if not empty, replaces the session's rules (3.2, 3.4)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.4)."""
        return Fork(EMPTY)
