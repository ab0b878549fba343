"""The texts of a formula, numbered: constants, variables, and the anonymous rest.

Predicates tell texts apart only by equality with constants, variables and each other, and by the
queried texts that they match as globs (`theory.md`, section 4). So a text is a number (a constant,
the fresh value of a variable, or one of the others) and, for the others, one free bit for each
queried text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.language.terms import (
    After,
    Among,
    Both,
    Concat,
    Input,
    IsPlain,
    LetterMap,
    Mapped,
    Matches,
    Node,
    Opposite,
    Seen,
    Sort,
    Text,
    TextIs,
    When,
    Where,
)

if TYPE_CHECKING:
    from downset.language.terms import Formula


@dataclass
class Names:
    """The texts of one sort that a formula mentions, in the order of first mention.

    Numbers are given to constants first, then to the fresh value of each variable; `first_other`
    and above are texts that nothing names.
    """

    constants: list[str] = field(default_factory=list)
    variables: list[Text] = field(default_factory=list)
    targets: list[Text] = field(default_factory=list)
    asks_plain: bool = False
    """Whether something depends on a text being a plain name."""

    @property
    def first_other(self) -> int:
        """The smallest number of a text that is neither constant nor a variable's own."""
        return len(self.constants) + len(self.variables)

    def number(self, text: Text) -> int:
        """The number of a constant, or of a variable's fresh value."""
        if text.variable is None:
            return self.constants.index(text.literal or "")
        return len(self.constants) + self.variables.index(text)

    def add(self, text: Text) -> None:
        """Note that a text is mentioned."""
        if text.variable is not None and text not in self.variables:
            self.variables.append(text)
        if text.variable is None and (text.literal or "") not in self.constants:
            self.constants.append(text.literal or "")

    def add_target(self, text: Text) -> None:
        """Note that rules are matched with a text."""
        self.add(text)
        if text not in self.targets:
            self.targets.append(text)


@dataclass
class Mentioned:
    """Everything that some formulas mention."""

    names: dict[Sort, Names] = field(default_factory=lambda: {sort: Names() for sort in Sort})
    inputs: dict[Input, None] = field(default_factory=dict)
    compared: dict[Sort, dict[Input, None]] = field(
        default_factory=lambda: {sort: {} for sort in Sort}
    )
    """The inputs with whose rules other rules are compared, in the texts of each sort."""
    ordered: dict[Input, None] = field(default_factory=dict)
    """The inputs of which it can matter which of several fitting rules comes last."""


def mentioned(*formulas: Formula) -> Mentioned:
    """The texts and inputs of some formulas.

    >>> from downset.language.vocabulary import permission
    >>> found = mentioned(Input("S").any(permission == "edit"))
    >>> found.names[Sort.PERMISSION].constants
    ['edit']
    """
    found = Mentioned()
    done: dict[int, object] = {}
    waiting: list[object] = list(reversed(formulas))
    while waiting:
        node = waiting.pop()
        if id(node) in done:
            continue
        done[id(node)] = node
        note(node, found)
        inside = (
            node.content() if isinstance(node, Node) else node if isinstance(node, tuple) else ()
        )
        waiting.extend(reversed(inside))
    return found


def note(node: object, found: Mentioned) -> None:
    """Note what one node mentions."""
    match node:
        case Text():
            found.names[node.sort].add(node)
        case Matches(text):
            found.names[text.sort].add_target(text)
        case IsPlain(sort):
            found.names[sort].asks_plain = True
        case TextIs(text):
            found.names[text.sort].add(text)
        case LetterMap(_, pattern, renames):
            for old, new in renames:
                found.names[Sort.PERMISSION].add(Text(Sort.PERMISSION, literal=old))
                found.names[Sort.PERMISSION].add(Text(Sort.PERMISSION, literal=new))
            if pattern is not None:
                found.names[Sort.PATTERN].add(Text(Sort.PATTERN, literal=pattern))
        case Among(others, same, _):
            for sort in Sort:
                if sort.value in same:
                    found.compared[sort] |= dict.fromkeys(inputs_in(others))
        case Seen(observation, predicate) if looks_at_permission(predicate):
            found.ordered |= dict.fromkeys(inputs_in(observation.word))
        case Input():
            found.inputs[node] = None
            if node.distinct:
                found.compared[Sort.PERMISSION][node] = None


def looks_at_permission(predicate: Node) -> bool:
    """Whether a predicate can tell two rules apart that differ in their permissions alone.

    >>> looks_at_permission(Matches(Text(Sort.PERMISSION, literal="edit")))
    True
    """
    match predicate:
        case TextIs(text) | Matches(text):
            return text.sort is Sort.PERMISSION
        case IsPlain(sort):
            return sort is Sort.PERMISSION
        case Among(_, same, _):
            return "permission" in same
        case Both(left, right):
            return looks_at_permission(left) or looks_at_permission(right)
        case Opposite(inner) | After(_, inner):
            return looks_at_permission(inner)
    return False


def inputs_in(word: Node) -> list[Input]:
    """The inputs of which a word consists, filters and conditions left out.

    >>> [source.name for source in inputs_in(Input("S") + Input("T"))]
    ['S', 'T']
    """
    match word:
        case Input():
            return [word]
        case Concat(left, right):
            return inputs_in(left) + inputs_in(right)
        case Where(inner, _) | When(inner, _) | Mapped(inner, _):
            return inputs_in(inner)
    return []
