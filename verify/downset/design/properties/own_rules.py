"""What an agent says of itself counts: restrictions stay, grants are not lost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.properties.inheritance import tools_hide
from downset.design.property import Claim, claims
from downset.design.sessions import Query, Tool
from downset.language.rules import DENY
from downset.language.terms import TRUE, TextIs
from downset.language.vocabulary import action, matching, permission, text

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Agent, Session
    from downset.design.story import Story
    from downset.language.terms import Formula


def reserved(story: Story, caller: Session, callee: Agent, query: Query) -> Formula:
    """Queries that a design may deny a child whatever its agent says (`properties.md`)."""
    design = story.design
    todo = query.permission.same(text("todowrite", "permission"))
    dispatch = query.permission.same(text(design.dispatch, "permission"))
    barred = ~named_by_own_rule(story, callee, query) if design.children_dispatch else TRUE
    if design.refuses_users_only:
        barred = barred | story.flag("the target is for users only")
    if design.depth_limited:
        barred = barred | ~caller.depth.next().below(story.config.depth_limit)
    return (
        (todo & ~callee.rules.any(permission == "todowrite"))
        | (dispatch & barred)
        | reserved_as_primary(story, query)
    )


def reserved_as_primary(story: Story, query: Query) -> Formula:
    """Whether a query belongs to a primary tool, under its name or the key it asks with."""
    primary = story.config.primary_tools
    result = primary.any(TextIs(query.permission))
    for tool, key in story.design.asks_as.items():
        asked = query.permission.same(text(key, "permission"))
        result = result | (asked & primary.any(permission == tool))
    return result


def named_by_own_rule(story: Story, callee: Agent, query: Query) -> Formula:
    """Whether the agent's own deciding rule names the dispatch tool and is not a deny."""
    found = callee.rules.last(matching(query.permission, query.resource))
    return found.seen((permission == story.design.dispatch) & (action != DENY))


@claims(
    "no-lost-grant",
    "what the callee may do by its own rules and no caller denies, it may do",
    formula=(
        "SP, q not reserved: o_b(q) = allow and no s ->> c denies q => E_c(q) != deny; "
        "and if all of them allow q, E_c(q) = allow"
    ),
    asked_by="opencode #26700, #26885, #28052, #45078; PawWork #1132 (O1-O8)",
)
def no_lost_grant(story: Story) -> Claim:
    """Tell a dispatch of an agent that allows a query by a caller that does not deny it."""
    design, caller, query = story.design, story.session(), story.query()
    child = story.spawn(caller)
    above, outcome = design.decide(caller, query), design.decide(child, query)
    granted = design.own(child.agent, query).allows & ~above.denies
    return Claim(
        granted & ~reserved(story, caller, child.agent, query),
        ~outcome.denies & above.allows.implies(outcome.allows),
        query,
        shown=(("caller", caller), ("callee", child)),
    )


@claims(
    "own-restriction-kept",
    "what an agent's own rules deny stays denied when it is dispatched",
    formula="SP, c runs b: o_b(q) = deny => E_c(q) = deny",
    asked_by="opencode #24615, #39715; PawWork DV-18",
)
def own_restriction_kept(story: Story) -> Claim:
    """Tell a dispatch of an agent that denies a query."""
    design, caller, query = story.design, story.session(), story.query()
    child = story.spawn(caller)
    return Claim(
        design.own(child.agent, query).denies,
        design.decide(child, query).denies,
        query,
        shown=(("caller", caller), ("callee", child)),
    )


@claims(
    "own-ask-kept",
    "what an agent's own rules ask for is not done unasked when it is dispatched",
    formula="SP, c runs b, q not of external_directory: o_b(q) = ask => E_c(q) != allow",
    asked_by="opencode #12584; PawWork #1132",
)
def own_ask_kept(story: Story) -> Claim:
    """Tell a dispatch of an agent that asks for a query."""
    design, caller, query = story.design, story.session(), story.query()
    child = story.spawn(caller)
    outside = query.permission.same(text("external_directory", "permission"))
    return Claim(
        design.own(child.agent, query).asks & ~outside,
        ~design.decide(child, query).allows,
        query,
        shown=(("caller", caller), ("callee", child)),
    )


@claims(
    "own-hidden-kept",
    "a tool that an agent's own rules hide stays hidden when it is dispatched",
    formula="SP, c runs b: h_b(t) => H_c(t)",
    asked_by="PawWork #1132 (E2a, P5)",
    needs=tools_hide,
)
def own_hidden_kept(story: Story) -> Claim:
    """Tell a dispatch of an agent whose rules hide a tool."""
    design, caller, tool = story.design, story.session(), story.tool()
    child = story.spawn(caller)
    return Claim(
        design.own_hidden(child.agent, tool),
        design.hidden(child, tool),
        tool=tool,
        shown=(("caller", caller), ("callee", child)),
    )


@claims(
    "caller-independent",
    "of its callers only what they deny now matters to a callee, not how their rules came about",
    formula=(
        "two runs of SP, same configuration, callee and depth, same q (dispatch excepted): "
        "(E_s = deny <=> E_s' = deny) => (E_c = deny <=> E_c' = deny)"
    ),
    asked_by="opencode #45078; PawWork DV-13",
)
def caller_independent(story: Story) -> Claim:
    """Tell two dispatches of one agent by callers that agree on denying a query."""
    design, query = story.design, story.query()
    one, two = story.session("caller"), story.session("other caller")
    for limit in (one.depth, two.depth):
        story.assume(~limit.below(one.depth) & ~limit.below(two.depth))
    left, right = story.spawn(one), story.spawn(two)
    dispatch = query.permission.same(text(design.dispatch, "permission"))
    agree = design.decide(one, query).denies.iff(design.decide(two, query).denies)
    return Claim(
        agree & ~dispatch,
        design.decide(left, query).denies.iff(design.decide(right, query).denies),
        query,
        shown=(
            ("one caller", one),
            ("its callee", left),
            ("other caller", two),
            ("its callee", right),
        ),
    )


def todo_lists(design: Design) -> str:
    """Why a guard of the todo list makes no sense for a design."""
    return "" if design.todo_list else "no rule says anything of a todo list"


@claims(
    "todo-guard",
    "a callee without a rule for the todo list cannot write it",
    formula=(
        "SP, b has no rule literally named todowrite: "
        "E_c(todowrite, *) = deny and the tool is hidden"
    ),
    asked_by="opencode #19125, #27201",
    needs=todo_lists,
)
def todo_guard(story: Story) -> Claim:
    """Tell a dispatch of an agent that does not mention the todo list."""
    design, caller = story.design, story.session()
    child = story.spawn(caller)
    query, tool = Query.of("todowrite", "*"), Tool.of("todowrite")
    return Claim(
        ~child.agent.rules.any(permission == "todowrite"),
        design.decide(child, query).denies & design.hidden(child, tool),
        query,
        tool,
        shown=(("caller", caller), ("callee", child)),
    )
