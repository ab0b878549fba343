"""A story with everything in it, and a comparison with files of expected text."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from downset.verdicts import (
    AgentRecord,
    Counterexample,
    DecisionRecord,
    EventRecord,
    QueryRecord,
    RuleRecord,
    Scope,
    SessionRecord,
    Status,
    Verdict,
)

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent / "golden"


@pytest.fixture
def golden() -> Callable[[str, str], None]:
    """Compare with a committed file; `UPDATE_GOLDEN=1` writes it instead."""

    def compare(name: str, text: str) -> None:
        if os.environ.get("UPDATE_GOLDEN"):
            (GOLDEN / name).write_text(text, encoding="utf-8")
        assert text == (GOLDEN / name).read_text(encoding="utf-8")

    return compare


@pytest.fixture
def story() -> Counterexample:
    """A read-only planner is resumed by a session that may not edit, as an agent that may."""
    agent_deny = RuleRecord("edit", "*", "deny", layer="agent")
    session_deny = RuleRecord("edit", "src/*", "deny", layer="session")
    agent_allow = RuleRecord("edit", "* *", "allow", layer="agent")
    root = SessionRecord("A", "plan", None, (agent_deny, session_deny))
    child = SessionRecord("B", "general", "A", (agent_allow,))
    query = QueryRecord("edit", "src/app.ts")
    return Counterexample(
        agents=(
            AgentRecord("plan", (agent_deny,), config='{"edit": "deny"}'),
            AgentRecord("general", (agent_allow,), config='{"edit": {"* *": "allow"}}'),
            AgentRecord("idle", ()),
        ),
        events=(
            EventRecord("open", "a user opens session A with agent plan", (root,)),
            EventRecord(
                "spawn",
                "A dispatches general: session B is created, and nothing of what A may not do is "
                "written into the rules of B",
                (child,),
                (("session", "A"), ("agent", "general"), ("child", "B")),
            ),
            EventRecord("resume", "A resumes B", (replace(child, rules=()),)),
        ),
        query=query,
        decisions=(
            DecisionRecord("A", "caller", query, "deny", session_deny),
            DecisionRecord("B", "callee", query, "allow", agent_allow),
            DecisionRecord("B", "B", QueryRecord("edit", "*", tool="write"), "offered"),
        ),
        conclusion="A denies `edit` on `src/app.ts`, and B, which A resumes, allows it.",
        form="config",
        config=(("depth limit", "1"),),
    )


@pytest.fixture
def violated(story: Counterexample) -> Verdict:
    """The verdict that the story belongs to."""
    scope = Scope(
        events=("spawn", "resume", "switch", "patch"),
        cutoff=(("caller's session", 2), ("callee's agent", 3)),
        obligations=7,
    )
    return Verdict(
        "opencode/1.17.2", "resume-safe", Status.VIOLATED, scope, counterexample=story, seconds=0.31
    )


@pytest.fixture
def proved() -> Verdict:
    """A proof with all it rests on."""
    scope = Scope(
        events=("spawn",),
        cutoff=(("caller's session", 2), ("callee's agent", 3)),
        argument="one dispatch of each kind from an arbitrary caller (a caller waits while its "
        "callee runs, so a relation that composes holds along every stack)",
        obligations=4,
    )
    return Verdict("reference/ceiling", "no-escalation", Status.PROVED, scope, seconds=0.118)


@pytest.fixture
def unknown() -> Verdict:
    """A verdict that is none."""
    return Verdict(
        "opencode/2.0",
        "rebuild-stable-user",
        Status.UNKNOWN,
        Scope(rules="not covered", depth="not covered"),
        reason="the solver gave up after 30 s on the step of the induction",
    )
