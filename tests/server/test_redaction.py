"""No card leaves the server before the viewer's own game has dealt it.

Two worlds whose deals agree on all that a viewer has seen must send that viewer the same bytes.
Only the commitment differs, as it must: it binds to another seed.
"""

from random import Random
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import ADA, BOB, CARL, DORA, SECOND, Stage, only
from tests.server.two_worlds import (
    ASKS,
    ENDS_ASKS,
    IN_FANS,
    RACERS_ASKS,
    SEEDS,
    TwoWorlds,
    a_daily,
    a_deadline,
    ask,
    assert_no_difference,
    live_room,
    orders_that_agree,
    racing,
)
from tests.support.torture import examples

from bigben_protocol import (
    Chosen,
    Diff,
    GetRecord,
    Grade,
    Progress,
    Record,
    Refused,
    Reveal,
    Room,
    Snapshot,
)
from bigben_server.race.choosing import COUNTDOWN_MS
from bigben_server.race.events import Player

seeds = st.binary(min_size=32, max_size=32)
randoms = st.randoms(use_true_random=False)
scripts = st.lists(st.integers(0, 2**16), min_size=20, max_size=60)
"""What happens next, step by step."""
quick = examples(25)

mosts = st.integers(0, 20)
"""How many cards of the stock the viewer deals; behind them the worlds differ."""
TARGETS: Final = (*map(str, range(1, 13)), "w", "fdn", *(f"f{hour}" for hour in range(1, 13)))
WORDS: Final = ("turn", "refill", "deal", "undo", "nonsense", "begin")


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
@given(seeds, randoms, scripts, mosts, st.booleans())
def test_a_racer_on_their_own_clock_learns_no_card_to_come(
    seed: bytes, random: Random, script: list[int], most: int, in_daily: bool
) -> None:
    orders = orders_that_agree(seed, random, IN_FANS + most)
    worlds = racing(TwoWorlds(a_daily() if in_daily else a_deadline(ADA), orders), ADA, BOB)
    run(worlds, ADA, [BOB], script, most)
    assert_no_difference(worlds, ADA)


@quick
@given(seeds, randoms, scripts, st.sampled_from([ADA, DORA]), st.booleans())
def test_nobody_learns_which_deal_was_chosen_nor_how_it_is_won(
    seed: bytes, random: Random, script: list[int], viewer: Player, graded: bool
) -> None:
    """The grade that they asked for is all they are told, and that it was found."""
    wish: dict[str, Any] = {"grade": "hard"} if graded else {"winnable": True}
    orders = orders_that_agree(seed, random, IN_FANS if viewer is ADA else 0)
    worlds = TwoWorlds(live_room(ADA, **wish), orders)
    worlds.both(Stage.join, ADA, BOB, CARL)
    worlds.both(Stage.watch, DORA)
    worlds.both(Stage.ready, ADA, BOB, CARL)
    for stage, deal in zip(worlds.worlds, (1, 30), strict=True):
        grade: Grade = "hard" if graded or deal == 1 else "easy"
        stage.wait(5 * SECOND).deal(Chosen(deal, grade, ("turn",) * deal))
    worlds.both(Stage.wait, COUNTDOWN_MS)
    run(worlds, viewer, [BOB, CARL], script)
    assert_no_difference(worlds, viewer)


@quick
@given(seeds, randoms, scripts)
def test_a_spectator_learns_no_card_at_all(seed: bytes, random: Random, script: list[int]) -> None:
    worlds = racing(TwoWorlds(live_room(ADA), orders_that_agree(seed, random, 0)), ADA, BOB)
    worlds.both(Stage.watch, DORA)
    run(worlds, DORA, [ADA, BOB], script)
    assert_no_difference(worlds, DORA)


@quick
@given(seeds, randoms, scripts, st.booleans())
def test_a_player_who_has_not_begun_learns_no_card(
    seed: bytes, random: Random, script: list[int], in_daily: bool
) -> None:
    opening = a_daily() if in_daily else a_deadline(ADA)
    worlds = racing(TwoWorlds(opening, orders_that_agree(seed, random, 0)), ADA, BOB)
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


def test_deal_and_par_of_a_daily_are_shown_when_it_is_closed() -> None:
    worlds = racing(TwoWorlds(a_daily(), orders_that_agree(SEEDS[0], Random(1), IN_FANS)), ADA)
    assert {room.grade for room in worlds.one.heard(ADA, Room)} == {"hard"}
    assert_no_difference(worlds, ADA)
    for stage in worlds.worlds:
        stage.at(stage.race.closes_at)
        (reveal,) = stage.heard(ADA, Reveal)
        assert reveal.chosen == stage.race.opened.chosen
