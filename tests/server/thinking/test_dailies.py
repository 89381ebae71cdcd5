"""The deals of dailies are chosen before their day; what is not ready then is not graded."""

import asyncio
import logging
from collections.abc import AsyncIterator
from datetime import date, timedelta
from functools import partial
from io import StringIO
from typing import Any

import pytest
from tests.server.guests import SECRET, Guest, running
from tests.server.test_open_seeds import OPEN, practised
from tests.support.clock import Clock
from tests.support.times import DAY, NOON

from bigben_protocol import (
    FIRST_DEAL,
    Chosen,
    Create,
    Grade,
    Hello,
    Join,
    Ready,
    Room,
    Snapshot,
    Welcome,
)
from bigben_protocol.sentence import sentence
from bigben_rules import GAMES, counted, shuffle
from bigben_server.ops import check
from bigben_server.ops.export import exported, imported
from bigben_server.ops.long_work import SILENT
from bigben_server.race.daily import Daily, all_of, opened, seed_of, today
from bigben_server.race.events import Opened, Refusal
from bigben_server.storage import dailies as stored
from bigben_server.storage.client import Client
from bigben_server.storage.dailies import daily_id
from bigben_server.storage.ledger import leased
from bigben_server.storage.race_log import Store
from bigben_server.thinking import dailies
from bigben_server.thinking.dailies import Dailies, expected
from bigben_server.thinking.pool import Pool
from bigben_solver import choosing

GRADES = ("easy", "easy", "medium", "medium", "hard", "fiendish", "hard")
TODAY = today(NOON)
TOMORROW = TODAY + timedelta(1)
STANDARD = Daily(TOMORROW, "bigben", "standard")
CERTIFIED = [which for which in all_of(TOMORROW) if which.game in ("bigben", "grandfathersclock")]


class Stand(Pool):
    """Answers at once, as if the deal with the number 2 was the first that passes."""

    def __init__(self, fails: Exception | None = None) -> None:
        super().__init__(1)
        self.asked: list[str] = []
        self.fails = fails

    # Any: no type checker could know what it answers.
    async def ask(  # type: ignore[override]
        self, function: Any, *args: Any, urgent: Any = None
    ) -> Any:
        if self.fails:
            raise self.fails
        assert isinstance(function, partial)
        if function.func is choosing.shorter:
            return function.args[4][:-1]
        _, counter, game, rules = function.args
        self.asked.append(f"{game}.{rules}")
        if counter < 2:
            return None
        grade = function.keywords["grade"].replace("any", "medium")
        return choosing.Chosen(counter, grade, ("turn",) * 10)


def preparing(store: Store, pool: Pool, *, secret: bytes = SECRET, now: int = NOON) -> Dailies:
    return Dailies(store, pool, secret, GRADES, Clock(now))


async def first(store: Store, which: Daily, secret: bytes = SECRET) -> Opened:
    return await stored.first_event(store, which, secret)


async def test_the_dailies_of_three_days_are_prepared_those_with_names_first(store: Store) -> None:
    pool = Stand()
    await preparing(store, pool).look()
    days = [TODAY + timedelta(n) for n in range(3)]
    assert await stored.ready(store) == sorted(which.id for day in days for which in expected(day))
    assert pool.asked[:9:3] == ["bigben.standard", "bigben.open", "bigben.book"]
    assert {which.id for which in expected(TOMORROW)} == {which.id for which in CERTIFIED}


async def test_no_deal_is_chosen_for_a_weekday_without_a_grade(store: Store) -> None:
    grades = [*GRADES[:6], "none"]
    pool = Stand()
    await Dailies(store, pool, SECRET, grades, Clock(NOON)).look()
    monday = TODAY + timedelta(2)
    ready = await stored.ready(store)
    assert ready == sorted(which.id for day in (TODAY, monday) for which in expected(day))


async def test_a_weekday_that_has_no_grade_any_more_loses_what_was_prepared(store: Store) -> None:
    await preparing(store, Stand()).look()
    await Dailies(store, Stand(), SECRET, ["none"] * 7, Clock(NOON)).look()
    assert await stored.ready(store) == []
    assert (await first(store, STANDARD)).chosen == FIRST_DEAL
    await preparing(store, Stand()).look()
    assert (await first(store, STANDARD)).chosen.deal == 2


async def test_a_daily_has_the_grade_of_its_weekday(store: Store) -> None:
    assert date(2026, 11, 21) == TODAY, "a Saturday"
    await preparing(store, Stand()).look()
    grades: tuple[Grade, ...] = ("fiendish", "hard", "easy")
    for days, grade in enumerate(grades):
        day = TODAY + timedelta(days)
        chosen = (await first(store, Daily(day, "bigben", "standard"))).chosen
        assert chosen == Chosen(2, grade, ("turn",) * 6)
        clocks = (await first(store, Daily(day, "grandfathersclock", "no"))).chosen
        assert clocks == Chosen(2, "", ("turn",) * 6)
        assert (await first(store, Daily(day, "watch", "standard"))).chosen == FIRST_DEAL


async def test_the_cards_are_those_of_the_chosen_deal_and_the_commitment_is_the_same(
    store: Store,
) -> None:
    await preparing(store, Stand()).look()
    was, now = opened(STANDARD, SECRET), await first(store, STANDARD)
    assert now.server_seed == was.server_seed
    assert seed_of(now) == counted(bytes.fromhex(was.server_seed), 2)


async def test_looking_again_changes_and_computes_nothing(store: Store) -> None:
    await preparing(store, Stand()).look()
    pool = Stand()
    await preparing(store, pool).look()
    assert pool.asked == []


async def test_one_process_at_a_time_prepares(store: Store) -> None:
    pool = Stand()
    async with leased(store, store.keys.preparing):
        await preparing(store, pool).look()
    assert pool.asked == []


@pytest.mark.parametrize("change", ["secret", "dealt again", "grade"])
async def test_what_was_made_for_another_seed_or_grade_is_made_again(
    store: Store, change: str
) -> None:
    await preparing(store, Stand()).look()
    secret = SECRET
    if change == "secret":
        secret = b"another secret of thirty-two bytes"
    elif change == "dealt again":
        await stored.deal_again(store, TOMORROW, 7)
    again = preparing(store, Stand(), secret=secret)
    if change == "grade":
        again.grades = ("any",) * 7
    else:
        assert (await first(store, STANDARD, secret)).chosen == FIRST_DEAL
    await again.look()
    assert (await first(store, STANDARD, secret)).chosen.deal == 2
    assert (await stored.prepared_for(store, [await first(store, STANDARD, secret)]))[0]


async def test_what_was_prepared_for_days_that_are_over_is_forgotten(store: Store) -> None:
    await preparing(store, Stand()).look()
    await preparing(store, Stand(), now=NOON + 2 * DAY).look()
    assert min(await stored.ready(store)).startswith(f"daily.{TODAY + timedelta(2)}")


async def test_what_can_not_be_read_is_not_graded_and_made_again(store: Store) -> None:
    await preparing(store, Stand()).look()
    await store.ask(("HSET", store.keys.dailies, STANDARD.id, "{"))
    assert (await first(store, STANDARD)).chosen == FIRST_DEAL
    (named,) = [str(found) async for found in check.damaged(store, SILENT)]
    assert named.startswith(f"{store.keys.dailies}: {STANDARD.id}: ")
    await preparing(store, Stand()).look()
    assert (await first(store, STANDARD)).chosen.deal == 2
    assert [found async for found in check.damaged(store, SILENT)] == []


async def test_while_older_servers_use_the_data_the_first_deal_is_played(store: Store) -> None:
    await preparing(store, Stand()).look()
    store.version = 2
    assert (await first(store, STANDARD)).chosen == FIRST_DEAL


async def test_a_pool_that_is_full_is_asked_again_later(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    full = Refusal("busy", sentence("server.computes_too_much"))
    one = preparing(store, Stand(full))
    await one.look()
    assert await stored.ready(store) == []
    assert len(caplog.records) == 1
    one.pool = Stand()
    await one.look()
    assert STANDARD.id in await stored.ready(store)


async def test_no_log_has_the_text_of_what_failed(
    store: Store, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    await preparing(store, Stand(ValueError("12:KH,9C,6S"))).look()
    assert "ValueError" in caplog.text
    assert "KH" not in caplog.text


async def test_without_a_deal_of_the_grade_the_daily_is_not_graded(
    store: Store, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dailies, "DEALS", 1)
    pool = Stand()
    one = preparing(store, pool)
    await one.look()
    assert await stored.ready(store) == []
    assert f"no deal of {STANDARD.id} is hard; it will not be graded" in caplog.messages
    pool.asked.clear()
    await one.look()
    assert pool.asked == []


async def test_an_export_carries_what_is_prepared(store: Store) -> None:
    await preparing(store, Stand()).look()
    was = [await first(store, which) for which in CERTIFIED]
    lines = [line async for line in exported(store)]
    await store.ask(("FLUSHALL",))
    assert await imported(store, StringIO("".join(lines))) == 0
    assert [await first(store, which) for which in CERTIFIED] == was


# In a server


@pytest.fixture
async def ada(client: Client, store: Store) -> AsyncIterator[tuple[Guest, Clock[int]]]:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        guest = Guest(app)
        await guest.ask(Hello("Ada"), Welcome)
        yield guest, clock


async def joined(guest: Guest, race: str) -> Room:
    guest.say(Join(race, ref=7))
    return await guest.until(Room, lambda room: room.ref == 7)


async def test_a_daily_that_is_ready_says_its_grade_and_one_that_is_open_stays_as_it_is(
    ada: tuple[Guest, Clock[int]], store: Store
) -> None:
    guest, clock = ada
    assert (await joined(guest, "daily")).grade == ""
    await preparing(store, Stand()).look()
    assert Daily(TODAY, "bigben", "standard").id not in await stored.ready(store)
    assert (await joined(guest, "daily.book")).grade == "fiendish"
    clock.now += DAY
    tomorrows = await joined(guest, "daily")
    assert (tomorrows.race, tomorrows.grade) == (STANDARD.id, "hard")
    (event, *_) = await store.events(STANDARD.id)
    assert isinstance(event, Opened)
    assert event.chosen.deal == 2


async def test_nobody_practises_the_chosen_deal_of_today(
    ada: tuple[Guest, Clock[int]], store: Store
) -> None:
    guest, clock = ada
    await preparing(store, Stand()).look()
    book = await first(store, Daily(TODAY, "bigben", "book"))
    for seed in (book.server_seed, seed_of(book).hex()):
        assert await practised(guest, seed) == OPEN
    await joined(guest, "daily.book")
    await Dailies(store, Stand(), SECRET, ["none"] * 7, clock).look()
    assert daily_id(book) in await stored.ready(store), "an open daily keeps its deal"
    for seed in (book.server_seed, seed_of(book).hex()):
        assert await practised(guest, seed) == OPEN
    clock.now += DAY
    assert await practised(guest, seed_of(book).hex()) == ""
    guest.say(Create(practice=True, daily=Daily(TODAY, "bigben", "book").id, ref=5))
    room = await guest.until(Room, lambda room: room.ref == 5)
    seen = await guest.ask(Ready(room.race), Snapshot)
    game = GAMES["bigben"]
    dealt = game.deal(shuffle(game.pack, seed_of(book)), "book")
    assert {pile: cards.up for pile, cards in seen.piles.items() if pile != "s"} == {
        str(pile): cards.up for pile, cards in dealt.piles().items() if pile != "s"
    }


async def test_a_real_pool_prepares_a_line_that_wins(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dailies, "GRADED", frozenset())
    monkeypatch.setattr(dailies, "DAYS_AHEAD", 0)
    monkeypatch.setattr(dailies, "SHORTENINGS", 1)
    monkeypatch.setattr(dailies, "expected", lambda day: [Daily(day, "bigben", "standard")])
    pool = Pool(1)
    thinking = asyncio.create_task(pool.run())
    await preparing(store, pool).look()
    thinking.cancel()
    await asyncio.gather(thinking, return_exceptions=True)
    event = await first(store, Daily(TODAY, "bigben", "standard"))
    game = GAMES["bigben"]
    position = game.deal(shuffle(game.pack, seed_of(event)), "standard")
    for text in event.chosen.certificate:
        position, _ = position.apply(position.parse(text))
    assert position.won
