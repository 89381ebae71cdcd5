"""What the login service does: Discord says who somebody is, and the bot mints their token.

No HTTP: each request comes as a checked body with the address that it came from. What is refused
is a Refusal, or an error of the client if it is the race server that refuses or is away.
"""

import asyncio
from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, TypeAlias

import jwt

from bigben_chat.chat import Chat
from bigben_chat.connections.identity import ChatUser, player_of
from bigben_chat.records import put_instance, race_of_instance
from bigben_discord.login import bodies
from bigben_discord.login.budgets import Budget, counted
from bigben_discord.login.devices import EXPIRES_S, INTERVAL_S, Device, Devices
from bigben_discord.login.discord_api import DiscordApi
from bigben_discord.login.refusal import Refusal
from bigben_discord.login.states import States, challenge_of

SERVER_S: Final = 10.0
"""How long the race server may take for a link."""

Answer: TypeAlias = dict[str, Any]
"""Any: JSON. With ``error`` it is a refusal in the form of RFC 8628."""


class Logins:
    """Every request of the service has a method."""

    def __init__(self, chat: Chat, discord: DiscordApi, now: Callable[[], datetime]) -> None:
        self._chat = chat
        self._discord = discord
        self._now = now
        self._states = States()
        self._devices = Devices()
        self._wrong_codes = Budget(5 / 60, 5)
        """How many codes that no terminal shows an address may try."""

    async def begin(self, body: bodies.Begin, address: str) -> Answer:
        """What a page needs to send its player to Discord; in a frame also the race there."""
        now = self._now()
        state = ""
        if body.challenge:
            state = self._states.new(body.challenge, body.instance, now.timestamp())
        race = race_of_instance(self._chat.store, body.instance, now)
        return {"application": self._discord.application, "state": state, "race": race}

    async def finish(self, body: bodies.Finish, address: str) -> Answer:
        """Who came back from Discord with this code, and their token."""
        now = self._now()
        page = f"{self._chat.page}/"
        # Discord sends codes of a frame to the frame, and all others to the page.
        if body.redirect != ("" if body.instance else page):
            raise Refusal("redirect", 400)
        challenge = challenge_of(body.verifier)
        self._states.check(body.state, challenge, body.instance, now.timestamp())
        # Before the code and the state are spent: a mistyped code can be typed again.
        device = self._device(body.device, address) if body.device is not None else None
        self._states.use(body.state, now.timestamp())
        access = await self._discord.access_token(body.code, body.verifier, body.redirect)
        user = await self._discord.user(access)
        if body.instance:
            user = await self._discord.in_instance(user, body.instance)
        answer = await self._token(user, lasting=body.lasting)
        answer["race"] = race_of_instance(self._chat.store, body.instance, now)
        if body.instance:
            # Discord's own commands to the frame want it.
            answer["access_token"] = access
        if device is not None:
            self._devices.claim(device, user)
            answer["device"] = _shown(device)
        return answer

    async def playing(self, body: bodies.Playing, address: str) -> Answer:
        """A player in a frame says which race it plays now."""
        try:
            user = self._chat.issuer.user_of(body.token)
        except jwt.InvalidTokenError:
            raise Refusal("token", 401) from None
        await self._discord.in_instance(ChatUser(user, ""), body.instance)
        put_instance(self._chat.store, body.instance, body.race, self._now())
        return {"race": body.race}

    async def ask(self, body: bodies.Ask, address: str) -> Answer:
        """A terminal wants to log in: the codes for it and for its player."""
        client, host = ("".join(filter(str.isprintable, one)) for one in (body.client, body.host))
        device = self._devices.ask(client, host, address, self._now().timestamp())
        return {
            "device_code": device.device_code,
            "user_code": device.user_code,
            "verification_uri": f"{self._chat.page}/#device",
            "expires_in": EXPIRES_S,
            "interval": INTERVAL_S,
        }

    async def decide(self, body: bodies.Decide, address: str) -> Answer:
        """The player has read who asks, and allows it or not."""
        self._devices.decide(body.confirm, self._now().timestamp(), allow=body.allow)
        return {"allowed": body.allow}

    async def poll(self, body: bodies.Poll, address: str) -> Answer:
        """The terminal asks whether its player has decided."""
        found = self._devices.poll(body.device_code, self._now().timestamp())
        if not isinstance(found, ChatUser):
            return {"error": found}
        answer = await self._token(found, lasting=True)
        # Only now: while the race server is away, the terminal can ask again.
        self._devices.done(body.device_code)
        return answer

    async def _token(self, user: ChatUser, *, lasting: bool) -> Answer:
        players = self._chat.players
        if lasting:
            async with asyncio.timeout(SERVER_S), players.connected(user) as player:
                token = (await player.client.link()).token
        else:
            token = players.token(user)
        known_as = player_of(self._chat.store, self._chat.issuer, user.id)
        return {"token": token, "player": known_as, "name": user.name}

    def _device(self, user_code: str, address: str) -> Device:
        """The terminal that shows this code. Raises Refusal, and limits who guesses."""
        now = self._now().timestamp()
        if self._wrong_codes.left(counted(address), now) < 1:
            raise Refusal("often", 429)
        try:
            return self._devices.find(user_code, now)
        except Refusal:
            self._wrong_codes.take(counted(address), now)
            raise


def _shown(device: Device) -> Answer:
    """Who asks from where, for the player to decide; ``asked_at`` in ms since 1970."""
    return {
        "client": device.client,
        "host": device.host,
        "address": device.address,
        "asked_at": int(device.asked_at * 1000),
        "confirm": device.confirm,
    }
