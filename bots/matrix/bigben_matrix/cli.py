"""``bigben-matrix``: reads the settings and runs the bot until a signal stops it."""

import asyncio
import logging
import sqlite3
import sys

from bigben_chat.connections.feed_connection import WrongKey
from bigben_chat.running import first, until_stopped
from bigben_chat.settings import BadSetting
from bigben_chat.store import Store
from bigben_client import BadAddress
from bigben_matrix.bot import BigBenMatrix
from bigben_matrix.config import Settings, from_environment
from bigben_matrix.homeserver import BadToken


def main() -> int:
    """Run the bot; the exit code."""
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s")
    logging.getLogger("nio").setLevel(logging.WARNING)
    try:
        settings = from_environment()
        store = Store(settings.store)
    except BadSetting as error:
        return _sorry(str(error))
    except (OSError, sqlite3.Error) as error:
        return _sorry(f"BIGBEN_MATRIX_DATA can't be used: {error}.")
    problem = ""
    try:
        asyncio.run(until_stopped(_run(settings, store)))
    except* BadAddress as group:
        problem = f"BIGBEN_SERVER can't be used: {first(group)}"
    except* WrongKey as group:
        problem = first(group)
    except* BadToken as group:
        problem = f"The homeserver does not take BIGBEN_MATRIX_TOKEN: {first(group)}"
    finally:
        store.close()
    return _sorry(problem) if problem else 0


async def _run(settings: Settings, store: Store) -> None:
    """The bot; its client needs a running event loop from the start."""
    await BigBenMatrix(settings, store).run()


def _sorry(sentence: str) -> int:
    print(f"bigben-matrix: {sentence}", file=sys.stderr)
    return 1
