"""Nothing is inherited: a child has its agent's rules and no others.

A baseline, not a release: the last match of agent ++ session rules decides, by default ask; the
availability gate (D1) reads the same list. A caller may resume its own children, as another agent
too, without anything being recomputed. There are no approvals, forks, modes or tools maps.
"""

from downset.modelling import EMPTY, Agent, Config, Design, Session, Word


class Independent(Design):
    """Give a child no rules at all."""

    id = "baseline/independent"
    title = "nothing is inherited"
    source = "product.md; the child's part of opencode 1.3.3 without its guards"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """No rules."""
        return EMPTY
