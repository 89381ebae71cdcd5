"""Who may come in: origins of web pages, and how many connections and questions from one address.

Decides from headers, whose names it reads in lower case, and from counts; opens and closes nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from urllib.parse import urlsplit

from bigben_server.config import Settings
from bigben_server.rate_limit import Buckets

_BURST_S = 10
"""Seconds for which an address may have saved its questions up."""
_ARRIVALS_BURST_S = 100
"""The same for its connections: a school class that opens the page makes hundreds at once."""
_FILES_BURST_S = 200
"""The same for files of the page, which cost little: two classes may load it and reload it."""
SILENT = 8
"""Times the connections of an address that may be open and have no whole request yet. A browser
opens six for each page, and new ones before we hear that the old ones are closed."""
UPGRADE_COST = 9
"""Additional connections that a WebSocket counts as: it is more work than a file of the page."""
FLOOD_COST = 300
"""Additional connections for a WebSocket that was closed because it sent too fast."""
_NETWORK = 64
"""Bits of an IPv6 address that say whose it is; the others its owner changes at will."""


class Admission:
    """The rule for web pages, and a count of connections by address."""

    def __init__(self, settings: Settings) -> None:
        self._origins = settings.origins
        self.behind_proxy = settings.behind_proxy
        self._most = settings.limits.connections_per_address
        self._open: Counter[str] = Counter()
        self._waiting: Counter[str] = Counter()
        rate = settings.limits.api_per_second
        self._asked = Buckets(rate, rate * _BURST_S)
        rate = settings.limits.connects_per_second
        self._arrivals = Buckets(rate, rate * _ARRIVALS_BURST_S)
        self._files = Buckets(rate, rate * _FILES_BURST_S)

    def lets_page(self, headers: Mapping[str, str]) -> bool:
        """Whether the page that asks may. Programs that are no browsers send no Origin.

        A page from the address it connects to always may; others are listed in the settings.
        """
        origin = headers.get("origin")
        if origin is None or origin in self._origins:
            return True
        try:
            own = urlsplit(origin).netloc
        except ValueError:
            return False
        return own != "" and own == headers.get("host")

    def address(self, headers: Mapping[str, str], peer: str) -> str:
        """Where a connection comes from: behind a proxy, what the proxy says last.

        Of IPv6 the network, since whoever has one address there has a multitude.
        """
        forwarded = headers.get("x-forwarded-for", "") if self.behind_proxy else ""
        return _whose(forwarded.rpartition(",")[2].strip() or peer)

    def lets_ask(self, address: str, now: float) -> bool:
        """Whether this address may ask the API once more, at ``now`` in seconds."""
        return self._asked.take(address, now)

    def is_full(self, address: str) -> bool:
        """Whether this address has as many connections as it may."""
        return self._open[address] >= self._most

    def comes(self, peer: str) -> bool:
        """Count a connection that has sent no request yet. Return whether it may stay open.

        Its headers are not known yet. So behind a proxy, which itself waits for a whole request,
        every connection may.
        """
        self._waiting[_whose(peer)] += 1
        return self.behind_proxy or self._waiting[_whose(peer)] <= SILENT * self._most

    def lets_connect(self, address: str, now: float) -> bool:
        """Whether this address may have one more connection at ``now``, in seconds.

        Call it once for each connection: behind a proxy when its headers are there, else before.
        """
        return self._arrivals.take(address, now)

    def charge(self, address: str, now: float, connections: int) -> None:
        """Count additional connections, and make the address wait until they are paid back."""
        self._arrivals.of(address, now).charge(now, connections)

    def owes(self, address: str, now: float) -> bool:
        """Whether this address was charged more connections than it had left."""
        return self._arrivals.of(address, now).owes(now)

    def sent_file(self, address: str, now: float) -> None:
        """Charge a file of the page to the allowance for files, and not as a new connection.

        A connection is charged before its request is known, so that is given back. Where too many
        files were sent it is not: a flood of requests ends when both allowances are used up.
        """
        if self._files.take(address, now):
            self._arrivals.of(address, now).give_back(now)

    def waits_no_more(self, peer: str) -> None:
        """A connection counted by ``comes`` has sent its request or closed."""
        address = _whose(peer)
        self._waiting[address] -= 1
        if not self._waiting[address]:
            del self._waiting[address]

    @contextmanager
    def inside(self, address: str) -> Iterator[None]:
        """Count a connection while it is open."""
        self._open[address] += 1
        try:
            yield
        finally:
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


@lru_cache
def _whose(address: str) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:  # A proxy may say ``unknown``, or add a port.
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 128 - _NETWORK << 128 - _NETWORK))
