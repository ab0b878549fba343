"""Gemini CLI 0.61: one policy engine and one approval mode for all sessions.

The matching rule of highest priority decides, the first loaded of equals; a rule counts as tier
times 1000 plus its own priority (0 to 999): 1 built-in, 2 extensions, 3 workspace, 4 user, 5
administrator. If no rule matches, the call asks, and is allowed in yolo. The *shared* rules are
those of tiers 2 to 4 for every session, whatever their `modes` say of the present mode; an agent's
*rules* are those with `subagent = "its name"`, which bind it if the engine is handed exactly that
name, and nobody else. The gate that hides tools is never handed a name (getExcludedTools). Children
are in the mode that their caller is in now and dispatch nothing.

The resource of `run_shell_command` is one command, of `invoke_agent` the name, or the arguments as
JSON where a rule's pattern looks at those. A file with one rule of a priority above 999 is dropped
as a whole, with a message. "Always" adds a rule of priority 950 in the user's tier.

Outside the model: the tools that an agent's file lists (it has no others), regular expressions,
shell parsing and redirections, safety checkers, sessions that cannot ask, plan files in their
folders, the switch to autoEdit after an "always" for edits, rules that name an agent as if it were
a tool. Read and run: @google/gemini-cli-core 0.61.0.
"""

from downset.modelling import (
    ALLOW,
    ASK,
    DENY,
    EMPTY,
    FALSE,
    W1,
    Action,
    Agent,
    Approvals,
    Config,
    Decision,
    Design,
    Formula,
    Mode,
    Pick,
    Query,
    Resume,
    Session,
    Tool,
    Unreadable,
    Word,
    blanket,
    denied,
    highest_tier,
    matching,
    pattern,
    permission,
    rules,
)

READS = ("read_file", "glob", "grep_search", "list_directory")
EDITS = ("write_file", "replace")
ASKED = (*EDITS, "run_shell_command", "web_fetch")
PLANNERS = ("cli_help", "codebase_investigator")
ANY = "*"
UNREADABLE = {"gemini": Unreadable.DROPPED}

EVERYWHERE = rules(
    *((tool, ANY, ALLOW) for tool in READS), origin="read-only.toml", priority=1050
) + rules(*((tool, ANY, ASK) for tool in ASKED), origin="write.toml", priority=1010)
AUTO_EDIT = rules(
    *((tool, ANY, ALLOW) for tool in (*EDITS, "web_fetch")), origin="write.toml", priority=1015
)
AGENTS = rules(("invoke_agent", ANY, ALLOW), origin="agents.toml", priority=1050)
YOLO = rules((ANY, ANY, ALLOW), origin="yolo.toml", priority=1998)
PLAN = (
    rules((ANY, ANY, DENY), origin="plan.toml", priority=1040)
    + rules(*((tool, ANY, DENY) for tool in EDITS), origin="plan.toml", priority=1065)
    + rules(*((tool, "?*.md", ALLOW) for tool in EDITS), origin="plan.toml", priority=1070)
    + rules(*((tool, "*/*", DENY) for tool in EDITS), origin="plan.toml", priority=1071)
    + rules(("web_fetch", ANY, ASK), origin="plan.toml", priority=1050)
    + rules(
        *(("invoke_agent", name, ALLOW) for name in PLANNERS),
        *(("invoke_agent", f'*"agent_name":"{name}"*', ALLOW) for name in PLANNERS),
        origin="plan.toml",
        priority=1050,
    )
)


def built_in(mode: Mode) -> Word:
    """The rules of tier 1 that count in a mode."""
    other = (
        AUTO_EDIT.when(mode.is_("autoEdit"))
        + AGENTS.when(mode.is_("default", "autoEdit", "yolo"))
        + YOLO.when(mode.is_("yolo"))
        + PLAN.when(mode.is_("plan"))
    )
    return EVERYWHERE + other


class GeminiCli061(Design):
    """Share the engine and the mode; scope a rule by the exact name of an agent."""

    id = "gemini-cli/0.61"
    title = "one engine for all; a rule can be for one agent, by its exact name"
    source = "gemini-cli-core 0.61.0, run; other-systems.md 3"

    matcher = W1
    tools = ("run_shell_command", "write_file", "read_file", "invoke_agent")
    dispatch = "invoke_agent"
    resumable = Resume.NOBODY
    approvals = Approvals.PROJECT
    permission_modes = ("default", "autoEdit", "plan", "yolo")
    changes_mode = True
    one_mode = True
    shares_rules = True
    managed_rules = True
    children_dispatch = False
    documented = True
    unreadable = UNREADABLE
    stores_rules = False
    switchable = False
    todo_list = False
    outside = False
    permission_blocks = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """A session stores no rules."""
        return EMPTY

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        """The built-in rules; in yolo one matches everything."""
        found = matching(query.permission, query.resource)
        seen = built_in(mode).best(found, Pick.PRIORITY)
        return seen.or_default(ASK)

    def tier_below(self, session: Session) -> Word:
        """All rules but the administrator's."""
        scoped = session.agent.rules if session.dispatched else EMPTY
        return scoped + session.shared + built_in(session.mode)

    def decide(self, session: Session, query: Query) -> Decision:
        """The highest tier, the highest priority, the first of equals."""
        tiers = [session.managed, self.tier_below(session)]
        return highest_tier(tiers, query.permission, query.resource, ASK)

    def documents(self, session: Session, query: Query) -> Decision:
        """The rule of highest priority that matches; nothing is said of equals."""
        return self.decide(session, query)

    def decide_with(self, session: Session, query: Query, approved: Word) -> Decision:
        """An "always" is a rule of priority 950 in the user's tier."""
        return self.decide(session.sharing(approved.with_priority(4950) + session.shared), query)

    def managed_says(self, session: Session, query: Query, action: Action) -> Formula:
        """Whether the administrator's rule of highest priority has an action."""
        found = matching(query.permission, query.resource)
        return session.managed.best(found, Pick.PRIORITY).or_default(ALLOW).is_(action)

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """Denied whatever the arguments, by a rule that is for no agent in particular."""
        return self.excluded([session.managed, session.shared + built_in(session.mode)], tool)

    def excluded(self, tiers: list[Word], tool: Tool) -> Formula:
        """Whether the highest rule that is not a deny of some arguments denies the tool."""
        counts = permission.matches(tool.gate) & ~(denied & (pattern != ANY))
        above, below = (word.best(counts, Pick.PRIORITY) for word in tiers)
        return above.seen(blanket) | (~above.seen() & below.seen(blanket))

    def own(self, agent: Agent, query: Query) -> Decision:
        """What the rules for this agent say; they restrict nothing else."""
        found = matching(query.permission, query.resource)
        return agent.rules.best(found, Pick.PRIORITY).or_default(ALLOW)

    def own_hidden(self, agent: Agent, tool: Tool) -> Formula:
        """Denied whatever the arguments, by the rules for this agent."""
        return self.excluded([EMPTY, agent.rules], tool)

    def agent_layer_denies(self, session: Session, query: Query) -> Formula:
        """Whether a deny for this agent decides."""
        if not session.dispatched:
            return FALSE
        return self.own(session.agent, query).denies & self.decide(session, query).denies
