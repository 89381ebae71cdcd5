"""The stand-in of Discord as a whole: one loopback server that a test starts, asks and fills.

discord.py is sent here by its two base addresses and by nothing else.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Final

import yarl
from aiohttp import web
from discord.gateway import DiscordWebSocket
from discord.http import Route
from tests.discord.standin.changes import Changes
from tests.discord.standin.clock import StandinClock
from tests.discord.standin.gateway import Gateway
from tests.discord.standin.messages import Message, NewId
from tests.discord.standin.network import Network
from tests.discord.standin.people import JOINED, Channel, Guild, Role, User, member
from tests.discord.standin.person import Person
from tests.discord.standin.problems import Json
from tests.discord.standin.rest import API, Rest
from tests.discord.standin.state import State

SYSTEM: Final = "welcome"
"""The name of the channel in which Discord itself welcomes new members, where there is one."""
TOKEN: Final = "MTIzNDU2Nzg5MDEyMzQ1Njc4.stand-in.token"


class Discord:
    """What there is on Discord, and what happens there."""

    def __init__(self, seed: str = "") -> None:
        """``seed`` decides what overtakes what on the network."""
        self.token = TOKEN
        self.clock = StandinClock()
        self.network = Network(seed)
        self.changes = Changes()
        self._new_id = NewId()
        self.application = self._new_id()
        self.bot = User(self.application, "Big Ben", bot=True)
        self.guilds: list[Guild] = []
        self.state = State(self.bot, self.application, self.clock, self._new_id)
        self.rest = Rest(self.state, self.token, self.changes, self.network)
        self.gateway = Gateway(self.token, self.changes, self._ready, self._guilds)
        self._site: web.TCPSite | None = None
        self._runner: web.AppRunner | None = None
        self.port = 0

    # What a test fills it with

    def guild(self, name: str, *, locale: str = "en-US", bot_is_member: bool = True,
              guests_speak: bool = True, managers: tuple["Person", ...] = (),
              bot_may: int = 0) -> Guild:  # fmt: skip
        """A new guild; a bot that is here already hears of it by ``welcome``."""
        ids = frozenset(person.user.id for person in managers)
        own = Role(self._new_id(), "Big Ben", bot_may, 5) if bot_may else None
        guild = Guild(self._new_id(), name, locale, bot_is_member, guests_speak, ids, own)
        self.guilds.append(guild)
        return guild

    async def welcome(self, guild: Guild) -> None:
        """The bot becomes a member, and is told what there is."""
        created = self._guild(guild)
        del created["unavailable"]  # Discord says so only of guilds that it named before.
        await self.gateway.dispatch("GUILD_CREATE", created)

    def channel(self, name: str, guild: Guild, *, denied: int = 0) -> Channel:
        """A new text channel."""
        return self._add(Channel(self._new_id(), name, guild, denied))

    async def permit(self, channel: Channel) -> Channel:
        """Nothing is denied there any more, and the bot is told."""
        permitted = replace(channel, denied=0)
        self.state.channels[channel.id] = permitted
        await self.gateway.dispatch("CHANNEL_UPDATE", permitted.payload())
        return permitted

    def person(self, name: str, *, locale: str = "en-US") -> Person:
        """A new user, at a client of theirs."""
        return Person(User(self._new_id(), name, locale), self)

    def direct(self, person: Person) -> Channel:
        """The direct messages between a person and the bot."""
        return self._add(Channel(self._new_id(), "", members=(person.user,)))

    def _add(self, channel: Channel) -> Channel:
        self.state.channels[channel.id] = channel
        return channel

    # What it has come to

    def public(self, channel: Channel) -> list[Message]:
        """The messages that everybody sees there."""
        return [
            message
            for message in self.state.messages.values()
            if message.channel == channel and message.only_for is None and not message.deleted
        ]

    def told(self, channel: Channel) -> str:
        """All that these messages say; empty as long as there is none."""
        return "\n".join(message.content for message in self.public(channel))

    # How it runs

    async def open(self) -> None:
        """Begin to listen, on the same port as before if there was one."""
        app = web.Application(client_max_size=32 * 1024 * 1024)
        app.router.add_get("/gateway/", self.gateway.handle)
        self.rest.add_to(app)
        self._runner = web.AppRunner(app, shutdown_timeout=0.1, access_log=None)
        await self._runner.setup()
        self._site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await self._site.start()
        self.port = int(self._runner.addresses[0][1])

    async def close(self) -> None:
        """Be out of reach, as in an outage; ``open`` ends it."""
        await self.gateway.drop(1001)
        if self._runner is not None:
            await self._runner.cleanup()

    def new_id(self) -> str:
        """A snowflake."""
        return self._new_id()

    def _ready(self) -> Json:
        members = [guild for guild in self.guilds if guild.bot_is_member]
        return {
            "v": 10,
            "user": {**self.bot.payload(), "mfa_enabled": False, "verified": True},
            "guilds": [{"id": guild.id, "unavailable": True} for guild in members],
            "application": {"id": self.application, "flags": self.state.activities.flags},
            "resume_gateway_url": f"ws://127.0.0.1:{self.port}/gateway/",
            "shard": [0, 1],
        }

    def _guilds(self) -> list[Json]:
        return [self._guild(guild) for guild in self.guilds if guild.bot_is_member]

    def _guild(self, guild: Guild) -> Json:
        channels = [c for c in self.state.channels.values() if c.guild == guild]
        system = next((c.id for c in channels if c.name == SYSTEM), None)
        own = (guild.bot_role.id,) if guild.bot_role else ()
        return {
            "id": guild.id,
            "name": guild.name,
            "owner_id": "1",
            "unavailable": False,
            "member_count": 3,
            "large": False,
            "joined_at": JOINED,
            "preferred_locale": guild.locale,
            "features": [],
            "roles": [guild.everyone(), *(role.payload() for role in self.state.roles.all(guild))],
            "members": [member(guild, self.bot, roles=own)],
            "system_channel_id": system,
            "channels": [channel.payload() for channel in channels],
            "threads": [],
        }


@asynccontextmanager
async def discord_on_loopback(seed: str = "") -> AsyncIterator[Discord]:
    """A Discord of its own, which discord.py takes for the real one."""
    discord = Discord(seed)
    addresses = Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY
    await discord.open()
    Route.BASE = f"http://127.0.0.1:{discord.port}{API}"
    DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://127.0.0.1:{discord.port}/gateway/")
    try:
        async with discord.clock.running():
            yield discord
    finally:
        Route.BASE, DiscordWebSocket.DEFAULT_GATEWAY = addresses
        await discord.close()
