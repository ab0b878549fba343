"""The cutoff: how many rules of each ruleset can matter to a claim at all.

Each base observation sees at most one rule, so the rules that are seen, in their order, give the
same answers as the whole ruleset (`theory.md`, section 3). A filter that looks at another ruleset
adds one witness there for each rule kept here. Where filters look at each other in a circle, that
is bounded only if all relations on the circle are the same equality of fields.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

from downset.language.terms import Input
from downset.prove.observations import observations

if TYPE_CHECKING:
    from collections.abc import Iterable

    from downset.language.terms import Formula
    from downset.prove.observations import Observed, Relation


class NoCutoff(Exception):
    """No number of rules is enough: the claim can only be answered up to a bound."""


def cutoffs(observed: Observed) -> dict[Input, int]:
    """How many rules of each input can matter. Raises `NoCutoff` where no number is enough.

    >>> from downset.language.vocabulary import among, permission
    >>> from downset.prove.observations import observations
    >>> left, right = Input("L"), Input("R")
    >>> seen = observations(left.where(among(right, "pattern")).any(permission == "edit"))
    >>> {word.name: count for word, count in cutoffs(seen).items()}
    {'L': 1, 'R': 1}
    """
    kept = Counter(base.input for base in observed.bases)
    relations = [r for r in observed.relations if not r.membership]
    kept.update(r.target for r in relations if not isinstance(r.source, Input))
    looks = [r for r in relations if isinstance(r.source, Input)]
    for group in in_order(looks):
        inside = [r for r in looks if r.source in group and r.target in group]
        if inside:
            close_circle(group, inside, kept)
        for relation in looks:
            if relation.source in group and relation.target not in group:
                kept[relation.target] += kept[relation.source]
    return dict(kept) | anonymous_names(observed, relations, kept)


def anonymous_names(
    observed: Observed, relations: list[Relation], kept: Counter[Input]
) -> dict[Input, int]:
    """How many members of a set of names can matter beside those that the claim names.

    A name that nothing names is told from others only by comparisons. If rules are compared with
    the set alone, one such member stands for all, but for rules whose own permissions differ.
    """
    targets = {r.target for r in observed.relations} | {b.input for b in observed.bases}
    compared = any("permission" in relation.same for relation in relations)
    keyed = {
        r.source
        for r in observed.relations
        if r.membership and isinstance(r.source, Input) and r.source.distinct
    }
    each = max(1, sum(kept[word] for word in keyed))
    return {} if compared else {word: each for word in targets if word.names}


def close_circle(group: frozenset[Input], inside: list[Relation], kept: Counter[Input]) -> None:
    """Add the witnesses of rulesets whose filters look at each other."""
    shapes = {relation.same for relation in inside}
    if len(shapes) > 1 or not next(iter(shapes)) or any(relation.mapped for relation in inside):
        names = ", ".join(sorted(word.name for word in group))
        message = f"filters look at each other in a circle and do not agree on it: {names}"
        raise NoCutoff(message)
    classes = sum(kept[word] for word in group)
    for relation in inside:
        kept[relation.target] += classes


def in_order(relations: Iterable[Relation]) -> list[frozenset[Input]]:
    """Inputs in groups of those that look at each other, the looking before the looked at."""
    edges: dict[Input, set[Input]] = {}
    for relation in relations:
        if isinstance(relation.source, Input):
            edges.setdefault(relation.source, set()).add(relation.target)
            edges.setdefault(relation.target, set())
    reached = {word: reachable(word, edges) for word in edges}
    groups = {
        frozenset({word} | {w for w in reached[word] if word in reached[w]}): None for word in edges
    }
    return sorted(groups, key=lambda group: -max(len(reached[word]) for word in group))


def reachable(start: Input, edges: dict[Input, set[Input]]) -> set[Input]:
    """All inputs that an input looks at, directly or not."""
    found: set[Input] = set()
    waiting = list(edges[start])
    while waiting:
        word = waiting.pop()
        if word not in found:
            found.add(word)
            waiting.extend(edges[word])
    return found


@dataclass(frozen=True)
class Explained:
    """Why so many rules of one ruleset are enough, as `cutoffs` counts them.

    Each of `observations` sees one rule at most. `filters` say what else the ruleset is looked
    at by: each needs one witness here for every rule that is kept there.
    """

    ruleset: str
    rules: int | None
    observations: int
    filters: tuple[str, ...]

    def form(self) -> dict[str, object]:
        """All this as JSON."""
        return {**asdict(self), "filters": list(self.filters)}


def explained(formula: Formula) -> list[Explained]:
    """The cutoff of every ruleset of a formula; `rules` is `None` where there is none.

    >>> from downset.language.vocabulary import among, denied
    >>> left, right = Input("L"), Input("R")
    >>> rows = explained(left.where(among(right, "pattern")).any(denied))
    >>> [(row.ruleset, row.rules, row.observations, row.filters) for row in rows]
    [('L', 1, 1, ()), ('R', 1, 0, ('L, by pattern',))]
    """
    observed = observations(formula)
    try:
        found: dict[Input, int] | None = cutoffs(observed)
    except NoCutoff:
        found = None
    seen = Counter(base.input for base in observed.bases)
    words = dict.fromkeys([*seen, *(relation.target for relation in observed.relations)])
    return [
        Explained(
            word.name,
            None if found is None else found.get(word, 0),
            seen[word],
            tuple(looks(r) for r in observed.relations if r.target == word),
        )
        for word in words
    ]


def looks(relation: Relation) -> str:
    """Which rules a filter compares with the rules of its target, and in what."""
    source = relation.source.name if isinstance(relation.source, Input) else "a constant rule"
    fields = ", ".join(sorted(relation.same)) or "nothing"
    return f"{source}, by {fields}" + (" (one of a set of names)" if relation.membership else "")
