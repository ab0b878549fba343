"""Questions about lists of globs, made up from a seed: who can still write what, what is dead.

>>> question = witnesses(10, 1)[0]
>>> question.about, len(question.lists), len(question.lists[0])
('witness', 2, 10)
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import pairwise
from random import Random
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

Entry = tuple[str, str]
"""A glob, and `allow`, `ask` or `deny`."""

FOLDERS: Final = ("src", "docs", "lib", "test", "app", "api", "web", "infra", "pkg", "tools")
PARTS: Final = ("core", "auth", "user", "index", "main", "util", "model", "view", "data", "spec")
ENDINGS: Final = ("ts", "js", "py", "md", "json", "env", "lock", "css", "yml", "sql")
ACTIONS: Final = ("allow", "allow", "deny", "deny", "ask")


@dataclass(frozen=True)
class Question:
    """Something that is asked of every tool.

    `witness`: is there a text that the first list denies and the second does not? `dead`: is there
    a text that rule `number` of the only list decides?
    """

    name: str
    about: str
    lists: tuple[tuple[Entry, ...], ...]
    number: int = 0

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return asdict(self)

    @staticmethod
    def of(plain: dict[str, Any]) -> Question:
        """From JSON."""
        lists = tuple(tuple((glob, action) for glob, action in ls) for ls in plain["lists"])
        return Question(plain["name"], plain["about"], lists, plain["number"])


def glob(random: Random) -> str:
    """One pattern as people write them."""
    folder, part, ending = (random.choice(words) for words in (FOLDERS, PARTS, ENDINGS))
    number = random.randrange(40)
    return random.choice(
        (
            f"{folder}/*",
            f"{folder}/*.{ending}",
            f"*.{ending}",
            f"*{part}*",
            f"{folder}/{part}{number}/*",
            f"{folder}/{part}/*.{ending}",
            f"{folder}/{part}{number}.{ending}",
            f"*/{part}{number}.*",
            f"{folder}/{part}?.{ending}",
        )
    )


def entries(random: Random, count: int) -> tuple[Entry, ...]:
    """A list of so many rules."""
    return tuple((glob(random), random.choice(ACTIONS)) for _ in range(count))


def stricter(random: Random, ls: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """A list that denies all that another denies: some of its rules turned into denies."""
    return tuple((g, "deny" if random.random() < 1 / 3 else action) for g, action in ls)


def witnesses(count: int, instances: int) -> list[Question]:
    """Two lists of so many rules each; every second pair has no witness."""
    found = []
    for instance in range(instances):
        random = Random(f"witness {count} {instance}")
        first = entries(random, count)
        second = stricter(random, first) if instance % 2 else entries(random, count)
        found.append(Question(f"witness {count} #{instance}", "witness", (first, second)))
    return found


def dead(count: int, instances: int) -> list[Question]:
    """Rules picked from all places of one list of so many rules."""
    random = Random(f"dead {count}")
    ls = entries(random, count)
    numbers = [1 + place * count // instances for place in range(instances)]
    return [Question(f"dead {count} #{number}", "dead", (ls,), number) for number in numbers]


def adversarial() -> Iterator[Question]:
    """Lists that are made to be hard: many stars, long tails of `?`, and counting by `?`."""
    for size in (10, 20, 40, 80):
        yield many_stars(size)
        yield long_tails(size)
        yield counters(size)


def many_stars(size: int) -> Question:
    """One glob with so many stars, and later ones that each allow one letter twice in a row."""
    letters = "abcdefghijklmnopqrstuvwxyz"
    starred = "*" + "*".join(letters[i % 26] for i in range(size)) + "*"
    later = tuple((f"*{a}*{b}*{a}*", "allow") for a, b in pairwise(letters))
    return Question(f"stars {size}", "dead", (((starred, "deny"), *later),), 1)


def long_tails(size: int) -> Question:
    """`*a` and so many `?` behind it: its deterministic automaton has 2 to the size states."""
    tail = "?" * size
    ls = ((f"*a{tail}", "deny"), (f"*b{tail}", "allow"), (f"*a{tail[1:]}", "allow"))
    return Question(f"tails {size}", "dead", (ls,), 1)


def counters(size: int) -> Question:
    """Texts of one length in which no two places with the same remainder may both be `a`."""
    primes = [p for p in (2, 3, 5, 7, 11, 13) if p < size]
    later = [
        ("?" * i + "a" + "?" * (p - 1) + "a" + "*", "allow")
        for p in primes
        for i in range(size - p)
    ]
    wanted = ["?" * i + "*a*" + "?" * (size - i) for i in range(1, 4)]
    return Question(f"counters {size}", "dead", (((wanted[0], "deny"), *later),), 1)
