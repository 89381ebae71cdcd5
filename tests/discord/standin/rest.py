"""Discord's HTTP API over a real socket: reads a request, checks it, writes the answer.

What the requests do is in ``state.py``.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from aiohttp import web
from tests.discord.standin.changes import Changes
from tests.discord.standin.contract import check_answer, check_request
from tests.discord.standin.editing import Editing
from tests.discord.standin.messages import File, Message
from tests.discord.standin.network import Network
from tests.discord.standin.problems import (
    BAD_AGENT,
    TOO_MANY_OLD_EDITS,
    UNAUTHORIZED,
    Json,
    Problem,
    invalid,
)
from tests.discord.standin.rates import CHANNEL, DELETIONS, OLD, WEBHOOK, Limit, Passage, Rates
from tests.discord.standin.state import Call, State

API: Final = "/api/v10"


@dataclass(frozen=True)
class Route:
    """A method and a path, as the OpenAPI document writes it."""

    method: str
    path: str
    do: Callable[[Call], object]
    """What to answer with; None answers 204."""
    bot: bool = True
    """Whether the bot's token is asked for."""
    users: bool = False
    """Whether a user's access token will do as well."""
    described: bool = True
    """Whether Discord's OpenAPI document has it among its paths."""
    major: str = ""
    """The part of the path that has a rate limit of its own."""
    limit: Limit | None = None
    """That limit; None where there is no other than that of everything."""
    edits: Callable[[Call], Message | None] = lambda call: None
    """The message that a request changes."""

    @property
    def name(self) -> str:
        """``PATCH /channels/{channel_id}/messages/{message_id}``."""
        return f"{self.method} {self.path}"


@dataclass(frozen=True)
class Fault:
    """How the next request of a route goes wrong."""

    route: str
    status: int
    body: Json = field(default_factory=dict)
    after: bool = False
    """Only the answer is lost: what was asked for is done."""


@dataclass(frozen=True)
class Request:
    """One that came, whether or not it was granted."""

    at: float
    """By the machine's clock, for how often they come."""
    route: str
    status: int
    body: Json


class Rest:
    """The HTTP side."""

    def __init__(self, state: State, token: str, changes: Changes, network: Network) -> None:
        self.rates = Rates()
        self.editing = Editing()
        self.requests: list[Request] = []
        self.faults: list[Fault] = []
        """To come, each once."""
        self.mistakes: list[AssertionError] = []
        """Of the stand-in's own; a test that meets one fails."""
        self.uploads = asyncio.Event()
        """Files arrive while it is set; a test that clears it is at the end of a slow link."""
        self.uploads.set()
        self.held = 0
        """Requests whose files are on such a link."""
        self._state = state
        self._token = token
        self._changes = changes
        self._network = network

    def add_to(self, app: web.Application) -> None:
        """Serve under ``/api/v10``."""
        state = self._state
        member_role = "/guilds/{guild_id}/members/{user_id}/roles/{role_id}"
        messages = "/channels/{channel_id}/messages"
        hook = "/webhooks/{webhook_id}/{webhook_token}"
        callback = "/interactions/{interaction_id}/{interaction_token}/callback"
        commands = "/applications/{application_id}/commands"
        instance = "/applications/{application_id}/activity-instances/{instance_id}"
        for route in (
            Route("GET", "/users/@me", state.logins.me, users=True),
            Route("GET", "/oauth2/applications/@me", state.application),
            Route("GET", "/applications/@me", state.application),
            Route("GET", instance, state.logins.instance),
            Route("POST", "/oauth2/token", state.logins.token, bot=False, described=False),
            Route("POST", "/users/@me/channels", state.direct),
            Route("POST", "/guilds/{guild_id}/roles", state.make_role),
            Route("PUT", member_role, state.give_role),
            Route("DELETE", member_role, state.take_role),
            Route("GET", commands, state.get_commands),
            Route("PUT", commands, state.put_commands),
            Route("POST", messages, state.post, major="channel_id", limit=CHANNEL),
            Route("PATCH", messages + "/{message_id}", state.edit, major="channel_id",
                  limit=CHANNEL, edits=state.by_id),
            Route("DELETE", messages + "/{message_id}", state.delete, major="channel_id",
                  limit=DELETIONS),
            Route("POST", callback, state.callback, bot=False, edits=state.updated),
            Route("POST", hook, state.follow_up, bot=False, major="webhook_token", limit=WEBHOOK),
            Route("GET", hook + "/messages/@original", state.original, bot=False),
            Route("PATCH", hook + "/messages/@original", state.edit_original, bot=False,
                  major="webhook_token", limit=WEBHOOK, edits=state.answered),
            Route("DELETE", hook + "/messages/@original", state.delete_original, bot=False),
            Route("PATCH", hook + "/messages/{message_id}", state.edit_follow_up, bot=False,
                  major="webhook_token", limit=WEBHOOK, edits=state.by_id),
        ):  # fmt: skip
            app.router.add_route(route.method, API + route.path, self._handler(route))
        app.router.add_route("*", "/{rest:.*}", self._nowhere)

    def _handler(self, route: Route) -> Callable[[web.Request], Awaitable[web.Response]]:
        async def handle(request: web.Request) -> web.Response:
            body, files = await _read(request)
            if files:
                await self._arrived(request)
            sent = request.headers.get("Authorization", "")
            call = Call(dict(request.match_info), dict(request.query), body, files, sent)
            with self.editing.of(route.edits(call)):
                await self._network.carry(f"to {route.name}")
                answer = self._take(route, request, call)
                await self._network.carry(f"from {route.name}")
            return answer

        return handle

    def _take(self, route: Route, request: web.Request, call: Call) -> web.Response:
        """Do what a request asks for, or say why not."""
        headers: dict[str, str] = {}
        try:
            headers = self._pass(route, request)
            self._check_age(route, call)
            fault = self._fault(route)
            if route.described:
                check_request(route.name, call.query, call.body)
            answer = None if fault and not fault.after else route.do(call)
            if fault:
                raise _problem(fault)
        except Problem as problem:
            headers.update(problem.body.pop("headers", {}))
            return self._answer(route, problem.status, call.body, problem.body, headers)
        except Exception as error:
            # discord.py would only ask again and again.
            self.mistakes.append(AssertionError(f"{route.name}: {error!r}"))
            raise
        status = 204 if answer is None else 200
        try:
            if route.described:
                check_answer(route.name, status, answer)
        except AssertionError as mistake:
            self.mistakes.append(mistake)
        return self._answer(route, status, call.body, answer, headers)

    async def _arrived(self, request: web.Request) -> None:
        """Wait for the files of a request. Raises ConnectionError when it is given up."""
        self.held += 1
        self._changes.notify()
        await self.uploads.wait()
        self.held -= 1
        if request.transport is None:
            raise ConnectionResetError("it was given up on its way")

    def _pass(self, route: Route, request: web.Request) -> dict[str, str]:
        """Whether the request is let in: the headers of its answer. Raises Problem."""
        agent = request.headers.get("User-Agent", "")
        # discord.py sends its name to no webhook, and Discord asks for none there.
        if (route.bot or not route.described) and not agent.startswith("DiscordBot ("):
            raise BAD_AGENT
        sent = request.headers.get("Authorization", "")
        by_bot = route.bot and not (route.users and sent.startswith("Bearer "))
        if by_bot and sent != f"Bot {self._token}":
            raise UNAUTHORIZED
        if by_bot:
            _check(self.rates.take_of_everything())
        if route.limit is None:
            return {}
        bucket = f"{route.name} {request.match_info[route.major]}"
        return _check(self.rates.take(bucket, route.limit))

    def _check_age(self, route: Route, call: Call) -> None:
        """Old messages of a channel may be edited less often. Raises Problem."""
        message = route.edits(call) if route.bot else None
        if message is None or not self._state.is_old(message):
            return
        passage = self.rates.take(f"old {message.channel.id}", OLD)
        if passage.wait:
            # A limit beneath the route's own: its headers say nothing of it.
            more = {"retry_after": passage.wait, "global": False}
            raise Problem(429, 30046, TOO_MANY_OLD_EDITS, **more, headers={"Via": "1.1 stand-in"})

    def _fault(self, route: Route) -> Fault | None:
        """What goes wrong with this request."""
        fault = next((fault for fault in self.faults if fault.route == route.name), None)
        if fault:
            self.faults.remove(fault)
        return fault

    def _answer(
        self, route: Route, status: int, body: Json, answer: object, headers: dict[str, str]
    ) -> web.Response:
        self.requests.append(Request(time.time(), route.name, status, body))
        self._changes.notify()
        if answer is None:
            return web.Response(status=status, headers=headers)
        # discord.py reads JSON only under exactly this type, without a charset.
        headers["Content-Type"] = "application/json"
        return web.Response(status=status, body=json.dumps(answer).encode(), headers=headers)

    async def _nowhere(self, request: web.Request) -> web.Response:
        mistake = AssertionError(f"the stand-in has no route {request.method} {request.path}")
        self.mistakes.append(mistake)
        raise mistake


def _check(passage: Passage) -> dict[str, str]:
    """The headers of the answer. Raises Problem for who has asked too often."""
    if not passage.wait:
        return dict(passage.headers)
    everywhere = "X-RateLimit-Global" in passage.headers
    more = {"retry_after": passage.wait, "global": everywhere, "headers": dict(passage.headers)}
    raise Problem(429, 0, "You are being rate limited.", **more)


def _problem(fault: Fault) -> Problem:
    headers = {"Via": "1.1 stand-in"} if fault.status == 429 else {}
    return Problem(fault.status, 0, "as was asked for", **fault.body, headers=headers)


async def _read(request: web.Request) -> tuple[Json, dict[str, File]]:
    """The JSON of a request, and the files of a multipart one."""
    if request.content_type == "application/x-www-form-urlencoded":
        return dict(parse_qsl((await request.read()).decode())), {}
    if not request.content_type.startswith("multipart/"):
        data = await request.read()
        return (json.loads(data) if data else {}), {}
    body: Json = {}
    files: dict[str, File] = {}
    async for part in await request.multipart():
        name = getattr(part, "name", None)
        data = await part.read()  # type: ignore[union-attr]  # Discord nests no multipart
        if name == "payload_json":
            body = json.loads(data)
        elif name and name.startswith("files["):
            files[name] = File(getattr(part, "filename", None) or "", bytes(data))
        else:
            raise invalid(f"a part called {name}")
    return body, files
