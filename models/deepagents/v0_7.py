"""deepagents 0.7: the first match decides, and a callee's permissions replace its caller's.

A rule is for `read` or `write`, or both, which are two rules here; the first that matches the path
decides, and nothing that matches is allowed. `interrupt` is ask. Only the built-in tools for files
are asked; `execute` and custom tools are not. A callee that is given `permissions` has those and no
others, be they empty (here one rule that allows everything); a callee without has its caller's. The
globs are wcmatch's: a star stops at a slash, `**` does not, and neither matches a leading dot.

A sub-agent is given no dispatch tool. Outside the model: `interrupt_on` and `tools`, which also
replace, for single tools; braces; symbolic links; remote and compiled sub-agents. Run: 0.7.32.
"""

from downset.modelling import (
    ALLOW,
    DENY,
    WCMATCH,
    Agent,
    Config,
    Decision,
    Design,
    Formula,
    Query,
    Resume,
    Session,
    Word,
    first_match,
    permission,
)

GATED = (permission == "read") | (permission == "write")


class Deepagents07(Design):
    """Replace the permissions, or inherit them."""

    id = "deepagents/0.7"
    title = "a callee's own permissions replace its caller's; without any it has its caller's"
    source = "deepagents 0.7.32, run; other-systems.md 7"

    matcher = WCMATCH
    default = ALLOW
    tools = ("write", "read")
    dispatch = ""
    resumable = Resume.NOBODY
    children_dispatch = False
    documented = True
    stores_rules = False
    hides_tools = False
    switchable = False
    todo_list = False
    outside = False
    permission_blocks = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The callee's permissions, or its caller's."""
        return callee.rules.or_else(self.effective(caller))

    def effective(self, session: Session) -> Word:
        """What was found when the session began; a user's session has its agent's."""
        return session.stored if session.dispatched else session.agent.rules

    def decide(self, session: Session, query: Query) -> Decision:
        """The first match of the rules for files."""
        return self.first(self.effective(session), query)

    def documents(self, session: Session, query: Query) -> Decision:
        """The first match wins; by default all is allowed."""
        return self.first(self.effective(session), query)

    def own(self, agent: Agent, query: Query) -> Decision:
        """The first match of the agent's own."""
        return self.first(agent.rules, query)

    def first(self, word: Word, query: Query) -> Decision:
        """The first match of a list."""
        return first_match(word.where(GATED), query.permission, query.resource, ALLOW)

    def agent_layer_denies(self, session: Session, query: Query) -> Formula:
        """All rules are some agent's."""
        return self.decide(session, query).is_(DENY)
