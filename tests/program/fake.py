"""A stand-in for the program: the same interface, and rules decided by this package's own reading.

It lets the driver be tested where the real program is not at hand. The first argument says how it
behaves: `good`, `lax` (it denies nothing), `crashes`, `refuses` (every configuration).
"""

from __future__ import annotations

import http.client
import json
import os
import sys
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlparse

from downset.config.project import resolve
from downset.config.releases import release
from downset.config.surroundings import Surroundings
from downset.language.rules import ALLOW, ASK, DENY, Action, Rule

if TYPE_CHECKING:
    from downset.config.project import Project

VERSION = "1.18.34"
ROW = release(VERSION)
OWN = (
    "bash",
    "edit",
    "glob",
    "grep",
    "question",
    "read",
    "skill",
    "task",
    "write",
    "webfetch",
    "todowrite",
)
OURS = {"agent", "permission", "experimental", "subagent_depth", "tools"}
DENIED = "The user has specified a rule which prevents you from using this specific tool call"


class Refused(Exception):
    """A call that a rule or the user refuses."""


@dataclass
class Session:
    """One session."""

    id: str
    parent: str
    rules: tuple[Rule, ...]
    messages: list[dict[str, Any]] = field(default_factory=list)
    spoken: list[dict[str, Any]] = field(default_factory=list)
    created: int = 0


@dataclass
class Question:
    """A question that waits."""

    id: str
    said: dict[str, Any]
    settled: threading.Event = field(default_factory=threading.Event)
    answer: str = ""


@dataclass
class Fake:
    """One project."""

    path: Path
    lax: bool
    sessions: dict[str, Session] = field(default_factory=dict)
    questions: dict[str, Question] = field(default_factory=dict)
    approved: list[Rule] = field(default_factory=list)
    count: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def __post_init__(self) -> None:
        self.config = json.loads((self.path / "opencode.json").read_text(encoding="utf-8"))
        home = os.environ["HOME"]
        here = Surroundings(home, str(self.path), os.environ["TMPDIR"], os.environ["XDG_DATA_HOME"])
        ours = {key: value for key, value in self.config.items() if key in OURS}
        self.project: Project = resolve(ours, ROW, here=here)

    def open(self, parent: str, rules: tuple[Rule, ...]) -> Session:
        made = Session(f"ses_{len(self.sessions)}", parent, rules, created=len(self.sessions))
        self.sessions[made.id] = made
        return made

    def tools(self, session: Session, agent: str) -> list[str]:
        custom = [file.stem for file in (self.path / ".opencode" / "tool").glob("*.ts")]
        rules = (*self.project.agent(agent).ruleset, *session.rules)
        return [name for name in (*OWN, *custom) if self.lax or not hidden(rules, ROW.gate(name))]

    def ask(self, session: Session, agent: str, call: str, wanted: dict[str, Any]) -> None:
        rules = (*self.project.agent(agent).ruleset, *session.rules, *self.approved)
        action = last(rules, wanted["permission"], wanted["patterns"][0])
        if action is ALLOW or self.lax:
            return
        if action is DENY:
            raise Refused(DENIED)
        with self.lock:
            self.count += 1
            name = f"per_{self.count}"
        about = {"id": name, "sessionID": session.id, "tool": {"callID": call}, **wanted}
        question = self.questions[name] = Question(name, about)
        question.settled.wait(30)
        if question.answer == "always":
            self.approved += [Rule(wanted["permission"], p, ALLOW) for p in wanted["always"]]
        if question.answer == "reject":
            raise Refused("The user rejected permission to use this specific tool call.")

    # --- runs ---

    def prompt(self, session: Session, body: dict[str, Any]) -> None:
        agent, texts = body["agent"], [p["text"] for p in body["parts"] if p["type"] == "text"]
        bypass = any(part["type"] == "agent" for part in body["parts"])
        for part in body["parts"]:
            if part["type"] == "subtask":
                self.dispatch(session, part["agent"], part["prompt"], None)
        if "tools" in body:
            session.rules = tuple(
                Rule(t, "*", ALLOW if on else DENY) for t, on in body["tools"].items()
            )
        session.spoken.append({"role": "user", "content": "\n".join(texts)})
        while calls := self.think(session, agent):
            for call in calls:
                self.run(session, agent, call, bypass=bypass)

    def think(self, session: Session, agent: str) -> list[dict[str, Any]]:
        provider = next(iter(self.config["provider"].values()))
        url = urlparse(provider["options"]["baseURL"])
        tools = [{"function": {"name": name}} for name in self.tools(session, agent)]
        connection = http.client.HTTPConnection(str(url.hostname), url.port or 0, timeout=60)
        request = {"messages": session.spoken, "tools": tools, "stream": True}
        connection.request("POST", "/v1/chat/completions", json.dumps(request))
        said = connection.getresponse().read().decode()
        connection.close()
        chunks = [json.loads(line[6:]) for line in said.splitlines() if line.startswith("data: {")]
        deltas = [chunk["choices"][0]["delta"] for chunk in chunks]
        calls = [call for delta in deltas for call in delta.get("tool_calls", ())]
        session.spoken.append({"role": "assistant", "content": "", "tool_calls": calls})
        return calls

    def run(self, session: Session, agent: str, call: dict[str, Any], *, bypass: bool) -> None:
        name, given = call["function"]["name"], json.loads(call["function"]["arguments"])
        part: dict[str, Any] = {"type": "tool", "tool": name, "callID": call["id"]}
        session.messages.append({"parts": [part]})
        try:
            if name not in self.tools(session, agent):
                part |= {
                    "tool": "invalid",
                    "state": {"status": "completed", "input": {"tool": name}},
                }
            else:
                metadata = self.do(session, agent, (call["id"], name, given), bypass=bypass)
                part["state"] = {"status": "completed", "metadata": metadata}
        except Refused as why:
            part["state"] = {"status": "error", "error": str(why)}
        session.spoken.append({"role": "tool", "content": "done"})

    def do(
        self, session: Session, agent: str, call: tuple[str, str, Any], *, bypass: bool
    ) -> dict[str, str]:
        name, tool, given = call
        match tool:
            case "write":
                file = Path(given["filePath"])
                self.ask(
                    session, agent, name, wanted("edit", str(file.relative_to(self.path)), "*")
                )
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(given["content"], encoding="utf-8")
            case "bash":
                self.ask(session, agent, name, wanted("bash", given["command"], "*"))
                with Path(os.environ["DOWNSET_COMMANDS"]).open("a", encoding="utf-8") as log:
                    log.write(given["command"] + "\n")
            case "task":
                if not bypass:
                    self.ask(session, agent, name, wanted("task", given["subagent_type"], "*"))
                resumed = given.get("task_id")
                return {
                    "sessionId": self.dispatch(
                        session, given["subagent_type"], given["prompt"], resumed
                    )
                }
            case "downset_probe":
                self.probe(session, agent, name)
            case _:
                about = str(next(iter(given.values()), "*")).removeprefix(f"{self.path}/")
                self.ask(session, agent, name, wanted(tool, about, "*"))
        return {}

    def dispatch(self, caller: Session, agent: str, prompt: str, resumed: str | None) -> str:
        if self.depth(caller) >= (self.project.subagent_depth or 0):
            raise Refused("Subagent depth limit reached")
        carried = [
            r for r in caller.rules if r.action is DENY or r.permission == "external_directory"
        ]
        own = self.project.agent(agent).ruleset
        carried += [
            Rule(t, "*", DENY) for t in ("todowrite", "task") if all(r.permission != t for r in own)
        ]
        carried += [
            r for t in self.project.primary_tools if (r := Rule(t, "*", DENY)) not in carried
        ]
        child = self.sessions[resumed] if resumed else self.open(caller.id, tuple(carried))
        self.prompt(child, {"agent": agent, "parts": [{"type": "text", "text": prompt}]})
        return child.id

    def depth(self, session: Session) -> int:
        return 1 + self.depth(self.sessions[session.parent]) if session.parent else 0

    def probe(self, session: Session, agent: str, call: str) -> None:
        file = Path(os.environ["DOWNSET_PROBES"]) / f"{call}.json"
        queries = json.loads(file.read_text(encoding="utf-8"))
        answers = [""] * len(queries)

        def one(place: int) -> None:
            permission, pattern, always = queries[place]
            about = wanted(permission, pattern, always or pattern)
            about["metadata"] = {"probe": True, "always": always}
            try:
                self.ask(session, agent, call, about)
                answers[place] = "ran"
            except Refused as why:
                answers[place] = f"Error: {why}"

        threads = [threading.Thread(target=one, args=(place,)) for place in range(len(queries))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        Path(f"{file}.answers").write_text(json.dumps(answers), encoding="utf-8")


def wanted(permission: str, pattern: str, always: str) -> dict[str, Any]:
    return {"permission": permission, "patterns": [pattern], "always": [always], "metadata": {}}


def last(rules: tuple[Rule, ...], permission: str, pattern: str) -> Action:
    found = [
        rule.action
        for rule in rules
        if ROW.matcher.matches(permission, rule.permission)
        and ROW.matcher.matches(pattern, rule.pattern)
    ]
    return found[-1] if found else ASK


def hidden(rules: tuple[Rule, ...], gate: str) -> bool:
    found = [rule for rule in rules if ROW.matcher.matches(gate, rule.permission)]
    return bool(found) and found[-1].pattern == "*" and found[-1].action is DENY


def rules_from(values: list[dict[str, str]]) -> tuple[Rule, ...]:
    return tuple(Rule(v["permission"], v["pattern"], Action(v["action"])) for v in values)


def as_json(rules: tuple[Rule, ...]) -> list[dict[str, str]]:
    return [
        {"permission": r.permission, "pattern": r.pattern, "action": r.action.value} for r in rules
    ]


PROJECTS: dict[str, Fake] = {}


class Handler(BaseHTTPRequestHandler):
    """The interface."""

    mode = "good"

    def answer(self) -> None:
        url = urlparse(self.path)
        directory = parse_qs(url.query)["directory"][0]
        length = int(self.headers.get("content-length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}")
        parts = url.path.strip("/").split("/")
        status: int = 200
        value: object = None
        if parts == ["agent"] and self.mode == "refuses":
            status, value = 500, {"name": "ConfigInvalidError"}
        elif parts != ["path"]:
            if directory not in PROJECTS:
                PROJECTS[directory] = Fake(Path(directory), self.mode == "lax")
            value = self.routed(PROJECTS[directory], parts, body)
        raw = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    do_GET = do_POST = do_PATCH = answer  # noqa: N815 -- the names that the library looks for

    def routed(  # noqa: C901 -- one case for each route
        self, fake: Fake, parts: list[str], body: dict[str, Any]
    ) -> object:
        match [self.command, *parts]:
            case ["GET", "agent"]:
                return [
                    {"name": a.name, "permission": as_json(a.ruleset)} for a in fake.project.active
                ]
            case ["POST", "session"]:
                return shown(fake.open("", rules_from(body.get("permission", []))))
            case ["GET", "session", name]:
                return shown(fake.sessions[name])
            case ["PATCH", "session", name]:
                fake.sessions[name].rules += rules_from(body["permission"])
                return shown(fake.sessions[name])
            case ["POST", "session", _name, "fork"]:
                return shown(fake.open("", ()))
            case ["GET", "session", name, "children"]:
                return [shown(s) for s in fake.sessions.values() if s.parent == name]
            case ["GET", "session", name, "message"]:
                return fake.sessions[name].messages
            case ["POST", "session", name, "message"]:
                fake.prompt(fake.sessions[name], body)
                return {"info": {}}
            case ["GET", "permission"]:
                return [q.said for q in list(fake.questions.values()) if not q.settled.is_set()]
            case ["POST", "permission", name, "reply"]:
                question = fake.questions[name]
                question.answer = body["reply"]
                question.settled.set()
                return True
        return None

    def log_message(self, *_: object) -> None:
        pass


def shown(session: Session) -> dict[str, Any]:
    return {
        "id": session.id,
        "permission": as_json(session.rules),
        "time": {"created": session.created},
    }


if __name__ == "__main__":
    Handler.mode, *arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(VERSION)  # noqa: T201 -- as the program does
    elif Handler.mode != "crashes":
        port = int(arguments[arguments.index("--port") + 1])
        server = ThreadingHTTPServer(("127.0.0.1", port), Handler)
        print(f"listening on http://127.0.0.1:{port}", flush=True)  # noqa: T201 -- the same
        server.serve_forever()
