"""Who a connection belongs to: tokens of named issuers, each for its own players. No storage.

A token is a JWT (HS256). Its issuer's key is known here, and its subject begins with the issuer's
own name: ``guest:…`` from this server, ``discord:<user id>`` from the bot.
"""

from collections.abc import Mapping
from hmac import digest
from typing import NamedTuple

import jwt
import msgspec

from bigben_protocol import PlayerId
from bigben_server.effects import Player
from bigben_server.names import BadName, display_name
from bigben_server.phases import Refusal

GUEST = "guest"
GUEST_TOKEN_S = 366 * 86_400
"""A guest who plays once a year stays the same guest."""
_ALGORITHM = "HS256"


class Claims(msgspec.Struct, frozen=True):
    """What a token says."""

    iss: str
    sub: str
    exp: int
    """Seconds since 1970."""
    name: str


class Issuers(NamedTuple):
    """The keys that tokens may be signed with, by issuer; the first of two signs."""

    keys: Mapping[str, tuple[bytes, ...]]

    @classmethod
    def of(cls, secret: bytes, others: Mapping[str, tuple[str, ...]]) -> "Issuers":
        """This server as the guests' issuer, and the front ends that were given a key."""
        keys = {issuer: tuple(key.encode() for key in texts) for issuer, texts in others.items()}
        return cls({**keys, GUEST: (digest(secret, b"guest tokens", "sha256"),)})

    def mint(self, issuer: str, player: Player, now: int, *, seconds: int = GUEST_TOKEN_S) -> str:
        """A token for ``player`` that lasts ``seconds`` from ``now`` (ms since 1970)."""
        claims = {
            "iss": issuer,
            "sub": player.id,
            "name": player.name,
            "iat": now // 1000,
            "exp": now // 1000 + seconds,
        }
        return jwt.encode(claims, self.keys[issuer][0], algorithm=_ALGORITHM)

    def check(self, token: str, now: int) -> Player:
        """The player a token speaks for. Raises Refusal(code="token")."""
        try:
            claims = self._claims(token)
            player = Player(PlayerId(claims.sub), display_name(claims.name))
        except (jwt.PyJWTError, msgspec.ValidationError, BadName):
            raise Refusal("token", "This token is not valid here; say hello without it.") from None
        if not player.id.startswith(f"{claims.iss}:") or len(player.id) > 128:
            raise Refusal("token", "This token's issuer can't speak for that player.")
        if claims.exp * 1000 <= now:
            raise Refusal("token", "This token has expired; say hello without it.")
        return player

    def _claims(self, token: str) -> Claims:
        """The claims of a token signed by one of its issuer's keys, their times not checked."""
        unsigned = jwt.decode(token, options={"verify_signature": False})
        issuer = msgspec.convert(unsigned, Claims).iss
        error: jwt.PyJWTError = jwt.InvalidIssuerError("no such issuer")
        for key in self.keys.get(issuer, ()):
            try:
                return msgspec.convert(self._verified(token, key), Claims)
            except jwt.PyJWTError as failure:
                error = failure
        raise error

    def _verified(self, token: str, key: bytes) -> object:
        # Time is a parameter here, so PyJWT's own clock is not asked.
        return jwt.decode(
            token,
            key,
            algorithms=[_ALGORITHM],
            options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
        )
