"""Hints: in practice and after the close only, from what the player sees and nothing else."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.guests import Guest, running
from tests.server.stage import (
    ADA,
    BOB,
    DORA,
    ROOM,
    SECOND,
    Stage,
    daily,
    deadline,
    live,
    practice,
    racing,
)
from tests.server.two_worlds import IN_FANS, SEEDS, TwoWorlds, live_room, orders_that_agree
from tests.server.two_worlds import racing as racing_in_both
from tests.support.clock import Clock
from tests.support.times import NOON
from tests.support.torture import examples

from bigben_protocol import (
    CODECS,
    Create,
    Diff,
    GetHint,
    Hello,
    Hint,
    Move,
    PlayerId,
    RaceId,
    Ready,
    Refused,
    Reveal,
    Room,
    Snapshot,
    Start,
    Welcome,
    texts,
)
from bigben_protocol.sentence import sentence
from bigben_server.race import deciding, events, lobby, views
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.decisions import Request
from bigben_server.race.events import Player, Refusal, RoomEvent
from bigben_server.rooms.app import App
from bigben_server.storage.client import Client
from bigben_server.thinking.hints import EACH_AT_ONCE, MOST_WAITING, Hints
from bigben_server.thinking.pool import Pool, Urgent
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import hint

NOT_YET: Final = ("phase", "A race has no hints until it is over; practice always has.")


def asked(stage: Stage, player: Player, n: int, whose: str = "") -> Asked | tuple[str, str]:
    """What the server lets another process think about, or its refusal."""
    message = GetHint(stage.race.id, n, PlayerId(whose))
    if unread := deciding.needs(stage.race, Request(message, player)).log:
        stage.race.remember(unread, stage.seat_logs.get(unread, []))
    try:
        return views.hinted(stage.race, player, message, stage.now)
    except Refusal as refusal:
        return refusal.code, str(refusal)


def closed() -> Stage:
    """A live race that Ada has won nothing in, and Bob neither, each after a move."""
    stage = racing(ADA, BOB)
    for player in (ADA, BOB):
        stage.move(player, "turn", "resign")
    return stage.wait(SECOND)


# Who gets one


def test_practice_has_hints_for_the_position_now() -> None:
    stage = practice()
    stage.ready(ADA)
    assert isinstance(asked(stage, ADA, 0), Asked)
    stage.move(ADA, "turn")
    found = asked(stage, ADA, 1)
    assert isinstance(found, Asked)
    assert found.legal
    for n in (0, 2, 2**31):
        refused = ("gap", "This game is after move 1; ask for a hint there.")
        assert asked(stage, ADA, n) == refused


def test_nobody_gets_hints_in_the_practice_of_another_player() -> None:
    stage = practice()
    stage.ready(ADA)
    for whose in ("", ADA.id, BOB.id):
        refused = ("seat", "This practice belongs to another player; begin your own.")
        assert asked(stage, BOB, 0, whose) == refused
    stage.move(ADA, "resign")
    stage.wait(SECOND)
    assert asked(stage, BOB, 0, ADA.id)[0] == "seat"


@pytest.mark.parametrize("start", [racing, daily, deadline], ids=["live", "daily", "deadline"])
def test_a_race_that_runs_has_none_even_for_players_whose_game_is_over(
    start: Callable[..., Stage],
) -> None:
    stage = start(ADA, BOB)
    stage.ready(ADA, BOB)
    stage.move(ADA, "turn", "resign")
    for player in (ADA, BOB, DORA):
        for whose in ("", ADA.id, BOB.id):
            for n in (0, 1, 2):
                assert asked(stage, player, n, whose) == NOT_YET


def test_a_room_that_has_not_started_has_none() -> None:
    stage = live(ADA, BOB)
    assert asked(stage, ADA, 0) == NOT_YET
    stage.ready(ADA, BOB)
    assert asked(stage, ADA, 0) == NOT_YET, "the countdown"
    stage = live(ADA)
    stage.leave(ADA)
    assert asked(stage, ADA, 0) == NOT_YET, "cancelled"


def test_after_the_close_everybody_gets_one_for_every_seat_and_move() -> None:
    stage = closed()
    for player in (ADA, BOB, DORA):
        for n in (0, 1, 2):
            found = asked(stage.restart(), player, n, BOB.id)
            assert isinstance(found, Asked)
            assert found.legal, "what was best is said of the last position too"
    assert asked(stage, DORA, 3, BOB.id)[0] == "gap"
    assert asked(stage, DORA, 0, "guest:nobody")[0] == "seat"
    assert asked(stage, DORA, 0)[0] == "seat"


def test_a_seat_that_never_saw_cards_has_none() -> None:
    stage = daily(ADA, BOB)
    stage.ready(ADA)
    stage.at(stage.race.closes_at)
    assert isinstance(asked(stage, BOB, 0, ADA.id), Asked)
    assert asked(stage, ADA, 0, BOB.id) == ("phase", "This seat has no cards yet.")


@pytest.mark.parametrize("game", ["clock", "travellers", "hideandseek"])
async def test_a_game_without_choices_is_refused(client: Client, game: str) -> None:
    async with practising(client, Here(), game) as (_, ada, race):
        refused = await ada.ask(GetHint(race, 0, ref=2), Refused)
        assert refused == Refused(
            "rules",
            "There is nothing to decide in this game, so it has no hints.",
            race,
            2,
            "hint.luck",
        )


def test_a_player_remembers_what_the_last_new_card_showed() -> None:
    """So that a hint can go on with the plan that was made then."""
    stage = practice()
    stage.ready(ADA)
    first = asked(stage, ADA, 0)
    assert isinstance(first, Asked)
    assert first.then() == first.seen()
    stage.move(ADA, "turn")
    turned = asked(stage, ADA, 1)
    assert isinstance(turned, Asked)
    assert turned.then() == turned.seen()
    build = next(text for text in turned.legal if text not in ("turn", "refill"))
    stage.move(ADA, build)
    built = asked(stage, ADA, 2)
    assert isinstance(built, Asked)
    assert built.dealt == turned.dealt
    assert built.seen() != built.then()


# What they depend on


def practice_in_both() -> tuple[list[RoomEvent], ...]:
    create = Create(practice=True)
    return tuple(lobby.created(create, ADA, NOON, partial(_always, seed)) for seed in SEEDS)


def _always(seed: bytes, count: int) -> bytes:
    assert count == len(seed)
    return seed


def answers(worlds: TwoWorlds, n: int, whose: Player) -> list[list[bytes]]:
    """The bytes of the answer in each world."""
    told = []
    for stage in worlds.worlds:
        found = asked(stage, whose, n, whose.id)
        assert isinstance(found, Asked)
        best = hint(found)
        said = events.told(best.why)
        message = Hint(ROOM, n, best.move, texts.all_said(said), 1, said=said)
        told.append([codec.encode(message) for codec in CODECS.values()])
    return told


@examples(15)
@given(
    st.binary(min_size=32, max_size=32),
    st.randoms(use_true_random=False),
    st.lists(st.integers(0, 2**16), max_size=30),
    st.integers(0, 20),
    st.booleans(),
)
def test_two_worlds_that_agree_on_what_was_seen_ask_for_the_same(
    seed: bytes, random: Random, script: list[int], most: int, in_practice: bool
) -> None:
    orders = orders_that_agree(seed, random, IN_FANS + most)
    if in_practice:
        worlds = TwoWorlds(practice_in_both(), orders)
        worlds.both(Stage.join, ADA)
        worlds.both(Stage.ready, ADA)
    else:
        worlds = racing_in_both(TwoWorlds(live_room(ADA), orders), ADA, BOB)
    for number in script:
        play = worlds.one.race.seats[ADA.id].play
        assert play is not None
        worlds.move_within(ADA, play.legal[number % len(play.legal)] if play.legal else "", most)
    if not in_practice:  # no move in its replay looks at the cards that the close has shown
        worlds.both(Stage.move, ADA, "resign")
        worlds.both(Stage.move, BOB, "resign")
        worlds.both(Stage.wait, SECOND)
    now = worlds.one.race.seats[ADA.id].status.moves
    for n in {now} if in_practice else range(now + 1):
        one, other = (asked(stage, ADA, n) for stage in worlds.worlds)
        assert isinstance(one, Asked)
        assert one == other


@pytest.mark.parametrize("dealt", [0, 3])
def test_two_worlds_that_agree_on_what_was_seen_get_the_same_bytes(dealt: int) -> None:
    orders = orders_that_agree(SEEDS[0], Random(dealt), IN_FANS + dealt)
    assert orders[0] != orders[1]
    worlds = TwoWorlds(practice_in_both(), orders)
    worlds.both(Stage.join, ADA)
    worlds.both(Stage.ready, ADA)
    worlds.both(Stage.move, ADA, *["turn"] * dealt) if dealt else None
    one, other = answers(worlds, dealt, ADA)
    assert one == other


# The whole server


class Here(Pool):
    """Computes at once, in this process, and counts."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[object] = []

    async def ask(  # type: ignore[override] # any function, in the tests
        self, function: Callable[..., object], *args: object, urgent: Urgent = Urgent.SOON
    ) -> object:
        self.asked += args
        return function(*args)


@asynccontextmanager
async def practising(
    client: Client, pool: Pool, game: str = "watch"
) -> AsyncIterator[tuple[App, Guest, str]]:
    """An application that computes in this pool, and Ada in her practice."""
    async with running(client, Clock(NOON)) as app:
        app.hub.hinting.hints.pool = pool
        ada = Guest(app)
        await ada.ask(Hello(name="Ada"), Welcome)
        race = (await ada.ask(Create(game, practice=True), Room)).race
        ada.say(Ready(race))
        await ada.until(Snapshot)
        yield app, ada, race


async def test_a_hint_is_computed_once_and_always_the_same(client: Client) -> None:
    async with practising(client, pool := Here()) as (_, ada, race):
        first = await ada.ask(GetHint(race, 0, ref=7), Hint)
        said = (sentence("hint.turn_next"), sentence("hint.only"))
        why = "Turn the next card. It is the only move."
        assert first == Hint(RaceId(race), 0, "turn", why, 7, said=said)
        assert await ada.ask(GetHint(race, 0, ref=7), Hint) == first
        assert len(pool.asked) == 1
        await ada.ask(Move(race, 1, "turn"), Diff)
        assert (await ada.ask(GetHint(race, 0, ref=8), Refused)).code == "gap"
        assert (await ada.ask(GetHint(race, 1), Hint)).n == 1


async def test_another_process_finds_it(client: Client) -> None:
    async with running(client, Clock(NOON), thinkers=1) as app:
        ada = Guest(app)
        await ada.ask(Hello(name="Ada"), Welcome)
        race = (await ada.ask(Create("watch", practice=True), Room)).race
        ada.say(Ready(race))
        await ada.until(Snapshot)
        told = await ada.ask(GetHint(race, 0, ref=3), Hint)
        assert (told.move, told.why) == ("turn", "Turn the next card. It is the only move.")


async def test_a_server_without_thinkers_says_so(client: Client) -> None:
    async with practising(client, Pool(0)) as (_, ada, race):
        refused = await ada.ask(GetHint(race, 0, ref=2), Refused)
        assert refused == Refused(
            "busy",
            "This server gives no hints, analyses or grades.",
            race,
            2,
            "server.computes_nothing",
        )


async def test_a_flood_of_hints_is_refused_and_the_game_goes_on(client: Client) -> None:
    async with practising(client, pool := Here()) as (_, ada, race):
        ada.say(*(GetHint(race, 0, ref=ref) for ref in range(1, 101)))
        refused = [await ada.until(Refused) for _ in range(94)]
        assert len({(await ada.until(Hint)).why for _ in range(6)}) == 1
        assert {one.text for one in refused} == {"You ask for hints too often; wait a moment."}
        assert len(pool.asked) == 1
        assert (await ada.ask(Move(race, 1, "turn"), Diff)).n == 1


class Waiting(Here):
    """A pool that answers when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.go = asyncio.Event()

    async def ask(  # type: ignore[override] # only hints are asked for
        self, function: Callable[..., object], *args: object, urgent: Urgent = Urgent.SOON
    ) -> object:
        self.asked += args
        await self.go.wait()
        return args


def question(n: int) -> Asked:
    return Asked("clock", "standard", (), (str(n),))


async def test_an_address_has_two_hints_computed_at_once_and_others_do_not_wait_for_it() -> None:
    hints = Hints(pool := Waiting())
    async with asyncio.TaskGroup() as tasks:
        crowd = [tasks.create_task(hints.find(question(n), "crowd")) for n in range(8)]
        await asyncio.sleep(0)
        assert pool.asked == [question(0), question(1)]
        other = tasks.create_task(hints.find(question(8), "elsewhere"))
        await asyncio.sleep(0)
        assert pool.asked[2:] == [question(8)]
        assert not any(task.done() for task in (*crowd, other))
        pool.go.set()
    assert len(pool.asked) == 9, "nobody was refused"


async def test_a_class_waits_for_hints_and_what_is_more_is_refused_at_once() -> None:
    hints = Hints(pool := Waiting())
    async with asyncio.TaskGroup() as tasks:
        for n in range(40):
            tasks.create_task(hints.find(question(n), "school"))
        await asyncio.sleep(0)
        for n in range(40, EACH_AT_ONCE + MOST_WAITING):
            tasks.create_task(hints.find(question(n), "school"))
        await asyncio.sleep(0)
        with pytest.raises(Refusal, match="Many players"):
            await hints.find(question(99), "school")
        pool.go.set()
    assert await hints.find(question(0), "school")
    assert len(pool.asked) == EACH_AT_ONCE + MOST_WAITING, "what is found needs no turn"


async def test_a_cancelled_question_leaves_its_place_to_the_next() -> None:
    hints = Hints(pool := Waiting())
    first = [asyncio.create_task(hints.find(question(n), "here")) for n in range(EACH_AT_ONCE)]
    await asyncio.sleep(0)
    next_one = asyncio.create_task(hints.find(question(9), "here"))
    await asyncio.sleep(0)
    for task in first:
        task.cancel()
    await asyncio.wait(first)
    pool.go.set()
    assert await next_one
    assert pool.asked[-1] == question(9)


async def test_what_the_rules_don_t_know_is_refused_over_the_wire(client: Client) -> None:
    async with practising(client, Here()) as (app, ada, race):
        bob = Guest(app)
        await bob.ask(Hello(name="Bob"), Welcome)
        assert (await bob.ask(GetHint(race, 0), Refused)).code == "seat"
        assert (await bob.ask(GetHint("ZZZZZZ", 0), Refused)).code == "unknown"
        assert (await bob.ask(GetHint("daily", 0), Refused)).text == NOT_YET[1]
        assert (await ada.ask(GetHint(race, 2**31), Refused)).code == "gap"
        assert (await ada.ask(GetHint(race, 0, "x" * 128), Refused)).code == "seat"


async def test_a_closed_live_race_has_hints_for_spectators_too(client: Client) -> None:
    clock = Clock(NOON)
    async with running(client, clock) as app:
        app.hub.hinting.hints.pool = Here()
        ada, bob = Guest(app), Guest(app)
        me = (await ada.ask(Hello(name="Ada"), Welcome)).player
        await bob.ask(Hello(name="Bob"), Welcome)
        race = (await ada.ask(Create("watch"), Room)).race
        await ada.ask(Ready(race, ref=1), Room)
        ada.say(Start(race, 2))
        await ada.until(Room, lambda room: room.phase == "countdown")
        clock.now += COUNTDOWN_MS
        app.hub.tick()
        await ada.until(Snapshot)
        await ada.ask(Move(race, 1, "turn"), Diff)
        for guest in (ada, bob):
            assert (await guest.ask(GetHint(race, 1, me), Refused)).text == NOT_YET[1]
        ada.say(Move(race, 2, "resign"))
        await ada.until(Reveal)
        told = await bob.ask(GetHint(race, 1, me, 5), Hint)
        assert (told.move, told.player, told.ref) == ("turn", me, 5)
