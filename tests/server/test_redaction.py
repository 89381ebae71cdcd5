"""No card leaves the server before the viewer's own game has dealt it.

Two worlds whose deals agree on all that a viewer has seen must send that viewer the same bytes.
Only the commitment differs, as it must: it binds to another seed.
"""

from random import Random
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.server.stage import ADA, BOB, CARL, DORA, SECOND, Stage, only
from tests.server.two_worlds import (
    IN_FANS,
    SEEDS,
    TwoWorlds,
    a_daily,
    live_room,
    orders_that_agree,
)

from bigben_protocol import (
    Diff,
    GetRecord,
    GetStandings,
    Progress,
    Record,
    Refused,
    Reveal,
    Snapshot,
)
from bigben_server.race.commands import COUNTDOWN_MS
from bigben_server.race.events import Player

seeds = st.binary(min_size=32, max_size=32)
randoms = st.randoms(use_true_random=False)
scripts = st.lists(st.integers(0, 2**16), min_size=20, max_size=60)
"""What happens next, step by step."""
quick = settings(deadline=None, max_examples=60)

mosts = st.integers(0, 20)
"""How many cards of the stock the viewer deals; behind them the worlds differ."""
TARGETS: Final = (*map(str, range(1, 13)), "w", "fdn", *(f"f{hour}" for hour in range(1, 13)))
WORDS: Final = ("turn", "refill", "deal", "undo", "nonsense", "begin")
ASKS: Final = ("record", "record of Ada", "record of Bob", "standings", "watch", "leave", "join")
RACERS_ASKS: Final = (*ASKS, "ready", "unready", "start", "resume", "again", "ahead")
ENDS_ASKS: Final = (*RACERS_ASKS, "resign")


def ask(stage: Stage, viewer: Player, what: str, number: int) -> None:
    """Anything a viewer may want to know, allowed or not."""
    race = stage.race.id
    match what:
        case "record":
            stage.say(viewer, GetRecord(race))
        case "record of Ada":
            stage.say(viewer, GetRecord(race, ADA.id))
        case "record of Bob":
            stage.say(viewer, GetRecord(race, BOB.id))
        case "standings":
            stage.say(viewer, GetStandings(race))
        case "watch":
            stage.watch(viewer)
        case "leave":
            stage.leave(viewer)
        case "join":
            stage.join(viewer)
        case "ready":
            stage.ready(viewer)
        case "unready":
            stage.unready(viewer)
        case "start":
            stage.start(viewer)
        case "resume":
            stage.resume(viewer, number % 30)
        case "resign":
            # Whoever has had enough of a deal must not be shown the rest of it.
            if stage.race.seats[viewer.id].status.state == "playing":
                stage.move(viewer, "resign")
        case "again":
            # Never the next number: that would be a move, and show its cards.
            seat = stage.race.seats.get(viewer.id)
            stage.send(viewer, number % ((seat.status.moves if seat else 0) + 1), "deal")
        case _:
            stage.send(viewer, 2**20, "deal")


def move_as_viewer(worlds: TwoWorlds, viewer: Player, number: int, most: int) -> None:
    """A legal move, mostly; else any text at all."""
    shown = [m for m in worlds.one.told[viewer.id] if isinstance(m, Snapshot | Diff)]
    legal = shown[-1].legal or ("turn",)
    text = (
        legal[number % len(legal)],
        legal[-1],
        f"{TARGETS[number % 13]} {TARGETS[number % len(TARGETS)]}",
        WORDS[number % len(WORDS)],
    )[number // 16 % 4]
    worlds.move_within(viewer, text, most)


def run(
    worlds: TwoWorlds, viewer: Player, rivals: list[Player], script: list[int], most: int = 0
) -> None:
    """Play the script: the viewer moves if they race, and asks; the rivals move as they can.

    The viewer and the last rival may resign. Another one plays on, so that the race is not closed.
    """
    races = viewer.id in worlds.one.race.seats and worlds.one.race.seats[viewer.id].status.begun_at
    asks = ENDS_ASKS if races else ASKS
    for step in script:
        number, kind = divmod(step, 8)
        worlds.both(Stage.wait, number % 20 * SECOND)
        if kind == 0:
            worlds.both(ask, viewer, asks[number % len(asks)], number)
        elif kind < 4 and races:
            move_as_viewer(worlds, viewer, number, most)
        elif step % 128 == 7:
            worlds.both(Stage.move, rivals[-1], "resign")
        else:
            worlds.move_alike(rivals[number % len(rivals)], number)


def assert_no_difference(worlds: TwoWorlds, viewer: Player) -> None:
    one, other = worlds.frames(viewer)
    assert one == other
    for seed in SEEDS:
        assert not any(seed.hex().encode() in frame for frame in one + other)


def racing(worlds: TwoWorlds, *players: Player) -> TwoWorlds:
    """All of them in their seats and the cards on the table."""
    worlds.both(Stage.join, *players)
    worlds.both(Stage.ready, *players)
    worlds.both(Stage.wait, COUNTDOWN_MS)
    return worlds


@quick
@given(seeds, randoms, scripts, mosts, st.booleans())
def test_a_racer_learns_no_card_that_only_rivals_have_seen(
    seed: bytes, random: Random, script: list[int], most: int, undo: bool
) -> None:
    orders = orders_that_agree(seed, random, IN_FANS + most)
    worlds = racing(TwoWorlds(live_room(ADA, undo=undo), orders), ADA, BOB, CARL)
    run(worlds, ADA, [BOB, BOB, CARL], script, most)
    assert_no_difference(worlds, ADA)


@quick
@given(seeds, randoms, scripts, mosts)
def test_a_racer_in_a_daily_learns_no_card_to_come(
    seed: bytes, random: Random, script: list[int], most: int
) -> None:
    orders = orders_that_agree(seed, random, IN_FANS + most)
    worlds = racing(TwoWorlds(a_daily(), orders), ADA, BOB)
    run(worlds, ADA, [BOB], script, most)
    assert_no_difference(worlds, ADA)


@quick
@given(seeds, randoms, scripts)
def test_a_spectator_learns_no_card_at_all(seed: bytes, random: Random, script: list[int]) -> None:
    worlds = racing(TwoWorlds(live_room(ADA), orders_that_agree(seed, random, 0)), ADA, BOB)
    worlds.both(Stage.watch, DORA)
    run(worlds, DORA, [ADA, BOB], script)
    assert_no_difference(worlds, DORA)


@quick
@given(seeds, randoms, scripts)
def test_a_player_who_has_not_begun_their_daily_learns_no_card(
    seed: bytes, random: Random, script: list[int]
) -> None:
    worlds = racing(TwoWorlds(a_daily(), orders_that_agree(seed, random, 0)), ADA, BOB)
    worlds.both(Stage.join, CARL)
    run(worlds, CARL, [ADA, BOB], script)
    assert_no_difference(worlds, CARL)


@pytest.mark.parametrize("ready", [[], [ADA], [ADA, BOB]], ids=["open", "ready", "countdown"])
def test_nobody_learns_a_card_before_the_start(ready: list[Player]) -> None:
    worlds = TwoWorlds(live_room(ADA), orders_that_agree(SEEDS[0], Random(1), 0))
    worlds.both(Stage.join, ADA, BOB)
    worlds.both(Stage.watch, DORA)
    worlds.both(Stage.ready, *ready)
    worlds.both(Stage.restart)
    worlds.both(Stage.wait, COUNTDOWN_MS - 1)
    for player in (ADA, BOB, DORA):
        for what in set(RACERS_ASKS) - {"leave", "ready", "start"}:
            for number in (0, 1):
                worlds.both(ask, player, what, number)
        assert len(worlds.one.told[player.id]) > len(RACERS_ASKS)
        assert_no_difference(worlds, player)


def test_the_start_shows_different_cards_in_different_worlds() -> None:
    """The other half of the proof: the worlds do differ, and whoever may see it does."""
    worlds = TwoWorlds(live_room(ADA), orders_that_agree(SEEDS[0], Random(1), 0))
    racing(worlds, ADA, BOB)
    one, other = worlds.frames(ADA)
    assert one != other
    assert [m for w in worlds.worlds for m in w.heard(BOB, Progress)]


@quick
@given(seeds, randoms, scripts, mosts, st.booleans())
def test_a_player_whose_game_is_over_learns_only_their_own_cards(
    seed: bytes, random: Random, script: list[int], most: int, in_daily: bool
) -> None:
    opening = a_daily() if in_daily else live_room(ADA)
    orders = orders_that_agree(seed, random, IN_FANS + most)
    worlds = racing(TwoWorlds(opening, orders), ADA, BOB, CARL)
    worlds.move_within(ADA, "deal", most)
    worlds.both(Stage.move, ADA, "resign")
    run(worlds, ADA, [BOB, BOB, CARL], script)
    worlds.both(Stage.restart)
    for what in set(ENDS_ASKS) - {"leave"}:
        worlds.both(ask, ADA, what, 1)
    assert_no_difference(worlds, ADA)


def test_the_deal_is_shown_when_the_race_is_closed_and_not_when_the_own_game_is_over() -> None:
    orders = orders_that_agree(SEEDS[0], Random(1), IN_FANS)
    worlds = racing(TwoWorlds(live_room(ADA), orders), ADA, BOB)
    for choice in range(20):
        worlds.move_alike(BOB, choice)
    assert_no_difference(worlds, ADA)
    one, other = worlds.frames(BOB)
    assert one != other, "Bob has seen cards that are not the same"
    records = []
    for stage in worlds.worlds:
        ask_for_bobs = GetRecord(stage.race.id, BOB.id)
        only(stage.say(ADA, ask_for_bobs), Refused)
        stage.move(ADA, "resign")
        only(stage.say(ADA, ask_for_bobs), Refused)
        assert stage.heard(ADA, Reveal) == []
        stage.move(BOB, "resign")
        stage.wait(0)
        assert len(stage.heard(ADA, Reveal)) == 1
        records.append(only(stage.say(ADA, ask_for_bobs), Record))
    assert [record.order for record in records] == [tuple(order) for order in orders]
