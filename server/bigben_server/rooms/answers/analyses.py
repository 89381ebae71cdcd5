"""Answers GetAnalysis: each seat of a closed race is computed once, and kept for all who ask."""

import asyncio
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from itertools import islice
from typing import Final

import msgspec
from msgspec.structs import replace

import bigben_protocol as wire
from bigben_protocol import PlayerId
from bigben_protocol.sentence import sentence
from bigben_server.race import views
from bigben_server.race.events import Entry, Refusal
from bigben_server.race.game import Seat
from bigben_server.race.state import Race
from bigben_server.rooms.requests import Request
from bigben_server.rooms.services import Services
from bigben_server.sharing.turns import Turns
from bigben_server.storage.bounds import analyses as kept_ones
from bigben_server.storage.bounds.analyses import Done
from bigben_server.storage.race_log import Store
from bigben_server.thinking.pool import Pool
from bigben_solver.analysis import (
    VERSION,
    Answer,
    Asking,
    Question,
    SeatAnalysis,
    analysed,
    answered,
    par_of,
)
from bigben_solver.games import CERTIFIED

MOST_UNASKED: Final = 4
"""The seats in an analysis that names none."""
LOOK_S: Final = 0.5
"""How often to look how far another process is."""
AT_ONCE: Final = 8
"""The seats that are analysed at once, or wait for the pool."""
EACH_AT_ONCE: Final = 2
"""Of them for one address, or player of another issuer."""
MOST_WAITING: Final = 40
"""The players who may wait for their turn: a school class that has raced together."""
_BUSY: Final = sentence("server.many_analyses")
_SEAT: Final = 100
"""The steps of the progress for each seat; the deal has one."""

_encode = msgspec.json.Encoder().encode
_seats = msgspec.json.Decoder(wire.AnalysedSeat)


class Par(msgspec.Struct, frozen=True):
    """What is known of a deal."""

    par: int
    grade: wire.Grade = ""


_pars = msgspec.json.Decoder(Par)


def _turns() -> Turns:
    return Turns(at_once=AT_ONCE, each=EACH_AT_ONCE, most_waiting=MOST_WAITING, full=_BUSY)


@dataclass(slots=True, eq=False)
class Analyses:
    store: Store
    pool: Pool
    services: Services
    turns: Turns = field(default_factory=_turns, init=False)
    """What is kept needs none."""
    asking: set[PlayerId] = field(default_factory=set, init=False)
    """The players who wait for an analysis."""

    def answer(self, race: Race, request: Request, wanted: wire.GetAnalysis) -> None:
        """Answer with the analysis of a closed race, and the progress before. Raises Refusal."""
        now = self.services.clock()
        seats = _chosen(race, request.player.id, wanted, now)
        self.pool.check()
        self.services.quotas.analyses.check(request, now)
        work = Work(self, race, request, wanted.ref, seats)
        self.services.answer_later(request, work.answer)

    @contextmanager
    def alone(self, player: wire.PlayerId) -> Iterator[None]:
        """Around the work for a player, who waits for one at a time. Raises Refusal."""
        if player in self.asking:
            raise Refusal("busy", sentence("see.analysis_one"))
        self.asking.add(player)
        try:
            yield
        finally:
            self.asking.discard(player)


@dataclass(slots=True, eq=False)
class Work:
    """One answer that is being made."""

    analyses: Analyses
    race: Race
    request: Request
    ref: int
    seats: Sequence[Seat]
    before: int = 0
    """The steps of what is finished."""
    told: int = -1

    async def answer(self) -> None:
        """Raises Refusal, StoreLost and Damaged."""
        with self.analyses.alone(self.request.player.id):
            await self._answer()

    async def _answer(self) -> None:
        found: list[wire.AnalysedSeat] = []
        for seat in self.seats:
            if self.request.session.gone:
                return  # what is finished is kept
            found.append(await self._seat(seat))
            self.before += _SEAT
        par = await self._par()
        told = wire.Analysis(self.race.id, self.of, self.of, tuple(found), par.par, par.grade)
        self.request.session.tell(replace(told, ref=self.ref))

    @property
    def of(self) -> int:
        """The steps of all."""
        return _SEAT * len(self.seats) + 1

    def tell(self, done: Done) -> None:
        """Tell the player how far the seat is that is being analysed."""
        steps = self.before + min(_SEAT * done.done // done.of, _SEAT)
        if steps > self.told:
            self.told = steps
            progress = wire.Analysis(self.race.id, steps, self.of, ref=self.ref)
            self.request.session.tell(progress)

    async def _seat(self, seat: Seat) -> wire.AnalysedSeat:
        store, race = self.analyses.store, self.race
        moves = _moves(await store.entries(race.id, seat.player))
        digest = _digest(race, *moves)
        kept = kept_ones.Analyses(store)
        self.tell(Done())
        while (text := await kept.get(race.id, digest)) is None:
            async with self._turn(), kept.lease(race.id, digest) as ours:
                if ours:
                    # Another may have made it while this one waited for its turn.
                    text = await kept.get(race.id, digest)
                    if text is None and not self.request.session.gone:
                        made = await self._analyse(kept, digest, moves)
                        await kept.put(race.id, digest, text := _encode(made))
                    break
            self.tell(await kept.progress(race.id, digest))
            await asyncio.sleep(LOOK_S)
            if self.request.session.gone:
                break
        found = _seats.decode(text) if text else wire.AnalysedSeat(PlayerId(""), "")
        return replace(found, player=seat.player, name=seat.name)

    async def _analyse(
        self, kept: kept_ones.Analyses, digest: str, moves: Sequence[str]
    ) -> wire.AnalysedSeat:
        """Ask the pool one question after another, so that others can ask in between."""
        race, pool = self.race, self.analyses.pool
        rules = race.opened.rules.rules
        asking = analysed(race.game, rules, race.order, moves, seed=race.seed)
        answer: Answer | None = None
        while True:
            # In a thread: a long game takes longer than a move may wait.
            step = await asyncio.to_thread(_next, asking, answer)
            if isinstance(step, SeatAnalysis):
                return _on_the_wire(step)
            done = Done(step.done, step.of)
            self.tell(done)
            await kept.show(race.id, digest, done)
            answer = await pool.ask(answered, step)

    def _turn(self) -> AbstractAsyncContextManager[None]:
        return self.analyses.turns.turn(self.request.session.payer)

    async def _par(self) -> Par:
        """Par is not worth waiting for another process: both find the same."""
        if certificate := self.race.chosen.certificate:
            return Par(len(certificate), self.race.chosen.grade)
        race, kept = self.race, kept_ones.Analyses(self.analyses.store)
        digest = _digest(race)
        if text := await kept.get(race.id, digest):
            return _pars.decode(text)
        question = par_of(race.game, race.opened.rules.rules, race.order)
        async with self._turn():
            par = Par(len(await self.analyses.pool.ask(answered, question)))
        await kept.put(race.id, digest, _encode(par))
        return par


def _chosen(race: Race, asker: PlayerId, wanted: wire.GetAnalysis, now: int) -> list[Seat]:
    """The seats to analyse. Raises Refusal."""
    if race.opened.kind == "practice":
        raise Refusal("phase", sentence("see.analysis_practice"))
    if race.phase(now) != "closed":
        raise Refusal("phase", sentence("see.analysis_closed"))
    if race.durable < race.event_count:  # this process has closed it, but may be refused
        raise Refusal("busy", views.READ_AGAIN)
    if race.game.name not in CERTIFIED:
        raise Refusal("rules", sentence("see.analysis_games"))
    players: Iterable[PlayerId] = map(PlayerId, wanted.players)
    if not wanted.players:
        players = [asker, *race.ranking.page(0, MOST_UNASKED)]
    seats = (race.seats[player] for player in dict.fromkeys(players) if player in race.seats)
    begun = (seat for seat in seats if seat.status.begun_at)
    most = len(wanted.players) or MOST_UNASKED
    if not (found := [*islice(begun, most)]):
        raise Refusal("seat", sentence("race.no_such_seat"))
    return found


def _moves(entries: Iterable[Entry]) -> list[str]:
    """The moves of a seat's log, up to the first that is missing."""
    moves: list[str] = []
    for entry in entries:
        if entry.n == len(moves) + 1:
            moves.append(entry.move)
    return moves


def _digest(race: Race, *moves: str) -> str:
    """What was analysed, and by which version; without moves, the deal."""
    rules = race.opened.rules
    what = VERSION, rules.game, rules.rules, race.seed.hex(), moves
    return sha256(_encode(what)).hexdigest()[:32]


def _next(asking: Asking, answer: Answer | None) -> Question | SeatAnalysis:
    """The next question, or the result."""
    try:
        return next(asking) if answer is None else asking.send(answer)
    except StopIteration as end:
        result: SeatAnalysis = end.value
        return result


def _on_the_wire(made: SeatAnalysis) -> wire.AnalysedSeat:
    """Without the player, whom only the answer names."""
    return wire.AnalysedSeat(
        PlayerId(""),
        "",
        tuple(wire.AnalysisPoint(p.n, p.chance, p.expected, p.home) for p in made.points),
        tuple(wire.CostlyMove(c.n, c.move, c.better, c.cost, c.cards) for c in made.costly),
        made.skill,
        made.luck,
        made.skill_cards,
        made.luck_cards,
    )
