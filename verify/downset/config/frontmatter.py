r"""The header of a Markdown agent, as the program reads it (gray-matter 4), with its failures.

A header that is not YAML is tried again with values quoted that have a colon in them. If there is
none to quote, the second try is of the same text, and gray-matter then answers from its cache
with an *empty* header: the agent is there, and nothing of what its header says holds
(opencode-configs.md 4.3; opencode-observed.md, "A bare `*` key in frontmatter").

>>> from downset.config.releases import release
>>> found = read("---\nmode: primary\n*: deny\n---\nHi", "a.md", release("1.18.2"), Findings())
>>> found.entries
{}
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from downset.config import jsonc
from downset.config.findings import Findings
from downset.config.nodes import EMPTY, Node, Place
from downset.config.releases import Header
from downset.config.texts import Text
from downset.config.yaml_tree import SyntaxProblem, compose
from downset.errors import InputError

if TYPE_CHECKING:
    from downset.config.releases import Release
    from downset.config.yaml_tree import LineOf

MAX_HEADER: Final = 256 * 1024
_FENCE: Final = "---"


def read(text: str, file: str, release: Release, findings: Findings) -> Node | None:
    """The header's entries; `None` if the program skips the file."""
    if not _has_header(text):
        _no_header(file, findings)
        return EMPTY
    header, language = _header(text)
    if len(header) > MAX_HEADER:
        raise _error("too-large", f"the header is longer than {MAX_HEADER} characters", file)
    if language in {"js", "javascript"}:
        raise _error("header-is-code", "the header is a program, which is never run here", file)
    if release.header is Header.MENDED_FIRST:
        return _mended_first(text, file, findings)
    try:
        return _mapping(_parse(header, language, file, _plain_line), file, findings)
    except SyntaxProblem as problem:
        return _again(text, file, release, findings, problem)


def mended(text: str) -> str:
    r"""The text with values of the header quoted that have a colon in them, as the program does.

    >>> mended("---\ndescription: one: two\nmode: all\n---\n")
    '---\ndescription: |-\n  one: two\nmode: all\n---\n'
    """
    found = _HEADER.match(text)
    if found is None:
        return text
    lines = [part for line in re.split(r"\r?\n", found[1]) for part in _mended_line(line)]
    return text[: found.start(1)] + "\n".join(lines) + text[found.end(1) :]


def _again(
    text: str, file: str, release: Release, findings: Findings, problem: SyntaxProblem
) -> Node | None:
    """The second try: with values quoted, or of the same text, which then counts as empty."""
    if release.header is Header.REJECTED:
        raise problem.place.error(
            f"the header is not YAML: {problem.message}; {release.name} rejects the configuration",
            id="header-syntax",
        ) from problem
    new = mended(text)
    if new == text:
        findings.error(
            "header-dropped",
            f"the header is not YAML ({problem.message}), so the program drops all of it without "
            "a word: the agent runs with no restriction of its own",
            problem.place,
            "mend the header; quote what begins with a special sign, such as '*'",
        )
        return EMPTY
    return _or_skipped(new, text, file, findings)


def _mended_first(text: str, file: str, findings: Findings) -> Node | None:
    """1.1.23 to 1.1.41: one try, with values quoted from the start."""
    return _or_skipped(mended(text), text, file, findings)


def _or_skipped(new: str, text: str, file: str, findings: Findings) -> Node | None:
    header, language = _header(new)
    try:
        tree = _parse(header, language, file, _line_map(new, text))
    except SyntaxProblem as problem:
        findings.error(
            "agent-skipped",
            f"the header is not YAML ({problem.message}), so the program skips the file: "
            "nothing in it has any effect",
            problem.place,
            "mend the header",
        )
        return None
    return _mapping(tree, file, findings)


def _mapping(tree: Node, file: str, findings: Findings) -> Node:
    """Anything but a mapping counts as empty."""
    if tree.is_mapping:
        return tree
    if tree.value is None:
        _no_header(file, findings)
    else:
        text = "the header is not a list of keys and values: the agent has no restriction"
        findings.error("header-dropped", text, tree.place, "write `key: value` lines")
    return EMPTY


def _no_header(file: str, findings: Findings) -> None:
    findings.warning(
        "no-header",
        "a file in a directory of agents is an agent even without a header: "
        "it has no rules of its own, and users and agents can start it",
        Place(file, 1, 1),
        "move it elsewhere if it is not meant to be an agent",
    )


def _has_header(text: str) -> bool:
    return text.startswith(_FENCE) and text[3:4] != "-"


def _header(text: str) -> tuple[str, str]:
    """The header, from the end of the first fence on, and the language named behind that."""
    rest = text[len(_FENCE) :]
    first, newline, _ = rest.partition("\n")
    language = first.strip()
    header = rest[len(first) :] if newline else rest
    end = header.find("\n" + _FENCE)
    return (header if end < 0 else header[:end]), language


def _parse(header: str, language: str, file: str, line_of: LineOf) -> Node:
    if not re.sub(r"(?m)^\s*#[^\n]+", "", header).strip():
        return Node(None, Place(file, 1, 1))
    if language in {"", "yaml", "yml"}:
        return compose(header, line_of, file)
    if language == "json":
        return _json(header, file)
    raise SyntaxProblem(f"there is no language `{language}` for headers", Place(file, 1, 4))


def _json(header: str, file: str) -> Node:
    try:
        return jsonc.parse(Text(file, header), Findings())
    except InputError as error:
        place = Place(file, error.line, error.column)
        raise SyntaxProblem(error.message, place) from error


def _plain_line(line: int) -> int:
    """The header begins with the rest of the file's first line."""
    return line + 1


def _line_map(new: str, text: str) -> LineOf:
    """From lines of the mended header to lines of the file."""
    if new == text:
        return _plain_line
    found = _HEADER.match(text)
    lines = [1]
    for number, line in enumerate(re.split(r"\r?\n", found[1] if found else ""), start=2):
        lines += [number] * len(_mended_line(line))
    return lambda line: lines[min(line, len(lines) - 1)]


def _mended_line(line: str) -> list[str]:
    if not line.strip() or line.strip().startswith("#") or line[0].isspace():
        return [line]
    entry = _ENTRY.fullmatch(line)
    value = entry[2].strip() if entry else ""
    if entry is None or ":" not in value or value[0] in "\"'":
        return [line]
    return [f"{entry[1]}: |-", f"  {value}"]


def _error(id: str, message: str, file: str) -> InputError:  # noqa: A002 -- as printed
    return Place(file, 1, 1).error(message, id=id)


_HEADER: Final = re.compile(r"---\r?\n(.*?)\r?\n---", re.DOTALL)
_ENTRY: Final = re.compile(r"([a-zA-Z_][a-zA-Z0-9_]*)\s*:\s*(.*)")
