"""``bigben-matrix``: reads the settings and runs the bot until a signal stops it."""

import asyncio
from collections.abc import Mapping
from typing import Final

from bigben_chat import checking, running
from bigben_chat.checking import Finding
from bigben_chat.store import Store
from bigben_matrix.bot import BigBenMatrix
from bigben_matrix.config import Settings, from_environment
from bigben_matrix.homeserver import BadToken, Homeserver

_ENDS: Final[Mapping[type[Exception], str]] = {
    BadToken: "The homeserver does not take BIGBEN_MATRIX_TOKEN: {}"
}


def main() -> int:
    """Run the bot; the exit code."""
    return running.main("matrix", from_environment, _run, _ENDS)


def check() -> int:
    """Say of homeserver, race server and page whether they are right; 1 if one is not."""
    return running.check("matrix", from_environment, _findings)


async def _run(settings: Settings, store: Store) -> None:
    """The bot; its client needs a running event loop from the start."""
    await BigBenMatrix(settings, store).run()


async def _findings(settings: Settings) -> list[Finding]:
    return [
        await _homeserver(settings),
        await checking.race_server(settings.server, settings.issuer),
        await checking.page(settings.page),
    ]


async def _homeserver(settings: Settings) -> Finding:
    homeserver = Homeserver(settings.homeserver, settings.token)
    try:
        async with asyncio.timeout(checking.PATIENCE_S):
            await homeserver.login()
    except BadToken as error:
        return Finding(False, _ENDS[BadToken].format(error))
    except TimeoutError:
        text = f"No homeserver answers at BIGBEN_MATRIX_HOMESERVER, {settings.homeserver}"
        return Finding(False, text)
    finally:
        await homeserver.close()
    return Finding(True, f"BIGBEN_MATRIX_TOKEN is of {homeserver.user}, at {settings.homeserver}")
