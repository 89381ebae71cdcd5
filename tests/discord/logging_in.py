"""The page of a person who logs in: what it asks of the bot, as a browser or a frame would."""

import secrets
from dataclasses import dataclass, field
from typing import NamedTuple

import aiohttp
from tests.discord.standin.activities import Instance
from tests.discord.standin.person import Person
from tests.discord.standin.problems import Json
from tests.discord.standin.server import Discord

from bigben_discord.bot import BigBen
from bigben_discord.login.states import challenge_of

PAGE = "http://race.example/"
"""Where the page is that ``running`` names to the bot."""


class Answered(NamedTuple):
    """What the bot has answered."""

    status: int
    body: Json

    @property
    def code(self) -> str:
        """Why it was refused; empty if it was not."""
        return str(self.body.get("code", ""))


@dataclass
class Page:
    """A page somewhere, before anybody has logged in."""

    bot: BigBen
    world: Discord
    address: str = "203.0.113.7"
    """As the proxy forwards it."""
    language: str = "en"
    verifier: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    @property
    def challenge(self) -> str:
        """Of the verifier."""
        return challenge_of(self.verifier)

    async def asks(self, path: str = "", **query: str) -> Answered:
        """Something of the bot."""
        return await self._request("GET", path, params=query)

    async def sends(self, path: str, body: Json | bytes) -> Answered:
        """The same with a body."""
        if isinstance(body, bytes):
            written = {"Content-Type": "application/json"}
            return await self._request("POST", path, data=body, headers=written)
        return await self._request("POST", path, json=body)

    async def state(self, instance: str = "") -> str:
        """A new one for this page."""
        begun = await self.asks(challenge=self.challenge, instance=instance)
        assert begun.status == 200, begun
        return str(begun.body["state"])

    async def comes_back(self, person: Person, **more: object) -> Json:
        """What the page posts when Discord has sent the person back to it."""
        code = self.world.state.logins.authorize(person.user, self.challenge, PAGE)
        state = await self.state()
        return self._body(code, state, redirect=PAGE) | more

    async def is_opened_in(self, instance: Instance, person: Person, **more: object) -> Json:
        """What the page posts in a frame that the person has opened."""
        code = self.world.state.logins.authorize(person.user, self.challenge)
        return self._body(code, await self.state(instance.id), instance=instance.id) | more

    async def logs_in(self, person: Person, **more: object) -> Json:
        """In a browser."""
        status, answer = await self.sends("", await self.comes_back(person, **more))
        assert status == 200, answer
        return answer

    def _body(self, code: str, state: str, **more: str) -> Json:
        return {"code": code, "state": state, "verifier": self.verifier, **more}

    async def _request(self, method: str, path: str, **more: object) -> Answered:
        url = f"http://127.0.0.1:{self.bot.logins.port}/login{path}"
        headers = {"X-Forwarded-For": self.address, "Accept-Language": self.language}
        async with (
            aiohttp.ClientSession(headers=headers) as session,
            # Any: aiohttp's own keywords.
            session.request(method, url, **more) as response,  # type: ignore[arg-type]
        ):
            assert response.content_type == "application/json"
            assert response.headers["Cache-Control"] == "no-store"
            return Answered(response.status, await response.json())
