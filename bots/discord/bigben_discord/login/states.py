"""The state of a login: it was begun here, lately, for this challenge, and is used once."""

import hmac
import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from bigben_discord.login.refusal import Refusal

STATE_S: Final = 600


def challenge_of(verifier: str) -> str:
    """The S256 challenge of RFC 7636.

    >>> challenge_of("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
    """
    return urlsafe_b64encode(sha256(verifier.encode()).digest()).decode().rstrip("=")


class States:
    """Signs states and knows which were used. Every ``now`` is in seconds since 1970.

    The key is this process's own: a login that a restart interrupts begins again.
    """

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._used: dict[str, int] = {}
        """By state, when it becomes too old anyway."""

    def new(self, challenge: str, instance: str, now: float) -> str:
        """A state for a login with this challenge, in this instance or in none."""
        stamp = f"{int(now) + STATE_S}.{secrets.token_urlsafe(16)}"
        return f"{stamp}.{self._signature(stamp, challenge, instance)}"

    def check(self, state: str, challenge: str, instance: str, now: float) -> None:
        """Raises Refusal unless ``new`` made it for the same, and it is neither old nor used."""
        stamp, _, signature = state.rpartition(".")
        right = self._signature(stamp, challenge, instance)
        if not hmac.compare_digest(signature.encode(), right.encode()):
            raise Refusal("state", 400)
        if int(stamp.partition(".")[0]) < now or state in self._used:
            raise Refusal("state", 400)

    def use(self, state: str, now: float) -> None:
        """From now on ``check`` refuses it. It must have passed."""
        self._used = {one: until for one, until in self._used.items() if until >= now}
        self._used[state] = int(state.partition(".")[0])

    def _signature(self, stamp: str, challenge: str, instance: str) -> str:
        said = f"{stamp} {challenge} {instance}".encode()
        return hmac.new(self._key, said, sha256).hexdigest()
