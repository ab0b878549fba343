"""PawWork #1132, third version: scoped denies in the session, whole-tool denies in the tools map.

Reconstructed, not released (pawwork.md section 3, V3): #1132 is one commit in git, its comments
and tests show what came before. The caller's denies are also written to the child session, at a
spawn and at a resume as in the final version, but the rebuild trusts the map for every deny of a
whole tool and drops those that it does not regenerate: unlisted tools, MCP tools, key globs such
as `*`.
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
    pattern,
    permission,
    rules,
)

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit"}
CARRIED = denied | (permission == "external_directory")
KEPT = (permission == "external_directory") | (denied & (pattern != "*"))
AGENT_GUARD = rules(("agent", "*", DENY), origin="agent guard")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
STRUCTURAL = rules(
    ("agent", "*", DENY),
    ("enter-worktree", "*", DENY),
    ("exit-worktree", "*", DENY),
    origin="tools map",
)
GUARDED = ("edit", "write", "apply_patch", "bash", "webfetch", "websearch")


class PawWorkTwoChannel3(Design):
    """Forward the caller's denies; keep the scoped ones, trust the map for the others."""

    id = "pawwork/two-channel-3"
    title = "scoped denies are forwarded, denies of whole tools go through the tools map"
    source = "reconstructed; pawwork.md 3, V3"

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
        """The map M of section 2, and each guarded tool off that the caller is denied at `*`."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        tools = STRUCTURAL + todo + config.primary_tools
        for tool in GUARDED:
            asked = Query.of(EDIT_TOOLS.get(tool, tool), "*")
            off = rules((tool, "*", DENY), origin="flattened")
            tools += off.when(self.decide(caller, asked).denies)
        return tools

    def prompt(self, session: Session, tools: Word) -> Word:
        """Of an agent-made session only KEPT survives a prompt with a map, of others nothing."""
        return session.stored.where(KEPT) + tools if session.dispatched else tools

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.5)."""
        return Fork(EMPTY)
