"""Whose address a connection has: the peer's, or behind proxies the one that they forward."""

import logging
import re
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from bigben_server.config import Network

_log = logging.getLogger(__name__)

Address = IPv4Address | IPv6Address

_WITH_PORT: Final = re.compile(r"\[([^]]*)\](?::[0-9]+)?|([^:]+):[0-9]+")
MANY: Final = 200
"""Refusals of one private address that are a sign of a forgotten proxy."""
_MINUTES_S: Final = 600.0
_HOUR_S: Final = 3_600.0
_NETWORK_BITS: Final = 64
"""Of an IPv6 address. The owner of a network may change the others."""


class BadForwarded(ValueError):
    """A proxy has put something into X-Forwarded-For that is no address."""


@dataclass(frozen=True)
class Proxies:
    """The proxies whose X-Forwarded-For is believed.

    Each proxy appends the address that it was asked from. So the list is read from its end, and
    only as far as a proxy has written it: what is left of that, anybody may have written.
    """

    hops: int = 0
    """How many there are at most; with networks, 0 means any number."""
    networks: tuple[Network, ...] = ()
    """Where they are; empty for anywhere."""

    def trusts(self, peer: str) -> bool:
        """Whether what this peer forwards is read."""
        address = _parsed(peer)
        return address is not None and self._is_proxy(address, 0)

    def client(self, peer: str, forwarded: str) -> str:
        """The address or IPv6 network of the client. Raises BadForwarded."""
        here, before = _parsed(peer), forwarded.split(",") if forwarded.strip() else []
        if here is None:
            return peer
        passed = 0
        while before and self._is_proxy(here, passed):
            written = before.pop()
            found = _parsed(_without_port(written.strip()))
            if found is None:
                raise BadForwarded(written)
            here, passed = found, passed + 1
        return counted(str(here))

    def _is_proxy(self, address: Address, passed: int) -> bool:
        """Whether this address, after ``passed`` proxies, is another one."""
        if not (self.hops or self.networks) or (self.hops and passed >= self.hops):
            return False
        return not self.networks or any(address in network for network in self.networks)


@dataclass(slots=True, eq=False)
class ForgottenProxy:
    """Logs, at most once an hour, that the settings seem to lack a proxy.

    Its players would share the limits of one address, and be refused for no fault of their own.
    Times are in seconds. Only private addresses are named.
    """

    proxies: Proxies
    _told_at: float | None = None
    _refused: Counter[str] = field(default_factory=Counter)
    """By private address, in the last minutes."""
    _since: float = 0.0

    def has_forwarded(self, peer: str, now: float) -> None:
        """A peer has sent X-Forwarded-For, and is not trusted."""
        where = peer if is_private(peer) else "a public address"
        setting = "BIGBEN_TRUSTED" if self.proxies.networks else "BIGBEN_BEHIND_PROXY=1"
        self._tell(f"X-Forwarded-For comes from {where} and is not read", setting, now)

    def was_refused(self, address: str, now: float) -> None:
        """A request from this address was refused because it has used up its limits."""
        if not is_private(address):
            return
        if now - self._since > _MINUTES_S:
            self._refused.clear()
            self._since = now
        self._refused[address] += 1
        if self._refused[address] >= MANY:
            what = f"{MANY} requests from the private address {address} were refused"
            hops = f"BIGBEN_BEHIND_PROXY={self.proxies.hops + 1}"
            self._tell(what, f"{hops}, and let it send X-Forwarded-For", now)

    def _tell(self, what: str, setting: str, now: float) -> None:
        if self._told_at is None or now - self._told_at >= _HOUR_S:
            self._told_at = now
            why = "All players behind it share the limits of one address until then."
            _log.warning("%s. If that is your proxy, set %s. %s", what, setting, why)


@lru_cache
def counted(address: str) -> str:
    """As what an address is counted: of IPv6, its network. What is no address is counted as is."""
    parsed = _parsed(address)
    if isinstance(parsed, IPv6Address):
        return str(ip_network((parsed, _NETWORK_BITS), strict=False).network_address)
    return str(parsed or address)


def is_private(address: str) -> bool:
    """Whether it is of this machine or of a private network, where most proxies are."""
    parsed = _parsed(address)
    return parsed is not None and parsed.is_private


def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        # Without the zone that a peer on the same link has, ``fe80::1%eth0``.
        return address.ipv4_mapped or IPv6Address(int(address))
    return address


def _without_port(text: str) -> str:
    """The address in ``192.0.2.1:4711`` or ``[2001:db8::1]:4711``; some proxies add a port."""
    found = _WITH_PORT.fullmatch(text)
    return found[1] or found[2] or "" if found else text
