"""The reference: no session may do more than its own rules and every session above it.

A design of our own that satisfies every property (`properties.md`). A child decides the meet of
its own decision and its caller's, read now and not when it was started, and so, up the stack, of
all sessions above it; what is hidden from one of them is hidden from it. Nothing is inherited by
copying, so nothing goes stale and no grant is lost to a flat list.

Of its own rules (agent ++ stored) a child is denied the dispatch tool unless the agent's deciding
rule names that tool, and todowrite unless the agent has a rule of that name; both follow the agent
that runs. It stores a deny for each primary tool, under the permission that the tool asks with,
because both gates read permissions and not tools. An ask of its agent for a directory outside the
project becomes an allow where the dispatching session's own rules allow that directory; a deny of
its agent never does.

A caller resumes its own children only; a fork keeps caller and depth; a tools map hides for one
message and stores nothing; an "always" reply raises asks in the session that asked, never a deny;
agents for users only are refused; a result is rendered with the callee's text last, where nothing
follows that it could imitate.

Outside the model: background runs (a caller here waits for its callee), and what a user may change
in a running child, whose stored rules only add to its own part.
"""

from downset.modelling import (
    ALLOW,
    DENY,
    W2,
    Agent,
    Approvals,
    Config,
    Decision,
    Design,
    Field,
    Fixed,
    Fork,
    Formula,
    Query,
    Rendering,
    Resume,
    Session,
    Tool,
    Word,
    action,
    matching,
    permission,
    rules,
)

EDIT_TOOLS = {"write": "edit", "apply_patch": "edit"}
OUTSIDE = Query.of("external_directory", "*").permission
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")


def todo_guard(agent: Agent) -> Word:
    """The default deny of todowrite, unless the agent mentions it."""
    return TODO_GUARD.when(~agent.rules.any(permission == "todowrite"))


class Ceiling(Design):
    """Decide the meet over the stack, read live."""

    id = "reference/ceiling"
    title = "the strictest of a session's own decision and of all sessions above it, read live"
    source = "properties.md, reference/ceiling"

    matcher = W2
    aliases = EDIT_TOOLS
    asks_as = EDIT_TOOLS
    modes = True
    refuses_users_only = True
    depth_limited = True
    resumable = Resume.OWN_CHILDREN
    reads_callers = True
    primary_tools = True
    user_tools_map = True
    forks = True
    approvals = Approvals.SESSION_RAISES_ASK
    atomic_prompts = True
    rendering = Rendering(
        (
            "task ",
            Field("id", never=(" ", "\n")),
            " ",
            Field("state", never=("\n",)),
            "\n",
            Field("text"),
        )
    )

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """Denies for the primary tools, under the permissions that they ask with."""
        return config.primary_tools.renamed(EDIT_TOOLS)

    def dispatch_tools(self, caller: Session, callee: Agent, config: Config) -> Word:
        """The map hides, for that message, what the guard denies anyway."""
        return todo_guard(callee)

    def prompt(self, session: Session, tools: Word) -> Word:
        """A tools map stores nothing."""
        return session.stored

    def fork(self, session: Session) -> Fork:
        """A fork keeps the rules, the caller and the depth."""
        return Fork(session.stored, keeps_caller=True)

    def effective(self, session: Session) -> Word:
        """A session's own part: agent ++ stored, and in a child the guard for todowrite."""
        own = session.agent.rules + session.stored
        return own if session.caller is None else own + todo_guard(session.agent)

    def decide(self, session: Session, query: Query) -> Decision:
        """The session's own part, or what its caller decides now if that is stricter."""
        own = super().decide(session, query)
        if session.caller is None:
            return own
        raised = own.asks & self.outside_allowed(session, session.caller, query)
        own = own.unless(raised, Fixed(ALLOW))
        own = own.unless(self.dispatch_barred(session.agent, query), Fixed(DENY))
        return own.meet(self.decide(session.caller, query))

    def hidden(self, session: Session, tool: Tool) -> Formula:
        """Hidden by the session's own part, or from its caller now."""
        own = super().hidden(session, tool)
        return own if session.caller is None else own | self.hidden(session.caller, tool)

    def outside_allowed(self, child: Session, caller: Session, query: Query) -> Formula:
        """Whether the caller's own rules allow a directory of which the child's say nothing."""
        found = matching(query.permission, query.resource)
        granted = caller.stored.last(found).seen(action == ALLOW) & ~child.stored.any(found)
        return query.permission.same(OUTSIDE) & granted

    def dispatch_barred(self, agent: Agent, query: Query) -> Formula:
        """Whether a query is a dispatch that the agent's deciding rule does not grant by name."""
        deciding = agent.rules.last(matching(query.permission, query.resource))
        granted = deciding.seen(permission == self.dispatch)
        return query.permission.same(Query.of(self.dispatch, "*").permission) & ~granted
