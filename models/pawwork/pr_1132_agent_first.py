"""PawWork #1132 with the two parts of what is inherited the other way round.

Proposed, not upstream (pawwork.md sections 5 and 10): the caller agent's denies stand before the
caller session's part, as they do in the caller's own rules. Nothing else differs from
pawwork/1132. A child stores what its caller's session and agent deny, patterns untouched, and the
caller session's external_directory rules. Each prompt with a tools map rebuilds an agent-made
session's rules: what the map cannot say is kept, the map's entries are put behind. Only own
children of the same type are resumed, and then store the current caller's denies instead of what
they stored. Three gates: availability D1 and the check on execution, both over agent ++ session,
and the newest message's map by exact name. "Always" replies beat denies as at 7a4473c90.
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
    pattern,
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


class PawWork1132AgentFirst(Design):
    """Forward the caller agent's denies before the caller session's."""

    id = "pawwork/1132-agent-first"
    title = "as #1132, the caller agent's denies before the caller session's rules"
    source = "mutant of 7a4473c90; pawwork.md 5 and 10"

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
        """INH of 4.1, step 8: the caller agent's denies, then the caller session's part."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        inherited = caller.agent.rules.where(denied) + caller.stored.where(CARRIED)
        return inherited + AGENT_GUARD + todo + config.primary_tools.with_action(ALLOW)

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        """INH of the caller as it is now replaces what the child stored (4.1, step 9)."""
        return self.spawn(caller, callee, config)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The map M of section 2: each entry switches a tool off."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        return STRUCTURAL + todo + config.primary_tools

    def prompt(self, session: Session, tools: Word) -> Word:
        """Of an agent-made session `keep` survives a prompt with a map, of others nothing (4.3)."""
        if not session.dispatched:
            return tools
        listed = among(tools, "permission")
        kept = (permission == "external_directory") | (denied & ((pattern != "*") | ~listed))
        return session.stored.where(kept) + tools

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.5)."""
        return Fork(EMPTY)
