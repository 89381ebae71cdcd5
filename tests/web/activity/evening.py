"""Everything that a race inside Discord needs, as it runs for real."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar

from tests.discord.standin.activities import Instance
from tests.discord.standin.messages import Message
from tests.discord.standin.people import Channel
from tests.discord.standin.person import Person
from tests.support.patience import PATIENCE_S
from tests.web.activity.hosts import Hosts, hosts_on_loopback
from tests.web.activity.partner import Login
from tests.web.activity.tunnel import tunnel_to
from tests.web.front import Front, deployment

PAGE: Final = "https://race.example"
"""The public address of the page."""
Done = TypeVar("Done")


@dataclass
class Evening:
    """What tests ask and change."""

    front: Front
    hosts: Hosts
    tunnel: int
    """The port of a proxy to the hosts, for Firefox."""
    channel: Channel
    """Of a guild."""
    loop: asyncio.AbstractEventLoop

    def person(self, name: str, *, locale: str = "en-US") -> Person:
        """A new user of Discord."""
        return self.front.world.person(name, locale=locale)

    def does(self, what: Coroutine[Any, Any, Done]) -> Done:
        """What comes of something that happens in Discord or in the bot."""
        return asyncio.run_coroutine_threadsafe(what, self.loop).result(PATIENCE_S)

    def launched(self, *people: Person) -> Instance:
        """A new instance of the activity with these people in it, opened without a race."""
        world = self.front.world
        voice = world.channel("voice", world.guilds[0])
        instances = [world.state.activities.launch(voice, one.user) for one in people]
        return instances[0]

    def launched_from(self, message: Message, *people: Person) -> Instance:
        """The instance that opens when these people press the button of a race's message."""

        async def press() -> Instance:
            answers = [await one.presses(message, "Play here") for one in people]
            opened = [await answer.opened() for answer in answers]
            await self.front.bot.answers.finish()
            return opened[0]

        return self.does(press())


@asynccontextmanager
async def evening_in(folder: Path) -> AsyncIterator[Evening]:
    """An operator who has enabled Activities and given the bot the client secret."""
    async with deployment(folder, page=PAGE, activities=True) as front:
        world = front.world
        login = Login(world.state.logins.authorize, world.state.logins.user_of)
        channel = world.channel("general", world.guild("Friends"))
        async with (
            hosts_on_loopback(world.application, login, folder, front.address) as hosts,
            tunnel_to(hosts) as tunnel,
        ):
            yield Evening(front, hosts, tunnel, channel, asyncio.get_running_loop())
