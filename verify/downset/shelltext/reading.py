"""The commands in a line of shell text: a reader of the subset that the benchmark uses.

It knows quotes, lists and pipes, groups, subshells, loops, negation, substitutions and
redirections, and nothing else: here-documents, arithmetic, functions and `case` are outside.

>>> [command.words for command in commands("true && X=1 touch 'a b'")]
[('true',), ('X=1', 'touch', 'a b')]
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

OPERATORS: Final = ("&&", "||", "|&", ";", "|", "&", "\n")
OPENING: Final = frozenset({"{", "!", "do", "then", "else", "if", "while", "until"})
CLOSING: Final = frozenset({"}", "done", "fi"})
ASSIGNMENT: Final = re.compile(r"[A-Za-z_]\w*=")
REDIRECTION: Final = re.compile(r"\d*(>>|>|<)&?")


@dataclass(frozen=True)
class Command:
    """One simple command: its words without quotes, as written, and what is around it.

    `inside` names the constructs around it: `group`, `loop`, `not`, `substitution`; `redirected`
    says whether its text has a redirection, which is no word.
    """

    words: tuple[str, ...]
    raw: tuple[str, ...]
    inside: frozenset[str] = frozenset()
    redirected: bool = False
    text: str = ""


@dataclass
class Reader:
    """Reads a line from left to right."""

    line: str
    place: int = 0
    found: list[Command] = field(default_factory=list)
    raw: list[str] = field(default_factory=list)
    inside: tuple[str, ...] = ()
    began: int = 0

    def read(self) -> list[Command]:
        """All commands of the line, those of a substitution before the one around it."""
        while self.place < len(self.line):
            self._step()
        self._finish()
        return self.found

    def _step(self) -> None:
        operator = operator_at(self.line, self.place)
        letter = self.line[self.place]
        if operator:
            self._finish()
            self.place += len(operator)
        elif letter in "()":
            self._finish()
            self.inside = (*self.inside, "group") if letter == "(" else self.inside[:-1]
            self.place += 1
        elif letter.isspace():
            self.place += 1
        else:
            self._word()
        if not self.raw:
            self.began = self.place

    def _word(self) -> None:
        end = word_end(self.line, self.place)
        word = self.line[self.place : end]
        for body in substitutions(word):
            inner = commands(body)
            self.found += [around(one, {*self.inside, "substitution"}) for one in inner]
        self.place = end
        if not self.raw and word in OPENING:
            self.inside = (*self.inside, {"{": "group", "!": "not"}.get(word, "loop"))
        elif not self.raw and word in CLOSING:
            self.inside = self.inside[:-1]
        else:
            self.raw.append(word)

    def _finish(self) -> None:
        text = self.line[self.began : self.place].strip()
        header = bool(self.raw) and self.raw[0] == "for"
        kept, redirected = without_redirections(self.raw)
        if kept and not header:
            words = tuple(unquoted(word) for word in kept)
            made = Command(words, tuple(kept), frozenset(self.inside), redirected, text)
            self.found.append(made)
        if "not" in self.inside:
            self.inside = tuple(part for part in self.inside if part != "not")
        self.raw = []


def commands(line: str) -> list[Command]:
    """The simple commands in a line, wherever they stand.

    >>> [(c.words, sorted(c.inside)) for c in commands("echo $(touch p)")]
    [(('touch', 'p'), ['substitution']), (('echo', '$(touch p)'), [])]
    """
    return Reader(line).read()


def around(command: Command, inside: set[str]) -> Command:
    """A command with more around it."""
    whole = frozenset(inside) | command.inside
    return Command(command.words, command.raw, whole, command.redirected, command.text)


def parts(line: str) -> list[str]:
    """The line cut at its operators, but for those in quotes and substitutions.

    >>> parts("a 'b;c' | (d; e)")
    ["a 'b;c' ", ' (d', ' e)']
    """
    found, began, place = [], 0, 0
    while place < len(line):
        operator = operator_at(line, place)
        if operator:
            found.append(line[began:place])
            place = began = place + len(operator)
        elif line[place].isspace() or line[place] in "()":
            place += 1
        else:
            place = word_end(line, place)
    return [*found, line[began:]]


def operator_at(line: str, place: int) -> str:
    """The operator at a place, empty if there is none."""
    return next((sign for sign in OPERATORS if line.startswith(sign, place)), "")


def word_end(line: str, place: int) -> int:
    """Where a word ends that begins at a place: at a blank, an operator or a parenthesis."""
    while place < len(line):
        letter = line[place]
        if letter == "\\":
            place += 2
        elif letter in "'\"":
            place = quote_end(line, place)
        elif line.startswith("$(", place):
            place = substitution_end(line, place + 2)
        elif letter.isspace() or letter in "()" or operator_at(line, place):
            break
        else:
            place += 1
    return min(place, len(line))


def quote_end(line: str, place: int) -> int:
    """The place behind a quoted text."""
    closing = line.find(line[place], place + 1)
    return len(line) if closing < 0 else closing + 1


def substitution_end(line: str, place: int) -> int:
    """The place behind a substitution whose inside begins at a place."""
    depth = 1
    while place < len(line) and depth:
        if line[place] in "'\"":
            place = quote_end(line, place)
            continue
        depth += {"(": 1, ")": -1}.get(line[place], 0)
        place += 1
    return place


def substitutions(word: str) -> list[str]:
    """The insides of the substitutions in a word, outermost only."""
    found, place = [], word.find("$(")
    while place >= 0:
        end = substitution_end(word, place + 2)
        found.append(word[place + 2 : end - 1])
        place = word.find("$(", end)
    return found


def without_redirections(raw: list[str]) -> tuple[list[str], bool]:
    """The words that are no redirection, and whether there was one."""
    kept: list[str] = []
    skip = redirected = False
    for word in raw:
        sign = REDIRECTION.match(word)
        if skip or sign:
            skip = bool(sign) and sign is not None and sign.end() == len(word)
            redirected = True
        else:
            kept.append(word)
    return kept, redirected


def unquoted(word: str) -> str:
    """A word without its quotes and backslashes.

    >>> unquoted("to''uch"), unquoted(chr(92) + "touch")
    ('touch', 'touch')
    """
    pieces = re.findall(r"'[^']*'|\"[^\"]*\"|\\.|[^'\"\\]+", word, re.DOTALL)
    return "".join(p[1:-1] if p[0] in "'\"" else p.removeprefix("\\") for p in pieces)
