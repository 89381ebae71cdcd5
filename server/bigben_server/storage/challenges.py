"""Challenges of one player to another, each in one place: with those that the other has received.

Whether one has expired is told by its time, and no entry outlives it by more than a day. Every
method raises StoreLost, and Damaged if what is stored can't be read.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import msgspec

from bigben_protocol import ChallengeInfo, ChallengeState, PlayerId
from bigben_server.storage.client import Damaged, Stored, reading, script

DAY_MS: Final = 86_400_000
"""How long a challenge waits for its answer, and how long what became of it can be read."""


class Challenge(msgspec.Struct, frozen=True, omit_defaults=True):
    id: str
    by: PlayerId
    by_name: str
    """As it was then; not known of everybody."""
    to: PlayerId
    to_name: str
    game: str
    rules: str
    at: int
    """When it was sent, ms since 1970."""
    answered_at: int = 0
    race: str = ""
    """The room of an accepted one."""

    @property
    def until(self) -> int:
        return self.at + DAY_MS

    def state(self, now: int) -> ChallengeState:
        if self.answered_at:
            return "accepted" if self.race else "declined"
        return "waiting" if now < self.until else "expired"

    def is_over(self, now: int) -> bool:
        """Whether nobody needs it any more."""
        return now >= (self.answered_at or self.until) + DAY_MS

    def info(self, now: int, *, received: bool) -> ChallengeInfo:
        """As one of the two sees it."""
        other, name = (self.by, self.by_name) if received else (self.to, self.to_name)
        state, game = self.state(now), (self.game, self.rules)
        return ChallengeInfo(
            self.id, other, name or other, *game, self.at, self.until, state, self.race
        )


_encode = msgspec.json.Encoder().encode
_decoder = msgspec.json.Decoder(Challenge)


@dataclass(slots=True, eq=False)
class ChallengeStore(Stored):
    async def received(self, players: Iterable[PlayerId], now: int) -> list[Challenge]:
        """What these players have received, the latest first. What is over is deleted."""
        there: list[Challenge] = []
        for player in players:
            key = self.keys.challenges(player)
            (found,) = await self.store.ask(("HGETALL", key))
            for by, text in found.items():
                if not (one := _read(key, text)).is_over(now):
                    there.append(one)
                else:  # only what was read: another may have come meanwhile
                    await self.store.ask(("EVAL", script("forget"), 1, key, by, text))
        return _latest_first(there)

    async def sent(self, players: Iterable[PlayerId], now: int) -> list[Challenge]:
        """What these players have sent, the latest first."""
        there: list[Challenge] = []
        for by in players:
            (found,) = await self.store.ask(("ZRANGE", self.keys.challenged_by(by), 0, -1))
            keys = [self.keys.challenges(PlayerId(to.decode())) for to in found]
            texts = await self.store.ask(*(("HGET", key, by) for key in keys))
            read = (_read(key, text) for key, text in zip(keys, texts, strict=True) if text)
            there += (one for one in read if not one.is_over(now))
        return _latest_first(there)

    async def send(self, new: Challenge, before: Challenge | None) -> bool:
        """Store a new challenge instead of the one before; False if that has changed meanwhile."""
        key = self.keys.challenged_by(new.by)
        # First, because a pair without a challenge does no harm.
        await self.store.ask(
            ("ZREMRANGEBYSCORE", key, "-inf", new.at - 3 * DAY_MS),
            ("ZADD", key, new.at, new.to),
            ("PEXPIRE", key, 3 * DAY_MS),
        )
        return await self.write(new, before)

    async def write(self, new: Challenge, before: Challenge | None) -> bool:
        """Store what became of a challenge; False if it has changed meanwhile."""
        key, was = self.keys.challenges(new.to), _encode(before) if before else b""
        words = (new.by, was, _encode(new), 3 * DAY_MS)
        (written,) = await self.store.ask(("EVAL", script("field"), 1, key, *words))
        return bool(written)

    async def tell(self, *players: PlayerId) -> None:
        """Let every process know that the challenges of these players have changed."""
        await self.store.ask(*(("PUBLISH", self.keys.challenged, player) for player in players))

    async def unreadable(self) -> list[Damaged]:
        """Those of all players that can't be read."""
        found: list[Damaged] = []
        async for key in self.store.scan(self.keys.challenges(PlayerId(""))):
            try:
                (texts,) = await self.store.ask(("HVALS", key))
                for text in texts:
                    _read(key, text)
            except Damaged as damaged:
                found.append(damaged)
        return found

    async def forget(self, player: PlayerId) -> None:
        """Delete all that name a player. Idempotent."""
        mine, theirs = self.keys.challenges(player), self.keys.challenged_by(player)
        by, to = await self.store.ask(("HKEYS", mine), ("ZRANGE", theirs, 0, -1))
        pairs = [(self.keys.challenged_by(PlayerId(one.decode())), "ZREM") for one in by]
        pairs += [(self.keys.challenges(PlayerId(one.decode())), "HDEL") for one in to]
        await self.store.ask(*((word, key, player) for key, word in pairs))
        await self.store.ask(("DEL", mine), ("DEL", theirs))


def _read(key: str, text: bytes) -> Challenge:
    with reading(key):
        return _decoder.decode(text)


def _latest_first(found: list[Challenge]) -> list[Challenge]:
    return sorted(found, key=lambda one: (one.at, one.id), reverse=True)
