"""Qwen Code 0.15: shared rules as Claude Code's, a child's mode by a function of five branches.

Any deny that matches denies. An ask that matches, or no rule at all, leaves it to the approval
mode: yolo runs it, plan blocks it, auto-edit runs edits, else it asks; only reading is free if no
rule asks. An allow, if no ask matches, runs in every mode.

A child's mode (`resolveSubagentApprovalMode`): the caller's, if that is yolo or auto-edit; else the
one that the agent declares, but yolo and auto-edit only in a trusted folder; else plan below plan,
in a trusted folder auto-edit, and in others the caller's. The change that brought it (#3066) also
says that a child of a planner stays in plan, which the second branch contradicts. "Always" adds an
allow rule for everybody.

Outside the model: how command lines are split and read as virtual reads and edits
(docs/shell-text.md), paths, the list of an agent's tools, which tool a deny hides, rules for the
dispatch tool, sessions that cannot ask, resume. Run and read: 0.15.10.
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
    FixedMode,
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

READS = ("Read", "Grep", "Glob", "ListFiles")
EDITS = ("Edit", "WriteFile")
STRONG = ("auto-edit", "yolo")


class QwenCode015(Design):
    """Share the rules, compute the mode."""

    id = "qwen-code/0.15"
    title = "rules shared; a child's mode by a function, in trusted folders wider than its caller's"
    source = "qwen-code 0.15.10, run (#3066); other-systems.md 4"

    matcher = W1
    tools = ("Bash", "Edit", "Read")
    dispatch = ""
    resumable = Resume.NOBODY
    approvals = Approvals.PROJECT
    permission_modes = ("default", "plan", "auto-edit", "yolo")
    shares_rules = True
    documented = True
    stores_rules = False
    agents_have_rules = False
    hides_tools = False
    switchable = False
    todo_list = False
    outside = False
    permission_blocks = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """A session stores no rules."""
        return EMPTY

    def spawn_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        """The five branches."""
        above, own = caller.mode, callee.mode
        mode = above.unless(config.trusted & ~above.is_("plan"), FixedMode("auto-edit"))
        declared = own.unless(own.is_(*STRONG) & ~config.trusted, above)
        mode = mode.unless(~own.is_(UNDECLARED), declared)
        return mode.unless(above.is_(*STRONG), above)

    def documents_mode(self, caller: Session, callee: Agent, config: Config) -> Mode:
        """The child of a planner stays in plan (#3066)."""
        return self.spawn_mode(caller, callee, config).unless(caller.mode.is_("plan"), caller.mode)

    def if_asked(self, mode: Mode, query: Query) -> Decision:
        """What becomes of a call that needs a confirmation."""
        asked: Decision = Fixed(ASK)
        asked = asked.unless(mode.is_("plan"), Fixed(DENY))
        asked = asked.unless(mode.is_("auto-edit") & named(query, *EDITS), Fixed(ALLOW))
        return asked.unless(mode.is_("yolo"), Fixed(ALLOW))

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        """Reading is free; all else needs a confirmation."""
        return self.if_asked(mode, query).unless(named(query, *READS), Fixed(ALLOW))

    def decide(self, session: Session, query: Query) -> Decision:
        """Deny, ask, allow, the mode."""
        found = matching(query.permission, query.resource)
        decision = self.mode_decides(session.mode, query)
        decision = decision.unless(session.shared.any(found & (action == ALLOW)), Fixed(ALLOW))
        asked = self.if_asked(session.mode, query)
        decision = decision.unless(session.shared.any(found & (action == ASK)), asked)
        return decision.unless(session.shared.any(found & denied), Fixed(DENY))

    def decide_with(self, session: Session, query: Query, approved: Word) -> Decision:
        """An "always" is one more shared rule."""
        return self.decide(session.sharing(session.shared + approved), query)

    def own(self, agent: Agent, query: Query) -> Decision:
        """What the agent's file asks for: a mode, or nothing."""
        declared = self.mode_decides(agent.mode, query)
        return declared.unless(agent.mode.is_(UNDECLARED), Fixed(ALLOW))
