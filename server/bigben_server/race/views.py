"""What everybody sees of a race: rooms, progress, standings, and at its end the deal.

This is the one place that makes messages for others than the player themselves. None of them
names a card, but for Reveal.
"""

from collections.abc import Collection
from itertools import chain, islice
from typing import NamedTuple

from msgspec.structs import replace

from bigben_protocol import (
    GetRecord,
    Phase,
    PlayerId,
    Progress,
    Record,
    Refused,
    Resume,
    Reveal,
    Room,
    ServerMessage,
    Standing,
    Standings,
)
from bigben_rules import commitment
from bigben_server.race.effects import Effect, Player, Reply, Subscribe, Tell
from bigben_server.race.events import SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.transitions import Refusal

MOST_SHOWN = 100
"""Seats that one message shows, which is all of a live race. Of a daily others can be asked for."""
DIFFS_WORTH_A_SNAPSHOT = 8
"""More missed diffs than these are longer than the snapshot."""

_NOTHING = -1
"""No number of an event: subscribers know nothing of the room that still holds."""


class Announcement(NamedTuple):
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

    def news(self, now: int) -> Announcement:
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
        return Announcement(messages, race.k, phase, {seat.player: seat.status for seat in moved})

    def told(self, news: Announcement) -> None:
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


def joined(race: Race, player: PlayerId, ref: int, now: int) -> list[Effect]:
    """The room, the player's own game if its cards are out, and how a closed race ended."""
    seat = race.seats.get(player)
    shown = room(race, now, ref, player)
    if seat and race.opened.invite:
        shown = replace(shown, invite=f"{race.id}-{race.opened.invite}")
    effects: list[Effect] = [Reply(shown)]
    if seat and seat.play and race.phase(now) in ("running", "closed"):
        effects.append(Reply(seat.play.snapshot()))
        if seat.last is not None:
            effects.append(Reply(Refused("phase", seat.play.broken, race.id)))
    return effects + final(race, now)


def final(race: Race, now: int) -> list[Effect]:
    """The final standings and the deal for a client that arrives after the close; else nothing."""
    if race.phase(now) != "closed":
        return []
    return [Reply(standings(race, now)), Reply(reveal(race))]


def resumed(race: Race, player: Player, message: Resume, now: int) -> list[Effect]:
    """The diffs that were missed, or the snapshot where that is shorter."""
    seat = race.seats.get(player.id)
    if seat is None or seat.play is None or race.phase(now) not in ("running", "closed"):
        return [Subscribe(), *joined(race, player.id, message.ref, now)]
    missed = seat.play.n - message.since
    if message.since == 0 or not 0 <= missed <= DIFFS_WORTH_A_SNAPSHOT:
        return [Subscribe(), *joined(race, player.id, message.ref, now)]
    diffs = seat.play.diffs(message.since)
    return [
        Subscribe(),
        Reply(room(race, now, message.ref, player.id)),
        *map(Reply, diffs),
        *final(race, now),
    ]


def record(race: Race, player: Player, message: GetRecord, now: int) -> Record:
    """Every move of a seat. Others' seats, and the order of the deal, only once the race is closed.

    A player's own record shows at any time what they have seen so far, and no card more.
    """
    own = race.seats.get(player.id)
    whose = race.seats.get(PlayerId(message.player)) if message.player else own
    if whose is None:
        raise Refusal("seat", "There is no such seat in this race.")
    phase = race.phase(now)
    if whose is not own and phase != "closed":
        raise Refusal("phase", "You can see the moves of others when the race is closed.")
    told = Record(
        *(race.id, whose.standing, race.order if phase == "closed" else (), ()),
        ref=message.ref,
        begun_at=whose.begun_at,
    )
    play = whose.play
    if play is None or phase not in ("running", "closed"):  # in a countdown the cards are secret
        return told
    moves = tuple((entry.ms, entry.move) for entry in play.log)
    return replace(told, moves=moves, piles=play.piles(0), steps=tuple(play.steps))
