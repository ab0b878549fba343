"""PawWork before #1132: the tools map is all that a child keeps.

Commit 7a4473c90^ (2026-06-03); pawwork.md sections 1 and 2. A child is created with its caller
session's denies and external_directory rules, and the prompt that follows at once replaces them by
its tools map, which is never empty. The caller's agent is not consulted. Only own children of the
same type are resumed; nothing is written for that, the prompt's map does the rest. Three gates:
availability D1 and the check on execution, both over agent ++ session, and the newest message's
map by exact name. "Always" replies beat denies until e3595b705.
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
AGENT_GUARD = rules(("agent", "*", DENY), origin="agent guard")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
STRUCTURAL = rules(
    ("agent", "*", DENY),
    ("enter-worktree", "*", DENY),
    ("exit-worktree", "*", DENY),
    origin="tools map",
)


class PawWorkBefore1132(Design):
    """Create with the caller session's denies, then overwrite them with the tools map."""

    id = "pawwork/before-1132"
    title = "the tools map is all that a child keeps"
    source = "PawWork 7a4473c90^ (2026-06-03); pawwork.md 2"

    matcher = W2
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
    dispatch = "agent"
    bypasses = ("mention", "command")
    modes = True
    resumable = Resume.OWN_CHILDREN
    resumes_as_other_agent = False
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.PROJECT
    snapshots = True
    attributes_to_newest = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """What the child stores until its first prompt (section 2)."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        primary = config.primary_tools.with_action(ALLOW)
        return caller.stored.where(CARRIED) + AGENT_GUARD + todo + primary

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The map M of section 2: each entry switches a tool off."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        return STRUCTURAL + todo + config.primary_tools

    def prompt(self, session: Session, tools: Word) -> Word:
        """A tools map, if not empty, replaces the rules of any session (section 2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.5)."""
        return Fork(EMPTY)
