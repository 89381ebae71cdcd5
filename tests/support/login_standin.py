"""A small login service in place of the bot's: who logs in is who the code of Discord says."""

import asyncio
import threading
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256

from aiohttp import web

from bigben_chat.connections.identity import Issuer
from bigben_client import Client

APP = "123456789012345678"


class LoginStandIn:
    """Its server must know the key."""

    def __init__(self, server: str, key: str) -> None:
        self.server = server
        self.issuer = Issuer("discord", key)
        self.address = ""
        self.asked: list[str] = []
        self._challenges: dict[str, str] = {}
        self._devices: dict[str, dict[str, object]] = {}

    async def run(self, started: threading.Event, stop: asyncio.Event) -> None:
        app = web.Application()
        app.add_routes(
            [
                web.get("/login", self._begin),
                web.post("/login", self._log_in),
                web.post("/login/device", self._device),
                web.post("/login/device/confirm", self._confirm),
                web.post("/login/token", self._token),
            ]
        )
        runner = web.AppRunner(app, shutdown_timeout=0)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self.address = f"http://127.0.0.1:{runner.addresses[0][1]}"
        started.set()
        await stop.wait()
        await runner.cleanup()

    async def _begin(self, request: web.Request) -> web.Response:
        state = f"state{len(self._challenges)}"
        self._challenges[state] = request.query.get("challenge", "")
        return web.json_response({"application": APP, "state": state, "race": ""})

    async def _log_in(self, request: web.Request) -> web.Response:
        said = await request.json()
        self.asked.append(said["state"])
        digest = sha256(said["verifier"].encode()).digest()
        challenge = urlsafe_b64encode(digest).decode().rstrip("=")
        if self._challenges.pop(said["state"], "") != challenge:
            return _refused("This login is too old.")
        user, name = said["code"].split("-")
        player = self.issuer.player(int(user))
        answer: dict[str, object] = {"player": player, "name": name, "race": ""}
        if "device" in said:
            device = self._devices.get(said["device"].upper())
            if device is None:
                return _refused("No device waits with this code.")
            device |= {"player": player, "name": name, "confirm": f"secret {said['device']}"}
            shown = ("client", "host", "address", "asked_at", "confirm")
            answer["device"] = {key: device[key] for key in shown}
        return web.json_response({**answer, "token": await self._link(player, name)})

    async def _link(self, player: str, name: str) -> str:
        token = self.issuer.token(self.issuer.player(int(player[8:])), name, (), time.time())
        async with Client(self.server, token=token) as client:
            return (await client.link()).token

    async def _device(self, request: web.Request) -> web.Response:
        said = await request.json()
        code = "BCDF-GHJK"
        now = int(time.time() * 1000)
        self._devices[code] = {**said, "address": "127.0.0.1", "asked_at": now}
        page = f"http://{request.headers['Host']}/#device"
        return web.json_response(
            {
                "device_code": "secret",
                "user_code": code,
                "verification_uri": page,
                "expires_in": 600,
                "interval": 0,
            }
        )

    async def _confirm(self, request: web.Request) -> web.Response:
        said = await request.json()
        for device in self._devices.values():
            if device.get("confirm") == said["confirm"]:
                device["allow"] = said["allow"]
        return web.json_response({})

    async def _token(self, request: web.Request) -> web.Response:
        await request.read()
        await asyncio.sleep(0.05)
        (device,) = self._devices.values()
        if "allow" not in device:
            return web.json_response({"error": "authorization_pending"}, status=400)
        if not device["allow"]:
            return web.json_response({"error": "access_denied"}, status=400)
        player, name = str(device["player"]), str(device["name"])
        link = await self._link(player, name)
        return web.json_response({"token": link, "player": player, "name": name})


def _refused(text: str) -> web.Response:
    return web.json_response({"code": "login", "text": text}, status=400)


@contextmanager
def logging_in(server: str, key: str) -> Iterator[LoginStandIn]:
    login, started = LoginStandIn(server, key), threading.Event()
    loop, stop = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(login.run(started, stop),))
    thread.start()
    assert started.wait(10)
    try:
        yield login
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
