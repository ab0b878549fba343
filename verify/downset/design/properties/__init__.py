"""The catalogue of properties (`properties.md`), in its order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from downset.design.properties import (
    concurrent,
    dispatch,
    gates,
    inheritance,
    modes,
    own_rules,
    prompts,
    rendered,
    resuming,
    tiers,
)

if TYPE_CHECKING:
    from downset.design.property import Property


def catalogue() -> dict[str, Property]:
    """All built-in properties by id: those of `properties.md` in its order, then eight more.

    >>> len(catalogue()), next(iter(catalogue()))
    (33, 'no-escalation')
    """
    ordered = (
        inheritance.no_escalation,
        inheritance.session_deny_inherited,
        inheritance.agent_deny_inherited,
        inheritance.ask_preserved,
        own_rules.no_lost_grant,
        own_rules.own_restriction_kept,
        own_rules.own_ask_kept,
        own_rules.own_hidden_kept,
        own_rules.caller_independent,
        inheritance.hidden_stays_hidden,
        gates.gates_agree,
        resuming.resume_safe,
        resuming.resume_equals_spawn,
        resuming.fork_safe,
        resuming.live_revocation,
        gates.approval_bounded,
        dispatch.recursion_guard,
        dispatch.dispatch_gated,
        dispatch.targets_respected,
        rendered.result_unforgeable,
        own_rules.todo_guard,
        gates.primary_tools_reserved,
        inheritance.external_directory_kept,
        prompts.rebuild_stable,
        prompts.rebuild_stable_user,
        concurrent.subtask_attributed,
        concurrent.snapshot_current,
        concurrent.no_lost_update,
        modes.mode_monotone,
        modes.restart_safe,
        tiers.managed_wins,
        tiers.fail_closed,
        tiers.documented_order,
    )
    return {prop.id: prop for prop in ordered}
