"""The program's HTTP interface, as far as stories need it.

>>> Api(1, "/tmp/x").path("/session")
'/session?directory=%2Ftmp%2Fx'
"""

from __future__ import annotations

import http.client
import json
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlencode

from downset.program.outcomes import ProgramError

SECONDS: Final = 60.0
OK: Final = range(200, 300)


@dataclass(frozen=True)
class Api:
    """One project of a server on loopback."""

    port: int
    directory: str

    def path(self, route: str) -> str:
        """The path of a route for this project."""
        return f"{route}?{urlencode({'directory': self.directory})}"

    def call(
        self, method: str, route: str, body: object = None, seconds: float = SECONDS
    ) -> tuple[int, Any]:
        """The status and the value that a request is answered with. Raises `ProgramError`."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=seconds)
        try:
            sent = None if body is None else json.dumps(body).encode()
            headers = {} if sent is None else {"content-type": "application/json"}
            connection.request(method, self.path(route), sent, headers)
            answer = connection.getresponse()
            return answer.status, value(answer.read())
        except (OSError, http.client.HTTPException) as error:
            raise ProgramError(f"{method} {route}: {error!r}") from error
        finally:
            connection.close()

    def ask(self, method: str, route: str, body: object = None, seconds: float = SECONDS) -> Any:  # noqa: ANN401 -- JSON
        """The value that a request is answered with. Raises `ProgramError` if it fails."""
        status, found = self.call(method, route, body, seconds)
        if status not in OK:
            raise ProgramError(f"{method} {route}: status {status}: {str(found)[:300]}")
        return found


def value(raw: bytes) -> Any:  # noqa: ANN401 -- JSON
    """The value of an answer; its text if it is no JSON.

    >>> value(b'{"a": 1}'), value(b"nothing here"), value(b"")
    ({'a': 1}, 'nothing here', None)
    """
    try:
        return json.loads(raw) if raw else None
    except ValueError:
        return raw.decode("utf-8", "replace")
