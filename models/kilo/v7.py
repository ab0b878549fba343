"""Kilo Code 7: as opencode, of which it is a fork, but some denies of the caller are projected.

The last match of the agent's and the session's rules decides, by default ask. A new child stores
(`KiloTask.inherited`), out of the caller's rules of both layers: the denies whose permission is one
of four families (edit, bash, notebook_edit, notebook_execute), whatever later rules say; for each
family a deny of `*` if `*` itself comes to a deny; and denies of task, question and
interactive_terminal. Denies that are written on `*` or on other permissions are not projected, nor
is any ask.

By reading, nothing was run. Outside the model: the projected denies of MCP servers' tools,
everything that is not described of Kilo itself (approvals, copies, resumes, maps of tools, built-in
agents).
"""

from downset.modelling import (
    DENY,
    W2,
    Agent,
    Config,
    Design,
    Query,
    Resume,
    Session,
    Word,
    denied,
    last_match,
    permission,
    rules,
)

FAMILIES = ("edit", "bash", "notebook_edit", "notebook_execute")
TAIL = ("task", "question", "interactive_terminal")
ALIASES = {"write": "edit", "apply_patch": "edit"}


def whole(word: Word, family: str) -> Word:
    """A deny of a whole family, if `*` itself is denied."""
    query = Query.of(family, "*")
    refused = last_match(word, query.permission, query.resource).denies
    return rules((family, "*", DENY), origin="projected").when(refused)


class Kilo7(Design):
    """Project the denies of four families."""

    id = "kilo/7"
    title = "the caller's denies of four families are projected, whatever lifts them later"
    source = "kilocode 7, KiloTask.inherited; other-systems.md 6 (read, not run)"

    matcher = W2
    aliases = ALIASES
    asks_as = ALIASES
    resumable = Resume.NOBODY
    patchable = False
    todo_list = False

    def spawn(self, caller: Session, callee: Agent, config: Config) -> Word:
        """Projected denies, whole families, and a tail."""
        merged = caller.agent.rules + caller.stored
        stored = merged.where(denied & permission.in_(FAMILIES))
        for family in FAMILIES:
            stored = stored + whole(merged, family)
        return stored + rules(*((name, "*", DENY) for name in TAIL), origin="always denied")
