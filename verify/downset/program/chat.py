"""The model on the other side: a server on loopback that speaks chat completions, from scripts.

A script is a list of steps; its number stands in the text of the prompt that starts it, so that it
travels to the session that is to run it. Which step comes next shows in the messages that the
program sends back with every request, so nothing here needs to know of sessions.

>>> from pathlib import Path
>>> chat = Chat(Path("/tmp"))
>>> chat.script([Call("bash", {"command": "true"})])
'[script 1]'
"""

from __future__ import annotations

import json
import re
import threading
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

MARK: Final = re.compile(r"\[script (\d+)\]")
PATIENCE: Final = 120.0
PROBE: Final = "downset_probe"


@dataclass(frozen=True, eq=False)
class Call:
    """One call of a tool.

    `before` is done just before the model makes it, `left` says just after it whether it left its
    mark: the file that was to be written, the command that was to be run.
    """

    tool: str
    arguments: Mapping[str, object]
    before: Callable[[], None] = lambda: None
    left: Callable[[], bool] = lambda: True


@dataclass(frozen=True, eq=False)
class Probe:
    """A call of the probing tool: permission, pattern, and what "always" would approve (or "")."""

    queries: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, eq=False)
class Hold:
    """The model does not answer before it is released."""

    released: threading.Event


Step = Call | Probe | Hold


@dataclass
class Script:
    """Steps, the ids of the calls made of them, what those left, and the tools offered."""

    steps: Sequence[Step]
    calls: dict[int, str] = field(default_factory=dict)
    left: dict[int, bool] = field(default_factory=dict)
    offered: frozenset[str] = frozenset()
    reached: threading.Event = field(default_factory=threading.Event)


class Chat:
    """The server; a context manager. `probes` is where the probing tool looks for its work."""

    def __init__(self, probes: Path) -> None:
        self.probes = probes
        self.scripts: list[Script] = []
        self.log: list[dict[str, Any]] = []
        self.server: ThreadingHTTPServer | None = None

    def __enter__(self) -> Self:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler(self))
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.server is not None:
            self.server.shutdown()
            self.server.server_close()

    @property
    def url(self) -> str:
        """Where the program finds the model."""
        port = 0 if self.server is None else self.server.server_address[1]
        return f"http://127.0.0.1:{port}/v1"

    def script(self, steps: Sequence[Step]) -> str:
        """Register a script; the text that starts it in the session that is prompted with it."""
        self.scripts.append(Script(steps))
        return f"[script {len(self.scripts)}]"

    def told(self, text: str) -> Script:
        """The script that a text starts."""
        found = MARK.search(text)
        return self.scripts[int(found[1]) - 1] if found else Script(())

    def answer(self, request: Mapping[str, Any]) -> list[dict[str, object]]:
        """The calls that the model makes in answer to a request; none ends the run."""
        found = latest(request.get("messages", ()))
        tools = {tool["function"]["name"]: tool["function"] for tool in request.get("tools") or ()}
        if found is None or not tools:  # a title is wanted, or nothing is offered
            return []
        script, place = self.scripts[found[0] - 1], found[1]
        script.offered |= frozenset(tools)
        script.reached.set()
        waits = [step for step in script.steps if isinstance(step, Hold)]
        for step in waits:
            step.released.wait(PATIENCE)
        calls = [step for step in script.steps if not isinstance(step, Hold)]
        done = calls[place - 1] if 0 < place <= len(calls) else None
        if isinstance(done, Call):
            script.left.setdefault(place - 1, done.left())
        if place >= len(calls):
            return []
        return [self.call(script, found[0], place, calls[place], tools)]

    def call(
        self,
        script: Script,
        number: int,
        place: int,
        step: Call | Probe,
        tools: Mapping[str, Any],
    ) -> dict[str, object]:
        """One call in the form of the protocol."""
        name = f"call_{number}_{place}"
        script.calls[place] = name
        if isinstance(step, Probe):
            file = self.probes / f"{name}.json"
            file.write_text(json.dumps([list(query) for query in step.queries]), encoding="utf-8")
            return called(name, PROBE, {})
        step.before()
        arguments = dict(step.arguments)
        taken = tools.get(step.tool, {}).get("parameters", {}).get("properties", {})
        if "task_id" in arguments and "task_id" not in taken and "session_id" in taken:
            arguments["session_id"] = arguments.pop("task_id")  # its name until 1.1.51
        return called(name, step.tool, arguments)


def latest(messages: Sequence[Mapping[str, Any]]) -> tuple[int, int] | None:
    """The number of the newest script in some messages, and how many steps of it are done.

    >>> said = [{"role": "user", "content": "[script 2]"}, {"role": "assistant"}]
    >>> latest(said), latest([])
    ((2, 1), None)
    """
    found = None
    for place, message in enumerate(messages):
        marks = MARK.findall(text_of(message)) if message.get("role") == "user" else []
        if marks:
            done = sum(later.get("role") == "assistant" for later in messages[place + 1 :])
            found = int(marks[-1]), done
    return found


def text_of(message: Mapping[str, Any]) -> str:
    """The text of a message."""
    content = message.get("content")
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def called(name: str, tool: str, arguments: Mapping[str, object]) -> dict[str, object]:
    """A call of a tool in the form of the protocol."""
    function = {"name": tool, "arguments": json.dumps(arguments)}
    return {"index": 0, "id": name, "type": "function", "function": function}


def chunks(calls: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """An answer as the pieces of a stream."""
    base = {"id": "chat", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    deltas: list[tuple[dict[str, object], str | None]] = [({"role": "assistant"}, None)]
    deltas.append(({"tool_calls": list(calls)} if calls else {"content": "done"}, None))
    deltas.append(({}, "tool_calls" if calls else "stop"))
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    return [
        {**base, "choices": [{"index": 0, "delta": d, "finish_reason": end}], "usage": usage}
        for d, end in deltas
    ]


def handler(chat: Chat) -> type[BaseHTTPRequestHandler]:
    """What answers requests for a chat."""

    class Handler(BaseHTTPRequestHandler):
        """Answers with a stream, or with 400 and the reason, which no client tries again."""

        def do_POST(self) -> None:
            """A request for the next message."""
            length = int(self.headers.get("content-length") or 0)
            try:
                request = json.loads(self.rfile.read(length) or b"{}")
                calls = chat.answer(request)
                chat.log.append({"request": request, "calls": calls})
                self.stream(calls)
            except ConnectionError:
                pass  # the program did not wait for the answer, to the request for a title
            except (ValueError, KeyError, IndexError, OSError) as error:
                chat.log.append({"error": repr(error)})
                with suppress(ConnectionError):
                    self.send_error(400, str(error)[:80])

        def stream(self, calls: Sequence[Mapping[str, object]]) -> None:
            """Send an answer."""
            self.send_response(200)
            self.send_header("content-type", "text/event-stream")
            self.end_headers()
            for chunk in chunks(calls):
                self.wfile.write(b"data: " + json.dumps(chunk).encode() + b"\n\n")
            self.wfile.write(b"data: [DONE]\n\n")
            self.close_connection = True

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    return Handler
