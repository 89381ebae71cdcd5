"""The bot as it runs for real, against the stand-in and a real server. Tests nothing itself."""

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.discord.standin.logins import SECRET as SECRET
from tests.discord.standin.server import Discord

from bigben_chat import chat
from bigben_chat.connections.identity import Issuer
from bigben_chat.picture import drawing
from bigben_chat.store import Store
from bigben_discord.bot import BigBen
from bigben_discord.config import Settings

KEY = "the key that the server and the bot of the tests share"


@dataclass(frozen=True)
class Pace:
    """How patient the bot is; quick, where a test is about something else."""

    patience: float = 1.5
    server_patience: float = 30.0
    tick: float = 0.02
    idle: float = 600.0
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))


def settings_for(
    world: Discord,
    server: str,
    folder: Path,
    secret: str = "",
    page: str = "http://race.example",
) -> Settings:
    return Settings(
        token=world.token,
        server=server,
        issuer=Issuer("discord", KEY),
        data=folder,
        page=page,
        browsers=True,
        secret=secret,
        login_port=0,
        behind_proxy=1,
    )


@asynccontextmanager
async def bot_on(
    world: Discord,
    server: str,
    folder: Path,
    pace: Pace | None = None,
    *,
    secret: str = "",
    page: str = "http://race.example",
    in_the_meantime: Callable[[], Awaitable[None]] | None = None,
) -> AsyncIterator[BigBen]:
    """A bot that has logged in; with a ``secret`` players log in with Discord, too.

    ``in_the_meantime`` is done while it tries to.
    """
    pace = pace or Pace()
    store = Store(folder / "discord.sqlite")
    # Once in each process: while that is drawn, a bot that never promises would be late.
    await asyncio.to_thread(drawing.warm)
    try:
        async with asyncio.TaskGroup() as tasks:
            bot = BigBen(
                settings_for(world, server, folder, secret, page),
                store,
                tasks,
                chat.Pace(pace.server_patience, pace.tick, pace.idle, pace.now),
                patience=pace.patience,
            )
            async with bot:
                tasks.create_task(bot.run_until_closed())
                if in_the_meantime is not None:
                    await in_the_meantime()
                await world.changes.until(lambda: world.gateway.up, "the bot is on Discord")
                yield bot
            assert world.state.careless == []
            raise _Over
    except* _Over:
        pass
    finally:
        store.close()


@contextmanager
def logged(logger: str, what: str) -> Iterator[asyncio.Event]:
    """Set once this logger has said so."""
    said = asyncio.Event()

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if what in record.getMessage():
                said.set()

    listener = Listener()
    logging.getLogger(logger).addHandler(listener)
    try:
        yield said
    finally:
        logging.getLogger(logger).removeHandler(listener)


class _Over(Exception):
    """Ends the bot's own tasks too."""
