"""The bot as it runs for real, against a real homeserver and a real server. No tests."""

import asyncio
import os
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, Self

from tests.matrix.synapse import Account

from bigben_chat.chat import Pace
from bigben_chat.connections.identity import Issuer
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
        issuer=Issuer("matrix", KEY),
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


class BotProcess:
    """The bot as its command runs it, to be killed and started again with the same data."""

    def __init__(self, settings: Settings) -> None:
        self._env = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "BIGBEN_MATRIX_HOMESERVER": settings.homeserver,
            "BIGBEN_MATRIX_TOKEN": settings.token,
            "BIGBEN_ISSUER_MATRIX_KEY": settings.issuer.key,
            "BIGBEN_SERVER": settings.server,
            "BIGBEN_PAGE": settings.page,
            "BIGBEN_MATRIX_DATA": str(settings.data),
        }

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, failed: object, *_: object) -> None:
        self.end(kill=failed is not None)

    def start(self) -> None:
        """Start it; it does not say when it is on Matrix, and obeys what was said before."""
        command = (sys.executable, "-c", "from bigben_matrix import cli; cli.main()")
        self._process = subprocess.Popen(
            command, env=self._env, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )

    def end(self, *, kill: bool) -> None:
        """Stop it as an operator does, or by SIGKILL."""
        (self._process.kill if kill else self._process.terminate)()
        self._process.wait()
