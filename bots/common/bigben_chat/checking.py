"""What ``check`` of a bot's command finds; it asks as the bot and browsers do."""

import asyncio
import time
import urllib.request
from typing import Final, NamedTuple

from bigben_chat.connections.identity import Issuer
from bigben_client import BadAddress, Client, ClientClosed, RefusedError

PATIENCE_S: Final = 5.0
"""How long each step may take."""


class Finding(NamedTuple):
    """What was found of one step."""

    right: bool
    text: str
    """What is right; or what is wrong, and what to do."""


async def race_server(address: str, issuer: Issuer) -> Finding:
    """Whether it answers there and takes the bot's key."""
    key = f"BIGBEN_ISSUER_{issuer.name.upper()}_KEY"
    token = issuer.token(issuer.player("bot-check"), "Big Ben", (), time.time())
    try:
        async with Client(address, token=token, client=issuer.client, tries=1, timeout=PATIENCE_S):
            return Finding(True, f"The race server at {address} takes {key}.")
    except BadAddress as error:
        return Finding(False, f"BIGBEN_SERVER can't be used: {error}")
    except RefusedError as error:
        text = f"The race server does not take {key}: give it the same one. It says: {error}"
        return Finding(False, text)
    except ClientClosed as error:
        text = f"No race server answers at BIGBEN_SERVER, {address}; start it. {error}"
        return Finding(False, text)


async def page(address: str) -> Finding:
    """Whether the page is there."""

    def fetched() -> bytes:
        with urllib.request.urlopen(f"{address}/", timeout=PATIENCE_S) as answer:
            found: bytes = answer.read()
            return found

    try:
        if b"<title>Big Ben" in await asyncio.to_thread(fetched):
            return Finding(True, f"The page is at {address}")
        why = "something else answers"
    except (OSError, ValueError) as error:
        why = str(error)
    text = f"The page is not at {address} ({why}): BIGBEN_PAGE is where browsers find it."
    return Finding(False, text)
