"""A formula made ready for a solver: encoded at its cutoffs, with what no strings realise excluded.

Nothing here decides anything. The same problem is asked of a solver, written into a certificate,
and made once more by whoever checks the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from downset.prove.encoding import Encoder
from downset.prove.logic import conj, equal, neg, same
from downset.prove.names import mentioned
from downset.prove.smtlib import Section, script
from downset.prove.texts import no_glob, no_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from downset.language.matching import Matcher
    from downset.language.terms import Formula, Input, Sort
    from downset.prove.letters import Lexicon
    from downset.prove.logic import Bool


@dataclass(frozen=True)
class NoRuleText:
    """In no rule: a text with this number and these matches, under these values of variables.

    `variables` has a number for each variable of the sort; `matches` a truth value for each
    queried text.
    """

    sort: Sort
    variables: tuple[int, ...]
    number: int
    matches: tuple[bool, ...]
    plain: bool


@dataclass(frozen=True)
class NoVariableText:
    """Not together: these values of the variables, and these answers to what matches them."""

    sort: Sort
    variables: tuple[int, ...]
    atoms: tuple[bool, ...]
    spellings: tuple[bool, ...]


Exclusion = NoRuleText | NoVariableText


@dataclass
class Problem:
    """A formula, the lengths of its inputs, and their encoding.

    >>> from downset.language.matching import W2
    >>> from downset.language.terms import Input
    >>> from downset.language.vocabulary import denied
    >>> word = Input("S")
    >>> Problem(word.any(denied), {word: 1}, W2).script("sat").splitlines()[-1]
    '(check-sat)'
    """

    formula: Formula
    lengths: Mapping[Input, int]
    matcher: Matcher
    encoder: Encoder = field(init=False)
    goal: Bool = field(init=False)

    def __post_init__(self) -> None:
        """Encode the formula."""
        self.encoder = Encoder(mentioned(self.formula), self.lengths, self.matcher)
        self.goal = self.encoder.formula(self.formula)

    def lexicon(self, sort: Sort) -> Lexicon:
        """The texts of a sort."""
        return self.encoder.lexicons[sort]

    def clauses(self, exclusion: Exclusion) -> list[Bool]:
        """What is asserted to exclude a choice."""
        lexicon = self.lexicon(exclusion.sort)
        pairs = zip(lexicon.values.values(), exclusion.variables, strict=True)
        context = [equal(number, chosen) for number, chosen in pairs]
        if isinstance(exclusion, NoVariableText):
            alike = [*zip(lexicon.atoms.values(), exclusion.atoms, strict=True)]
            alike += zip(lexicon.spellings.values(), exclusion.spellings, strict=True)
            return [neg(conj([*context, *(same(atom, hit) for atom, hit in alike)]))]
        return self._texts_excluded(exclusion, conj(context))

    def _texts_excluded(self, exclusion: NoRuleText, context: Bool) -> list[Bool]:
        found: list[Bool] = []
        rules = [rule for rules in self.encoder.inputs.values() for rule in rules]
        for rule in rules:
            text = rule.text(exclusion.sort)
            if isinstance(text.number, int):
                continue
            bits = [same(b, hit) for b, hit in zip(text.bits, exclusion.matches, strict=True)]
            kind = same(text.plain, exclusion.plain)
            alike = conj([rule.present, equal(text.number, exclusion.number), kind, *bits])
            found.append(neg(conj((context, alike))))
        return found

    def certain(self, exclusion: Exclusion) -> bool:
        """Whether it is certain that no strings are like an exclusion, whatever else is chosen.

        It is not certain where the search that found none depended on other texts that had been
        picked, or was too large.
        """
        lexicon = self.lexicon(exclusion.sort)
        if isinstance(exclusion, NoRuleText):
            numbers = dict(zip(lexicon.values, exclusion.variables, strict=True))
            return no_glob(lexicon, numbers, exclusion.number, exclusion.matches)
        atoms = dict(zip(lexicon.atoms, exclusion.atoms, strict=True))
        used = {n - len(lexicon.names.constants) for n in exclusion.variables}
        owners = [v for place, v in enumerate(lexicon.names.variables) if place in used]
        return any(no_text(lexicon, owner, atoms) for owner in owners)

    def sections(self, exclusions: Sequence[Exclusion] = ()) -> list[Section]:
        """All that is asserted, in the order in which a script says it."""
        excluded = [clause for e in exclusions for clause in self.clauses(e)]
        return [
            Section("what would be a counterexample, or a witness", [self.goal]),
            Section("what is true of all rulesets and texts", self.encoder.axioms),
            Section("choices that no strings realise", excluded),
        ]

    def script(
        self, status: str, exclusions: Sequence[Exclusion] = (), header: Sequence[str] = ()
    ) -> str:
        """The problem as an SMT-LIB script, with the answer that is expected."""
        kept = [s for s in self.sections(exclusions) if s.conditions]
        return script(kept, status, header)
