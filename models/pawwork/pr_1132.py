"""PawWork #1132: real rules instead of a flat map.

Commit 7a4473c90 (squash of refs/pull/1132/head e7bdee858, 2026-06-03); pawwork.md section 4; the
algorithm is unchanged up to maint/v1. A child stores what its caller's session and agent deny,
patterns untouched, and the caller session's external_directory rules. Each prompt with a tools map
rebuilds an agent-made session's rules: what the map cannot say is kept, the map's entries are put
behind. Only own children of the same type are resumed, and then store the current caller's denies
instead of what they stored. Three gates: availability D1 and the check on execution, both over
agent ++ session, and the newest message's map by exact name. "Always" replies beat denies until
e3595b705 (2026-06-11).
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


class PawWork1132(Design):
    """Forward what the caller's session and agent deny; let prompts rebuild around it."""

    id = "pawwork/1132"
    title = "what the caller's session and agent deny is forwarded and survives rebuilds"
    source = "PawWork 7a4473c90 (#1132, 2026-06-03); pawwork.md 4"

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
        """INH of 4.1, step 8: the caller session's part, then the caller agent's denies."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        inherited = caller.stored.where(CARRIED) + caller.agent.rules.where(denied)
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
