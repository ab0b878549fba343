"""What a caller lacks, its descendants lack."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from downset.design.property import Beginning, Claim, claims, descends
from downset.design.sessions import Query
from downset.language.rules import ALLOW, ASK, DENY
from downset.language.terms import EMPTY
from downset.language.vocabulary import action, matching

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Session, Tool
    from downset.design.story import Story
    from downset.language.terms import Formula


def sessions_have_rules(design: Design) -> str:
    """Why rules of sessions make no sense for a design."""
    return "" if design.stores_rules else "sessions have no rules of their own"


def agents_have_rules(design: Design) -> str:
    """Why rules of agents make no sense for a design."""
    return "" if design.agents_have_rules else "agents have no rules of their own"


def tools_hide(design: Design) -> str:
    """Why hiding makes no sense for a design."""
    return "" if design.hides_tools else "rules hide no tool"


def outside_exists(design: Design) -> str:
    """Why directories outside the project make no sense for a design."""
    if not design.outside:
        return "there is no permission for directories outside the project"
    return sessions_have_rules(design)


def descendant_denies(story: Story, query: Query, session: Session) -> Formula:
    """The descendant denies the query."""
    return story.design.decide(session, query).denies


def denied_by_session(story: Story, query: Query, session: Session) -> Formula:
    """The rule that decides in a session is a deny of its session layer."""
    return story.design.session_layer_denies(session, query)


def denied_by_agent(story: Story, query: Query, session: Session) -> Formula:
    """The rule that decides in a session is a deny of its agent layer."""
    return story.design.agent_layer_denies(session, query)


def denied_by_own_rules(story: Story, query: Query, session: Session) -> Formula:
    """The rule that decides in a session is a deny of either layer."""
    return denied_by_session(story, query, session) | denied_by_agent(story, query, session)


@descends(
    "no-escalation",
    "what a session denies, every descendant denies",
    formula="SP, s ->> c: E_s(q) = deny => E_c(q) = deny",
    asked_by="opencode #6527, #26514, #3808; PawWork #1132",
    conclude=descendant_denies,
    invariants=(denied_by_own_rules, denied_by_session),
)
def no_escalation(story: Story, query: Query) -> Beginning:
    """Tell a dispatch by a session that denies a query."""
    caller = story.session()
    child = story.spawn(caller)
    return Beginning(story.design.decide(caller, query).denies, caller, child)


@descends(
    "session-deny-inherited",
    "what a rule of the session itself denies, every descendant denies",
    formula="SP, s ->> c: a session rule of s decides E_s(q) = deny => E_c(q) = deny",
    asked_by="opencode #23290, #30527",
    needs=sessions_have_rules,
    conclude=descendant_denies,
    invariants=(denied_by_session, denied_by_own_rules),
)
def session_deny_inherited(story: Story, query: Query) -> Beginning:
    """Tell a dispatch by a session whose own session rules deny a query."""
    caller = story.session()
    child = story.spawn(caller)
    return Beginning(story.design.session_layer_denies(caller, query), caller, child)


@descends(
    "agent-deny-inherited",
    "what a rule of the session's agent denies, every descendant denies",
    formula="SP, s ->> c: an agent rule of s decides E_s(q) = deny => E_c(q) = deny",
    asked_by="opencode #26597, #26514, #6527",
    needs=agents_have_rules,
    conclude=descendant_denies,
    invariants=(denied_by_session, denied_by_own_rules, denied_by_agent),
)
def agent_deny_inherited(story: Story, query: Query) -> Beginning:
    """Tell a dispatch by a session whose agent denies a query."""
    caller = story.session()
    child = story.spawn(caller)
    return Beginning(story.design.agent_layer_denies(caller, query), caller, child)


def descendant_does_not_allow(story: Story, query: Query, session: Session) -> Formula:
    """The descendant at least asks."""
    return ~story.design.decide(session, query).allows


@descends(
    "ask-preserved",
    "what a session must ask for, no descendant may do unasked",
    formula="SP, s ->> c: E_s(q) = ask, by a rule or by default => E_c(q) != allow",
    asked_by="PawWork #1132 (E1); opencode #12584",
    conclude=descendant_does_not_allow,
)
def ask_preserved(story: Story, query: Query) -> Beginning:
    """Tell a dispatch by a session that asks for a query."""
    caller = story.session()
    child = story.spawn(caller)
    return Beginning(story.design.decide(caller, query).asks, caller, child)


def descendant_hides(story: Story, tool: Tool, session: Session) -> Formula:
    """The tool is kept from the descendant."""
    return story.design.hidden(session, tool)


def hidden_by_rules(story: Story, tool: Tool, session: Session) -> Formula:
    """The tool is kept from the descendant by rules, not only by a prompt's tools map."""
    return story.design.hidden(replace(session, tools=EMPTY), tool)


@descends(
    "hidden-stays-hidden",
    "a tool that is hidden from a session is hidden from every descendant",
    formula="SP, s ->> c: H_s(t) => H_c(t)",
    asked_by="PawWork #1132 (E2, P3)",
    needs=tools_hide,
    about=lambda story: story.tool(),
    conclude=descendant_hides,
    invariants=(hidden_by_rules,),
)
def hidden_stays_hidden(story: Story, tool: Tool) -> Beginning:
    """Tell a dispatch by a session from which a tool is hidden."""
    caller = story.session()
    child = story.spawn(caller)
    return Beginning(story.design.hidden(caller, tool), caller, child)


@claims(
    "external-directory-kept",
    "what a session's own rules say of a directory outside the project reaches its children",
    formula=(
        "SP, s -> c, v = decision of s's session layer at (external_directory, x), if any: "
        "v = deny => E_c = deny; v = ask => E_c != allow; "
        "v = allow, o_b != deny and all callers allow => E_c = allow"
    ),
    asked_by="opencode #23290",
    needs=outside_exists,
)
def external_directory_kept(story: Story) -> Claim:
    """Tell a dispatch by a session that has a rule for an external directory."""
    design, caller = story.design, story.session()
    child = story.spawn(caller)
    resource = story.query().resource
    query = Query.of("external_directory", resource)
    seen = caller.stored.last(matching(query.permission, resource))
    outcome = design.decide(child, query)
    grants = seen.seen(action == ALLOW) & ~design.own(child.agent, query).denies
    grants = grants & design.decide(caller, query).allows
    return Claim(
        seen.seen(),
        seen.seen(action == DENY).implies(outcome.denies)
        & seen.seen(action == ASK).implies(~outcome.allows)
        & grants.implies(outcome.allows),
        query,
        shown=(("caller", caller), ("callee", child)),
    )
