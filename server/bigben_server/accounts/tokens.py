"""Tokens of named issuers, each for its own players.

A token is a JWT (HS256). The server has its issuer's key, and its subject begins with the issuer's
own name: ``guest:…`` from this server, ``discord:<user id>`` from the bot.
"""

import re
from collections.abc import Iterable, Mapping
from hmac import digest
from typing import Final, NamedTuple

import jwt
import msgspec

from bigben_protocol import PlayerId
from bigben_server.accounts.names import fitted_name
from bigben_server.race.events import Player, Refusal

GUEST = "guest"
LINK = "link"
"""This server as the issuer for players of any issuer who came through a one-time link."""
LINK_S = 600
"""How long a one-time link can be used."""
GUEST_TOKEN_S = 366 * 86_400
"""Long enough that a guest who plays once a year stays the same guest."""
MOST_CLAIMED: Final = 50
"""Groups in one token."""
_GROUP: Final = re.compile(r"[a-z0-9-]{1,32}:[A-Za-z0-9_.-]{1,63}")
_ALGORITHM: Final = "HS256"


class Claims(msgspec.Struct, frozen=True):
    """The claims of a token. Its times are in seconds since 1970."""

    iss: str
    sub: str
    exp: int
    name: str
    nbf: int = 0
    """When it becomes valid."""
    jti: str = ""
    """The number of a one-time link, which is spent when the link is used."""
    groups: tuple[str, ...] | None = None
    """The issuer's own groups that the player belongs to, ``discord:…``. If it is left out, the
    player's groups do not change."""
    bot: bool = False
    """The player is a program, which is rated apart and only on the boards of bots."""


class Issuers(NamedTuple):
    """The keys for tokens by issuer; of two keys, the first signs new tokens."""

    keys: Mapping[str, tuple[bytes, ...]]

    @classmethod
    def of(
        cls, secret: bytes, others: Mapping[str, tuple[str, ...]], old_secret: bytes = b""
    ) -> "Issuers":
        """The keys of the front ends, and this server's own, made from its secrets.

        Tokens of the previous secret, ``old_secret``, are still accepted.
        """
        keys = {issuer: tuple(key.encode() for key in texts) for issuer, texts in others.items()}
        secrets = [each for each in (secret, old_secret) if each]
        for own in (GUEST, LINK):
            keys[own] = tuple(digest(one, f"{own} tokens".encode(), "sha256") for one in secrets)
        return cls(keys)

    def link(self, player: Player, now: int, once: str) -> str:
        """A token that makes the first client that uses it within ``LINK_S`` the same player."""
        return self.mint(LINK, player, now, seconds=LINK_S, once=once)

    def mint(
        self,
        issuer: str,
        player: Player,
        now: int,
        *,
        seconds: int = GUEST_TOKEN_S,
        once: str = "",
    ) -> str:
        """A token for ``player``, valid for ``seconds`` from ``now`` (ms since 1970)."""
        claims = {
            "iss": issuer,
            "sub": player.id,
            "name": player.name,
            "iat": now // 1000,
            "exp": now // 1000 + seconds,
            **({"jti": once} if once else {}),
            **({"bot": True} if player.bot else {}),
        }
        return jwt.encode(claims, self.keys[issuer][0], algorithm=_ALGORITHM)

    def check(self, token: str, now: int) -> Player:
        """The player of a lasting token. Raises Refusal(code="token")."""
        player, once = self.check_once(token, now)
        if once:
            raise Refusal("token", "This link is for one hello; ask for a new one.")
        return player

    def check_once(self, token: str, now: int) -> tuple[Player, str]:
        """The player of a token, and the number of a one-time link, which the caller must spend.

        An invalid name is changed to a valid one, because players can't choose another one here.
        Raises Refusal(code="token").
        """
        try:
            claims = self._claims(token)
            groups = None if claims.groups is None else claimed_groups(claims.iss, claims.groups)
            player = Player(PlayerId(claims.sub), fitted_name(claims.name), groups, claims.bot)
        except (jwt.PyJWTError, msgspec.ValidationError, ValueError, RecursionError):
            # ValueError: claims of a wrong type, or not even text.
            raise Refusal("token", "This token is not valid here; say hello without it.") from None
        issuer, _, subject = player.id.partition(":")
        speaks_for = claims.iss in (issuer, LINK)
        if not (speaks_for and 0 < len(subject) <= 100 and subject.isprintable()):
            raise Refusal("token", "This token's issuer can't speak for that player.")
        if claims.exp * 1000 <= now:
            raise Refusal("token", "This token has expired; say hello without it.")
        if claims.nbf * 1000 > now:
            raise Refusal("token", "This token does not hold yet; come back later.")
        # Other issuers may use this claim in lasting tokens.
        return player, claims.jti if claims.iss == LINK else ""

    def _claims(self, token: str) -> Claims:
        """The claims of a token that one of its issuer's keys signed; times are not checked."""
        unsigned = jwt.decode(token, options={"verify_signature": False})
        issuer = msgspec.convert(unsigned, Claims).iss
        error: jwt.PyJWTError = jwt.InvalidIssuerError("no such issuer")
        for key in self.keys.get(issuer, ()):
            try:
                verified = jwt.decode(
                    token,
                    key,
                    algorithms=[_ALGORITHM],
                    # The caller checks the times, by its own clock.
                    options={"verify_exp": False, "verify_iat": False, "verify_nbf": False},
                )
                return msgspec.convert(verified, Claims)
            except jwt.PyJWTError as failure:
                error = failure
        raise error


def claimed_groups(issuer: str, groups: Iterable[str]) -> frozenset[str]:
    """The player's groups in a token. Raises Refusal for a group of another issuer."""
    said = frozenset(groups)
    again = "Ask its front end for another token."
    if len(said) > MOST_CLAIMED:
        raise Refusal("token", f"A token names at most {MOST_CLAIMED} groups. {again}")
    for group in sorted(said):
        if not (group.startswith(f"{issuer}:") and _GROUP.fullmatch(group)):
            text = f"This token's issuer can't speak for the group {group[:40]!r}."
            raise Refusal("token", f"{text} {again}")
    return said
