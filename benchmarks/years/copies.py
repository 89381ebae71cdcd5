"""Deals played races out again: other codes, other players, another day, the same cards and moves.

A copy is what a server would have written of it. The promised nonces are bound to race and player,
so their hashes are made anew; everything else that a race is checked by stays true.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from msgspec.structs import replace

from benchmarks.years.playing import BEGINS, Played
from bigben_protocol import PlayerId, RaceId
from bigben_rules import nonce_hash
from bigben_server.leaderboards.recorder import finishes_of
from bigben_server.race.daily import DAY_MS, today
from bigben_server.race.events import Player, SeatAppend
from bigben_server.scoring.results import Finish
from bigben_server.storage.entries import RawLog, entry_of

_ENTRY: Final = "\x1e"
_WORD: Final = "\x1f"
_TIME: Final = re.compile(rf"(?<=:){str(BEGINS)[:4]}\d{{9}}\b")
"""A time of the first days of the year in an event, ms since 1970."""

Logs = Mapping[PlayerId | None, RawLog]
"""The log of the room, under None, and of each seat."""


class Order(NamedTuple):
    """What copy is wanted."""

    template: int
    race: RaceId
    players: Sequence[Player]
    """As many as the race has seats."""
    days: int
    """How much later it is played."""


@dataclass(frozen=True, slots=True)
class Template:
    """A race that was played, as text."""

    room: str
    seats: Sequence[str]
    begun: Sequence[int]
    """When the clock of each seat began, ms since 1970."""
    nonces: Mapping[str, tuple[int, bytes]]
    """The seat of each promised nonce, and the nonce, by its hash."""
    finishes: Sequence[Finish]

    @classmethod
    def of(cls, played: Played) -> "Template":
        logs: dict[PlayerId | None, list[str]] = {None: []}
        for one in played.appends:
            player = one.player if isinstance(one, SeatAppend) else None
            logs.setdefault(player, []).append(_WORD.join(entry_of([one])))
        texts = {player: _ENTRY.join(entries) for player, entries in logs.items()}
        seats = played.race.seats.values()
        return cls(
            texts[None],
            [texts[seat.player] for seat in seats],
            [seat.status.begun_at for seat in seats],
            {
                seat.promised: (n, bytes.fromhex(seat.nonce))
                for n, seat in enumerate(seats)
                if seat.promised
            },
            finishes_of(played.race, seats),
        )

    def logs(self, order: Order) -> Logs:
        """The logs of a copy, as Redis would have them."""
        later = order.days * DAY_MS
        room = _TIME.sub(lambda time: str(int(time[0]) + later), self.room)
        for promised, (n, nonce) in self.nonces.items():
            again = nonce_hash(order.race, order.players[n].id, nonce)
            room = room.replace(promised, again)
        seats = dict[PlayerId | None, RawLog]()
        for n, (player, text, begun) in enumerate(
            zip(order.players, self.seats, self.begun, strict=True)
        ):
            before = self.finishes[n]
            room = room.replace(before.player, player.id).replace(before.name, player.name)
            seats[player.id] = _raw(text.replace(str(begun), str(begun + later)))
        return {None: _raw(room), **seats}

    def finished(self, order: Order) -> list[Finish]:
        """The results of a copy."""
        later = order.days * DAY_MS
        return [
            one._replace(
                race=order.race,
                summary=replace(one.summary, day=f"{today(BEGINS + later)}"),
                player=player.id,
                name=player.name,
                result=replace(one.result, at=one.result.at + later),
            )
            for one, player in zip(self.finishes, order.players, strict=True)
        ]


def _raw(text: str) -> RawLog:
    entries = (entry.split(_WORD) for entry in text.split(_ENTRY))
    return [(words[0].encode(), [word.encode() for word in words[1:]]) for words in entries]
