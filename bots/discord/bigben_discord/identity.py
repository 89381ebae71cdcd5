"""Who a Discord user is to the race server: player id, name, token. Opens no connection."""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import jwt

from bigben_protocol import PlayerId

ISSUER: Final = "discord"
TOKEN_S: Final = 86_400
"""A connection is made anew, with a new token, long before this."""
LONGEST_NAME: Final = 32


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
    """A token by which the server knows this player; ``now`` in seconds since 1970."""
    claims = {
        "iss": ISSUER,
        "sub": player,
        "name": name,
        "iat": int(now),
        "exp": int(now) + TOKEN_S,
        "groups": [group_of(guild) for guild in guilds],
    }
    return jwt.encode(claims, key, algorithm="HS256")


def fit_name(shown: str, user: int) -> str:
    """The name as near to the one Discord shows as the server takes it.

    >>> fit_name("Ada\\u202e  Lovelace", 7), fit_name("\\u200b", 8035)
    ('Ada Lovelace', 'Player 8035')
    """
    kept = "".join(sign for sign in unicodedata.normalize("NFKC", shown) if _may_stand(sign))
    name = " ".join(kept.split())[:LONGEST_NAME].strip()
    marks = sum(unicodedata.combining(sign) > 0 for sign in name)
    if not name or marks * 2 > len(name):
        return f"Player {user % 10_000}"
    return name


def _may_stand(sign: str) -> bool:
    """Letters, marks, numbers, punctuation, symbols and the plain space."""
    category = unicodedata.category(sign)
    return category[0] in "LMNPS" or sign == " "
