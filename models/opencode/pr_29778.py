"""opencode #29778, proposed 2026-05-28 and closed: inherit edit rules by difference of patterns.

Commit 004c7ddee (inheritParentPermissions in subagent-permissions.ts), against 1.14.49 (spawn class
T6, #27201; still so in 1.15): of the caller's agent are carried all edit rules, also allows, whose
pattern is that of an edit deny which the caller's agent has and the callee's agent has not. The
rest is as in the base: the first prompt replaces all of it by R(b) unless the callee names both
task and todowrite and there are no primary tools (3.4); the caller's agent is the one that the
session row names, which follows every prompt (3.3); matcher W2, gates D1 and G2, B2.
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
    among,
    denied,
    permission,
    rules,
)

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit"}
CARRIED = denied | (permission == "external_directory")
EDIT = permission == "edit"
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


def guards(callee: Agent) -> Word:
    """The default denies, but for what the callee mentions: TODO(b) ++ TASK(b)."""
    todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
    return todo + TASK_GUARD.when(~callee.rules.any(permission == "task"))


class OpencodePr29778(Design):
    """Carry the caller agent's edit rules whose pattern only it denies."""

    id = "opencode/pr-29778"
    title = "as 1.14.49, but edit rules are inherited by difference of denied patterns"
    source = "opencode #29778 (closed, 004c7ddee) on 1.14.49; opencode.md 3.1 unmerged proposals"

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
        """T6 with X = Dp without Db, and every edit rule whose pattern is in X (3.1)."""
        denied_above = among(caller.row_rules, "pattern", where=denied & EDIT)
        denied_below = among(callee.rules, "pattern", where=denied & EDIT)
        inherited = caller.row_rules.where(EDIT & denied_above & ~denied_below)
        carried = inherited + caller.stored.where(CARRIED)
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
