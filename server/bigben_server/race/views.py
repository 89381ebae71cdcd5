"""What everybody sees of a race: rooms, progress, standings, and at its end the deal.

This is the one place that makes messages for others than the player themselves. None of them
names a card, but for Reveal.
"""

from collections.abc import Collection
from itertools import chain, islice
from typing import NamedTuple

from msgspec.structs import replace

from bigben_protocol import (
    Phase,
    PlayerId,
    Progress,
    Reveal,
    Room,
    ServerMessage,
    Standing,
    Standings,
)
from bigben_rules import commitment
from bigben_server.race.effects import Tell
from bigben_server.race.events import SeatStatus
from bigben_server.race.state import Race

MOST_SHOWN = 100
"""Seats that one message shows, which is all of a live race. Of a daily others can be asked for."""


_NOTHING = -1
"""No number of an event: subscribers know nothing of the room that still holds."""


class News(NamedTuple):
    """What has changed, for all subscribers; Tell is for one player."""

    messages: list[Tell | ServerMessage]
    k: int
    phase: Phase
    statuses: dict[PlayerId, SeatStatus]
    """Where those seats stand that the messages speak of."""


class Announcements:
    """What the subscribers of one race have been told; one for each race a process holds."""

    def __init__(self, race: Race, now: int) -> None:
        self._race = race
        self._k = race.k
        self._phase: Phase = race.phase(now)
        self._statuses = {player: seat.status for player, seat in race.seats.items()}

    def reread(self, race: Race) -> None:
        """The race was read again, and news may have been dropped: what was not told is news.

        Only that: a daily is read again whenever somebody joins it on another process.
        """
        others = race.k == self._k and race.seats.keys() != self._race.seats.keys()
        if race.k < self._k or others:
            self._k = _NOTHING  # the store has lost what was told
        self._race = race
        for player, seat in race.seats.items():
            if self._statuses.get(player) != seat.status:
                race.moved(player)

    def news(self, now: int) -> News:
        """The changes up to here, to be told once they are durable; then call ``told``."""
        race = self._race
        phase_was, phase = self._phase, race.phase(now)
        messages: list[Tell | ServerMessage] = []
        # Of a daily, who joins is progress: nobody is sent the whole room for every one of them.
        changed = race.k != self._k and (race.opened.kind != "daily" or self._k == _NOTHING)
        if changed or phase != phase_was:
            messages.append(room(race, now))
        moved = race.take_moved()
        if moved:
            messages.append(Progress(race.id, tuple(seat.standing for seat in moved)))
        if phase == "running" and phase_was != "running":
            messages += [
                Tell(seat.player, seat.play.snapshot()) for seat in race.seats.values() if seat.play
            ]
        if phase == "closed" and phase_was != "closed":
            messages += [standings(race, now), reveal(race)]
        return News(messages, race.k, phase, {seat.player: seat.status for seat in moved})

    def told(self, news: News) -> None:
        """The subscribers know this now."""
        self._k, self._phase = news.k, news.phase
        self._statuses.update(news.statuses)


def room(race: Race, now: int, ref: int = 0, viewer: PlayerId | None = None) -> Room:
    """The race and its seats, fit for everybody; that of the viewer is always among them."""
    return Room(
        race=race.id,
        kind=race.opened.kind,
        phase=race.phase(now),
        rules=race.opened.rules,
        commitment=commitment(bytes.fromhex(race.opened.server_seed)),
        opened_at=race.opened.at,
        host=race.host,
        starts_at=race.starts_at,
        closes_at=race.closes_at,
        seats=_shown_seats(race, viewer),
        since=race.k,
        rematch=race.rematch,
        ref=ref,
        players=len(race.seats),
    )


def _shown_seats(race: Race, viewer: PlayerId | None) -> tuple[Standing, ...]:
    """All seats in their order; of a daily no more than anybody reads, the best first."""
    seats = race.seats
    if race.opened.kind != "daily":
        return tuple(seat.standing for seat in seats.values())
    best = [seats[player] for player in race.ranking.page(0, MOST_SHOWN)]
    others = (seat for seat in seats.values() if not seat.begun_at)
    shown = [seat.standing for seat in islice(chain(best, others), MOST_SHOWN)]
    own = race.seats.get(viewer) if viewer else None
    if own and all(seat.player != own.player for seat in shown):
        shown.append(own.standing)
    return tuple(shown)


def standings(
    race: Race, now: int, ref: int = 0, *, start: int = 0, only: Collection[str] = ()
) -> Standings:
    """The places of those whose clock has started, the best first: a hundred from ``start`` on."""
    ranking = race.ranking
    if only:
        page = ranking.among(map(PlayerId, only))[start : start + MOST_SHOWN]
    else:
        page = ranking.page(start, MOST_SHOWN)
    rows = tuple(
        replace(race.seats[player].standing, place=ranking.place(player)) for player in page
    )
    return Standings(race.id, rows, race.phase(now) == "closed", ref, len(ranking))


def reveal(race: Race) -> Reveal:
    """The deal, for everybody once the race is closed.

    Nobody gets it earlier: a player whose game is over may have a second account that plays.
    """
    server_seed = race.opened.server_seed
    return Reveal(
        race.id,
        commitment(bytes.fromhex(server_seed)),
        server_seed,
        race.seed.hex(),
        race.nonces,
    )
