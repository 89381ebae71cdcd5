"""Who a Discord user is to the race server: player id, name, token. Opens no connection."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import jwt

from bigben_protocol import PlayerId

ISSUER: Final = "discord"
TOKEN_S: Final = 86_400
"""A connection is made anew, with a new token, long before this."""
MOST_GUILDS: Final = 30
"""That one token has room for."""


@dataclass(frozen=True)
class Visitor:
    """A user who does something, and where."""

    user: int
    name: str
    """As Discord shows it."""
    guild: int = 0
    """0 in direct messages."""


def player_of(user: int) -> PlayerId:
    """The player id of a Discord user."""
    return PlayerId(f"{ISSUER}:{user}")


def group_of(guild: int) -> str:
    """The server's name for the group of a guild's players; empty outside of guilds."""
    return f"{ISSUER}:{guild}" if guild else ""


def token(key: str, player: PlayerId, name: str, guilds: Iterable[int], now: float) -> str:
    """A token by which the server knows this player; ``now`` in seconds since 1970.

    Any name that Discord shows will do: the server makes one of it that can be shown.
    """
    claims = {
        "iss": ISSUER,
        "sub": player,
        "name": name,
        "iat": int(now),
        "exp": int(now) + TOKEN_S,
        "groups": [group_of(guild) for guild in tuple(guilds)[:MOST_GUILDS]],
    }
    return jwt.encode(claims, key, algorithm="HS256")
