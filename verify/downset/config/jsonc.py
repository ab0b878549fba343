r"""JSON with comments and trailing commas, every key and value with its place.

The reader accepts what the program's reader accepts (jsonc-parser with `allowTrailingComma`) and
names the first error as it does. It needs no recursion, so that deep nesting is only an error.

>>> node = parse(Text("x.json", '{"bash": {"*": "ask",}, // all\n "edit": "deny"}'), Findings())
>>> node["edit"].value, str(node["edit"].key), str(node["edit"].place)
('deny', 'x.json:2:2', 'x.json:2:10')
>>> parse(Text("x.json", '{"a": 1 "b": 2}'), Findings())
Traceback (most recent call last):
downset.errors.InputError: not valid JSONC: CommaExpected
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, NoReturn

from downset.config.findings import Findings
from downset.config.nodes import MAX_DEPTH, NOWHERE, Node
from downset.config.texts import Text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from downset.config.nodes import Place, Scalar

__all__ = ["Findings", "Text", "parse"]


def parse(text: Text, findings: Findings) -> Node:
    """The value in a document, or the program's error at its place."""
    return _Reader(text, findings).read()


@dataclass
class _Open:
    """An object or array whose end is not reached yet."""

    closing: str
    place: Place
    key: Place
    entries: dict[str, Node] = field(default_factory=dict)
    items: list[Node] = field(default_factory=list)
    name: str = ""
    name_place: Place = NOWHERE
    is_fresh: bool = True

    def node(self) -> Node:
        value = self.entries if self.closing == "}" else tuple(self.items)
        return Node(value, self.place, self.key)


@dataclass(frozen=True)
class Token:
    kind: str
    start: int
    end: int


class _Reader:
    def __init__(self, text: Text, findings: Findings) -> None:
        self._text = text
        self._findings = findings
        self._tokens = tokens(text)
        self._token = next(self._tokens)
        self._open: list[_Open] = []
        self._root: Node | None = None

    def read(self) -> Node:
        self._value(NOWHERE)
        while self._open:
            self._step(self._open[-1])
        if self._token.kind != "end":
            self._fail("EndOfFileExpected")
        assert self._root is not None  # noqa: S101 -- a value was read, or an error raised
        return self._root

    def _step(self, top: _Open) -> None:
        """Read one entry of the innermost open object or array, or its end."""
        if self._token.kind == top.closing:
            self._close(top)
            return
        if not top.is_fresh:
            self._separator(top)
            if self._token.kind == top.closing:
                self._close(top)
                return
        if self._token.kind == ",":
            self._fail("ValueExpected")
        top.is_fresh = False
        if top.closing == "}":
            self._name(top)
        self._value(top.name_place)

    def _separator(self, top: _Open) -> None:
        if self._token.kind == "end":
            self._fail("CloseBraceExpected" if top.closing == "}" else "CloseBracketExpected")
        if self._token.kind != ",":
            self._fail("CommaExpected")
        self._advance()

    def _name(self, top: _Open) -> None:
        token = self._token
        if token.kind != "string":
            self._fail("CloseBraceExpected" if token.kind == "end" else "PropertyNameExpected")
        top.name = self._written(token)
        top.name_place = self._text.place(token.start)
        self._advance()
        if self._token.kind != ":":
            self._fail("ColonExpected")
        self._advance()

    def _value(self, key: Place) -> None:
        token = self._token
        place = self._text.place(token.start)
        if token.kind in {"{", "["}:
            if len(self._open) >= MAX_DEPTH:
                raise place.error(f"nested more than {MAX_DEPTH} deep", id="too-deep")
            self._advance()
            self._open.append(_Open("}" if token.kind == "{" else "]", place, key))
            return
        if token.kind not in {"string", "number", "word"}:
            self._fail("ValueExpected")
        node = self._scalar(token, place, key)
        self._advance()
        self._add(node)

    def _scalar(self, token: Token, place: Place, key: Place) -> Node:
        source = self._text.expanded[token.start : token.end]
        if token.kind != "string":
            return Node(_WORDS.get(source) if token.kind == "word" else _number(source), place, key)
        real = self._string(token)
        if self._text.is_verbatim(token.start, token.end):
            return Node(real, place, key)
        return Node(self._written(token), place, key, hidden=real)

    def _close(self, top: _Open) -> None:
        self._advance()
        self._open.pop()
        self._add(top.node())

    def _add(self, node: Node) -> None:
        if not self._open:
            self._root = node
            return
        top = self._open[-1]
        if top.closing == "]":
            top.items.append(node)
            return
        if top.name in top.entries:
            text = f"`{top.name}` is there twice: the last one counts, in the place of the first"
            self._findings.warning("duplicate-key", text, top.name_place, "keep one of them")
        if top.name != "__proto__":  # JavaScript makes no entry of it
            top.entries[top.name] = node

    def _written(self, token: Token) -> str:
        """A string as it was written, without what was put into it."""
        if self._text.is_verbatim(token.start, token.end):
            return self._string(token)
        inner = self._text.as_written(token.start, token.end).strip('"')
        return _ESCAPE.sub(lambda found: _SIMPLE.get(found[0][1], ""), inner)

    def _string(self, token: Token) -> str:
        source = self._text.expanded[token.start + 1 : token.end - 1]
        if "\\" not in source:
            return source
        for found in re.finditer(r"\\(u[0-9a-fA-F]{4}|[\"\\/bfnrt])|\\", source):
            if found[1] is None:
                kind = "InvalidUnicode" if source[found.end() :][:1] == "u" else None
                self._fail(kind or "InvalidEscapeCharacter", token.start + 1 + found.start())
        text = _ESCAPE.sub(_unescaped, source)
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _advance(self) -> None:
        self._token = next(self._tokens)

    def _fail(self, name: str, offset: int | None = None) -> NoReturn:
        _fail(self._text, name, self._token.start if offset is None else offset)


def _fail(text: Text, name: str, offset: int) -> NoReturn:
    place = text.place(offset)
    raise place.error(f"not valid JSONC: {name}", id="json-syntax", help=_HELP.get(name))


def tokens(text: Text) -> Iterator[Token]:
    """All tokens, then the end, again and again."""
    position, source = 0, text.expanded
    while position < len(source):
        found = _TOKEN.match(source, position)
        if found is None or (found.lastgroup == "word" and found[0] not in _WORDS):
            _fail(text, _broken(source, position), position)
        kind = found.lastgroup or ""
        if kind != "space":
            yield Token(found[0] if kind == "sign" else kind, found.start(), found.end())
        position = found.end()
    while True:
        yield Token("end", len(source), len(source))


def _broken(source: str, position: int) -> str:
    """The name of the error for text that is no token."""
    if source.startswith("/*", position):
        return "UnexpectedEndOfComment"
    if source[position] == '"':
        rest = _STRING_BODY.match(source, position + 1)
        stop = source[rest.end() : rest.end() + 1] if rest else ""
        return "UnexpectedEndOfString" if stop in {"", "\n", "\r", "\\"} else "InvalidCharacter"
    return "InvalidSymbol"


def _number(source: str) -> Scalar:
    is_short = len(source) <= _SAFE_DIGITS and source.lstrip("-").isdigit()
    return int(source) if is_short else float(source)


def _unescaped(found: re.Match[str]) -> str:
    escape = found[0][1:]
    return chr(int(escape[1:], 16)) if escape[0] == "u" else _SIMPLE[escape]


_SAFE_DIGITS: Final = 15
_WORDS: Final[dict[str, Scalar]] = {"true": True, "false": False, "null": None}
_SIMPLE: Final = dict(zip('"\\/bfnrt', '"\\/\b\f\n\r\t', strict=True))
_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{4}|[\"\\/bfnrt])")
_STRING_BODY: Final = re.compile(r'(?:[^"\\\x00-\x1f]|\\[^\x00-\x1f])*')
_TOKEN: Final = re.compile(
    r"(?P<space>[ \t\r\n]+|//[^\r\n]*|/\*(?s:.*?)\*/)"
    r"|(?P<sign>[{}\[\]:,])"
    r'|(?P<string>"[^"\\\x00-\x1f]*(?:\\[^\x00-\x1f][^"\\\x00-\x1f]*)*")'
    r"|(?P<number>-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)"
    r"|(?P<word>[A-Za-z_$][\w$]*)"
)
_HELP: Final = {
    "CommaExpected": "put a comma before this",
    "ColonExpected": "put a colon between key and value",
    "PropertyNameExpected": "keys are written in double quotes",
    "ValueExpected": "a value is missing here",
    "InvalidSymbol": "texts are written in double quotes",
    "UnexpectedEndOfString": "the closing quote is missing",
    "UnexpectedEndOfComment": "the closing `*/` is missing",
    "CloseBraceExpected": "the file ends before the closing brace",
    "CloseBracketExpected": "the file ends before the closing bracket",
    "EndOfFileExpected": "there is more text behind the configuration",
}
