"""The login service beside a server: a code to confirm in a browser, in the form of RFC 8628.

It has the server's address, over HTTP. Only an operator who has told it Discord's keys runs one.
"""

import json
import socket
import time
import urllib.request
from collections.abc import Callable, Mapping
from http.client import HTTPException
from typing import Any, Final, NamedTuple
from urllib.error import HTTPError

from bigben_client.connection.address import address
from bigben_terminal.complaint import Complaint
from bigben_terminal.display.faces import printable
from bigben_terminal.language import language, say

_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
_SLOWER_S: Final = 5
_ANSWER_S: Final = 15
_LARGEST: Final = 16_384


class Code(NamedTuple):
    """A login that waits for its player."""

    device_code: str
    user_code: str
    """What the player reads here and sees there."""
    page: str
    """Where they confirm it."""
    expires_in: int
    interval: int
    """The seconds between two questions."""


class Forgotten(Exception):
    """The service was started anew and knows the code no more."""


class LoginService:
    """The service of one server."""

    def __init__(self, server: str, *, pause: Callable[[float], None] = time.sleep) -> None:
        """Raises BadAddress."""
        url, on_this_machine = address(server)
        self._address = url.replace("ws", "http", 1).rstrip("/") + "/login"
        proxies = [urllib.request.ProxyHandler({})] if on_this_machine else []
        self._open = urllib.request.build_opener(*proxies).open
        self._pause = pause

    def begin(self, client: str) -> Code:
        """Ask for a code. Raises Complaint, also if this server has no login."""
        self._ask("")
        wanted = {"client": client, "host": socket.gethostname()[:60]}
        said = self._ask("/device", wanted)
        try:
            return Code(
                str(said["device_code"]),
                str(said["user_code"]),
                str(said["verification_uri"]),
                int(said["expires_in"]),
                int(said.get("interval", 5)),
            )
        except (KeyError, TypeError, ValueError):
            raise Complaint(say("login.none")) from None

    def wait(self, code: Code) -> str:
        """The one-time link of the player who has confirmed the code.

        Raises Forgotten, and Complaint if they refused or let the code expire.
        """
        begun, waited, interval = time.monotonic(), 0.0, code.interval
        while waited < code.expires_in:
            self._pause(interval)
            # With the time that the answers took, for which the code does not wait.
            waited = max(waited + interval, time.monotonic() - begun)
            said = self._ask("/token", {"grant_type": _GRANT, "device_code": code.device_code})
            match said.get("error"):
                case None:
                    return str(said.get("token", ""))
                case "authorization_pending":
                    pass
                case "slow_down":
                    interval += _SLOWER_S
                case "access_denied":
                    raise Complaint(say("login.denied"))
                case _ if waited + interval < code.expires_in:
                    raise Forgotten
                case _:
                    break
        raise Complaint(say("login.expired"))

    def _ask(self, path: str, body: Mapping[str, str] | None = None) -> Mapping[str, Any]:
        """The answer as JSON; one that is an ``error`` of RFC 8628 too. Raises Complaint."""
        request = urllib.request.Request(
            self._address + path,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Accept-Language": language(), "Content-Type": "application/json"},
        )
        try:
            with self._open(request, timeout=_ANSWER_S) as answer:
                return _object(answer.read(_LARGEST))
        except HTTPError as refused:
            with refused:
                said = _object(refused.read(_LARGEST))
            if "error" in said:
                return said
            raise Complaint(printable(str(said.get("text") or say("login.none")))) from None
        except (OSError, HTTPException):
            raise Complaint(say("login.away")) from None


def _object(body: bytes) -> dict[str, Any]:  # Any: what JSON may hold
    """What the service said; empty if somebody else answered, such as a server without one."""
    try:
        said = json.loads(body)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}
