"""Where rules come from: an administrator, a file that cannot be read, the documentation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.design import Unreadable
from downset.design.property import SPAWN_EVENTS, Claim, claims
from downset.language.rules import ASK, DENY
from downset.language.terms import EMPTY, TRUE, And

if TYPE_CHECKING:
    from downset.design.design import Design
    from downset.design.sessions import Query, Session
    from downset.design.story import Story
    from downset.language.terms import Formula


def administrators(design: Design) -> str:
    """Why an administrator's tier makes no sense for a design."""
    return "" if design.managed_rules else "the design has no administrator's tier"


def files_known(design: Design) -> str:
    """Why unreadable rules make no sense for a design."""
    known = design.unreadable
    return "" if known else "the model does not say what happens to rules that cannot be read"


def documented(design: Design) -> str:
    """Why a documented precedence makes no sense for a design."""
    return "" if design.documented else "the model does not say which precedence is documented"


@claims(
    "managed-wins",
    "what an administrator's rules or switches forbid, no lower tier permits",
    formula=(
        "SP, s -> c, x = s or c: the managed rules alone come to deny at q => E_x(q) = deny; "
        "to ask => E_x(q) != allow; s is not in a mode that is switched off => c is not"
    ),
    asked_by="other-systems.md P9; claude-code changelog 2.1.74, 2.1.77, 2.1.223",
    needs=administrators,
)
def managed_wins(story: Story) -> Claim:
    """Tell a dispatch in a project of which an administrator has rules."""
    design, caller, query = story.design, story.session(), story.query()
    child = story.spawn(caller)
    obeyed = And(tuple(obeys_managed(story, session, query) for session in (caller, child)))
    return Claim(
        ~design.switched_off(caller, story.config),
        obeyed & ~design.switched_off(child, story.config),
        query,
        shown=(("caller", caller), ("callee", child)),
    )


def obeys_managed(story: Story, session: Session, query: Query) -> Formula:
    """A session is held to what the administrator's rules alone come to."""
    design = story.design
    outcome = design.decide(session, query)
    denied = design.managed_says(session, query, DENY).implies(outcome.denies)
    return denied & design.managed_says(session, query, ASK).implies(~outcome.allows)


@claims(
    "fail-closed",
    "rules that cannot be read permit nothing",
    formula=(
        "a file of shared rules cannot be read, E_s(q) = deny with it, the program starts: "
        "E_s(q) = deny without it"
    ),
    asked_by="other-systems.md P10; codex #11603; rulesync #1512, #1838",
    events=("open",),
    needs=files_known,
)
def fail_closed(story: Story) -> Claim:
    """Tell of a session in a project with a file of rules that cannot be read."""
    design, session, query = story.design, story.session(), story.query()
    ways = sorted(design.unreadable)
    way = story.choose("started as", ways)
    refused = design.unreadable[way] is Unreadable.REFUSED
    without = session.sharing(EMPTY)
    return Claim(
        design.decide(session, query).denies,
        TRUE if refused else design.decide(without, query).denies,
        query,
        shown=(("if it is read", session), (f"started as {way}", without)),
    )


@claims(
    "documented-order",
    "what happens to a call is what the documented precedence says",
    formula="SP, s -> c: E_s(q) is the documented decision, and the mode of c the documented one",
    asked_by="other-systems.md P7; claude-code #26276; qwen-code #3066",
    events=SPAWN_EVENTS,
    needs=documented,
)
def documented_order(story: Story) -> Claim:
    """Tell a dispatch; compare with the documentation."""
    design, caller, query = story.design, story.session(), story.query()
    child = story.spawn(caller)
    done, said = design.decide(caller, query), design.documents(caller, query)
    follows = done.at_most(said) & said.at_most(done)
    mode = design.documents_mode(caller, child.agent, story.config)
    for name in design.permission_modes:
        follows = follows & child.mode.is_(name).iff(mode.is_(name))
    return Claim(
        story.possible,
        follows,
        query,
        shown=(("caller", caller), ("callee", child)),
        documented=True,
    )
