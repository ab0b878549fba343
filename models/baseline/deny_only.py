"""Only the caller session's denies are inherited, and some tools are denied by default.

A baseline, not a release: the spawn rule of opencode 1.17.2 (T8) by itself. A child stores the
caller *session's* denies and external_directory rules, a deny for todowrite and for task unless
the callee has a rule literally of that name, and then those guards again and denies for the primary
tools, but for rules that are there already.

The last match of agent ++ session rules decides, by default ask; the availability gate (D1) reads
the same list. A caller may resume its own children, as another agent too, without anything being
recomputed. There are no approvals, forks, modes, tools maps or aliases.
"""

from downset.modelling import DENY, Agent, Config, Design, Session, Word, denied, permission, rules

CARRIED = denied | (permission == "external_directory")
TODO_GUARD = rules(("todowrite", "*", DENY), origin="todowrite guard")
TASK_GUARD = rules(("task", "*", DENY), origin="task guard")


class DenyOnly(Design):
    """Carry the caller session's denies; add the defaults that the callee does not mention."""

    id = "baseline/deny-only"
    title = "only the caller session's denies are carried, with defaults for todowrite and task"
    source = "product.md; opencode.md 3.1 T8"

    primary_tools = True

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """C ++ (D without C): the guards once more, and the primary tools' denies."""
        guards = TODO_GUARD.when(~callee.rules.any(permission == "todowrite"))
        guards = guards + TASK_GUARD.when(~callee.rules.any(permission == "task"))
        carried = caller.stored.where(CARRIED) + guards
        return carried + (guards + config.primary_tools).without(carried)
