"""Codex CLI 0.171: a child's policy is its caller's, neither more nor less.

Rules are for commands: a prefix of tokens, `git push` here `shell "git push *"`. Of all rules that
match, whatever their order and file, the most severe decides: forbidden (deny), prompt (ask),
allow. What no rule decides, the approval policy and the sandbox do, here one mode
`approval/sandbox`. Three permissions: `shell` runs a command inside the sandbox, `unsandboxed`
outside it (granted to a command that a rule allows), `write` changes a file of the workspace, by a
patch or by a command.

A dispatch copies the caller's live approval policy and sandbox behind the agent's own file, so the
file (the agent's mode here) can neither widen nor narrow; a resume does so again. No rule can speak
of a dispatch. Administrators' requirements are rules like others. "Always" adds an allow rule for
everybody. With a file of rules that cannot be parsed, `codex exec` does not start (run), an
interactive session drops all users' rules (#11603).

Outside the model: `bash -lc` wrappers and what else is no plain word (docs/shell-text.md), the
lists of safe and dangerous commands, permission profiles, the patch tool's own fences (#31434),
reviewers, network rules, taking up a session after the program ended, forks. Run: 0.171.0.
"""

from downset.modelling import (
    ALLOW,
    ASK,
    DENY,
    EMPTY,
    UNDECLARED,
    W1,
    Action,
    Agent,
    Approvals,
    Config,
    Decision,
    Design,
    Fixed,
    Formula,
    Mode,
    Observation,
    Pick,
    Query,
    Resume,
    Session,
    Unreadable,
    Word,
    action,
    matching,
    named,
    permission,
)

APPROVALS = ("on-request", "untrusted", "never")
SANDBOXES = ("workspace-write", "read-only", "danger-full-access")
UNTRUSTED = tuple(f"untrusted/{sandbox}" for sandbox in SANDBOXES)
NEVER = tuple(f"never/{sandbox}" for sandbox in SANDBOXES)
READ_ONLY = tuple(f"{approval}/read-only" for approval in APPROVALS)
FULL = tuple(f"{approval}/danger-full-access" for approval in APPROVALS)
UNREADABLE = {"exec": Unreadable.REFUSED, "interactive": Unreadable.DROPPED}
SHELL = Query.of("shell", "*").permission


def by_rule(rules: Word, query: Query) -> Observation:
    """The most severe rule for the command that a query runs."""
    return rules.where(permission == "shell").best(matching(SHELL, query.resource), Pick.SEVERITY)


class Codex0171(Design):
    """Copy the caller's policy to the child."""

    id = "codex/0.171"
    title = "a child's approval policy and sandbox are its caller's, whatever its own file says"
    source = "codex 0.171.0, run; other-systems.md 2"

    matcher = W1
    tools = ("shell", "write", "unsandboxed")
    dispatch = ""
    depth_limited = True
    resumable = Resume.OWN_CHILDREN
    resumes_as_other_agent = False
    approvals = Approvals.PROJECT
    permission_modes = tuple(f"{one}/{two}" for one in APPROVALS for two in SANDBOXES)
    changes_mode = True
    shares_rules = True
    managed_rules = True
    documented = True
    unreadable = UNREADABLE
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

    def resume_mode(self, caller: Session, child: Session, callee: Agent, config: Config) -> Mode:
        """The policy of the turn that resumes."""
        return caller.mode

    def mode_decides(self, mode: Mode, query: Query) -> Decision:
        """What approval policy and sandbox make of a call."""
        refused = Fixed(ASK).unless(mode.is_(*NEVER), Fixed(DENY))
        beyond = (named(query, "write") & mode.is_(*READ_ONLY)) | (
            named(query, "unsandboxed") & ~mode.is_(*FULL)
        )
        inside = Fixed(ALLOW).unless(mode.is_(*UNTRUSTED), Fixed(ASK))
        return inside.unless(beyond, refused)

    def decide(self, session: Session, query: Query) -> Decision:
        """The most severe rule for a command, else the mode."""
        seen = by_rule(session.managed + session.shared, query)
        prompt = Fixed(ASK).unless(session.mode.is_(*NEVER), Fixed(DENY))
        decision = self.mode_decides(session.mode, query)
        command = named(query, "shell", "unsandboxed")
        decision = decision.unless(command & seen.seen(action == ALLOW), Fixed(ALLOW))
        decision = decision.unless(command & seen.seen(action == ASK), prompt)
        return decision.unless(command & seen.seen(action == DENY), Fixed(DENY))

    def documents(self, session: Session, query: Query) -> Decision:
        """The most restrictive rule wins."""
        return self.decide(session, query)

    def decide_with(self, session: Session, query: Query, approved: Word) -> Decision:
        """An "always" is one more shared rule."""
        return self.decide(session.sharing(session.shared + approved), query)

    def managed_says(self, session: Session, query: Query, action: Action) -> Formula:
        """Whether the most severe requirement for a command has an action."""
        says = by_rule(session.managed, query).or_default(ALLOW).is_(action)
        return says & named(query, "shell", "unsandboxed")

    def own(self, agent: Agent, query: Query) -> Decision:
        """What the agent's file asks for: a mode, or nothing."""
        declared = self.mode_decides(agent.mode, query)
        return declared.unless(agent.mode.is_(UNDECLARED), Fixed(ALLOW))
