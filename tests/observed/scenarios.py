"""What was done to the real program, one scenario each: which probes it read, and how.

The names of scenarios and probes are those of the recorded answers.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from tests.observed.program import Program

from downset.design.design import Resume
from downset.language.rules import ALLOW, ASK, DENY, Rule

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from downset.design.sessions import Session

Probes = dict[str, object]
Config = dict[str, object]


def primary(**permission: object) -> Config:
    """An agent that users start."""
    return {"mode": "primary", "permission": permission}


def subagent(**permission: object) -> Config:
    """An agent that is dispatched."""
    return {"mode": "subagent", "description": "d", "permission": permission}


BOSS = primary(edit="deny")
WORKER = subagent(edit="allow")
LEAF = subagent(edit="allow", task="deny", todowrite="deny")
MID = subagent(task="allow")
PICKY = primary(edit="deny", task={"*": "allow", "general": "deny"})
NO_EDIT = Rule("edit", "*", DENY)
NO_SECRETS = Rule("edit", "secret/*", DENY)
NO_TOUCH = Rule("bash", "touch*", DENY)


# --- one dispatch, and a few calls ---


@dataclass(frozen=True)
class Dispatch:
    """A session is opened, dispatches an agent, and both call tools: probe -> (who, call)."""

    opener: str
    callee: str
    probes: Mapping[str, tuple[str, str, str]]
    agents: Config = field(default_factory=dict)
    stored: tuple[Rule, ...] = ()
    via: str = "model"
    primary_tools: tuple[str, ...] = ()

    def __call__(self, at: str) -> Probes:
        experimental = {"primary_tools": list(self.primary_tools)}
        x = Program(at, agent=self.agents, experimental=experimental)
        caller = x.open(self.opener, *self.stored)
        who = {"caller": caller, "child": x.dispatch(caller, self.callee, self.via)}
        return {
            probe: x.call(who[name], tool, resource, "reject")
            for probe, (name, tool, resource) in self.probes.items()
        }


OWN, CHILD = "caller", "child"
CHILD_WRITES = (CHILD, "write", "a.txt")
CHILD_TOUCHES = (CHILD, "bash", "touch a.txt")

DISPATCHES: dict[str, Dispatch] = {
    "a_agent_deny": Dispatch(
        "boss", "general", {"general.write": CHILD_WRITES}, agents={"boss": BOSS}
    ),
    "a_plan": Dispatch("plan", "general", {"general.write": CHILD_WRITES}),
    "a_plan_worker": Dispatch(
        "plan", "worker", {"worker.write": CHILD_WRITES}, agents={"worker": WORKER}
    ),
    "a_explicit": Dispatch(
        "boss", "worker", {"worker.write": CHILD_WRITES}, agents={"boss": BOSS, "worker": WORKER}
    ),
    "a_bash": Dispatch(
        "boss", "general", {"general.bash": CHILD_TOUCHES}, agents={"boss": primary(bash="deny")}
    ),
    "a_pattern": Dispatch(
        "boss",
        "general",
        {"secret": (CHILD, "write", "secret/a.txt"), "pub": (CHILD, "write", "pub.txt")},
        agents={"boss": primary(edit={"*": "allow", "secret/*": "deny"})},
    ),
    "a_later_allow": Dispatch(
        "boss",
        "general",
        {
            "boss.docs": (OWN, "write", "docs/own.txt"),
            "child.docs": (CHILD, "write", "docs/a.txt"),
            "child.pub": (CHILD, "write", "pub.txt"),
        },
        agents={"boss": primary(edit={"*": "deny", "docs/*": "allow"})},
    ),
    "a_taskrule": Dispatch(
        "boss", "leaf", {"leaf.write": CHILD_WRITES}, agents={"boss": BOSS, "leaf": LEAF}
    ),
    "a_taskrule_bash": Dispatch(
        "boss",
        "leaf",
        {"leaf.bash": CHILD_TOUCHES},
        agents={"boss": primary(bash="deny"), "leaf": LEAF},
    ),
    "b_session_deny": Dispatch(
        "build",
        "general",
        {"own.write": (OWN, "write", "own.txt"), "general.write": CHILD_WRITES},
        stored=(NO_EDIT,),
    ),
    "b_session_pattern": Dispatch(
        "build",
        "general",
        {
            "own.secret": (OWN, "write", "secret/own.txt"),
            "child.secret": (CHILD, "write", "secret/b.txt"),
            "child.pub": (CHILD, "write", "pub.txt"),
        },
        stored=(NO_SECRETS,),
    ),
    "b_session_deny_then_allow": Dispatch(
        "build",
        "general",
        {
            "own.docs": (OWN, "write", "docs/own.txt"),
            "child.docs": (CHILD, "write", "docs/b.txt"),
        },
        stored=(NO_EDIT, Rule("edit", "docs/*", ALLOW)),
    ),
    "b_taskrule": Dispatch(
        "build", "leaf", {"leaf.write": CHILD_WRITES}, agents={"leaf": LEAF}, stored=(NO_EDIT,)
    ),
    "g_primary_tools_deny": Dispatch(
        "build",
        "ro",
        {"ro.bash": CHILD_TOUCHES},
        agents={"ro": subagent(bash="deny")},
        primary_tools=("bash",),
    ),
    "j_subtask": Dispatch(
        "boss",
        "general",
        {"general.write": CHILD_WRITES, "general.secret": (CHILD, "write", "secret/j.txt")},
        agents={"boss": PICKY},
        stored=(NO_SECRETS,),
        via="command",
    ),
    "m_wildcard_deny": Dispatch(
        "boss",
        "general",
        {"general.write": CHILD_WRITES, "general.bash": CHILD_TOUCHES},
        agents={"boss": primary(**{"*": "deny", "task": "allow"})},
    ),
}


def a_session_agent(at: str) -> Probes:
    """The session is opened under one agent, its first prompt names another."""
    x = Program(at, agent={"boss": BOSS, "leaf": LEAF})
    caller = x.switch(x.open("boss"), "build")
    return {"leaf.write": x.write(x.dispatch(caller, "leaf"), "a.txt")}


def b_session_ask(at: str) -> Probes:
    """Whether anybody is asked when the caller's session would ask."""
    x = Program(at)
    child = x.dispatch(x.open("build", Rule("edit", "*", ASK)), "general")
    return {"general.write": x.write(child, "b.txt", "once"), "asked": len(x.questions)}


def g_primary_tools(at: str) -> Probes:
    """A primary tool is for the session that a user opened."""
    x = Program(at, experimental={"primary_tools": ["bash"]})
    caller = x.open()
    child = dispatched(x, caller, "general")
    return {
        "own.bash": x.bash(caller, "touch own.txt"),
        "general.bash": x.bash(child, "touch g.txt"),
        "offered": not x.hides(child, "bash"),
    }


def i_mention(at: str) -> Probes:
    """The agent may not dispatch `general`, but the user mentions it."""
    x = Program(at, agent={"boss": PICKY})
    asked, mentioned = x.open("boss"), x.open("boss")
    return {
        "no_mention": x.write(x.dispatch(asked, "general"), "i1.txt"),
        "mention": x.write(x.dispatch(mentioned, "general", "mention"), "i2.txt"),
    }


def k_extdir(at: str) -> Probes:
    """A child that denies other directories, under a session that allows them."""
    ro = subagent(edit="allow", external_directory="deny")
    x = Program(at, agent={"ro": ro})
    callers = {
        "plain": x.open(),
        "session_allow": x.open("build", Rule("external_directory", "*", ALLOW)),
    }
    return {
        tag: x.write(x.dispatch(caller, "ro"), f"../outside-{tag}/k.txt")
        for tag, caller in callers.items()
    }


def l_child_loosens(at: str) -> Probes:
    """A child's own allow against its caller's session, and against its own deny."""
    x = Program(at, agent={"worker": subagent(bash={"*": "deny", "touch*": "allow"})})
    strict = x.dispatch(x.open("build", NO_TOUCH), "worker")
    plain = x.dispatch(x.open(), "worker")
    return {
        "worker.bash(session deny)": x.bash(strict, "touch l.txt"),
        "worker.touch": x.bash(plain, "touch l2.txt"),
        "worker.mkdir": x.bash(plain, "mkdir l3"),
    }


# --- a resume ---


@dataclass(frozen=True)
class Resumed:
    """A child is made and resumed, in between the caller's agent or rules change."""

    callee: str = "general"
    first: str = "build"
    then: str = "build"
    patch: tuple[Rule, ...] = ()

    def __call__(self, at: str) -> Probes:
        x = Program(at, agent={"boss": BOSS, "worker": WORKER, "leaf": LEAF})
        opened = x.open(self.first)
        child = dispatched(x, opened, self.callee)
        results: Probes = {"first": x.write(child, "c1.txt")}
        caller = x.switch(self.changed(x, opened, results), self.then)
        again = x.resume(caller, child, self.callee)
        results["resumed_same_child"] = isinstance(again, str) or again.name == child.name
        results["resumed"] = x.write(again, "c2.txt")
        results["fresh_control"] = x.write(x.dispatch(caller, self.callee), "c3.txt")
        return results

    def changed(self, x: Program, caller: Session, results: Probes) -> Session:
        """The caller with rules added; that a release ignores them is noted."""
        if not self.patch:
            return caller
        patched = x.patch(caller, *self.patch)
        if x.stored(patched) == x.stored(caller):
            results["patch"] = "unsupported(200)"
        return patched


RESUMES: dict[str, Resumed] = {
    "c_resume_agent": Resumed(then="boss"),
    "c_resume_plan": Resumed("worker", then="plan"),
    "c_resume_session": Resumed(patch=(NO_EDIT,)),
    "c_resume_loosen": Resumed(first="boss"),
    "c_taskrule_resume_agent": Resumed("leaf", then="boss"),
    "c_taskrule_resume_session": Resumed("leaf", patch=(NO_EDIT,)),
}


def c_resume_type(at: str) -> Probes:
    """A child made for one agent is resumed for another."""
    x = Program(at)
    caller = x.open()
    child = dispatched(x, caller, "explore")
    first = x.write(child, "c1.txt")
    again = x.resume(caller, child, "general")
    same = not isinstance(again, str) and again.name == child.name
    return {"explore.write": first, "same_child": same, "general.write": x.write(again, "c2.txt")}


def c_resume_foreign(at: str) -> Probes:
    """A session resumes one that it did not start."""
    x = Program(at)
    other, caller = x.open(), x.open("build", NO_EDIT)
    found = x.design.resumable is Resume.ANY_SESSION
    ran = x.resume(caller, other, "general") if found else x.dispatch(caller, "general")
    return {
        "used_foreign_session": found,
        "children": 0 if found else 1,
        "write": x.write(ran, "c1.txt"),
    }


# --- questions and approvals ---

STRICT_BASH = primary(bash={"*": "allow", "touch*": "deny"})
STRICT_EDIT = primary(edit={"*": "allow", "secret/*": "deny"})


def counted(x: Program, outcome: Callable[[], str]) -> str:
    """An outcome, and how many questions it took."""
    before = len(x.questions)
    return f"{outcome()},asked={len(x.questions) - before}"


def d_always_bash(at: str) -> Probes:
    """A command is approved for good, then denied in several places."""
    agents = {"strict": STRICT_BASH, "nobash": primary(bash="deny")}
    x = Program(at, permission={"bash": "ask"}, agent=agents)
    session = x.open()
    first = x.bash(session, "touch d1.txt", "always")
    return {
        "first": first,
        "asked": [[question.always] for question in x.questions],
        "same_session_again": counted(x, lambda: x.bash(session, "touch d2.txt")),
        "other_session": counted(x, lambda: x.bash(x.open(), "touch d3.txt")),
        "agent_pattern_deny": x.bash(x.open("strict"), "touch d4.txt"),
        "session_pattern_deny": x.bash(x.open("build", NO_TOUCH), "touch d5.txt"),
        "session_full_deny": x.bash(x.open("build", Rule("bash", "*", DENY)), "touch d6.txt"),
        "agent_full_deny": x.bash(x.open("nobash"), "touch d7.txt"),
        "child_of_session_pattern_deny": x.bash(
            x.dispatch(x.open("build", NO_TOUCH), "general"), "touch d8.txt"
        ),
    }


def d_always_control(at: str) -> Probes:
    """The same denies with nothing approved."""
    x = Program(at, permission={"bash": "ask"}, agent={"strict": STRICT_BASH})
    return {
        "agent_pattern_deny": x.bash(x.open("strict"), "touch d4.txt"),
        "session_pattern_deny": x.bash(x.open("build", NO_TOUCH), "touch d5.txt"),
    }


def d_always_edit(at: str) -> Probes:
    """A write is approved for good, then denied in an agent and in a session."""
    x = Program(at, permission={"edit": "ask"}, agent={"strict": STRICT_EDIT})
    first = x.write(x.open(), "d1.txt", "always")
    return {
        "first": first,
        "asked": [[question.always] for question in x.questions],
        "agent_pattern_deny": x.write(x.open("strict"), "secret/d2.txt"),
        "session_pattern_deny": x.write(x.open("build", NO_SECRETS), "secret/d3.txt"),
    }


def e_ask_child(at: str) -> Probes:
    """The caller's agent asks, its child does not."""
    x = Program(at, agent={"boss": primary(bash="ask")})
    caller = x.open("boss")
    child = x.dispatch(caller, "general")
    return {
        "boss.bash": counted(x, lambda: x.bash(caller, "touch own.txt", "once")),
        "general.bash": counted(x, lambda: x.bash(child, "touch e.txt", "once")),
    }


# --- children of children ---


def nested(at: str, opener: str = "build", stored: tuple[Rule, ...] = ()) -> Probes:
    """A child that may dispatch dispatches `general`."""
    x = Program(at, agent={"boss": BOSS, "mid": MID})
    grandchild = x.dispatch(dispatched(x, x.open(opener, *stored), "mid"), "general")
    if isinstance(grandchild, str):
        return {"mid.task": grandchild, "grandchild": False}
    return {"mid.task": "EXEC", "grandchild.write": x.write(grandchild, "f.txt")}


def f_depth_default(at: str) -> Probes:
    """The same with the limit that a release has unless told otherwise."""
    limited = Program(at).release.depth_limit is not None
    config: Config = {"subagent_depth": 1} if limited else {}
    x = Program(at, agent={"mid": MID}, **config)
    grandchild = x.dispatch(dispatched(x, x.open(), "mid"), "general")
    return {
        "has_setting": limited,
        "mid.task": grandchild if isinstance(grandchild, str) else "EXEC",
        "file": x.write(grandchild, "f.txt") == "EXEC",
    }


def f_nested_default(at: str) -> Probes:
    """A child whose agent says nothing about it dispatches."""
    x = Program(at)
    grandchild = x.dispatch(dispatched(x, x.open(), "general"), "general")
    refused = isinstance(grandchild, str)
    return {
        "general.task": grandchild if refused else "EXEC",
        "grandchild": not refused,
        "file": x.write(grandchild, "f.txt") == "EXEC",
    }


# --- a session by itself ---


def h_tools(at: str, tools: dict[str, bool]) -> Probes:
    """A session that denies edit gets a prompt with a tools map."""
    x = Program(at)
    return {"write": x.write(x.prompt(x.open("build", NO_EDIT), tools), "h.txt")}


def h_patch(at: str) -> Probes:
    """What becomes of rules that a user adds."""
    x = Program(at)
    session = x.patch(x.open("build", NO_EDIT), Rule("bash", "*", DENY))
    names = [rule.permission for rule in x.stored(session)]
    done = {"edit": "ignored", "bash": "replace", "edit bash": "append"}
    return {"patch": f"200:{done[' '.join(names)]}"}


def n_fork(at: str) -> Probes:
    """A copy of a session that denies edit."""
    x = Program(at)
    copy = x.story.fork(x.open("build", NO_EDIT))
    kept = [str(rule) for rule in x.stored(copy)] or None
    return {"fork.permission": kept, "write": x.write(copy, "n.txt")}


def o_order(at: str) -> Probes:
    """The session allows what the agent denies."""
    x = Program(at, agent={"boss": STRICT_BASH})
    session = x.open("boss", Rule("bash", "touch*", ALLOW))
    return {"bash": x.bash(session, "touch o.txt")}


def dispatched(x: Program, caller: Session, agent: str) -> Session:
    """A new child that nothing refuses."""
    child = x.dispatch(caller, agent)
    assert not isinstance(child, str), child
    return child


SCENARIOS: dict[str, Callable[[str], Probes]] = {
    **DISPATCHES,
    **RESUMES,
    "a_session_agent": a_session_agent,
    "b_session_ask": b_session_ask,
    "c_resume_foreign": c_resume_foreign,
    "c_resume_type": c_resume_type,
    "d_always_bash": d_always_bash,
    "d_always_control": d_always_control,
    "d_always_edit": d_always_edit,
    "e_ask_child": e_ask_child,
    "f_depth_default": f_depth_default,
    "f_nested_agent_deny": partial(nested, opener="boss"),
    "f_nested_allowed": nested,
    "f_nested_default": f_nested_default,
    "f_nested_session_deny": partial(nested, stored=(NO_EDIT,)),
    "g_primary_tools": g_primary_tools,
    "h_patch": h_patch,
    "h_tools_param": partial(h_tools, tools={"edit": True, "write": True}),
    "h_tools_wipe": partial(h_tools, tools={"todowrite": False}),
    "i_mention": i_mention,
    "k_extdir": k_extdir,
    "l_child_loosens": l_child_loosens,
    "n_fork": n_fork,
    "o_order": o_order,
}

PENDING = "what one reply does to other questions that are pending is outside the design language"
RUNNING = "a design has no runs: that a run keeps the rules it started with cannot be said"
NOT_EXPRESSIBLE: dict[str, str] = {
    "p_pending_always": PENDING,
    "p_pending_once": PENDING,
    "p_pending_reject": PENDING,
    "q_midrun_child": RUNNING,
    "q_midrun_self": RUNNING,
}
