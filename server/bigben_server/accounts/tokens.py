"""Tokens of named issuers, each for its own players.

A token is a JWT (HS256). The server has its issuer's key, and its subject begins with the issuer's
own name: ``guest:…`` from this server, ``discord:<user id>`` from the bot.
"""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from hmac import digest
from typing import Final

import jwt
import msgspec
from jwt.types import Options

from bigben_protocol import PlayerId
from bigben_protocol.sentence import sentence
from bigben_server.accounts.names import fitted_name
from bigben_server.race.events import Player, Refusal

GUEST = "guest"
LINK = "link"
HOUSE = "bot"
"""The issuer for house players, whose key this server has too."""
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
    organises: tuple[str, ...] | None = None
    """Those of the issuer's own groups whose seasons the player organises. If it is left out, that
    does not change."""


class Issuers:
    """The keys for tokens by issuer; of two keys, the first signs new tokens."""

    def __init__(
        self, secret: bytes, others: Mapping[str, tuple[str, ...]], old_secret: bytes = b""
    ) -> None:
        """Take the keys of other front ends, and make this server's own from its secrets.

        Tokens of the previous secret, ``old_secret``, are still accepted.
        """
        self._keys = {name: tuple(key.encode() for key in keys) for name, keys in others.items()}
        secrets = [each for each in (secret, old_secret) if each]
        self._marking = [digest(each, b"marks of deleted players", "sha256") for each in secrets]
        for own in (GUEST, LINK):
            about = f"{own} tokens".encode()
            self._keys[own] = tuple(digest(each, about, "sha256") for each in secrets)
        keys = (digest(each, b"house tokens", "sha256").hex() for each in secrets)
        self.house_key = next(keys)
        """With it the house of this server signs the tokens of its players."""
        self._keys[HOUSE] = (
            *(key.encode() for key in (self.house_key, *keys)),
            *self._keys.get(HOUSE, ()),
        )

    def mint(self, issuer: str, player: Player, now: int, *, once: str = "") -> str:
        """A lasting token for ``player`` from ``now`` (ms since 1970).

        With ``once``, a number never used before, it is a one-time link, valid for ``LINK_S``.
        """
        claims = {
            "iss": issuer,
            "sub": player.id,
            "name": player.name,
            "iat": now / 1000,
            "exp": now // 1000 + (LINK_S if once else GUEST_TOKEN_S),
            **({"jti": once} if once else {}),
            **({"bot": True} if player.bot else {}),
        }
        return jwt.encode(claims, self._keys[issuer][0], algorithm=_ALGORITHM)

    def marks(self, player: PlayerId) -> tuple[str, ...]:
        """The keyed hashes by which a player is known after they were deleted; see ``Player``."""
        return tuple(digest(key, player.encode(), "sha256").hex()[:32] for key in self._marking)

    def issued_at(self, token: str) -> int:
        """When a token that ``check`` has accepted was issued, ms since 1970; 0 if unknown."""
        at = jwt.decode(token, options={"verify_signature": False}).get("iat", 0)
        return round(at * 1000) if isinstance(at, int | float) else 0

    def issued_latest(self, token: str) -> int:
        """The latest time at which a token that ``check`` has accepted may have been issued.

        This server says it to the ms, and other issuers to the second. 0 if it is unknown.
        """
        at = jwt.decode(token, options={"verify_signature": False}).get("iat", 0)
        return self.issued_at(token) + (999 if isinstance(at, int) and at else 0)

    def vouches(self, token: str) -> bool:
        """Whether another issuer than this server made a token that ``check`` has accepted."""
        return jwt.decode(token, options={"verify_signature": False})["iss"] not in (GUEST, LINK)

    def check(self, token: str, now: int) -> tuple[Player, str]:
        """The player of a token, and the number of a one-time link, which the caller must spend.

        The number is empty for a lasting token. An invalid name is changed to a valid one, because
        players can't choose another one here. Raises Refusal(code="token").
        """
        try:
            claims = self._claims(token)
            groups, organises = (
                None if said is None else claimed_groups(claims.iss, said)
                for said in (claims.groups, claims.organises)
            )
            player = Player(PlayerId(claims.sub), fitted_name(claims.name), groups, claims.bot)
            player = player._replace(organises=organises)
        except (jwt.PyJWTError, msgspec.ValidationError, ValueError, RecursionError):
            # ValueError: claims of a wrong type, or not even text.
            raise Refusal("token", sentence("token.invalid")) from None
        issuer, _, subject = player.id.partition(":")
        speaks_for = claims.iss in (issuer, LINK)
        if not (speaks_for and 0 < len(subject) <= 100 and subject.isprintable()):
            raise Refusal("token", sentence("token.not_yours"))
        if claims.exp * 1000 <= now:
            raise Refusal("token", sentence("token.expired"))
        if claims.nbf * 1000 > now:
            raise Refusal("token", sentence("token.early"))
        # Other issuers may use this claim in lasting tokens.
        return player, claims.jti if claims.iss == LINK else ""

    def _claims(self, token: str) -> Claims:
        """The claims of a token that one of its issuer's keys signed; times are not checked."""
        claims = msgspec.convert(jwt.decode(token, options={"verify_signature": False}), Claims)
        # The caller checks the times, by its own clock.
        options: Options = {"verify_exp": False, "verify_iat": False, "verify_nbf": False}
        for key in self._keys.get(claims.iss, ()):
            with suppress(jwt.InvalidSignatureError):
                jwt.decode(token, key, algorithms=[_ALGORITHM], options=options)
                return claims
        raise jwt.InvalidIssuerError("no key of an issuer signed this")


def claimed_groups(issuer: str, groups: Iterable[str]) -> frozenset[str]:
    """The player's groups in a token. Raises Refusal for a group of another issuer."""
    said = frozenset(groups)
    if len(said) > MOST_CLAIMED:
        raise Refusal("token", sentence("token.groups", most=MOST_CLAIMED))
    for group in sorted(said):
        if not (group.startswith(f"{issuer}:") and _GROUP.fullmatch(group)):
            raise Refusal("token", sentence("token.group", group=ascii(group[:40])))
    return said
