"""One project that a server has open: its files, its sessions, and runs of scripts in them."""

from __future__ import annotations

import json
import subprocess
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, cast

from downset.program.api import OK, Api
from downset.program.chat import PROBE
from downset.program.home import settled
from downset.program.outcomes import ConfigRefused, ProgramError, Unavailable

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from downset.language.rules import Ruleset
    from downset.program.chat import Chat, Script, Step
    from downset.program.server import Server

SECONDS: Final = 180.0
PAUSE: Final = 0.05
TOOL: Final = 'export default {{ description: "{name}", args: {{}}, execute: async () => "ran" }}\n'


@dataclass(frozen=True)
class Live:
    """A session of the program: its id, and the agent that its next prompt names."""

    id: str
    agent: str


@dataclass
class Run:
    """A prompt that a session works on: its script, and the request that waits for the end."""

    session: str
    script: Script
    thread: threading.Thread
    result: list[tuple[int, Any]] = field(default_factory=list)
    asked: list[dict[str, Any]] = field(default_factory=list)


@dataclass
class Sandbox:
    """A project directory with its own configuration, open in a server."""

    server: Server
    chat: Chat
    path: Path
    seen: set[str] = field(default_factory=set)

    @property
    def api(self) -> Api:
        """The program's interface for this project."""
        return Api(self.server.port, str(self.path))

    def make(self, config: Mapping[str, object], tools: Iterable[str] = ()) -> None:
        """Write the project: configuration, tools, and a commit, which gives it its own identity.

        Raises `ConfigRefused` if the program refuses the configuration.
        """
        folder = self.path / ".opencode"
        (folder / "tool").mkdir(parents=True)
        settled(folder, self.server.version)
        for name in tools:
            (folder / "tool" / f"{name}.ts").write_text(TOOL.format(name=name), encoding="utf-8")
        source = probe_source()
        (folder / "tool" / f"{PROBE}.ts").write_text(source, encoding="utf-8")
        whole = provider(self.chat.url) | dict(config)
        (self.path / "opencode.json").write_text(json.dumps(whole), encoding="utf-8")
        self.commit()
        status, said = self.api.call("GET", "/agent", seconds=SECONDS)
        if status not in OK:
            raise ConfigRefused(f"status {status}: {str(said)[:300]}")

    def commit(self) -> None:
        """Make the directory a repository of its own. Raises `Unavailable` without git."""
        (self.path / "README").write_text(str(self.path), encoding="utf-8")
        for arguments in (["init", "-q"], ["add", "README"], ["commit", "-qm", "begin"]):
            try:
                subprocess.run(  # noqa: S603 -- git itself, fixed commands
                    ["git", *arguments],  # noqa: S607 -- the one on the path
                    cwd=self.path,
                    env=self.server.home.environment(),
                    check=True,
                    capture_output=True,
                )
            except (OSError, subprocess.CalledProcessError) as error:
                raise Unavailable(f"a project needs git: {error}") from error

    def dispose(self) -> None:
        """Close the project in the server, which frees what it holds."""
        with suppress(ProgramError):
            self.api.call("POST", "/instance/dispose")

    # --- sessions ---

    def open(self, rules: Ruleset) -> str:
        """Open a session with rules of its own; its id."""
        body: dict[str, object] = {"title": "story"}
        if rules:
            body["permission"] = as_permission(rules)
        return str(self.api.ask("POST", "/session", body)["id"])

    def patch(self, session: str, rules: Ruleset) -> None:
        """Add rules to a session."""
        self.api.ask("PATCH", f"/session/{session}", {"permission": as_permission(rules)})

    def fork(self, session: str) -> str:
        """Copy a session; the id of the copy."""
        return str(self.api.ask("POST", f"/session/{session}/fork", {})["id"])

    def stored(self, session: str) -> list[tuple[str, str, str]]:
        """The rules that a session stores."""
        found = self.api.ask("GET", f"/session/{session}").get("permission") or []
        return [(rule["permission"], rule["pattern"], rule["action"]) for rule in found]

    def children(self, session: str) -> list[str]:
        """The sessions that a session dispatched, in the order in which they began."""
        found = self.api.ask("GET", f"/session/{session}/children")
        return [child["id"] for child in sorted(found, key=lambda one: one["time"]["created"])]

    def agents(self) -> list[dict[str, Any]]:
        """The agents with their rules, as the program resolved them."""
        return cast("list[dict[str, Any]]", self.api.ask("GET", "/agent"))

    def parts(self, session: str) -> dict[str, dict[str, Any]]:
        """What became of each call in a session, by the id of the call."""
        messages = self.api.ask("GET", f"/session/{session}/message")
        parts = [part for message in messages for part in message["parts"]]
        return {part["callID"]: part for part in parts if part["type"] == "tool"}

    # --- runs ---

    def start(
        self,
        speaker: Live,
        steps: Sequence[Step],
        parts: Sequence[Mapping[str, object]] = (),
        tools: Mapping[str, bool] | None = None,
    ) -> Run:
        """Prompt a session with a script; `parts` are a mention or a command beside the text."""
        text = self.chat.script(steps)
        said = [{"type": "text", "text": text}, *parts] if steps or not parts else list(parts)
        body: dict[str, object] = {
            "model": {"providerID": "scripted", "modelID": "m"},
            "agent": speaker.agent,
            "parts": said,
        }
        if tools is not None:
            body["tools"] = dict(tools)
        run = Run(speaker.id, self.chat.told(text), threading.Thread())
        run.thread = threading.Thread(target=self._send, args=(run, body), daemon=True)
        run.thread.start()
        return run

    def finish(self, run: Run, permit: str = "once") -> Run:
        """Wait for the end of a run, answering questions. Raises `ProgramError` if it fails."""
        until = time.monotonic() + SECONDS
        while run.thread.is_alive():
            if time.monotonic() > until:
                raise ProgramError(f"a prompt was not answered within {SECONDS:.0f} s")
            run.asked += self.reply(permit)
            run.thread.join(PAUSE)
        status, found = run.result[0] if run.result else (0, "no answer")
        if status != 200:  # noqa: PLR2004 -- the status "OK"
            raise ProgramError(f"a prompt failed: status {status}: {str(found)[:300]}")
        return run

    def run(
        self,
        speaker: Live,
        steps: Sequence[Step],
        parts: Sequence[Mapping[str, object]] = (),
        tools: Mapping[str, bool] | None = None,
    ) -> Run:
        """Prompt a session with a script, and wait for the end."""
        return self.finish(self.start(speaker, steps, parts, tools))

    def reply(self, permit: str = "once") -> list[dict[str, Any]]:
        """Answer the questions that are pending; returns them.

        A probe is refused, as it only wants to know, unless it says what to approve for good. What
        a tool of the program's own asks for is permitted, so that its run goes on.
        """
        pending = self.api.ask("GET", "/permission")
        fresh = [question for question in pending if question["id"] not in self.seen]
        for question in fresh:
            self.seen.add(question["id"])
            about = question.get("metadata") or {}
            answer = permit if "probe" not in about else "always" if about["always"] else "reject"
            self.settle(question, answer)
        return fresh

    def settle(self, question: Mapping[str, Any], answer: str) -> None:
        """Answer one question; another answer may have settled it meanwhile."""
        route = f"/permission/{question['id']}/reply"
        status, found = self.api.call("POST", route, {"reply": answer})
        if status == 404 or isinstance(found, str):  # noqa: PLR2004 -- "not found": an older route
            route = f"/session/{question['sessionID']}/permissions/{question['id']}"
            self.api.call("POST", route, {"response": answer})

    def _send(self, run: Run, body: Mapping[str, object]) -> None:
        try:
            found = self.api.call("POST", f"/session/{run.session}/message", body, SECONDS)
        except ProgramError as error:
            found = (0, str(error))
        run.result.append(found)

    def answers(self, call: str) -> list[str]:
        """What came of the queries of a probe, by the id of its call; nothing if it did not run."""
        file = self.server.home.probes / f"{call}.json.answers"
        if not file.is_file():
            return []
        return [str(answer) for answer in json.loads(file.read_text(encoding="utf-8"))]


def as_permission(rules: Ruleset) -> list[dict[str, str]]:
    """Rules as the interface takes them.

    >>> from downset.language.rules import DENY, Rule
    >>> as_permission((Rule("edit", "*", DENY),))
    [{'permission': 'edit', 'pattern': '*', 'action': 'deny'}]
    """
    return [
        {"permission": rule.permission, "pattern": rule.pattern, "action": rule.action.value}
        for rule in rules
    ]


def provider(url: str) -> dict[str, object]:
    """The part of a configuration that names the scripted model, and keeps all else quiet."""
    model = {"name": "m", "tool_call": True, "limit": {"context": 200000, "output": 8000}}
    scripted = {
        "npm": "@ai-sdk/openai-compatible",
        "name": "Scripted",
        "env": [],
        "options": {"baseURL": url, "apiKey": "none"},
        "models": {"m": model},
    }
    return {
        "provider": {"scripted": scripted},
        "model": "scripted/m",
        "small_model": "scripted/m",
        "enabled_providers": ["scripted"],
        "share": "disabled",
        "autoupdate": False,
        "lsp": False,
        "formatter": False,
        "snapshot": False,
    }


def probe_source() -> str:
    """The probing tool."""
    from importlib import resources  # noqa: PLC0415 -- only here

    return (resources.files("downset.program") / "probe.ts").read_text(encoding="utf-8")
