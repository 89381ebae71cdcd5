"""Answers GetAlike: the attempts of a season's closed weeks are compared, for its organisers alone.

A week is computed once, and kept for a while under a digest of its logs, as analyses are; players
are only numbers in it, so a deleted player needs no care. Nothing here changes the season.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import msgspec
from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import PlayerId, RaceId
from bigben_server.leaderboards.queries import called
from bigben_server.race.events import Entry
from bigben_server.race.state import Race
from bigben_server.rooms.answers.analyses import LOOK_S, Analyses
from bigben_server.rooms.requests import Request
from bigben_server.storage.bounds import analyses as kept_ones
from bigben_server.storage.bounds.analyses import Done
from bigben_server.storage.leaderboards import Boards
from bigben_solver.alike import (
    LIMIT,
    ONE_IN,
    VERSION,
    Attempt,
    Compared,
    Pair,
    compare,
    portions,
    read_log,
    suspicious,
)

_WEEK: Final = 100
"""The steps of the progress for each week."""
_encode = msgspec.json.Encoder().encode
_compared = msgspec.json.Decoder(list[Compared])


@dataclass(slots=True)
class _Logs:
    """The attempts at a week's deal, by the account of each player."""

    number: int
    race: Race
    entries: Mapping[PlayerId, Sequence[Entry]]
    """The first one is the beginning."""

    @property
    def players(self) -> Sequence[PlayerId]:
        """In the order of their numbers, which follows from their logs."""
        return sorted(self.entries, key=lambda player: (*self.entries[player],))

    @property
    def digest(self) -> str:
        logs = [self.entries[player] for player in self.players]
        what = "alike", VERSION, self.race.seed.hex(), logs
        return sha256(_encode(what)).hexdigest()[:32]


@dataclass(slots=True, eq=False)
class Likenesses:
    """One report that is being made."""

    analyses: Analyses
    boards: Boards
    request: Request
    season: wire.Season
    weeks: int = 0
    """How many are finished."""
    told: int = -1

    async def answer(self) -> None:
        """Raises Refusal, StoreLost and Damaged."""
        with self.analyses.alone(self.request.player.id):
            await self._answer()

    async def _answer(self) -> None:
        found: dict[int, list[Compared]] = {}
        names: dict[str, str] = {}
        for week in self._closed:
            if self.request.session.gone:
                return  # what is finished is kept
            logs = await self._logs(week)
            names |= {player: self._name(logs.race, player) for player in logs.entries}
            found[week.number] = await self._week(logs)
            self.weeks += 1
        names |= {row.player: row.name for row in self.season.rows}
        pairs = await asyncio.to_thread(suspicious, found)
        told = self._progress(self.of)
        both = {frozenset(one[:2]) for week in found.values() for one in week}
        told = replace(told, pairs=tuple(_on_the_wire(pair, names) for pair in pairs))
        self.request.session.tell(replace(told, compared=len(both), one_in=ONE_IN))

    @property
    def _closed(self) -> list[wire.SeasonWeek]:
        return [week for week in self.season.weeks if week.phase == "closed" and week.race]

    @property
    def of(self) -> int:
        """The steps of all."""
        return _WEEK * len(self._closed) + 1

    def _progress(self, steps: int) -> wire.Alike:
        return wire.Alike(self.season.season, steps, self.of, ref=self.request.ref)

    def tell(self, done: Done) -> None:
        """Tell the player how far the week is that is being compared."""
        steps = self.weeks * _WEEK + min(_WEEK * done.done // done.of, _WEEK)
        if steps > self.told:
            self.told = steps
            self.request.session.tell(self._progress(steps))

    def _name(self, race: Race, player: PlayerId) -> str:
        seat = race.seats.get(player)
        return called(player, seat.name if seat else "")

    async def _logs(self, week: wire.SeasonWeek) -> _Logs:
        """The logs of all people who have a result; of those with two seats, the first one."""
        store, named = self.analyses.store, RaceId(week.race)
        race = Race(named, await store.events(named))
        entries: dict[PlayerId, Sequence[Entry]] = {}
        for one in await self.boards.results(named):
            if not one.result.bot and one.counts_for not in entries:
                log = await store.entries(named, one.player)
                if len(log) > 1 and log[-1].n == len(log) - 1:
                    entries[one.counts_for] = log
        return _Logs(week.number, race, entries)

    async def _week(self, logs: _Logs) -> list[Compared]:
        kept, race, digest = kept_ones.Analyses(self.analyses.store), logs.race.id, logs.digest
        self.tell(Done())
        while (text := await kept.get(race, digest)) is None:
            turn = self.analyses.turns.turn(self.request.session.payer)
            async with turn, kept.lease(race, digest) as ours:
                if ours:
                    # Another may have made it while this one waited for its turn.
                    text = await kept.get(race, digest)
                    if text is None and not self.request.session.gone:
                        text = _encode(await self._compare(kept, digest, logs))
                        await kept.put(race, digest, text)
                    break
            self.tell(await kept.progress(race, digest))
            await asyncio.sleep(LOOK_S)
            if self.request.session.gone:
                break
        players = logs.players
        return [
            Compared(players[int(one.earlier)], players[int(one.later)], one.likeness)
            for one in (_compared.decode(text) if text else ())
        ]

    async def _compare(self, kept: kept_ones.Analyses, digest: str, logs: _Logs) -> list[Compared]:
        """Ask the pool one question after another, so that others can ask in between."""
        pool, race = self.analyses.pool, logs.race
        attempts: dict[str, Attempt] = {}
        count, found = len(logs.entries), list[Compared]()
        for number, player in enumerate(logs.players):
            await self._show(kept, race.id, digest, Done(number, 2 * count))
            begin, *entries = logs.entries[player]
            moves = [entry.move for entry in entries]
            asked = race.game.name, race.opened.rules.rules, race.order, moves
            reading = await pool.ask(read_log, *asked)
            attempts[f"{number}"] = Attempt(begin.ms, [entry.ms for entry in entries], reading)
        done = count
        for players in portions(attempts):
            await self._show(kept, race.id, digest, Done(done, 2 * count))
            found += await pool.ask(compare, attempts, players)
            done += len(players)
        return found

    async def _show(self, kept: kept_ones.Analyses, race: RaceId, digest: str, done: Done) -> None:
        self.tell(done)
        await kept.show(race, digest, done)


def _on_the_wire(pair: Pair, names: Mapping[str, str]) -> wire.AlikePair:
    first, second = pair.players
    return wire.AlikePair(
        (PlayerId(first), PlayerId(second)),
        (names[first], names[second] if second else ""),
        pair.weeks,
        pair.kind,
        round(100 * pair.score / LIMIT),
        tuple(wire.AlikeChoice(c.week, PlayerId(c.player), c.n, c.move) for c in pair.choices),
        pair.explained_by,
    )
