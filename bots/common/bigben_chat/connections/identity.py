"""Who a chat user is to the race server: player id, name, groups, token."""

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import jwt

from bigben_chat.records import player_record
from bigben_chat.store import ChatId, Store
from bigben_protocol import PlayerId

TOKEN_S: Final = 86_400
"""Every connection is replaced, with a new token, long before this."""
MOST_GROUPS: Final = 30
"""The most groups in one token."""


@dataclass(frozen=True)
class ChatUser:
    """A user who makes a request, and where."""

    id: ChatId
    name: str
    """The user's name on the platform."""
    group: ChatId = 0
    """The community, such as a guild on Discord; 0 in direct messages."""
    manages: bool = False
    """Whether they manage it, as the platform says."""


@dataclass(frozen=True)
class Issuer:
    """A chat platform as an issuer of tokens. The race server has its name and key."""

    name: str
    """``discord``: the ids of its players and groups begin with it."""
    key: str = field(repr=False)

    @property
    def client(self) -> str:
        """The bot's name in Hello."""
        return f"bigben-{self.name}/1"

    def player(self, user: ChatId) -> PlayerId:
        """The player id of a user."""
        return PlayerId(f"{self.name}:{user}")

    def group(self, group: ChatId) -> str:
        """The server's name for the players of a group; empty for none."""
        return f"{self.name}:{group}" if group else ""

    def token(
        self,
        player: PlayerId,
        name: str,
        groups: Iterable[ChatId],
        now: float,
        *,
        organises: Iterable[ChatId] | None = None,
    ) -> str:
        """A token by which the server knows this player; ``now`` in seconds since 1970.

        Any display name will do: the server replaces what can't be shown. It says whose seasons
        the player ``organises``; None says nothing about that.
        """
        claims = {
            "iss": self.name,
            "sub": player,
            "name": name,
            "iat": int(now),
            "exp": int(now) + TOKEN_S,
            "groups": [self.group(group) for group in tuple(groups)[:MOST_GROUPS]],
        }
        if organises is not None:
            claims["organises"] = [self.group(group) for group in organises]
        return jwt.encode(claims, self.key, algorithm="HS256")

    def user_of(self, token: str) -> ChatId:
        """Whose token this is. Raises jwt.InvalidTokenError unless ``token`` made it, lately."""
        claims = jwt.decode(
            token,
            self.key,
            ["HS256"],
            options={"require": ["exp", "sub"]},
            issuer=self.name,
        )
        return str(claims["sub"]).removeprefix(f"{self.name}:")


def player_of(store: Store, issuer: Issuer, user: ChatId) -> PlayerId:
    """The player id of a user, as the server knew it last: they may be tied to another player."""
    return PlayerId(player_record(store, user).player) or issuer.player(user)


def group_of(place: str) -> str:
    """A group for a place with an id that the race server does not take: a short plain one."""
    return base64.b32encode(hashlib.sha256(place.encode()).digest()).decode()[:16].lower()
