"""What Discord refuses, as the errors that the core knows."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import aiohttp
import discord

from bigben_chat.platform import Away, Ended, Gone, NotAllowed, PlatformError

_TOKEN_ENDED: Final = 50027
"""Discord's code for it."""


@contextmanager
def translated() -> Iterator[None]:
    """Raise a PlatformError for what goes wrong on Discord or on the way there."""
    try:
        yield
    except discord.HTTPException as error:
        raise _error(error)(str(error)) from error
    except (aiohttp.ClientError, OSError) as error:
        raise Away(str(error)) from error


def _error(error: discord.HTTPException) -> type[PlatformError]:
    if error.code == _TOKEN_ENDED:
        return Ended
    match error:
        case discord.Forbidden():
            return NotAllowed
        case discord.NotFound():
            return Gone
        case discord.DiscordServerError():
            return Away
        case _:
            return PlatformError
