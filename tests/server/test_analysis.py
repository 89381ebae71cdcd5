"""The analysis of a closed race: refused before, computed once, kept without the player's id."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any, Final

import pytest
from tests.server.guests import Guest, running
from tests.server.stage import ADA, BOB, racing
from tests.support.clock import Clock
from tests.support.patience import PATIENCE_S
from tests.support.times import NOON

from bigben_protocol import (
    Analysis,
    Create,
    GetAnalysis,
    Hello,
    Join,
    Move,
    RaceId,
    Ready,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Welcome,
)
from bigben_protocol.sentence import sentence
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.events import Closed, Refusal
from bigben_server.rooms.answers.analyses import EACH_AT_ONCE
from bigben_server.rooms.app import App
from bigben_server.rooms.requests import Request
from bigben_server.sharing.turns import Turns
from bigben_server.storage import ledger
from bigben_server.storage.bounds import analyses
from bigben_server.storage.client import Client
from bigben_server.storage.keys import Keys
from bigben_solver.analysis import Answer, Asking, Choice, Question, analysed
from bigben_solver.analysis.asked import answered

MOVES = ("turn", "turn", "resign")
CROWD: Final = "192.0.2.1"
ELSEWHERE: Final = "198.51.100.7"


class Thinker:
    """Answers in place of the pool, at once, unless ``go`` is cleared."""

    def __init__(self) -> None:
        self.asked: list[Question] = []
        self.go = asyncio.Event()
        self.go.set()
        self.waits = asyncio.Event()

    def check(self) -> None:
        pass

    async def ask(self, function: Callable[[Question], Answer], question: Question) -> Answer:
        assert function is answered
        self.asked.append(question)
        self.waits.set()
        await self.go.wait()
        if question.kind == "solve":
            return (Choice("turn", 1.0, 0.0),) * 99
        return (Choice("turn", 0.25, 50.0), *(Choice(f"{n} f1", 0.1, 40.0) for n in range(3)))


@asynccontextmanager
async def thinking(
    client: Client, clock: Clock[int], process: str
) -> AsyncIterator[tuple[App, Thinker]]:
    thinker: Any = Thinker()
    async with running(client, clock, process=process) as app:
        app.hub.analyses.pool = thinker
        yield app, thinker


async def closed_race(app: App, clock: Clock[int]) -> tuple[Guest, Guest, str]:
    """Ada and Bob have raced; both gave up after a few moves."""
    ada, bob = Guest(app), Guest(app)
    await ada.ask(Hello(name="Ada"), Welcome)
    await bob.ask(Hello(name="Bob"), Welcome)
    race = (await ada.ask(Create(), Room)).race
    await bob.ask(Join(race), Room)
    ada.say(Ready(race))
    bob.say(Ready(race))
    await ada.until(Room, lambda room: room.phase == "countdown")
    clock.now += COUNTDOWN_MS
    app.hub.tick()
    for one, moves in ((ada, MOVES), (bob, MOVES[1:])):
        await one.until(Snapshot)
        for n, move in enumerate(moves, 1):
            clock.now += 1_000
            one.say(Move(race, n, move))
    await ada.until(Reveal)
    return ada, bob, race


class Queue:
    """Players who ask for analyses of races of their own, each from an address."""

    def __init__(self, app: App, clock: Clock[int], thinker: Thinker) -> None:
        self.turns = app.hub.analyses.turns
        self._app, self._clock, self._thinker = app, clock, thinker
        self._firsts: dict[Question, str] = {}
        """What is asked first of each race, and from where."""

    async def come(self, address: str) -> Guest:
        """Somebody asks. They have their turn, or wait for it, when this returns."""
        ada, _, race = await closed_race(self._app, self._clock)
        ada.address = address
        asking = self._analysed(RaceId(race))
        self._firsts[next(asking)] = address
        came = len(self._firsts)
        ada.say(GetAnalysis(race, (ada.player.id,) if ada.player else ()))
        async with asyncio.timeout(PATIENCE_S):
            while len(self.begun()) + self.turns.waiting < came:  # noqa: ASYNC110  # nobody tells
                await asyncio.sleep(0)
        return ada

    def begun(self) -> list[str]:
        """From where the analyses were asked for that were begun, the first first."""
        asked = self._thinker.asked
        return [self._firsts[question] for question in asked if question in self._firsts]

    def _analysed(self, code: RaceId) -> Asking:
        race = self._app.hub.rooms[code].race
        rules = race.opened.rules.rules
        return analysed(race.game, rules, race.order, MOVES, seed=race.seed)


def judged(thinker: Thinker) -> int:
    return len([question for question in thinker.asked if question.kind == "judge"])


async def test_an_open_race_is_not_analysed(client: Client) -> None:
    clock = Clock(NOON)
    async with thinking(client, clock, "test") as (app, thinker):
        ada = Guest(app)
        await ada.ask(Hello(name="Ada"), Welcome)
        race = (await ada.ask(Create(), Room)).race
        refused = await ada.ask(GetAnalysis(race), Refused)
        assert (refused.code, refused.text) == (
            "phase",
            "You can see the analysis when the race is over.",
        )
        practice = (await ada.ask(Create(practice=True), Room)).race
        assert "practice" in (await ada.ask(GetAnalysis(practice), Refused)).text
        assert not thinker.asked


async def test_a_close_that_is_not_durable_is_none(client: Client) -> None:
    async with thinking(client, Clock(NOON), "test") as (app, _):
        ada = Guest(app)
        await ada.ask(Hello(name="Ada"), Welcome)
        stage = racing(ADA, BOB)
        stage.race.write(Closed(stage.now))
        wanted = GetAnalysis(stage.race.id)
        with pytest.raises(Refusal, match="loaded again"):
            app.hub.analyses.answer(stage.race, Request.of(ada, wanted), wanted)


async def test_a_race_is_analysed_once_and_told_to_all(client: Client) -> None:
    clock = Clock(NOON)
    async with thinking(client, clock, "test") as (app, thinker):
        ada, bob, race = await closed_race(app, clock)
        ada.say(GetAnalysis(race, ref=7))
        progress = await ada.until(Analysis)
        assert progress.done < progress.of
        assert not progress.seats
        told = await ada.until(Analysis, lambda one: one.done == one.of)
        assert (told.ref, told.par) == (7, 99)
        assert [seat.name for seat in told.seats] == ["Ada", "Bob"]
        for seat in told.seats:
            first, last = seat.points[0], seat.points[-1]
            assert last.chance - first.chance == seat.skill + seat.luck
            assert last.expected - first.expected == seat.skill_cards + seat.luck_cards
        assert [len(seat.points) for seat in told.seats] == [3, 2]
        asked = len(thinker.asked)
        again = await bob.ask(GetAnalysis(race, (told.seats[0].player,)), Analysis)
        again = await bob.until(Analysis, lambda one: one.done == one.of)
        assert again.seats == told.seats[:1]
        assert len(thinker.asked) == asked, "it is kept"


async def test_what_is_kept_names_no_player_and_expires(client: Client) -> None:
    clock = Clock(NOON)
    async with thinking(client, clock, "test") as (app, _):
        ada, _bob, race = await closed_race(app, clock)
        ada.say(GetAnalysis(race))
        told = await ada.until(Analysis, lambda one: one.done == one.of)
        keys = [
            key async for key in client.scan_iter(match=Keys().analysis(RaceId(race), "") + "*")
        ]
        assert len([key for key in keys if b":lease" not in key]) >= 3
        for key in keys:
            assert 0 < await client.ttl(key) <= analyses.KEPT_S
            text = key + (await client.get(key) or b"")
            assert not any(seat.player.encode() in text for seat in told.seats)


async def test_two_processes_compute_it_once(client: Client) -> None:
    clock = Clock(NOON)
    async with (
        thinking(client, clock, "one") as (one, first),
        thinking(client, clock, "two") as (two, second),
    ):
        ada, _, race = await closed_race(one, clock)
        eve = Guest(two)
        await eve.ask(Hello(name="Eve"), Welcome)
        first.go.clear()
        ada.say(GetAnalysis(race))
        await first.waits.wait()
        eve.say(GetAnalysis(race, (), 3))
        await eve.until(Analysis)
        first.go.set()
        told = await eve.until(Analysis, lambda message: message.done == message.of)
        hers = await ada.until(Analysis, lambda message: message.done == message.of)
        assert {*told.seats} == {*hers.seats}
        together = judged(first) + judged(second)
        first.asked.clear()
        async for key in client.scan_iter(match=Keys().analysis(RaceId(race), "") + "*"):
            await client.delete(key)
        ada.say(GetAnalysis(race))
        await ada.until(Analysis, lambda message: message.done == message.of)
        assert together == judged(first), "nothing was judged twice"


async def test_a_process_that_is_cut_off_leaves_it_to_the_next(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "LEASE_MS", 300)
    clock = Clock(NOON)
    async with thinking(client, clock, "one") as (one, first):
        ada, _, race = await closed_race(one, clock)
        first.go.clear()
        ada.say(GetAnalysis(race))
        await first.waits.wait()
    async with thinking(client, clock, "two") as (two, _):
        eve = Guest(two)
        await eve.ask(Hello(name="Eve"), Welcome)
        eve.say(GetAnalysis(race))
        assert (await eve.until(Analysis, lambda one: one.done == one.of)).seats


async def test_who_asks_too_often_is_refused(client: Client) -> None:
    clock = Clock(NOON)
    async with thinking(client, clock, "test") as (app, thinker):
        ada, _, race = await closed_race(app, clock)
        thinker.go.clear()
        ada.say(GetAnalysis(race, ref=1))
        ada.say(GetAnalysis(race, ref=2))
        assert (await ada.until(Refused)).ref == 2
        ada.say(*(GetAnalysis(race, ref=ref) for ref in range(3, 12)))
        assert (await ada.until(Refused, lambda one: one.code == "limit")).ref > 3
        ada.say(GetAnalysis("ZZZZZZ"))
        await ada.until(Refused, lambda one: one.code == "unknown")


async def test_an_address_has_two_analyses_made_at_once_and_others_do_not_wait_for_it(
    client: Client,
) -> None:
    clock = Clock(NOON)
    async with thinking(client, clock, "test") as (app, thinker):
        thinker.go.clear()
        queue = Queue(app, clock, thinker)
        crowd = [await queue.come(CROWD) for _ in range(EACH_AT_ONCE + 1)]
        assert queue.begun() == [CROWD] * EACH_AT_ONCE
        other = await queue.come(ELSEWHERE)
        assert queue.begun() == [CROWD] * EACH_AT_ONCE + [ELSEWHERE]
        assert queue.turns.waiting == 1
        thinker.go.set()
        for guest in (other, *crowd):  # nobody was refused
            assert (await guest.until(Analysis, lambda one: one.done == one.of)).seats


async def test_two_addresses_take_turns_at_analyses_however_many_one_of_them_asks_for(
    client: Client,
) -> None:
    clock = Clock(NOON)
    async with thinking(client, clock, "test") as (app, thinker):
        one_at_a_time = Turns(at_once=1, each=1, most_waiting=9, full=sentence("server.full"))
        app.hub.analyses.turns = one_at_a_time
        thinker.go.clear()
        queue = Queue(app, clock, thinker)
        guests = [await queue.come(at) for at in [CROWD] * 4 + [ELSEWHERE] * 2]
        assert queue.begun() == [CROWD]
        thinker.go.set()
        for guest in guests:
            assert (await guest.until(Analysis, lambda one: one.done == one.of)).seats
        # The one who waits longest comes first; then they alternate.
        assert queue.begun() == [CROWD, CROWD, ELSEWHERE, CROWD, ELSEWHERE, CROWD]


async def test_a_server_without_thinkers_says_so(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        ada, _, race = await closed_race(app, clock)
        assert (await ada.ask(GetAnalysis(race), Refused)).code == "busy"
        strangers = GetAnalysis(race, ("guest:nobody",))
        assert (await ada.ask(strangers, Refused)).code == "seat"
