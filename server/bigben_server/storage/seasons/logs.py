"""The logs of seasons, when a server must look at each, and where players find them.

A log is written before anybody can find what it lacks: the lists may name a season that is not
there, and leave none out. Every method raises StoreLost if Redis fails.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import msgspec

from bigben_protocol import PlayerId, RaceId
from bigben_server.storage.client import Damaged, Stored, read_each, script
from bigben_server.storage.entries import RawLog, as_sent, fields_of
from bigben_server.storage.exchange import Command, Raw

NEVER: Final = 2**53
"""When a server must look at a season that is over."""
MOST_LISTED: Final = 50
"""The most seasons of a group or a player that are listed, the latest."""
MAKING_MS: Final = 60_000
"""A season that is listed for so long has a log, or is gone."""
_encode = msgspec.json.Encoder().encode


class RaceOfWeek(NamedTuple):
    """What is stored of a week's race."""

    is_there: bool
    void: str
    """Why the operator has made it void; empty if it counts."""


@dataclass(slots=True, eq=False)
class SeasonLogs(Stored):
    async def read(self, seasons: Sequence[str]) -> list[list[bytes] | Damaged]:
        """The entries of each of these seasons; none of one that does not exist."""
        keys = [self.keys.season(one) for one in seasons]
        answers = await self.store.ask_each(*(Raw(("XRANGE", key, "-", "+")) for key in keys))
        return read_each(keys, answers, lambda _, log: _texts(as_sent(log)))

    async def append(self, season: str, number: int, text: bytes) -> bool:
        """Write entry ``number``; False if the log does not end with the one before it."""
        key = self.keys.season(season)
        words: Command = ("EVAL", script("follow"), 1, key, number, text)
        (written,) = await self.store.ask(words)
        return bool(written)

    async def rewrite(self, season: str, texts: Sequence[bytes]) -> bool:
        """Replace all entries by as many others; False if there are more by now."""
        entries = [_encode((f"{n}-0", f"{n}", t.decode())) for n, t in enumerate(texts, start=1)]
        key = self.keys.season(season)
        words: Command = ("EVAL", script("rewrite"), 1, key, len(texts), *entries)
        (written,) = await self.store.ask(words)
        return bool(written)

    async def delete(self, season: str, group: str, players: Iterable[PlayerId]) -> None:
        """Delete a season; some of its players may still have it on their lists. Idempotent."""
        keys = self.keys
        await self.store.ask(("DEL", keys.season(season)), ("DEL", keys.hook(season)))
        await self.store.ask(
            ("ZREM", keys.seasons_of(group), season),
            *(("ZREM", keys.seasons_with(player), season) for player in players),
            ("ZREM", keys.seasons, season),
            ("ZREM", keys.hooks, season),
        )

    # Lists

    async def look_at(self, season: str, at: int, *, sooner: bool = False) -> None:
        """Have a server look at a season then, ms since 1970; ``sooner``: or before that."""
        words: Command = ("LT",) if sooner else ()
        await self.store.ask(("ZADD", self.keys.seasons, *words, at, season))

    async def due(self, now: int) -> list[str]:
        """The seasons that a server must look at."""
        (found,) = await self.store.ask(("ZRANGEBYSCORE", self.keys.seasons, "-inf", now))
        return [season.decode() for season in found]

    async def next_at(self) -> int:
        """When a server must look at one, ms since 1970; ``NEVER`` if at none."""
        (found,) = await self.store.ask(("ZRANGE", self.keys.seasons, 0, 0, "WITHSCORES"))
        return next((at for _, at in _scored(found)), NEVER)

    async def forget(self, season: str) -> None:
        """Look no more at a season that is not there."""
        await self.store.ask(("ZREM", self.keys.seasons, season))

    async def all(self) -> list[str]:
        """All seasons, the next to look at first."""
        (found,) = await self.store.ask(("ZRANGE", self.keys.seasons, 0, -1))
        return [season.decode() for season in found]

    async def list_for(
        self, season: str, at: int, *, group: str = "", players: Iterable[PlayerId] = ()
    ) -> None:
        """Let these find the season. Idempotent."""
        keys = [self.keys.seasons_with(player) for player in players]
        keys += [self.keys.seasons_of(group)] if group else []
        await self.store.ask(*(("ZADD", key, "NX", at, season) for key in keys))

    async def listed(
        self, groups: Iterable[str] = (), players: Iterable[PlayerId] = ()
    ) -> dict[str, int]:
        """The seasons of these groups and players, and since when they have each."""
        keys = [*map(self.keys.seasons_of, groups), *map(self.keys.seasons_with, players)]
        words = (("ZREVRANGE", key, 0, MOST_LISTED - 1, "WITHSCORES") for key in keys)
        found: dict[str, int] = {}
        for answer in await self.store.ask(*words):
            found = dict(_scored(answer)) | found
        return found

    async def unlist(
        self, seasons: Sequence[str], groups: Iterable[str], players: Iterable[PlayerId]
    ) -> None:
        """Take seasons off these lists that are not there any more."""
        keys = [*map(self.keys.seasons_of, groups), *map(self.keys.seasons_with, players)]
        await self.store.ask(*(("ZREM", key, *seasons) for key in keys))

    async def forget_player(self, player: PlayerId) -> None:
        """Forget the list of a player who is deleted."""
        await self.store.ask(("DEL", self.keys.seasons_with(player)))

    # Races

    async def races(self, races: Sequence[RaceId]) -> list[RaceOfWeek]:
        """What is stored of these races, packed or not."""
        keys = self.keys
        asked = [(("EXISTS", keys.room_log(one), keys.packed(one))) for one in races]
        answers = await self.store.ask(*asked, *(("HGET", keys.void, one) for one in races))
        there, void = answers[: len(races)], answers[len(races) :]
        return [
            RaceOfWeek(bool(one), (why or b"").decode())
            for one, why in zip(there, void, strict=True)
        ]


def _texts(log: RawLog) -> list[bytes]:
    """The texts of the entries, in order. Raises ValueError if one is missing."""
    numbered = [(int(n), text) for _, words in log for n, text in fields_of(words)]
    if [n for n, _ in numbered] != [*range(1, len(numbered) + 1)]:
        raise ValueError("an entry is missing")
    return [text for _, text in numbered]


def _scored(answer: Any) -> list[tuple[str, int]]:  # Any: RESP3 pairs members with their scores
    """The members of a sorted set in an answer, and their scores."""
    paired = answer and isinstance(answer[0], list | tuple)
    pairs = answer if paired else zip(answer[::2], answer[1::2], strict=True)
    return [(member.decode(), int(float(score))) for member, score in pairs]
