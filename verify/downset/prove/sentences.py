"""Events as sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from downset.design.design import Design
    from downset.verdicts import RuleRecord


def sentence(
    kind: str,
    details: Mapping[str, str],
    words: Mapping[str, tuple[RuleRecord, ...]],
    *,
    passed: bool,
    design: Design,
) -> str:
    """What happened, in one sentence.

    `details` are the names that take part, `words` the rules, `passed` whether the permission
    check of a dispatch let it pass.

    >>> from downset.design.design import Design
    >>> sentence("open", {"session": "s1", "agent": "lead"}, {}, passed=True, design=Design())
    'a user opens session s1 with agent lead'
    """
    templates = {
        "open": "a user opens session {session} with agent {agent}",
        "spawn": "{caller} dispatches {agent} as a new session {child}",
        "resume": "{caller} resumes {child} as {agent}",
        "patch": "a user adds to the rules of {session}: {added}",
        "switch": "a user goes on in {session} with agent {agent}",
        "prompt": "{session} gets the prompt of the dispatch, with the tools map {tools}",
        "user-prompt": "a user prompts {session} with the tools map {tools}",
        "queue": "a subtask waits in {session} while a message for agent {agent} arrives",
        "fork": "a user copies {session} as {copy}",
        "mode": "a user goes on in {session} in another mode",
        "share": "a user adds to the rules that all sessions share: {added}",
        "restart": "a user takes up {session} after the program ended",
        "approve": '{session} asks; the user answers "always", which approves {approved}',
    }
    shown = {key: listed(rules, tools=key == "tools") for key, rules in words.items()}
    text = templates[kind].format(**{**details, **shown})
    return text + how(details, passed=passed, design=design)


def how(details: Mapping[str, str], *, passed: bool, design: Design) -> str:
    """How a dispatch came about, where it was not the model's alone."""
    if details.get("via") not in {None, "", "model"}:
        return f" (through a {details['via']})"
    if not passed and design.bypasses:
        return f" (through a {design.bypasses[-1]}, which skips the check of {design.dispatch})"
    return ""


def listed(rules: tuple[RuleRecord, ...], *, tools: bool) -> str:
    """Rules in a sentence, those of a tools map in its own form.

    >>> listed((), tools=True)
    '{}'
    """
    if tools:
        entries = (f"{r.permission}: {str(r.action == 'allow').lower()}" for r in rules)
        return "{" + ", ".join(entries) + "}"
    return ", ".join(f"`{r.permission} {r.pattern} {r.action}`" for r in rules) or "nothing"
