"""Joining a game over HTTP, with a deal of the driver."""

import json
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from bigben_rules import game_named, shuffle


# Any: the answers of two libraries, of which the callers read two or three fields.
def post(url: str, path: str, **body: object) -> Any:
    """The answer to a POST to the server of a WebSocket URL. Raises URLError."""
    address = f"http://{urlsplit(url).netloc}{path}"
    headers = {"Content-Type": "application/json"}
    with urlopen(Request(address, json.dumps(body).encode(), headers)) as answer:
        return json.load(answer)


def shuffled_cards(number: int) -> list[str]:
    """The cards of a deal, first dealt first."""
    return list(shuffle(game_named("bigben").pack, number.to_bytes(32)))
