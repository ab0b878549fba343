"""Two complete searches: a text for given globs, and a glob for given texts.

The solver reasons with "does this name match that glob" as free bits; these searches make its
models concrete, or prove that no string behaves so (theory.md 4 and 7). Both are deterministic.
`None` is a proof; when a search is too large to finish, it says so by raising `SearchLimit`.

>>> from downset.language.matching import W2
>>> find_text(W2, inside=["src/*", "*.ts"], outside=["*test*"])
'src/.ts'
>>> find_glob(W2, inside=["edit", "edit2"], outside=["bash"])
'e*'
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol, TypeVar

from downset.language.automata import SearchLimit
from downset.language.guesses import globs_for, guessed, texts_for
from downset.language.matching import from_units, to_units
from downset.language.products import Globs, Texts

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Hashable, Iterable, Sequence

    from downset.language.matching import Matcher

__all__ = ["LIMIT", "SearchLimit", "find_glob", "find_text"]

LIMIT = 200_000
_State = TypeVar("_State", bound="Hashable")


def find_text(  # noqa: PLR0913, PLR0917 -- each is a part of the question
    matcher: Matcher,
    inside: Sequence[str],
    outside: Sequence[str],
    avoid: Collection[str] = (),
    prefer: Sequence[str] = (),
    limit: int = LIMIT,
) -> str | None:
    """A text that all globs `inside` match and none of `outside`, which is not one of `avoid`.

    The first of `prefer` that will do; else a shortest one, in plain letters as far as possible,
    where a letter that no glob names stands for anything else. `None` if there is none. `avoid`
    compares texts as they are written, not as the matcher sees them.
    Raises `SearchLimit` after about `limit` partial texts.

    >>> from downset.language.matching import W2
    >>> find_text(W2, ["*.env"], [".env"]), find_text(W2, ["?"], [], avoid=["a", "b"])
    ('a.env', 'c')
    >>> find_text(W2, ["git *"], ["git*"]) is None
    True
    """

    def fits(text: str) -> bool:
        matched = all(matcher.matches(text, glob) for glob in inside)
        return matched and not any(matcher.matches(text, glob) for glob in outside)

    def space(spare: int) -> Texts:
        return Texts(matcher, inside, outside, spare)

    if matcher.segments:
        return guessed(fits, [*prefer, *texts_for(inside)], avoid)
    return _find(fits, space, avoid, prefer, limit)


def find_glob(  # noqa: PLR0913, PLR0917 -- each is a part of the question
    matcher: Matcher,
    inside: Sequence[str],
    outside: Sequence[str],
    avoid: Collection[str] = (),
    prefer: Sequence[str] = (),
    limit: int = LIMIT,
) -> str | None:
    """A glob that matches all texts `inside` and none of `outside`, which is not one of `avoid`.

    The first of `prefer` that will do; else a shortest one, letters before `*` before `?`.
    `avoid` compares globs as they are written. `None` if there is no such glob.
    Raises `SearchLimit` after about `limit` partial globs.

    >>> from downset.language.matching import W2
    >>> find_glob(W2, ["edit"], ["bash"], avoid=["edit"], prefer=["edit", "edit*"])
    'edit*'
    >>> find_glob(W2, ["edit", "task"], ["todowrite"])
    '????'
    >>> find_glob(W2, ["edit", "bash"], ["task"]) is None
    True
    """

    def fits(glob: str) -> bool:
        matched = all(matcher.matches(text, glob) for text in inside)
        return matched and not any(matcher.matches(text, glob) for text in outside)

    def space(spare: int) -> Globs:
        return Globs(matcher, inside, outside, spare)

    if matcher.segments:
        return guessed(fits, [*prefer, *globs_for(inside)], avoid)
    return _find(fits, space, avoid, prefer, limit)


class _Space(Protocol[_State]):
    """Words to search: where they begin, which may follow, and which are answers."""

    start: _State

    def accepts(self, state: _State) -> bool: ...

    def moves(self, state: _State) -> Iterable[tuple[str, _State]]: ...


def _find(
    fits: Callable[[str], bool],
    space: Callable[[int], _Space[_State]],
    avoid: Collection[str],
    prefer: Sequence[str],
    limit: int,
) -> str | None:
    """The first of `prefer` or else of `space` that is not avoided, checked by the matcher."""
    shunned = {to_units(word) for word in avoid if fits(word)}
    for word in prefer:
        if fits(word) and to_units(word) not in shunned:
            return word
    units = _first_word(space(len(shunned) + 1), shunned, limit)
    if units is None:
        return None
    word = from_units(units)
    if units in shunned or not fits(word):
        msg = f"internal error: the search answered {word!r}, which the matcher refutes"
        raise RuntimeError(msg)
    return word


def _first_word(space: _Space[_State], shunned: Collection[str], limit: int) -> str | None:
    """The first accepted word, breadth first.

    A state is entered by as many words as there are shunned ones, and one: whatever follows from
    it then completes more words than can be shunned, so that further ones are never needed.
    """
    if space.accepts(space.start) and "" not in shunned:
        return ""
    queue = deque([("", space.start)])
    entered = {space.start: 1}
    words = 1
    while queue:
        word, state = queue.popleft()
        for unit, target in space.moves(state):
            times = entered.get(target, 0)
            if times > len(shunned):
                continue
            longer = word + unit
            if space.accepts(target) and longer not in shunned:
                return longer
            entered[target] = times + 1
            queue.append((longer, target))
            words += 1
        if words > limit:
            raise SearchLimit(f"no answer among the first {limit} partial words; gave up")
    return None
