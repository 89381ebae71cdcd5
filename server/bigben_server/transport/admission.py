"""Who may connect, and how much one address may use."""

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from typing import Final
from urllib.parse import urlsplit

from websockets.asyncio.server import ServerConnection

from bigben_server.config import Settings
from bigben_server.rate_limit import Buckets
from bigben_server.transport.proxies import ForgottenProxy, Proxies

# How many seconds' queries, connections and files of the page an address may have at once.
_QUERIES_BURST_S = 10
_ARRIVALS_BURST_S = 100  # a school class that opens the page makes hundreds at once
_FILES_BURST_S = 200  # two classes may load the page and reload it
UPGRADE_COST = 9
"""Additional connections that a WebSocket counts as: it is more work than a file of the page."""
_RESERVE_S: Final = 10
"""How many seconds' WebSockets for players only an address may open at once."""
FLOOD_COST = 300
"""Additional connections for a WebSocket that was closed because it sent too fast."""
SILENT = 8
"""How many connections may be open and have sent no whole request yet, as a multiple of the limit
for an address. A browser opens six for each page, and new ones before it has closed the old."""


class Arrivals(Buckets):
    """What each address has used of its connections.

    A parent of workers takes one for each connection before a worker has it; the worker reports to
    the parent what else it has charged or given back.
    """

    def __init__(self, rate: int) -> None:
        super().__init__(rate, rate * _ARRIVALS_BURST_S)
        self.unreported: Counter[str] = Counter()
        """What was charged to each address and not given back. Whoever reports it empties it."""
        self.are_reported = False

    def take(self, key: Hashable, now: float) -> bool:
        taken = super().take(key, now)
        self._note(str(key), int(taken))
        return taken

    def charge(self, address: str, now: float, tokens: int) -> None:
        self.of(address, now).charge(now, tokens)
        self._note(address, tokens)

    def give_back(self, address: str, now: float, tokens: int = 1) -> None:
        self.of(address, now).give_back(now, tokens)
        self._note(address, -tokens)

    def _note(self, address: str, tokens: int) -> None:
        if self.are_reported:
            self.unreported[address] += tokens


class Admission:
    """The origins that may connect, and what each address has used of its limits."""

    def __init__(self, settings: Settings) -> None:
        limits, rate = settings.limits, settings.limits.connects_per_second
        self.settings = settings
        self._origins = {*settings.origins}
        if app := settings.discord_app:
            # Frames of Discord, which may be sandboxed. Any page can make itself "null", but it
            # gains nothing: what a player may do hangs on a token, which no browser adds by itself.
            self._origins |= {f"https://{app}.discordsays.com", "null"}
        self.proxies = Proxies(settings.behind_proxy, settings.trusted)
        self.forgotten = ForgottenProxy(self.proxies)
        self.silent: defaultdict[str, set[ServerConnection]] = defaultdict(set)
        """All connections before their handshake, by the address of the peer."""
        self.open: Counter[str] = Counter()
        """How many WebSockets each address has."""
        self.queries = Buckets(limits.api_per_second, limits.api_per_second * _QUERIES_BURST_S)
        self.arrivals = Arrivals(rate)
        """Take one for each connection: behind a proxy once its headers are here, else before."""
        self.files = Buckets(rate, rate * _FILES_BURST_S)
        kept = rate if settings.discord_app else 0
        self.reserve = Buckets(kept, kept * _RESERVE_S)
        """WebSockets of an address that has used up its limits. Only players for whom another
        issuer vouches may have them: all who play inside Discord come from the same addresses.
        """

    def allows_origin(self, origin: str | None, host: str) -> bool:
        """Whether the page that asks is this server's, or listed. Only browsers send an Origin."""
        if origin is None or origin in self._origins:
            return True
        try:
            return urlsplit(origin).netloc == host != ""
        except ValueError:
            return False

    def has_used_up(self, address: str, now: float) -> bool:
        """Whether the address has no WebSocket left but those of its reserve."""
        is_full = self.open[address] >= self.settings.limits.connections_per_address
        return is_full or self.owes(address, now)

    def is_reserved(self, address: str, now: float) -> bool:
        """Whether the next WebSocket of the address is one of its reserve, if it has one."""
        return bool(self.settings.discord_app) and self.has_used_up(address, now)

    def owes(self, address: str, now: float) -> bool:
        """Whether it has connected more often than it may."""
        return self.arrivals.of(address, now).tokens(now) < 0

    def sent_file(self, address: str, now: float) -> None:
        """Give back what was charged for the connection, unless too many files were sent."""
        if self.files.take(address, now):
            self.arrivals.give_back(address, now)

    @contextmanager
    def connection(self, address: str) -> Iterator["Place"]:
        """Count a WebSocket for its address until the end of the block, or until it leaves."""
        place = Place(self.open, address)
        try:
            yield place
        finally:
            place.leave()


class Place:
    """One of the WebSockets that an address may have."""

    def __init__(self, open_: Counter[str], address: str) -> None:
        self._open = open_
        self._address = address
        self._taken = True
        open_[address] += 1

    def leave(self) -> None:
        """Leave it to another connection of the address. It is idempotent."""
        if self._taken:
            self._taken = False
            self._open[self._address] -= 1
            if not self._open[self._address]:
                del self._open[self._address]
