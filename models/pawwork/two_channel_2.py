"""PawWork #1132, second version: denies for a list of tools travel in the tools map.

Reconstructed, not released (pawwork.md section 3, V2): #1132 is one commit in git, its comments
and tests show what came before. As the first version, for a guarded list of tools instead of edit
alone: scoped denies, tools that are not on the list and MCP tools are lost.
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
GUARDED = ("edit", "write", "apply_patch", "bash", "webfetch", "websearch")


class PawWorkTwoChannel2(Design):
    """Before #1132, plus `false` in the map for each guarded tool that the caller may not use."""

    id = "pawwork/two-channel-2"
    title = "the caller's denies for listed tools are flattened into the tools map"
    source = "reconstructed; pawwork.md 3, V2"

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
        """The map M of section 2, and each guarded tool off that the caller is denied at `*`."""
        todo = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        tools = STRUCTURAL + todo + config.primary_tools
        for tool in GUARDED:
            asked = Query.of(EDIT_TOOLS.get(tool, tool), "*")
            off = rules((tool, "*", DENY), origin="flattened")
            tools += off.when(self.decide(caller, asked).denies)
        return tools

    def prompt(self, session: Session, tools: Word) -> Word:
        """A tools map, if not empty, replaces the rules of any session (section 2)."""
        return tools.or_else(session.stored)

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session without rules (4.5)."""
        return Fork(EMPTY)
