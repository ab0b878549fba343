"""Concrete texts for a solver's model: names, resources and globs with exactly the wanted matches.

The solver chooses for each text whether it is a constant, a variable's own text or another, and
which queried texts it matches. Here the real matcher decides whether such texts exist; a choice
that no texts realise is handed back, to be excluded (`theory.md`, section 4).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.language.globs import SearchLimit, find_glob, find_text
from downset.language.terms import Sort

if TYPE_CHECKING:
    from downset.language.matching import Matcher
    from downset.language.terms import Text
    from downset.prove.letters import Lexicon

PLAIN = {
    Sort.PERMISSION: ("edit", "bash", "webfetch", "read", "grep", "deploy", "lint"),
    Sort.PATTERN: ("src/app.ts", "docs/guide.md", "build.sh", "notes.txt"),
}
GLOBS = ("*", "?*", "**", "* *")
SPARE = {
    Sort.PERMISSION: ("other", "tool", "skill"),
    Sort.PATTERN: ("elsewhere/*", "other/*", "old/*"),
}
GLOB_SPARE = ("elsewhere/*", "other/*", "old/*", "other*", "tool?")
PLAIN_SPARE = ("other", "tool", "skill", "another", "third")


@dataclass(frozen=True)
class Chosen:
    """One text as the solver chose it: a known number, or an identity with its matches."""

    number: int
    matches: tuple[bool, ...] = ()
    plain: bool = True


@dataclass
class Realiser:
    """Finds texts of one sort for a solver's choices."""

    lexicon: Lexicon
    values: dict[Text, int]
    atoms: dict[tuple[str, Text], bool]
    spellings: dict[tuple[Text, Text], bool]
    found: dict[Chosen, str] = field(default_factory=dict)
    fresh: dict[int, str] = field(default_factory=dict)

    @property
    def matcher(self) -> Matcher:
        """The matcher of the release."""
        return self.lexicon.matcher

    def variable(self, text: Text) -> str | None:
        """The text of a variable, `None` if there is none."""
        number = self.values[text]
        constants = self.lexicon.names.constants
        if number < len(constants):
            return constants[number]
        if number not in self.fresh:
            owner = self.lexicon.names.variables[number - len(constants)]
            made = self._fresh(owner)
            if made is None:
                return None
            self.fresh[number] = made
        return self.fresh[number]

    def _fresh(self, owner: Text) -> str | None:
        wanted = [glob for (glob, text), hit in self.atoms.items() if hit and text == owner]
        barred = [glob for (glob, text), hit in self.atoms.items() if not hit and text == owner]
        known = {glob for glob, _ in self.atoms}
        literal = [c for c in self.lexicon.names.constants if self.matcher.is_literal(c)]
        barred += [c for c in literal if c not in known]
        for earlier, text in self._own_texts():
            alike = self.spellings.get((earlier, owner)) or self.spellings.get((owner, earlier))
            (wanted if alike else barred).append(text)
        avoid = [*self.lexicon.names.constants, *self.fresh.values()]
        return self._text(owner, wanted, barred, avoid)

    def _text(
        self, owner: Text, wanted: list[str], barred: list[str], avoid: list[str]
    ) -> str | None:
        prefer = names_for(owner)
        found = find_text(self.matcher, [*wanted, "?*"], barred, avoid, prefer)
        if found is not None or owner.plain:
            return found
        return find_text(self.matcher, wanted, barred, avoid)

    def _own_texts(self) -> list[tuple[Text, str]]:
        first = len(self.lexicon.names.constants)
        return [(self.lexicon.names.variables[n - first], text) for n, text in self.fresh.items()]

    def rule_text(self, chosen: Chosen) -> str | None:
        """The text of a rule, `None` if no text has these matches."""
        constants = self.lexicon.names.constants
        if chosen.number < len(constants):
            return constants[chosen.number]
        if chosen.number < self.lexicon.names.first_other:
            return self.variable_by_number(chosen.number)
        if chosen not in self.found:
            made = self._glob(chosen)
            if made is None:
                return None
            self.found[chosen] = made
        return self.found[chosen]

    def variable_by_number(self, number: int) -> str | None:
        """The fresh text with a number."""
        owner = self.lexicon.names.variables[number - len(self.lexicon.names.constants)]
        if self.values.get(owner) == number:
            return self.variable(owner)
        made = self.fresh.get(number) or self._fresh(owner)
        if made is not None:
            self.fresh[number] = made
        return made

    def _glob(self, chosen: Chosen) -> str | None:
        inside: list[str] = []
        outside: list[str] = []
        for target, hit in zip(self.lexicon.names.targets, chosen.matches, strict=True):
            text = target.literal if target.variable is None else self.variable(target)
            if text is None:
                return None
            (inside if hit else outside).append(text)
        own = [self.variable(v) or "" for v in self.lexicon.names.variables]
        avoid = {*self.lexicon.names.constants, *self.found.values(), *own, *self.fresh.values()}
        prefer: tuple[str, ...] = GLOBS if inside else SPARE[self.lexicon.sort]
        if self.lexicon.names.asks_plain and not chosen.plain:
            prefer = (*GLOBS, *GLOB_SPARE)
        elif self.lexicon.names.asks_plain:
            prefer = (*PLAIN_SPARE, *(text.swapcase() for text in inside), *prefer)
        return find_glob(self.matcher, inside, outside, avoid, prefer)


def names_for(variable: Text) -> tuple[str, ...]:
    """Plain texts that suit a variable, by its name.

    >>> from downset.language.terms import Text
    >>> names_for(Text(Sort.PATTERN, variable="name of callee"))
    ('helper', 'worker', 'assistant')
    """
    name = variable.variable or ""
    if name.startswith("name of caller"):
        return ("lead", "chief", "boss")
    if name.startswith("name of"):
        return ("helper", "worker", "assistant")
    return PLAIN[variable.sort]


def no_glob(
    lexicon: Lexicon, values: dict[Text, int], number: int, matches: tuple[bool, ...]
) -> bool:
    """Whether no string at all can be a rule's text with these matches.

    `values` are the numbers of the variables; queried texts that no constant fixes are left out,
    so that the answer does not depend on what was picked for them.
    """
    constants = lexicon.names.constants
    inside: list[str] = []
    outside: list[str] = []
    for target, hit in zip(lexicon.names.targets, matches, strict=True):
        place = lexicon.names.number(target) if target.variable is None else values[target]
        if place < len(constants):
            (inside if hit else outside).append(constants[place])
    if number < lexicon.names.first_other:
        return False
    try:
        return find_glob(lexicon.matcher, inside, outside, constants) is None
    except SearchLimit:
        return False


def no_text(lexicon: Lexicon, owner: Text, atoms: dict[tuple[str, Text], bool]) -> bool:
    """Whether no string at all can be a variable's own text, matched by just these globs."""
    wanted = [glob for (glob, text), hit in atoms.items() if hit and text == owner]
    barred = [glob for (glob, text), hit in atoms.items() if not hit and text == owner]
    some = ["?*"] if owner.plain else []
    try:
        found = find_text(lexicon.matcher, [*wanted, *some], barred, avoid=lexicon.names.constants)
    except SearchLimit:
        return False
    return found is None


__all__ = ["Chosen", "Realiser", "SearchLimit", "names_for", "no_glob", "no_text"]
