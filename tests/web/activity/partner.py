"""What Discord's own page says to one frame, and what it takes from it. No socket, no browser.

The frame must shake hands first and once for each document, send commands only after READY, and
AUTHENTICATE only with the access token that its AUTHORIZE led to. What Discord would not take is
refused as Discord does, and noted.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from threading import Condition
from typing import Any, Final, TypeVar

from tests.discord.standin.activities import Instance
from tests.discord.standin.people import User
from tests.support.patience import PATIENCE_S
from tests.web.activity import shapes
from tests.web.activity.shapes import Json, checked

Message = list[Any]
"""An opcode and its payload."""
Found = TypeVar("Found")


class Opcode(IntEnum):
    HANDSHAKE = 0
    FRAME = 1
    CLOSE = 2
    HELLO = 3


FOCUSED, PIP, GRID = 0, 1, 2
"""Layout modes; PIP is the small tile."""

NORMAL, UNSUPPORTED = 1000, 1003
INVALID_CLIENT, INVALID_ORIGIN, INVALID_VERSION, INVALID_ENCODING = 4000, 4001, 4004, 4005
"""Codes of CLOSE."""
INVALID_PAYLOAD, INVALID_COMMAND, INVALID_EVENT = 4000, 4002, 4004
INVALID_PERMISSIONS, INVALID_TOKEN, OAUTH2 = 4006, 4009, 5000
"""Codes of ERROR."""


class Refused(Exception):
    """A command is answered by an ERROR."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


class Closed(Exception):
    """Discord ends the conversation."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass
class Login:
    """What the OAuth stand-in does: it gives codes, and knows the users of access tokens."""

    authorize: Callable[[User, str], str]
    """The code for this user and challenge."""
    user_of: Callable[[str], User | None]
    """By access token."""


_SAYS: Final = "the parent page has a message from"
_APPLICATION: Final = {"description": "", "icon": None, "name": "Big Ben"}


class Partner:
    """The other side of one frame."""

    def __init__(
        self,
        application: str,
        instance: Instance,
        frame: str,
        user: User,
        login: Login,
        origin: str,
    ) -> None:
        """``origin`` is that of the frame."""
        self._application = application
        self._instance = instance
        self._frame = frame
        self._user = user
        self._login = login
        self._origin = origin
        self._told = Condition()
        self.silent = False
        """Whether READY never comes."""
        self.consents = True
        """Whether the user lets the application know who they are."""
        self.heard: list[Message] = []
        self.wrong: list[str] = []
        """What Discord would not take."""
        self._out: Callable[[Message], None] = lambda message: None
        self.begin()

    def begin(self) -> None:
        """A document is loaded into the frame: it begins from the start."""
        self._shaken = self._ready = self._over = False
        self._granted: str | None = None
        self._asked_for: list[str] = []
        self._scopes: list[str] = []
        self._subscribed: set[str] = set()
        self._nonces: set[str] = set()

    def attach(self, out: Callable[[Message], None]) -> None:
        """From now on ``out`` brings messages to the frame; it may be called in any thread."""
        self._out = out

    # What a test asks and does

    def commands(self, command: str) -> list[Json]:
        """The arguments of each such command that was heard."""
        frames = [payload for opcode, payload in self.heard if opcode == Opcode.FRAME]
        return [one.get("args") or {} for one in frames if one.get("cmd") == command]

    def until(self, look: Callable[[], Found | None]) -> Found:
        """What ``look`` finds once it is something; it is asked after each message."""
        with self._told:
            found = self._told.wait_for(look, PATIENCE_S)
            assert found, f"the frame said only {self.heard}"
            return found

    def subscribes(self, event: str) -> None:
        """Wait until the frame wants to hear of this event."""
        self.until(lambda: event in self._subscribed)

    def shows(self, layout: int) -> None:
        """The user changes the layout, which is told to a frame that asked for it."""
        self.dispatch("ACTIVITY_LAYOUT_MODE_UPDATE", {"layout_mode": layout})

    def closes(self, code: int, message: str) -> None:
        """Discord wants to hear no more."""
        self._over = True
        self._out([Opcode.CLOSE, {"code": code, "message": message}])

    def dispatch(self, event: str, data: Json) -> None:
        """Tell the frame of an event if it has subscribed to it."""
        if event in self._subscribed and not self._over:
            self._out(_dispatched(event, data))

    # What the parent page brings

    def receive(self, origin: str, from_frame: bool, data: Any) -> None:  # Any: of JSON
        """A message that the parent page got."""
        with self._told:
            for answer in self._answers(origin, from_frame, data):
                self._out(answer)
            self._told.notify_all()

    def _answers(self, origin: str, from_frame: bool, data: Any) -> list[Message]:
        try:
            if not from_frame:
                self.wrong.append(f"{_SAYS} another window than its frame")
                return []
            if origin != self._origin:
                raise Closed(INVALID_ORIGIN, f"{_SAYS} {origin}")
            return self._spoken(data)
        except Closed as closed:
            self.wrong.append(str(closed))
            self.closes(closed.code, str(closed))
            return []

    def _spoken(self, data: Any) -> list[Message]:
        match data:
            case [int(opcode), dict(payload)]:
                self.heard.append([opcode, payload])
            case _:
                raise Closed(UNSUPPORTED, f"no pair of opcode and payload: {data!r}")
        if self._over:
            raise Closed(UNSUPPORTED, f"said after the end: {data!r}")
        match opcode:
            case Opcode.HANDSHAKE:
                return self._handshake(payload)
            case Opcode.FRAME:
                return self._answer(payload)
            case Opcode.CLOSE:
                return self._close(payload)
            case _:
                raise Closed(UNSUPPORTED, f"opcode {opcode}")

    def _handshake(self, payload: Json) -> list[Message]:
        if problem := shapes.wrong(payload, shapes.HANDSHAKE):
            raise Closed(INVALID_ENCODING, f"HANDSHAKE: {problem}")
        if self._shaken:
            raise Closed(UNSUPPORTED, "a second HANDSHAKE")
        if payload["v"] != 1:
            raise Closed(INVALID_VERSION, f"version {payload['v']}")
        if payload["encoding"] != "json":
            raise Closed(INVALID_ENCODING, f"encoding {payload['encoding']}")
        known = (self._application, self._frame)
        if (payload["client_id"], payload["frame_id"]) != known:
            raise Closed(INVALID_CLIENT, f"another application or frame: {payload}")
        self._shaken = True
        if self.silent:
            return []
        self._ready = True
        config = {
            "cdn_host": "cdn.discordapp.com",
            "api_endpoint": "//discord.com/api",
            "environment": "production",
        }
        return [_dispatched("READY", {"v": 1, "config": config})]

    def _close(self, payload: Json) -> list[Message]:
        if problem := shapes.wrong(payload, shapes.CLOSE):
            self.wrong.append(f"CLOSE: {problem}")
        self._over = True
        return []

    # Commands

    def _answer(self, payload: Json) -> list[Message]:
        if not self._ready:
            raise Closed(INVALID_CLIENT, f"said before READY: {payload}")
        if problem := shapes.wrong(payload, shapes.FRAME):
            raise Closed(INVALID_ENCODING, f"FRAME: {problem}")
        command, nonce = payload["cmd"], payload["nonce"]
        if nonce in self._nonces:
            raise Closed(UNSUPPORTED, f"the nonce of {command} is not new")
        self._nonces.add(nonce)
        said = {"cmd": command, "nonce": nonce}
        try:
            data = checked(command, self._done(command, payload.get("args"), payload.get("evt")))
        except Refused as refused:
            if refused.code != OAUTH2:
                self.wrong.append(f"{command}: {refused}")
            error = {"code": refused.code, "message": str(refused)}
            return [[Opcode.FRAME, {**said, "evt": "ERROR", "data": error}]]
        return [[Opcode.FRAME, {**said, "evt": None, "data": data}]]

    def _done(self, command: str, args: Any, event: str | None) -> Json | None:
        """The answer. Raises Refused."""
        if command not in shapes.ARGS:
            raise Refused(INVALID_COMMAND, f"Invalid command: {command}")
        if problem := shapes.wrong(args, shapes.ARGS[command]):
            raise Refused(INVALID_PAYLOAD, problem)
        if (event is not None) != (command in ("SUBSCRIBE", "UNSUBSCRIBE")):
            raise Refused(INVALID_PAYLOAD, f"evt is {event}")
        self._check_scope(shapes.SCOPES.get(command))
        match command:
            case "AUTHORIZE":
                return self._authorize(args)
            case "AUTHENTICATE":
                return self._authenticate(args)
            case "SUBSCRIBE" | "UNSUBSCRIBE":
                return self._subscribe(command, str(event))
            case "GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS":
                return participants(self._instance)
            case "SHARE_LINK":
                return {"success": True, "didCopyLink": False, "didSendMessage": True}
            case "OPEN_EXTERNAL_LINK":
                return {"opened": True}
            case "USER_SETTINGS_GET_LOCALE":
                return {"locale": self._user.locale}
            case _:
                return None

    def _check_scope(self, scope: str | None) -> None:
        if scope is not None and scope not in self._scopes:
            raise Refused(INVALID_PERMISSIONS, "Not authenticated or invalid scope")

    def _authorize(self, args: Json) -> Json:
        if args["client_id"] != self._application:
            raise Refused(INVALID_PAYLOAD, "another application")
        if not self.consents:
            denied = "The resource owner or authorization server denied the request"
            raise Refused(OAUTH2, f"OAuth2 Error: access_denied: {denied}")
        self._granted = self._login.authorize(self._user, args["code_challenge"])
        self._asked_for = args["scope"]
        return {"code": self._granted}

    def _authenticate(self, args: Json) -> Json:
        token = args.get("access_token") or ""
        if self._granted is None or self._login.user_of(token) != self._user:
            raise Refused(INVALID_TOKEN, "Invalid access token")
        self._scopes = self._asked_for
        keys = ("id", "username", "discriminator", "avatar", "global_name", "public_flags")
        return {
            "access_token": token,
            "user": _only(self._user, keys),
            "scopes": self._scopes,
            "expires": "2036-01-01T00:00:00.000000+00:00",
            "application": {"id": self._application, **_APPLICATION},
        }

    def _subscribe(self, command: str, event: str) -> Json:
        if event not in shapes.SUBSCRIBED:
            raise Refused(INVALID_EVENT, f"Invalid event: {event}")
        self._check_scope(shapes.SUBSCRIBED[event])
        (self._subscribed.add if command == "SUBSCRIBE" else self._subscribed.discard)(event)
        return {"evt": event}


def participants(instance: Instance) -> Json:
    """Those with a frame of this instance."""
    keys = ("id", "username", "discriminator", "avatar", "global_name", "flags", "bot")
    return {"participants": [_only(user, keys) for user in instance.users]}


def _only(user: User, keys: tuple[str, ...]) -> Json:
    payload = user.payload()
    return {key: payload[key] for key in keys}


def _dispatched(event: str, data: Json) -> Message:
    return [Opcode.FRAME, {"cmd": "DISPATCH", "evt": event, "nonce": None, "data": data}]
