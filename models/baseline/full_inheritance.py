"""Everything is inherited: the caller's rules follow the callee's own and so override them.

A baseline, not a release, of the kind that opencode #24293 and #29718 proposed: the last match of
agent ++ session rules decides, by default ask, and a child's session rules are all the rules in
force in its caller. The availability gate (D1) reads the same list. A caller may resume its own
children, as another agent too, without anything being recomputed. There are no approvals, forks,
modes or tools maps.
"""

from downset.modelling import Agent, Config, Design, Session, Word


class FullInheritance(Design):
    """Append the caller's whole effective list to the callee's own rules."""

    id = "baseline/full-inheritance"
    title = "the caller's whole effective list follows the callee's own rules"
    source = "product.md; opencode #24293, #12584, #21540, #29718 (unmerged)"

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """agent(s) ++ sess(s)."""
        return self.effective(caller)
