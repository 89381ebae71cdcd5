"""The bot's login service as a frame meets it: what becomes of codes and races. No tests."""

import hashlib
import time
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from tests.web.activity.partner import Login
from tests.web.activity.shapes import Json

from bigben_chat.connections.identity import Issuer

APP: Final = "1234567890123456789"
KEY: Final = "a key of the tests, as long as keys are"
GUILD: Final = 77


def user(number: int, name: str) -> Json:
    keys = {"discriminator": "0", "avatar": None, "flags": 0, "bot": False}
    return {"id": f"{number}", "username": name.lower(), "global_name": name, **keys}


class SigningIn:
    """Gives codes as Discord does, and takes them as the bot does."""

    def __init__(self) -> None:
        self._issuer = Issuer("discord", KEY)
        self._users: dict[str, Json] = {}
        self._codes: dict[str, Json] = {}
        self._players: dict[str, str] = {}
        self.races: dict[str, str] = {}
        """By instance."""
        self.address = ""

    def knows(self, *users: Json) -> None:
        """Accounts at Discord."""
        self._users |= {one["id"]: one for one in users}

    @property
    def login(self) -> Login:
        """What Discord's client asks."""
        known = {f"access of {number}": number for number in self._users}
        return Login(grant=self._grant, user_of=known.get)

    def _grant(self, number: str, asked: Json) -> str:
        code = f"code {len(self._codes)}"
        self._codes[code] = {**asked, "user": number}
        return code

    async def begin(self, request: web.Request) -> web.Response:
        challenge = request.query.get("challenge", "")
        race = self.races.get(request.query["instance"], "")
        return web.json_response({"application": APP, "state": f"of {challenge}", "race": race})

    async def finish(self, request: web.Request) -> web.Response:
        asked = await request.json()
        granted = self._codes.pop(asked["code"])
        digest = hashlib.sha256(asked["verifier"].encode()).digest()
        challenge = urlsafe_b64encode(digest).decode().rstrip("=")
        assert challenge == granted["code_challenge"]
        assert asked["state"] == granted["state"] == f"of {challenge}"
        number, name = granted["user"], self._users[granted["user"]]["global_name"]
        player = self._issuer.player(int(number))
        token = self._issuer.token(player, name, [GUILD], time.time())
        self._players[token] = player
        race = self.races.get(asked["instance"], "")
        said = {"token": token, "player": player, "name": name, "race": race}
        return web.json_response({**said, "access_token": f"access of {number}"})

    async def plays(self, request: web.Request) -> web.Response:
        asked = await request.json()
        assert asked["token"] in self._players
        self.races[asked["instance"]] = asked["race"]
        return web.json_response({})


@asynccontextmanager
async def signing_in_on_loopback(service: SigningIn) -> AsyncIterator[None]:
    """Listens on a free port."""
    app = web.Application()
    app.router.add_get("/login", service.begin)
    app.router.add_post("/login", service.finish)
    app.router.add_post("/login/instance", service.plays)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        service.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield
    finally:
        await runner.cleanup()
