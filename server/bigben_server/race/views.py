"""Makes the messages about a race: rooms, progress, standings, and at its end the deal.

Only this module makes messages for players other than the seat's own. Of these only Reveal and a
Record after the close reveal cards.
"""

from collections.abc import Collection, Iterable
from itertools import chain, islice
from typing import NamedTuple

from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import Phase, PlayerId, ServerMessage
from bigben_rules import commitment
from bigben_server.race import events
from bigben_server.race.events import Effect, Player, Refusal, Reply, Subscribe, Tell
from bigben_server.race.game import Play
from bigben_server.race.state import Race, Seat

MOST_SHOWN = 100
"""The most seats in one message: all of a live race; a daily's others can be requested."""
DIFFS_WORTH_A_SNAPSHOT = 8
"""If more diffs were missed, the snapshot is shorter."""


class Announcement(NamedTuple):
    """Messages about changes for all subscribers; Tell is for one player."""

    messages: list[Tell | ServerMessage]
    k: int
    phase: Phase
    statuses: dict[PlayerId, events.SeatStatus]
    """The statuses of the seats that the messages have."""


class Announcements:
    """What the subscribers of one race know; there is one for each race in memory."""

    def __init__(self, race: Race, now: int) -> None:
        self._race = race
        self._k = race.k
        self._phase: Phase = race.phase(now)
        self.statuses = {player: seat.status for player, seat in race.seats.items()}
        """Each seat as the subscribers know it, which is durable."""

    def reread(self, race: Race) -> None:
        """The race was read again: announce what the subscribers do not know yet, and no more."""
        others = race.k == self._k and race.seats.keys() != self._race.seats.keys()
        if race.k < self._k or others:
            self._k = events.NOTHING  # the store has lost what was announced
        self._race = race
        for player, seat in race.seats.items():
            if self.statuses.get(player) != seat.status:
                race.moved(player)

    def news(self, now: int) -> Announcement:
        """The changes since the last announcement. Send them once durable; then call ``told``."""
        race = self._race
        phase_was, phase = self._phase, race.phase(now)
        messages: list[Tell | ServerMessage] = []
        # In a daily a join is progress: subscribers do not get the whole room for each of them.
        changed = race.k != self._k and (race.opened.kind != "daily" or self._k == events.NOTHING)
        if changed or phase != phase_was:
            messages.append(room(race, now))
        if moved := race.take_moved():
            messages.append(wire.Progress(race.id, tuple(seat.standing for seat in moved)))
        if phase == "running" and phase_was != "running":
            plays = ((seat.player, seat.play) for seat in race.seats.values() if seat.play)
            messages += [Tell(player, play.snapshot()) for player, play in plays]
        if phase == "closed" and phase_was != "closed":
            messages += [standings(race, now), reveal(race)]
        return Announcement(messages, race.k, phase, {seat.player: seat.status for seat in moved})

    def told(self, news: Announcement) -> None:
        """The subscribers know this now."""
        self._k, self._phase = news.k, news.phase
        self.statuses.update(news.statuses)


def room(race: Race, now: int, ref: int = 0, viewer: PlayerId | None = None) -> wire.Room:
    """The race and its seats for any viewer; the viewer's own seat is always among them."""
    opened, seats = race.opened, race.seats
    shown: Iterable[PlayerId] = seats
    if opened.kind == "daily":  # only the best, the best first
        others = (player for player, seat in seats.items() if not seat.status.begun_at)
        page = islice(chain(race.ranking.page(0, MOST_SHOWN), others), MOST_SHOWN)
        shown = dict.fromkeys([*page, viewer] if viewer and viewer in seats else page)
    rows = tuple(seats[player].standing for player in shown)
    committed = commitment(bytes.fromhex(opened.server_seed))
    fixed = (race.id, opened.kind, race.phase(now), opened.rules, committed, opened.at, race.host)
    times = (race.starts_at, race.closes_at)
    return wire.Room(*fixed, *times, rows, race.k, race.rematch, ref, players=len(seats))


def standings(
    race: Race, now: int, ref: int = 0, *, start: int = 0, only: Collection[str] = ()
) -> wire.Standings:
    """The places of seats that have begun, the best first: a hundred after the first ``start``."""
    ranking = race.ranking
    page = ranking.page(start, MOST_SHOWN)
    if only:
        page = ranking.among(map(PlayerId, only))[start : start + MOST_SHOWN]
    rows = [replace(race.seats[player].standing, place=ranking.place(player)) for player in page]
    return wire.Standings(race.id, tuple(rows), race.phase(now) == "closed", ref, len(ranking))


def reveal(race: Race) -> wire.Reveal:
    """The deal for everybody. Call it only for a closed race: a player may have two accounts."""
    seed = race.opened.server_seed
    committed = commitment(bytes.fromhex(seed))
    return wire.Reveal(race.id, committed, seed, race.seed.hex(), race.nonces)


def joined(race: Race, player: PlayerId, ref: int, now: int) -> list[Effect]:
    """What a player receives on joining: the room, their own game if it has begun, the end."""
    seat = race.seats.get(player)
    shown = room(race, now, ref, player)
    if seat and race.opened.invite:
        shown = replace(shown, invite=f"{race.id}-{race.opened.invite}")
    effects: list[Effect] = [Reply(shown)]
    if seat and (play := _shown_play(race, seat, now)):
        effects.append(Reply(play.snapshot()))
        if seat.last is not None:
            effects.append(Reply(wire.Refused("phase", play.broken, race.id)))
    return effects + final(race, now)


def final(race: Race, now: int) -> list[Effect]:
    """The final standings and the deal for a client that arrives after the close; else nothing."""
    closed = race.phase(now) == "closed"
    return [Reply(standings(race, now)), Reply(reveal(race))] if closed else []


def resumed(race: Race, player: Player, message: wire.Resume, now: int) -> list[Effect]:
    """What a player receives on resuming: the missed diffs, or the snapshot if it is shorter."""
    play, since = _shown_play(race, race.seats.get(player.id), now), message.since
    if not (play and since and 0 <= play.n - since <= DIFFS_WORTH_A_SNAPSHOT):
        return [Subscribe(), *joined(race, player.id, message.ref, now)]
    shown = Reply(room(race, now, message.ref, player.id))
    return [Subscribe(), shown, *map(Reply, play.diffs(since)), *final(race, now)]


def record(race: Race, player: Player, message: wire.GetRecord, now: int) -> wire.Record:
    """Every move of a seat. Others' seats, and the order of the deal, only once the race is closed.

    A player's own record is available at any time and has only the cards that they have seen.
    """
    whose = race.seats.get(PlayerId(message.player or player.id))
    if whose is None:
        raise Refusal("seat", "There is no such seat in this race.")
    phase = race.phase(now)
    if whose.player != player.id and phase != "closed":
        raise Refusal("phase", "You can see the moves of others when the race is closed.")
    order = race.order if phase == "closed" else ()
    told = wire.Record(race.id, whose.standing, order, (), message.ref, whose.status.begun_at)
    if not (play := _shown_play(race, whose, now)):
        return told
    moves = tuple((entry.ms, entry.move) for entry in play.log)
    return replace(told, moves=moves, piles=play.piles(0), steps=tuple(play.steps))


def _shown_play(race: Race, seat: Seat | None, now: int) -> Play | None:
    """The play of a seat whose cards are not secret any more, as they are in a countdown."""
    return seat.play if seat and race.phase(now) in ("running", "closed") else None
