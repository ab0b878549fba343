"""opencode 2.0: a child stores all of its caller's session rules.

The V2 engine (packages/core) once its sessions had rules (#48351, 2026-09-10): a child's rules are
the whole list of the caller's *session*, allows included, behind the callee's own rules. Dispatches
send no tools map, and there are no primary tools and no default denies. The dispatch tool is
`subagent`; a target of mode primary is refused, and so is a dispatch at the depth limit
(`experimental.subagent_depth`, default 1).

Matcher W2, availability gate as D1 over agent and session rules. A configured deny is final: saved
approvals, which all sessions of a project share, are appended only where the configuration does
not deny. A resume takes the caller's own children as they are stored, and may switch their agent.
A user's request replaces a session's rules. A fork copies them, as a new root session.

Outside the model: plugin hooks that change a decision, plugin tools that are not gated (#47177,
#50652), absolute resources for read and edit, a missing agent (which is denied everything), rules
that are given when a child is created, and the aliases of tools, which section 6 does not name
(the edit tools are taken from the newest V1). Not modelled because the semantics document does
not have it: in some later 2.x source a user's command can create a child directly, without the
check of `subagent`, the depth check or the refusal of primary targets.
"""

from downset.modelling import (
    W2,
    Agent,
    Approvals,
    Config,
    Design,
    Fork,
    Resume,
    Session,
    Word,
)

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit"}


class Opencode20(Design):
    """Copy the caller session's rules, all of them."""

    id = "opencode/2.0"
    title = "all of the caller session's rules are copied, a configured deny is final"
    source = "opencode 2.0 (packages/core after #48351); opencode.md 6"

    matcher = W2
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
    dispatch = "subagent"
    modes = True
    refuses_users_only = True
    depth_limited = True
    resumable = Resume.OWN_CHILDREN
    forks = True
    approvals = Approvals.PROJECT_AFTER_DENY

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The whole of sess(s)."""
        return caller.stored

    def patch(self, session: Session, rules: Word) -> Word:
        """Rules that a user sends replace the session's."""
        return rules

    def fork(self, session: Session) -> Fork:
        """A fork is a new root session with a copy of the rules."""
        return Fork(session.stored)
