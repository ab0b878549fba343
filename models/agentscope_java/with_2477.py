"""AgentScope for Java after pull request 2477: a caller's deny rules reach its callee.

Any deny that matches denies, then any ask asks, then the tool's own check of the mode (EXPLORE bans
what changes things, ACCEPT_EDITS allows edits), then any allow, then BYPASS allows; else it asks,
and under DONT_ASK it is denied. Because an ask is found before EXPLORE's ban, it weakens the ban
into a prompt.

When a child is started, used again or sent a message, the deny rules of its caller's context are
added to its own: not the ask rules, and not the mode. A child's mode is the one that its agent
declares; an agent whose context is trivial, no rules and no mode, runs in BYPASS.

Nothing was run: everything is by reading the pull request. Outside the model: what the tools' own
checks find dangerous, hidden tools, rules for dispatches, approvals.
"""

from downset.modelling import (
    ALLOW,
    ASK,
    DENY,
    UNDECLARED,
    W1,
    Agent,
    Config,
    Decision,
    Design,
    Fixed,
    FixedMode,
    Formula,
    Mode,
    Query,
    Resume,
    Session,
    Word,
    action,
    denied,
    matching,
    named,
)

READS = ("view_text_file",)
EDITS = ("write_text_file", "insert_text_file")
BYPASS, DEFAULT = FixedMode("BYPASS"), FixedMode("DEFAULT")


class AgentScopeAfter2477(Design):
    """Add the caller's denies at each dispatch."""

    id = "agentscope-java/after-2477"
    title = "the caller's deny rules are added at spawn, reuse and message; not its asks or mode"
    source = "agentscope-java #2477, after; other-systems.md 8 (read, not run)"

    matcher = W1
    tools = ("execute_shell_command", "write_text_file", "view_text_file")
    dispatch = ""
    resumable = Resume.OWN_CHILDREN
    resumes_as_other_agent = False
    permission_modes = ("DEFAULT", "EXPLORE", "ACCEPT_EDITS", "DONT_ASK", "BYPASS")
    documented = True
    hides_tools = False
    switchable = False
    todo_list = False
    outside = False
    permission_blocks = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The denies of the caller's context."""
        return self.effective(caller).where(denied)

    def resume(self, caller: Session, child: Session, callee: Agent, config: Config) -> Word:
        """The denies of the caller's context once more."""
        return child.stored + self.effective(caller).where(denied)

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        """The agent's own mode; BYPASS if its context is trivial."""
        return self.own_mode(callee)

    def own_mode(self, agent: Agent) -> Mode:
        """What an agent declares, or what it gets without."""
        bare = DEFAULT.unless(~agent.rules.any(), BYPASS)
        return agent.mode.unless(agent.mode.is_(UNDECLARED), bare)

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        """What happens where no rule says anything."""
        asked: Decision = Fixed(ASK)
        asked = asked.unless(mode.is_("DONT_ASK"), Fixed(DENY))
        asked = asked.unless(mode.is_("BYPASS"), Fixed(ALLOW))
        asked = asked.unless(mode.is_("ACCEPT_EDITS") & named(query, *EDITS), Fixed(ALLOW))
        return asked.unless(mode.is_("EXPLORE") & ~named(query, *READS), Fixed(DENY))

    def decide(self, session: Session, query: Query) -> Decision:
        """Deny, ask, the tool's check, allow, the mode."""
        return self.ordered(self.effective(session), session.mode, query)

    def ordered(self, rules: Word, mode: Mode, query: Query) -> Decision:
        """The order of decisions over some rules in a mode."""
        found = matching(query.permission, query.resource)
        decision = self.unasked(rules, mode, query)
        prompt = Fixed(ASK).unless(mode.is_("DONT_ASK"), Fixed(DENY))
        decision = decision.unless(rules.any(found & (action == ASK)), prompt)
        return decision.unless(rules.any(found & denied), Fixed(DENY))

    def unasked(self, rules: Word, mode: Mode, query: Query) -> Decision:
        """The tool's check, allow, the mode."""
        allowed = rules.any(matching(query.permission, query.resource) & (action == ALLOW))
        decision = self.mode_decides(mode, query).unless(allowed, Fixed(ALLOW))
        edits = mode.is_("ACCEPT_EDITS") & named(query, *EDITS)
        decision = decision.unless(edits, Fixed(ALLOW))
        return decision.unless(self.banned(mode, query), Fixed(DENY))

    def banned(self, mode: Mode, query: Query) -> Formula:
        """What EXPLORE bans."""
        return mode.is_("EXPLORE") & ~named(query, *READS)

    def documents(self, session: Session, query: Query) -> Decision:
        """EXPLORE is read-only: its ban comes before any ask."""
        banned = self.banned(session.mode, query)
        return self.decide(session, query).unless(banned, Fixed(DENY))

    def own(self, agent: Agent, query: Query) -> Decision:
        """What the agent's rules decide in its own mode."""
        return self.ordered(agent.rules, self.own_mode(agent), query)

    def session_layer_denies(self, session: Session, query: Query) -> Formula:
        """Whether a deny of the session's context matches."""
        return session.stored.any(matching(query.permission, query.resource) & denied)

    def agent_layer_denies(self, session: Session, query: Query) -> Formula:
        """Whether a deny of the agent matches."""
        return session.agent.rules.any(matching(query.permission, query.resource) & denied)
