"""How often an address may ask, and whose address a request has."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

_MOST_KEPT: Final = 10_000


@dataclass
class Budget:
    """A bucket for each address: full with ``burst``, and refilled by ``rate`` a second."""

    rate: float
    burst: int
    _left: dict[str, tuple[float, float]] = field(default_factory=dict)
    """By address, how many there were and when."""

    def left(self, address: str, now: float) -> float:
        """How often it may ask at once. Every ``now`` is in seconds of one clock."""
        left, at = self._left.get(address, (float(self.burst), now))
        return min(self.burst, left + max(0.0, now - at) * self.rate)

    def take(self, address: str, now: float) -> bool:
        """Count a request. Return whether it was in the budget."""
        left = self.left(address, now)
        if left < 1:
            return False
        if len(self._left) >= _MOST_KEPT:
            kept = {one: was for one, was in self._left.items() if self.left(one, now) < self.burst}
            # If nobody can be forgotten, all are: an attacker with so many addresses is not
            # stopped by counting them.
            self._left = kept if len(kept) < _MOST_KEPT else {}
        self._left[address] = left - 1, now
        return True


def client_address(peer: str, forwarded: Sequence[str], proxies: int) -> str:
    """The address that the last of so many trusted proxies was asked from.

    Each appends to X-Forwarded-For; what is left of their entries, anybody may have written.

    >>> client_address("10.0.0.2", ["6.6.6.6, 203.0.113.7"], 1)
    '203.0.113.7'
    >>> client_address("203.0.113.7", ["6.6.6.6"], 0)
    '203.0.113.7'
    >>> client_address("10.0.0.2", ["203.0.113.7:4711"], 1)
    '203.0.113.7'
    >>> client_address("10.0.0.2", ["[2001:db8::7]:4711"], 1)
    '2001:db8::7'
    """
    entries = [entry.strip() for line in forwarded for entry in line.split(",") if entry.strip()]
    trusted = entries[-proxies:] if proxies else []
    return _without_port(trusted[0]) if trusted else peer


def _without_port(address: str) -> str:
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def counted(address: str) -> str:
    """As what an address is counted: of IPv6, its network, whose owner may change the rest.

    >>> counted("2001:db8:1:2:3::4"), counted("203.0.113.7"), counted("unknown")
    ('2001:db8:1:2::', '203.0.113.7', 'unknown')
    """
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(ip_network((int(parsed), 64), strict=False).network_address)
    return str(parsed)
