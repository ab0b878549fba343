"""PawWork #1132, first version: an edit deny of the caller travels in the tools map.

Reconstructed, not released (pawwork.md section 3, V1): #1132 is one commit in git, its comments
and tests show what came before. As before #1132, but the map also switches edit off where the
caller is denied edit at `*`, by its agent or its session. The map is flat: patterns are lost,
other tools too.
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
    Query,
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


class PawWorkTwoChannel1(Design):
    """Before #1132, plus `edit: false` in the map for a caller that may not edit."""

    id = "pawwork/two-channel-1"
    title = "an edit deny of the caller is flattened into the tools map"
    source = "reconstructed; pawwork.md 3, V1"

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
        """The map M of section 2, and edit off if the caller's rules deny it at `*`."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        denied_to_caller = self.decide(caller, Query.of("edit", "*")).denies
        edit = rules(("edit", "*", DENY), origin="flattened").when(denied_to_caller)
        return STRUCTURAL + todo + config.primary_tools + edit

    def prompt(self, session: Session, tools: Word) -> Word:
        """A tools map, if not empty, replaces the rules of any session (section 2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.5)."""
        return Fork(EMPTY)
