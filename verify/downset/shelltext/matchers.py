"""Which texts a deny of one command catches, system by system: tested approximations.

Each function says what a system looks at; the benchmark compares it with what was seen. None is a
proof that a program is not run: each has spellings that escape it.

>>> caught("codex", "env touch p", ("touch",)), caught("claude-code", "env touch p", ("touch",))
(False, True)
"""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from downset.language.matching import W2
from downset.shelltext.reading import ASSIGNMENT, commands, parts, unquoted, word_end

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from downset.language.matching import Matcher
    from downset.shelltext.reading import Command

WRAPPERS: Final = MappingProxyType(
    dict.fromkeys(("env", "command", "nohup", "time", "nice", "stdbuf", "builtin", "noglob"), 0)
    | {"timeout": 1, "sudo": 0, "watch": 0}
)
"""What Claude Code looks through, and how many arguments of its own each has."""
SHELLS: Final = frozenset({"bash", "sh", "zsh"})


def caught(system: str, line: str, denied: Sequence[str]) -> bool:
    """Whether the deny of a command, given by its first words, catches a line.

    Raises `KeyError` for a system that is not in `MATCHERS`.
    """
    return MATCHERS[system](line, tuple(denied))


def by_claude_code(line: str, denied: tuple[str, ...]) -> bool:
    """Every command of the parsed line, without assignments and wrappers, paths as their names."""
    known: dict[str, str] = {}
    for command in commands(line):
        words = list(command.words)
        while words and ASSIGNMENT.match(words[0]):
            name, _, value = words.pop(0).partition("=")
            known[f"${name}"] = value
        if begins(unwrapped([known.get(word, word) for word in words]), denied):
            return True
    return False


def unwrapped(words: list[str]) -> list[str]:
    """Words without the wrappers in front, the first as a bare name.

    >>> unwrapped(["timeout", "5", "/usr/bin/touch", "p"]), unwrapped(["xargs", "-n1", "touch"])
    (['touch', 'p'], ['xargs', '-n1', 'touch'])
    """
    while words:
        name = words[0].rpartition("/")[2]
        bare = name == "xargs" and words[1:2] != [] and not words[1].startswith("-")
        if name not in WRAPPERS and not bare:
            return [name, *words[1:]]
        words = words[1 + WRAPPERS.get(name, 0) :]
        while words and ASSIGNMENT.match(words[0]):
            words = words[1:]
    return words


def by_codex(line: str, denied: tuple[str, ...]) -> bool:
    """Plain words joined by operators; if there is anything else, the line is one argument."""
    found = commands(line)
    if not all(plain(command) for command in found):
        return False
    return any(begins([c.words[0].rpartition("/")[2], *c.words[1:]], denied) for c in found)


def plain(command: Command) -> bool:
    """Whether a command has nothing but words: no expansion, and a name without quotes."""
    name = command.raw[0]
    expands = any("$" in word and not word.startswith("'") for word in command.raw)
    quoted = any(sign in name for sign in "'\"\\") or bool(ASSIGNMENT.match(name))
    return not (expands or quoted or command.inside or command.redirected)


def by_gemini_cli(line: str, denied: tuple[str, ...]) -> bool:
    """The text of every command of the parsed line, and of what a shell is told to run."""
    prefix = " ".join(denied)
    for command in commands(line):
        if command.text == prefix or command.text.startswith((f"{prefix} ", f'{prefix}"')):
            return True
        told = command.words[:1] and command.words[0] in SHELLS and "-c" in command.words
        body = command.words[command.words.index("-c") + 1 :] if told else ()
        if body and by_gemini_cli(body[0], denied):
            return True
    return False


def by_qwen_code(line: str, denied: tuple[str, ...]) -> bool:
    """The line cut at its operators; of each part the words, without assignments in front."""
    for part in parts(line):
        words, place = [], 0
        while place < len(part):
            end = max(word_end(part, place), place + 1)
            words.append(part[place:end])
            place = end
        named = [unquoted(word) for word in joined(words) if word.strip()]
        while named and ASSIGNMENT.match(named[0]):
            named.pop(0)
        if begins(named, denied):
            return True
    return False


def joined(pieces: Sequence[str]) -> list[str]:
    """Words of the pieces of a text, parentheses belonging to the words beside them.

    >>> joined(["(", "touch", " ", "p", ")"])
    ['(touch', 'p)']
    """
    words = [""]
    for piece in pieces:
        if piece.isspace():
            words.append("")
        else:
            words[-1] += piece
    return [word for word in words if word]


def begins(words: Sequence[str], denied: tuple[str, ...]) -> bool:
    """Whether a command begins with the denied words."""
    return tuple(words[: len(denied)]) == denied


def asked_by_opencode(line: str) -> list[str]:
    """The texts for which opencode (from 1.1.48) asks: that of every command, as it is written.

    >>> asked_by_opencode("X=1 touch p && bash -c 'touch p'"), asked_by_opencode("> p")
    (['X=1 touch p', "bash -c 'touch p'"], [])
    """
    return [command.text for command in commands(line)]


def by_opencode(line: str, denied: tuple[str, ...], matcher: Matcher = W2) -> bool:
    """The glob of the denied words and anything, on each text that is asked."""
    glob = " ".join([*denied, "*"])
    return any(matcher.matches(text, glob) for text in asked_by_opencode(line))


MATCHERS: Final[Mapping[str, Callable[[str, tuple[str, ...]], bool]]] = MappingProxyType(
    {
        "claude-code": by_claude_code,
        "codex": by_codex,
        "gemini-cli": by_gemini_cli,
        "qwen-code": by_qwen_code,
        "opencode": by_opencode,
    }
)
