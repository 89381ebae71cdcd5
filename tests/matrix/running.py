"""The bot as it runs for real, against a real homeserver and a real server. No tests."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from tests.matrix.synapse import Account

from bigben_chat.chat import Pace
from bigben_chat.picture import drawing
from bigben_chat.store import Store
from bigben_matrix.bot import BigBenMatrix
from bigben_matrix.config import Settings

KEY: Final = "the key that the server and the bot of the tests share"
QUICK: Final = Pace(server_patience=30.0, tick=0.02, idle=600.0)
"""For tests that are about something else."""


def settings_for(homeserver: str, account: Account, server: str, folder: Path) -> Settings:
    """``homeserver`` is its address, or a proxy's."""
    return Settings(
        homeserver=homeserver,
        token=account.token,
        server=server,
        key=KEY,
        data=folder,
        page="http://race.example",
        browsers=True,
    )


@asynccontextmanager
async def bot_on(
    homeserver: str, account: Account, server: str, folder: Path, pace: Pace = QUICK
) -> AsyncIterator[BigBenMatrix]:
    """A bot with this account; it is stopped as an operator stops it."""
    store = Store(folder / "matrix.sqlite")
    await asyncio.to_thread(drawing.warm)
    bot = BigBenMatrix(settings_for(homeserver, account, server, folder), store, pace)
    running = asyncio.create_task(bot.run())
    try:
        yield bot
        assert not running.done(), running
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        store.close()
