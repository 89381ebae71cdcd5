"""Sends the news of seasons to the addresses that their organisers have named.

What is news follows from the season, and what was sent is stored: a process that dies forgets
nothing. Each is sent at least once, with an id by which the receiver knows it again.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from hmac import new
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

import msgspec

from bigben_protocol import Season
from bigben_protocol.sentence import sentence
from bigben_server.config import Webhooks as Allowed
from bigben_server.leaderboards.seasons import Seasons
from bigben_server.race.events import Refusal
from bigben_server.storage.client import Damaged
from bigben_server.storage.ledger import leased
from bigben_server.storage.seasons.hooks import Hook, Hooks
from bigben_server.tasks import not_cancelled

LOOK_S: Final = 5.0
EVERY_MS: Final = 60_000
"""How often to look at a season whose news are sent."""
SETTLED_MS: Final = 60_000
"""So long after its close a week is told: by then all its results are recorded."""
LONGEST_MS: Final = 6 * 3_600_000
"""The longest pause after failures, which double it each time."""
GIVEN_UP_MS: Final = 3 * 86_400_000
"""A webhook that fails for so long is switched off."""
_TIMEOUT_S: Final = 10.0
_AT_ONCE: Final = 5
_NOT_PUBLIC: Final = [
    ip_network(one) for one in ("64:ff9b::/32", "2002::/16", "2001::/32", "::/96", "fec0::/10")
]
"""IPv6 addresses that have an IPv4 address inside (NAT64, 6to4, Teredo, the compatible ones), and
those of a site.
"""
_log = logging.getLogger(__name__)
_encode = msgspec.json.Encoder().encode


class News(NamedTuple):
    id: str
    at: int
    body: dict[str, Any]  # Any: structs of the protocol


def news_of(season: Season, now: int) -> Iterator[News]:
    """What has happened in a season, in order. A void week is no news any more."""
    plan = season.plan
    about = {"id": season.season, "name": plan.name, "group": season.group, "phase": season.phase}
    for week in season.weeks:
        if not week.race or week.phase == "void":
            continue
        told = {"season": about, "week": week}
        yield News(f"{week.race}.opened", week.opens_at, {"event": "opened", **told})
        if week.phase == "closed" and now >= (at := week.closes_at + SETTLED_MS):
            yield News(f"{week.race}.closed", at, {"event": "closed", **told})
            table = {"event": "table", "season": about, "scale": season.scale, "rows": season.rows}
            yield News(f"{week.race}.table", at, table)


def signature(secret: str, at_s: int, body: bytes) -> str:
    """The header ``BigBen-Signature``: HMAC-SHA256 over the time in seconds, a dot and the body."""
    signed = new(secret.encode(), f"{at_s}.".encode() + body, sha256).hexdigest()
    return f"t={at_s},v1={signed}"


def check_address(url: str, allowed: Allowed) -> None:
    """Raises Refusal for an address to which nothing may be sent."""
    if allowed == "off":
        raise Refusal("rules", sentence("season.no_webhooks"))
    schemes = ("https", "http") if allowed == "any" else ("https",)
    plain = url.isascii() and url.isprintable() and " " not in url
    try:
        parts = urlsplit(url)
        host = parts.hostname if parts.port != 0 and parts.username is None else ""
    except ValueError:
        raise Refusal("rules", sentence("season.bad_webhook")) from None
    if not (host and plain and parts.scheme in schemes):
        raise Refusal("rules", sentence("season.bad_webhook"))
    if allowed == "public" and _is_number(host) and not is_public(host):
        raise Refusal("rules", sentence("season.private_webhook"))


def _is_number(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def is_public(address: str) -> bool:
    """Whether an IP address is one of the internet, and of one machine.

    >>> is_public("93.184.216.34"), is_public("::ffff:10.0.0.1"), is_public("169.254.169.254")
    (True, False, False)
    """
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if any(found in network for network in _NOT_PUBLIC):
            return False
        found = found.ipv4_mapped or found
    return found.is_global and not found.is_multicast


@dataclass(slots=True, eq=False)
class Webhooks:
    seasons: Seasons
    clock: Callable[[], int]
    allowed: Allowed

    @property
    def hooks(self) -> Hooks:
        return Hooks(self.seasons.store)

    async def run(self) -> None:
        """Send until cancelled. Raises StoreLost."""
        while not_cancelled():
            await self.look()
            await asyncio.sleep(LOOK_S)

    async def look(self) -> None:
        """Send what is due, unless another process does. Raises StoreLost."""
        if not (due := await self.hooks.due(self.clock())):
            return
        async with leased(self.seasons.store, self.seasons.store.keys.hooking) as ours:
            for n in range(0, len(due) if ours else 0, _AT_ONCE):
                await asyncio.gather(*map(self._send, due[n : n + _AT_ONCE]))

    async def _send(self, named: str) -> None:
        now, at = self.clock(), self.clock() + EVERY_MS
        try:
            season = await self.seasons.stored.find(named)
            hook = await self.hooks.read(named)
            if season is None or hook is None:  # deleted meanwhile
                await self.hooks.end(named)
                return
            news = news_of(await self.seasons.shown(season), now)
            unsent = [one for one in news if one.at >= hook.since and one.id not in hook.sent]
            at = await self._sent(named, hook, unsent)
        except Damaged as damaged:
            self.seasons.store.report(damaged)
        await self.hooks.look_at(named, at)

    async def _sent(self, season: str, hook: Hook, news: list[News]) -> int:
        """Send these in order, and return when to look again, ms since 1970."""
        for one in news:
            if why := await self._posted(hook, one):
                now, tries = self.clock(), hook.tries + 1
                since = hook.failing or now
                await self.hooks.failed(season, since, tries)
                given_up = now - since >= GIVEN_UP_MS
                if given_up:
                    await self.hooks.end(season)
                then = ", and is switched off" if given_up else ""
                _log.warning("a webhook of season %s fails: %s%s", season, why, then)
                return now + min(EVERY_MS << min(tries, 10), LONGEST_MS)
            hook = hook._replace(tries=0, failing=0)
            await self.hooks.arrived(season, one.id)
        return self.clock() + EVERY_MS

    async def _posted(self, hook: Hook, news: News) -> str:
        """Send one; return why it has not arrived, empty if it has."""
        at_s, body = self.clock() // 1000, _encode({"id": news.id, "at": news.at, **news.body})
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "bigben-race",
            "BigBen-Event": news.id,
            "BigBen-Signature": signature(hook.secret, at_s, body),
        }
        try:
            check_address(hook.url, self.allowed)
            status = await self.post(hook.url, headers, body)
        except Refusal as refusal:
            return str(refusal)
        except (OSError, TimeoutError) as error:  # aiohttp's are OSErrors, but for a few
            return type(error).__name__
        return "" if 200 <= status < 300 else f"it answers {status}"

    async def post(self, url: str, headers: dict[str, str], body: bytes) -> int:
        """The status of the answer, which is not read. Follows no redirect. Raises OSError."""
        import aiohttp  # only here, because most servers send nothing

        timeout = aiohttp.ClientTimeout(total=_TIMEOUT_S)
        connector = aiohttp.TCPConnector(socket_factory=self._socket, force_close=True)
        try:
            async with (
                aiohttp.ClientSession(connector=connector, timeout=timeout) as session,
                session.post(url, data=body, headers=headers, allow_redirects=False) as answer,
            ):
                return int(answer.status)
        except (aiohttp.ClientError, UnicodeError) as error:  # the name may be none: a..b
            raise ConnectionError(type(error).__name__) from error

    def _socket(self, info: tuple[Any, ...]) -> socket.socket:
        """A socket to the address that a name stands for now. Raises OSError if it is private."""
        family, kind, protocol, _, address = info
        if self.allowed != "any" and not is_public(address[0]):
            raise PermissionError("a private address")
        return socket.socket(family, kind, protocol)
