"""Claude Code 2.1.328: one set of rules for all sessions, a mode for each, tools by agent.

The rules of all settings are one set, in which order and scope do not count: any deny, then any
ask, then any allow that matches; what no rule decides, the permission mode does. Seen on the
program: rules bind sub-agents, a deny of `Agent(name)` binds dispatches, an allow rule for Bash
pierces plan mode. An agent's file may name its tools (`tools`, `disallowedTools`), which are its
*rules* here, `{tool} * allow|deny`, the last that matches; they bind that agent and nobody below it
(#78063).

A child inherits its caller's mode. If that is bypassPermissions, acceptEdits or auto, the agent's
own `permissionMode` does not count; else it does, but for bypassPermissions, and in plan but for
acceptEdits and auto: then the caller's stays. (The program clamps; that it clamps to the caller's
mode is inferred.) `claude --resume` restores the mode, but for plan and bypassPermissions, which
become the `defaultMode`. "Always" adds an allow rule for everybody.

Outside the model: hooks, the splitting of command lines and what counts as a read-only command (see
docs/shell-text.md), path anchors and symlinks, critical deletions, mode changes while a sub-agent
runs, skills, plugins, forks, resumed sub-agents, globs in the tool name of an allow. What auto
mode's classifier says is one free answer for all calls; auto was never run.
"""

from downset.modelling import (
    ALLOW,
    ASK,
    DENY,
    EMPTY,
    UNDECLARED,
    W1,
    Agent,
    Approvals,
    Config,
    Decision,
    Design,
    Fixed,
    Flag,
    Formula,
    Mode,
    Query,
    Resume,
    Session,
    Tool,
    Word,
    action,
    denied,
    matching,
    named,
    pattern,
    permission,
)

READS = ("Read", "Grep", "Glob")
EDITS = ("Edit", "Write", "NotebookEdit")
STRONG = ("acceptEdits", "auto", "bypassPermissions")
CLASSIFIER = Flag("the classifier of auto mode approves")


class ClaudeCode21328(Design):
    """Share the rules, inherit or override the mode, give every agent its own tools."""

    id = "claude-code/2.1.328"
    title = "rules shared; a child's own mode counts unless it is the most permissive one"
    source = "claude-code 2.1.328, run; other-systems.md 1"

    matcher = W1
    tools = ("Bash", "Edit", "Read", "Agent")
    dispatch = "Agent"
    depth_limited = True
    resumable = Resume.NOBODY
    approvals = Approvals.PROJECT
    permission_modes = ("default", "plan", "acceptEdits", "dontAsk", "bypassPermissions", "auto")
    restarts = True
    shares_rules = True
    managed_rules = True
    documented = True
    stores_rules = False
    switchable = False
    todo_list = False
    outside = False
    permission_blocks = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """A session stores no rules."""
        return EMPTY

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        """The agent's mode, unless it has none, the caller's is strong, or it would be too much."""
        weak = caller.mode.is_("plan") & callee.mode.is_("acceptEdits", "auto")
        kept = caller.mode.is_(*STRONG) | callee.mode.is_(UNDECLARED, "bypassPermissions") | weak
        return callee.mode.unless(kept, caller.mode)

    def restart_mode(self, session: Session, config: Config) -> Mode:
        """What it was, but plan and bypassPermissions become the default mode."""
        lost = session.mode.is_("plan", "bypassPermissions")
        return session.mode.unless(lost, config.mode)

    def switched_off(self, session: Session, config: Config) -> Formula:
        """`disableBypassPermissionsMode`."""
        return config.locked & session.mode.is_("bypassPermissions")

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        """Reads are free; else each mode in its way."""
        asked: Decision = Fixed(ASK)
        asked = asked.unless(mode.is_("dontAsk"), Fixed(DENY))
        asked = asked.unless(mode.is_("auto"), Fixed(DENY).unless(CLASSIFIER, Fixed(ALLOW)))
        asked = asked.unless(mode.is_("plan") & named(query, *EDITS), Fixed(DENY))
        asked = asked.unless(mode.is_("acceptEdits", "auto") & named(query, *EDITS), Fixed(ALLOW))
        free = named(query, *READS) | mode.is_("bypassPermissions")
        return asked.unless(free, Fixed(ALLOW))

    def decide(self, session: Session, query: Query) -> Decision:
        """Deny, ask, plan's ban on edits, allow, the mode."""
        return self.decide_in_order(session, query, named(query, *EDITS))

    def documents(self, session: Session, query: Query) -> Decision:
        """Deny, ask, the mode, allow: plan mode bans all but reading before any allow counts."""
        return self.decide_in_order(session, query, ~named(query, *READS))

    def decide_in_order(self, session: Session, query: Query, banned: Formula) -> Decision:
        """The order of decisions, if plan mode bans some calls."""
        rules = session.managed + session.shared
        found = matching(query.permission, query.resource)
        decision = self.mode_decides(session.mode, query)
        decision = decision.unless(rules.any(found & (action == ALLOW)), Fixed(ALLOW))
        decision = decision.unless(session.mode.is_("plan") & banned, Fixed(DENY))
        prompt = Fixed(ASK).unless(session.mode.is_("dontAsk"), Fixed(DENY))
        decision = decision.unless(rules.any(found & (action == ASK)), prompt)
        lacking = self.agent_layer_denies(session, query)
        return decision.unless(rules.any(found & denied) | lacking, Fixed(DENY))

    def decide_with(self, session: Session, query: Query, approved: Word) -> Decision:
        """An "always" is one more shared rule."""
        return self.decide(session.sharing(session.shared + approved), query)

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """A tool that the agent lacks, or that a rule denies by its bare name."""
        rules = session.managed + session.shared
        bare = rules.any(denied & (pattern == "*") & permission.matches(tool.gate))
        return bare | self.own_hidden(session.agent, tool)

    def own(self, agent: Agent, query: Query) -> Decision:
        """What the agent's file says: its tools and its mode; it restricts nothing else."""
        tools = agent.rules.with_pattern("*")
        lacking = tools.last(permission.matches(query.permission)).seen(denied)
        by_mode = self.mode_decides(agent.mode, query)
        by_mode = by_mode.unless(agent.mode.is_(UNDECLARED), Fixed(ALLOW))
        return by_mode.unless(lacking, Fixed(DENY))

    def own_hidden(self, agent: Agent, tool: Tool) -> Formula:
        """A tool that the agent's file does not give it."""
        tools = agent.rules.with_pattern("*")
        return tools.last(permission.matches(tool.gate)).seen(denied)

    def agent_layer_denies(self, session: Session, query: Query) -> Formula:
        """The agent does not have the tool."""
        tools = session.agent.rules.with_pattern("*")
        return tools.last(permission.matches(query.permission)).seen(denied)
