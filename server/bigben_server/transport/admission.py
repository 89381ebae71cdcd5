"""Who may connect: origins of web pages, and how many connections and queries from one address.

Decides from counts and from headers, whose names are in lower case.
"""

import http
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from typing import Final
from urllib.parse import urlsplit

from bigben_protocol import CODECS
from bigben_server.config import Settings
from bigben_server.rate_limit import Buckets
from bigben_server.transport.plain_http import TOO_OFTEN, Answer, Request, sentence

_QUERIES_BURST_S = 10
"""How many seconds' queries an address may make at once."""
_ARRIVALS_BURST_S = 100
"""The same for connections: a school class that opens the page makes hundreds at once."""
_FILES_BURST_S = 200
"""The same for files of the page, which cost little: two classes may load it and reload it."""
UPGRADE_COST = 9
"""Additional connections that a WebSocket counts as: it is more work than a file of the page."""
FLOOD_COST = 300
"""Additional connections for a WebSocket that was closed because it sent too fast."""
_NETWORK = 64
"""Bits of an IPv6 address that name its network. Its owner changes the others freely."""
WEBSOCKET_VERSION: Final = "13"


class Admission:
    """The origins that may connect, and what each address has used of its limits."""

    def __init__(self, settings: Settings) -> None:
        limits, rate = settings.limits, settings.limits.connects_per_second
        self.limits = limits
        self.behind_proxy = settings.behind_proxy
        self._origins = settings.origins
        self._open: Counter[str] = Counter()
        self.connected = 0
        """How many WebSockets are open."""
        self.queries = Buckets(limits.api_per_second, limits.api_per_second * _QUERIES_BURST_S)
        self.arrivals = Buckets(rate, rate * _ARRIVALS_BURST_S)
        """Take one for each connection: behind a proxy once its headers are here, else before."""
        self._files = Buckets(rate, rate * _FILES_BURST_S)

    def address(self, headers: Mapping[str, str], peer: str) -> str:
        """The address of a connection: behind a proxy, the last one that it names.

        Only the network of an IPv6 address counts.
        """
        forwarded = headers.get("x-forwarded-for", "") if self.behind_proxy else ""
        return _network(forwarded.rpartition(",")[2].strip() or peer)

    def refusal(self, request: Request, now: float) -> Answer | None:
        """The refusal of a request for a WebSocket; None if it gets one when it is well formed."""
        version = request.headers.get("sec-websocket-version", WEBSOCKET_VERSION)
        if version != WEBSOCKET_VERSION:
            text = f"This server speaks version {WEBSOCKET_VERSION} of WebSockets."
            # RFC 6455, 4.4; RFC 9110, 15.5.22 asks for Upgrade.
            headers = {"Sec-WebSocket-Version": WEBSOCKET_VERSION, "Upgrade": "websocket"}
            return sentence(http.HTTPStatus.UPGRADE_REQUIRED, text, headers)
        if "sec-websocket-protocol" not in request.headers:
            text = f"Offer one of the subprotocols {' and '.join(CODECS)}."
            return sentence(http.HTTPStatus.BAD_REQUEST, text)
        if not self.allows_origin(request.headers):
            text = (
                "Pages of this address may not connect; the operator can list it in BIGBEN_ORIGINS."
            )
            return sentence(http.HTTPStatus.FORBIDDEN, text)
        if self.arrivals.of(request.address, now).owes(now):
            return TOO_OFTEN
        if self._open[request.address] >= self.limits.connections_per_address:
            text = "Too many connections come from your address; close some and try again."
            return sentence(http.HTTPStatus.TOO_MANY_REQUESTS, text)
        return None

    def allows_origin(self, headers: Mapping[str, str]) -> bool:
        """Whether the page that asks may connect. Programs other than browsers send no Origin.

        A page may connect to its own address. The settings list other origins.
        """
        origin = headers.get("origin")
        if origin is None or origin in self._origins:
            return True
        try:
            own = urlsplit(origin).netloc
        except ValueError:
            return False
        return own != "" and own == headers.get("host")

    def sent_file(self, address: str, now: float) -> None:
        """Charge a file of the page to the allowance for files, and not as a new connection.

        A connection is charged before its request is known, so this gives the charge back, unless
        too many files were sent. So a flood of requests ends when both allowances are used up.
        """
        if self._files.take(address, now):
            self.arrivals.of(address, now).give_back(now)

    @contextmanager
    def connection(self, address: str) -> Iterator[None]:
        """Count a WebSocket while it is open."""
        self.connected += 1
        self._open[address] += 1
        try:
            yield
        finally:
            self.connected -= 1
            self._open[address] -= 1
            if not self._open[address]:
                del self._open[address]


@lru_cache
def _network(address: str) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:  # A proxy may say ``unknown``, or add a port.
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(IPv6Address(int(parsed) >> 128 - _NETWORK << 128 - _NETWORK))
