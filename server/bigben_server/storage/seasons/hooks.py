"""Where organisers have the news of their seasons sent, and how far that is.

Every method raises StoreLost if Redis fails.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from bigben_server.storage.client import Stored

_SENT: Final = "sent:"
"""How the fields begin that name what was sent."""


class Hook(NamedTuple):
    """The webhook of a season."""

    url: str
    secret: str
    since: int
    """What happened before is not sent, ms since 1970."""
    failing: int = 0
    """Since when nothing has arrived; 0 if the last attempt has."""
    tries: int = 0
    """How often in a row."""
    sent: frozenset[str] = frozenset()


@dataclass(slots=True, eq=False)
class Hooks(Stored):
    async def set(self, season: str, url: str, secret: str, now: int) -> None:
        """Send a season's news there from now on, and nowhere else; without a url nowhere."""
        key = self.keys.hook(season)
        words = ("HSET", key, "url", url, "secret", secret, "since", now)
        listed = ("ZADD", self.keys.hooks, now, season)
        unlisted = ("ZREM", self.keys.hooks, season)
        await self.store.ask(("DEL", key), *([words, listed] if url else [unlisted]))

    async def read(self, season: str) -> Hook | None:
        (found,) = await self.store.ask(("HGETALL", self.keys.hook(season)))
        return _hook({key.decode(): value.decode() for key, value in found.items()})

    async def due(self, now: int) -> list[str]:
        """The seasons whose news must be looked at."""
        (found,) = await self.store.ask(("ZRANGEBYSCORE", self.keys.hooks, "-inf", now))
        return [season.decode() for season in found]

    async def look_at(self, season: str, at: int) -> None:
        """Look at a season's news again then, unless it has no webhook any more."""
        await self.store.ask(("ZADD", self.keys.hooks, "XX", at, season))

    async def arrived(self, season: str, news: str) -> None:
        key = self.keys.hook(season)
        await self.store.ask(("HSET", key, f"{_SENT}{news}", 1), ("HDEL", key, "tries", "failing"))

    async def failed(self, season: str, since: int, tries: int) -> None:
        words = ("failing", since, "tries", tries)
        await self.store.ask(("HSET", self.keys.hook(season), *words))

    async def end(self, season: str) -> None:
        """Send nothing more of a season until its webhook is set again. Idempotent."""
        await self.store.ask(("ZREM", self.keys.hooks, season))


def _hook(found: Mapping[str, str]) -> Hook | None:
    if not found.get("url"):
        return None
    sent = frozenset(name.removeprefix(_SENT) for name in found if name.startswith(_SENT))
    since, failing, tries = (int(found.get(name, 0)) for name in ("since", "failing", "tries"))
    return Hook(found["url"], found["secret"], since, failing, tries, sent)
