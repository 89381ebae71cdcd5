"""Asks Discord who is logging in: a code becomes an access token, and the token a user."""

import logging
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar
from urllib.parse import quote

import aiohttp
import discord
import msgspec
from discord.http import Route
from oauthlib.oauth2 import BackendApplicationClient, Client, OAuth2Error, WebApplicationClient

from bigben_chat.connections.identity import ChatUser
from bigben_discord.login.refusal import Refusal

_log = logging.getLogger(__name__)

AGENT: Final = f"DiscordBot (https://github.com/Rapptz/discord.py {discord.__version__})"
"""Discord answers no others; this one is named like its own library."""
PATIENCE: Final = aiohttp.ClientTimeout(total=8)
_QUIET_S: Final = 5.0
"""How long nothing is asked after a 429 that does not say how long."""


class User(msgspec.Struct, frozen=True):
    """Of Discord's user, what is needed."""

    id: str
    username: str
    global_name: str | None = None


class Location(msgspec.Struct, frozen=True):
    """Where a frame is open."""

    guild_id: str | None = None


class Instance(msgspec.Struct, frozen=True):
    """Of a frame and who is in it, what is needed."""

    location: Location
    users: list[str]


class Application(msgspec.Struct, frozen=True):
    """Of what the operator has set at Discord, what is needed."""

    id: str
    flags: int = 0
    redirect_uris: list[str] = []


_APPLICATION: Final = msgspec.json.Decoder(Application)
_USER: Final = msgspec.json.Decoder(User)
_INSTANCE: Final = msgspec.json.Decoder(Instance)
Asked = TypeVar("Asked", User, Instance, Application)


class DiscordApi:
    """Asks Discord as the application, as the bot, and as a user. Each call raises Refusal."""

    def __init__(
        self, session: aiohttp.ClientSession, application: int, secret: str, token: str
    ) -> None:
        """``secret`` is the application's; ``token`` is the bot's."""
        self._session = session
        self.application = str(application)
        """Its id."""
        self._secret = secret
        self._bot = {"Authorization": f"Bot {token}"}
        self._quiet_until = 0.0

    async def access_token(self, code: str, verifier: str, redirect: str) -> str:
        """The user's access token for this code; ``redirect`` is empty in a frame."""
        oauth = WebApplicationClient(self.application)
        body = oauth.prepare_request_body(
            code=code,
            redirect_uri=redirect or None,
            code_verifier=verifier,
            client_secret=self._secret,
        )
        return await self._token(oauth, body)

    async def check_secret(self) -> None:
        """Let the application itself log in, which needs nothing but the secret."""
        oauth = BackendApplicationClient(self.application)
        body = oauth.prepare_request_body(
            scope="identify", include_client_id=True, client_secret=self._secret
        )
        await self._token(oauth, body)

    async def _token(self, oauth: Client, body: str) -> str:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        _, answer = await self._ask("POST", "/oauth2/token", data=body, headers=headers)
        try:
            token: str = oauth.parse_request_body_response(answer.decode())["access_token"]
        except OAuth2Error as error:
            if error.error == "invalid_grant":
                raise Refusal("code", 400) from None
            # Discord's own word for it, such as invalid_client for a wrong secret.
            _log.error("Discord does not let players log in: %s", error.error)
            raise Refusal("setup", 502) from None
        return token

    async def me(self) -> Application | None:
        """The application that the bot belongs to; None if Discord does not take its token."""
        status, answer = await self._ask("GET", "/applications/@me", headers=self._bot)
        return _decoded(_APPLICATION, answer) if status == 200 else None

    async def user(self, access_token: str) -> ChatUser:
        """Whose access token this is."""
        headers = {"Authorization": f"Bearer {access_token}"}
        status, answer = await self._ask("GET", "/users/@me", headers=headers)
        if status != 200:
            raise Refusal("code", 400)
        user = _decoded(_USER, answer)
        return ChatUser(int(user.id), user.global_name or user.username)

    async def in_instance(self, user: ChatUser, instance: str) -> ChatUser:
        """The same user, where this frame is, in which Discord sees them. Else raises Refusal."""
        path = f"/applications/{self.application}/activity-instances/{quote(instance, safe='')}"
        status, answer = await self._ask("GET", path, headers=self._bot)
        if status not in (200, 404):
            raise Refusal("discord", 502)
        found = _decoded(_INSTANCE, answer) if status == 200 else None
        if found is None or str(user.id) not in found.users:
            raise Refusal("instance", 403)
        return replace(user, group=int(found.location.guild_id or 0))

    async def _ask(
        self,
        method: str,
        path: str,
        *,
        headers: dict[str, str],
        data: str | None = None,
    ) -> tuple[int, bytes]:
        """The status and the body of Discord's answer."""
        if time.monotonic() < self._quiet_until:
            raise Refusal("discord", 503)
        try:
            async with self._session.request(
                method, f"{Route.BASE}{path}", headers={"User-Agent": AGENT, **headers}, data=data
            ) as response:
                answer = await response.read()
        except (aiohttp.ClientError, TimeoutError, OSError) as error:
            # Without its text, which may have the address with what was asked.
            _log.warning("Discord can't be reached for a login: %s", type(error).__name__)
            raise Refusal("discord", 503) from None
        if response.status == 429:
            self._quiet_until = time.monotonic() + _wait(response.headers)
        if response.status == 429 or response.status >= 500:
            raise Refusal("discord", 503)
        return response.status, answer


def _wait(headers: Mapping[str, str]) -> float:
    """How long Discord wants not to be asked, in seconds."""
    try:
        return float(headers.get("Retry-After", _QUIET_S))
    except ValueError:
        return _QUIET_S


def _decoded(decoder: msgspec.json.Decoder[Asked], answer: bytes) -> Asked:
    try:
        return decoder.decode(answer)
    except msgspec.DecodeError as error:
        _log.error("Discord answers a login as nobody expects: %s", error)
        raise Refusal("discord", 502) from None
