"""The secret of the servers, and whether it is the one that their data were used with."""

from hmac import digest
from secrets import token_bytes

from bigben_server.config import Settings
from bigben_server.storage.players import People
from bigben_server.storage.race_log import Store

_MEANS = (
    "guests who come back are new guests, and dailies that are not open yet get other cards. Set "
    "BIGBEN_SECRET as it was; or, if it changes on purpose, the previous one as BIGBEN_SECRET_OLD."
)


async def secret_of(store: Store, settings: Settings) -> bytes:
    """The secret that is set, or else the one that Redis keeps. Raises StoreLost."""
    return settings.secret.encode() or await People(store).secret(token_bytes(32))


async def changed_secret(store: Store, settings: Settings) -> str:
    """What to tell the operator if the secret has changed and the previous one is not set.

    Notes the secret, so that it is told once. Empty if nothing is to be told. Raises StoreLost.
    """
    now = fingerprint(await secret_of(store, settings))
    before = await _noted(store)
    if before != now:
        await People(store).note_fingerprint(now)
    if before in ("", now, fingerprint(settings.old_secret.encode())):
        return ""
    if settings.secret:
        return f"BIGBEN_SECRET is not the secret that these data were used with before: {_MEANS}"
    return f"BIGBEN_SECRET is not set, and these data were used with another secret: {_MEANS}"


async def is_servers(store: Store, secret: bytes) -> bool:
    """Whether the servers of these data were last started with this secret. Raises StoreLost."""
    return await _noted(store) in ("", fingerprint(secret))


def fingerprint(secret: bytes) -> str:
    """Says whether two secrets are the same, and nothing else of them.

    >>> fingerprint(b"one") == fingerprint(b"one"), fingerprint(b"one") == fingerprint(b"two")
    (True, False)
    """
    return digest(secret, b"bigben-fingerprint-v1", "sha256").hex()[:32]


async def _noted(store: Store) -> str:
    """The fingerprint of the last start; data of an older server have only a secret, if any."""
    noted, kept = await People(store).fingerprint()
    return noted or (fingerprint(kept) if kept else "")
