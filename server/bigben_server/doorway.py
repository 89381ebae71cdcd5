"""Who may open a connection: origins of web pages, and how many come from one address.

Decides from headers and counts; opens and closes nothing.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from urllib.parse import urlsplit

from bigben_server.config import Settings


class Doorway:
    """The rule for web pages, and a count of connections by address."""

    def __init__(self, settings: Settings) -> None:
        self._origins = settings.origins
        self._behind_proxy = settings.behind_proxy
        self._most = settings.limits.connections_per_address
        self._open: Counter[str] = Counter()

    def lets_page(self, headers: Mapping[str, str]) -> bool:
        """Whether the page that asks may. Programs that are no browsers send no Origin.

        A page from the address it connects to always may; others are listed in the settings.
        """
        origin = headers.get("Origin")
        if origin is None or origin in self._origins:
            return True
        return urlsplit(origin).netloc == headers.get("Host", "")

    def address(self, headers: Mapping[str, str], peer: str) -> str:
        """Where a connection comes from: behind a proxy, what the proxy says last."""
        forwarded = headers.get("X-Forwarded-For", "") if self._behind_proxy else ""
        return forwarded.rpartition(",")[2].strip() or peer

    def is_full(self, address: str) -> bool:
        """Whether this address has as many connections as it may."""
        return self._open[address] >= self._most

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
