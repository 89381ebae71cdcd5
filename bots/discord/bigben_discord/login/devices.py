"""Terminals that wait until their player has allowed them on the page, as in RFC 8628.

All of it is in memory: a restart forgets them, and the terminal asks again.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from typing import Final, Literal

from bigben_chat.connections.identity import ChatUser
from bigben_discord.login.budgets import counted
from bigben_discord.login.refusal import Refusal

LETTERS: Final = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so no words, and nothing that looks like a digit."""
EXPIRES_S: Final = 600
INTERVAL_S: Final = 5
MOST_OF_ADDRESS: Final = 10
MOST: Final = 1_000
"""So few among all codes that guessing one within its ten minutes is hopeless."""

Waits = Literal["authorization_pending", "slow_down", "access_denied", "expired_token"]


def _new_user_code() -> str:
    letters = "".join(secrets.choice(LETTERS) for _ in range(8))
    return f"{letters[:4]}-{letters[4:]}"


@dataclass
class Device:
    """A terminal that waits."""

    client: str
    host: str
    """What the terminal says of itself; anything can stand here."""
    address: str
    asked_at: float
    device_code: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)
    """Only the terminal has it."""
    user_code: str = field(default_factory=_new_user_code, repr=False)
    """What its player types on the page."""
    confirm: str = field(default="", repr=False)
    """Only the page where it was typed last has it."""
    user: ChatUser | None = None
    """Who typed it last."""
    allowed: bool | None = None
    """None before they decided."""
    interval: int = INTERVAL_S
    polled_at: float = 0.0


class Devices:
    """All that wait. Every ``now`` is in seconds since 1970."""

    def __init__(self) -> None:
        self._devices: dict[str, Device] = {}
        """By device code, the oldest first."""

    def ask(self, client: str, host: str, address: str, now: float) -> Device:
        """A terminal wants to log in. Raises Refusal if too many wait."""
        self._forget(now)
        home = counted(address)
        of_address = sum(counted(one.address) == home for one in self._devices.values())
        if of_address >= MOST_OF_ADDRESS or len(self._devices) >= MOST:
            raise Refusal("often", 429)
        device = Device(client, host, address, now)
        self._devices[device.device_code] = device
        return device

    def find(self, user_code: str, now: float) -> Device:
        """The one with this code, however it is typed. Raises Refusal."""
        self._forget(now)
        typed = "".join(letter for letter in user_code.upper() if letter in LETTERS).encode()
        for device in self._devices.values():
            code = device.user_code.replace("-", "").encode()
            if hmac.compare_digest(code, typed) and device.allowed is None:
                return device
        raise Refusal("device", 404)

    def claim(self, device: Device, user: ChatUser) -> None:
        """This user has typed its code, and is asked next; who typed it before no longer is.

        Raises Refusal if they have decided meanwhile: it would be let in as a user who was not
        asked.
        """
        if device.allowed is not None:
            raise Refusal("device", 404)
        device.user, device.confirm = user, secrets.token_urlsafe(32)

    def decide(self, confirm: str, now: float, *, allow: bool) -> None:
        """What the user has decided, once. Raises Refusal."""
        self._forget(now)
        for device in self._devices.values():
            if device.confirm and hmac.compare_digest(device.confirm.encode(), confirm.encode()):
                device.allowed, device.confirm = allow, ""
                return
        raise Refusal("device", 404)

    def poll(self, device_code: str, now: float) -> Waits | ChatUser:
        """What the terminal is told: as whom it may play, or why not (yet).

        ``done`` must follow when it has its token; until then it may ask again.
        """
        self._forget(now)
        device = self._devices.get(device_code)
        if device is None:
            return "expired_token"
        early, device.polled_at = now - device.polled_at < device.interval, now
        if device.allowed is False:
            del self._devices[device_code]
            return "access_denied"
        if device.allowed and device.user is not None:
            return device.user
        if early:
            device.interval += INTERVAL_S
            return "slow_down"
        return "authorization_pending"

    def done(self, device_code: str) -> None:
        """It has its token; its code is worth nothing any more."""
        self._devices.pop(device_code, None)

    def _forget(self, now: float) -> None:
        """Those that are too old."""
        for code, device in list(self._devices.items()):
            if now - device.asked_at < EXPIRES_S:
                return
            del self._devices[code]
