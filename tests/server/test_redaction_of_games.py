"""In every game, no card leaves the server before the viewer's own game has shown it.

Two worlds differ in the cards that the viewer's game never shows: those of face-down piles and of
the stock, the next card of a pile among them. Both must send that viewer the same bytes.
"""

from collections.abc import Sequence
from contextlib import suppress
from random import Random
from typing import Final, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import ADA, BOB, CARL, DORA, SECOND, Stage
from tests.server.two_worlds import (
    ASKS,
    ENDS_ASKS,
    SEEDS,
    Order,
    TwoWorlds,
    a_daily,
    ask,
    assert_no_difference,
    live_room,
    racing,
)
from tests.support.torture import examples

from bigben_protocol import RaceId, Record
from bigben_rules import GAMES, Card, Game, IllegalMove, NotationError, shuffle
from bigben_server.race.events import Player, Refusal
from bigben_server.race.game import Play

seeds = st.binary(min_size=32, max_size=32)
randoms = st.randoms(use_true_random=False)
scripts = st.lists(st.integers(0, 2**16), min_size=30, max_size=80)
few = examples(6)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=[*GAMES])

HOSTILE: Final = (
    *("turn", "refill", "redeal", "deal", "undo", "w fdn", "w f13", "3 fdn", "3 5", "c", "h 7"),
    *("swap 13", "swap 1 4", "swap 0", "swap 7 -1", "s w", "13 h", "turn 7", "7S", "f1 h", "peek"),
)
"""Moves that are mostly illegal, or no moves at all; each is answered in words."""


class Planned(NamedTuple):
    """What a player types, and every card that they see because of it."""

    moves: list[str]
    seen: set[Card]


def is_move(step: int) -> bool:
    """Whether the viewer plays in this step of the script; else they ask, or others play."""
    return step % 4 > 1


def planned(game: Game, order: Order, rules: str, script: Sequence[int], *, undo: bool) -> Planned:
    """Legal moves, mostly, and hostile ones among them."""
    play = Play(RaceId("PLAN22"), game.deal(order, rules), 0, undo=undo)
    moves: list[str] = []
    seen = {Card(card) for pile in play.piles(0).values() for card in pile.up}
    for number in filter(is_move, script):
        legal = play.legal if number // 4 % 4 else ()
        text = legal[number // 16 % len(legal)] if legal else HOSTILE[number // 16 % len(HOSTILE)]
        moves.append(text)
        with suppress(IllegalMove, NotationError, Refusal):  # the refusal is of interest
            play.play(text, 0)
            seen |= {Card(step.card) for step in play.now.steps}
    return Planned(moves, seen)


def orders_of(game: Game, seed: bytes, seen: set[Card], random: Random) -> tuple[Order, Order]:
    """A deal, and the same with all cards that are not ``seen`` in other places."""
    order = shuffle(game.pack, seed)
    places = [at for at, card in enumerate(order) if card not in seen]
    other = list(order)
    hidden = random.sample(places, len(places))
    for at, there in zip(places, hidden, strict=True):
        other[at] = order[there]
    return order, other


def run(
    worlds: TwoWorlds, viewer: Player, moves: list[str], asks: Sequence[str], script: list[int]
) -> None:
    """The viewer makes their moves and asks anything, while the others play what looks alike."""
    left = iter(moves)
    for step in script:
        number = step // 4
        worlds.both(Stage.wait, number % 20 * SECOND)
        if is_move(step):
            if text := next(left, ""):
                worlds.both(Stage.move, viewer, text)
        elif step % 4:
            worlds.move_alike(BOB, number)
        else:
            worlds.both(ask, viewer, asks[number % len(asks)], number)


@every_game
@few
@given(seeds, randoms, scripts, st.booleans(), st.booleans())
def test_a_racer_learns_no_card_that_their_own_game_has_not_shown(
    game: Game, seed: bytes, random: Random, script: list[int], undo: bool, in_daily: bool
) -> None:
    rules, order = random.choice(game.variants), shuffle(game.pack, seed)
    undo = undo and not in_daily
    moves, seen = planned(game, order, rules, script, undo=undo)
    room = a_daily(game.name, rules) if in_daily else live_room(ADA, game.name, rules, undo=undo)
    worlds = racing(TwoWorlds(room, orders_of(game, seed, seen, random)), ADA, BOB)
    run(worlds, ADA, moves, ENDS_ASKS, script)
    worlds.both(Stage.restart)
    worlds.both(ask, ADA, "resign", 0)
    for what in set(ENDS_ASKS) - {"leave"}:
        worlds.both(ask, ADA, what, 1)
    assert_no_difference(worlds, ADA)
    assert all(not record.order for record in worlds.one.heard(ADA, Record))


@every_game
@few
@given(seeds, randoms, scripts, st.booleans())
def test_who_does_not_play_learns_no_card_at_all(
    game: Game, seed: bytes, random: Random, script: list[int], waits: bool
) -> None:
    """A spectator, or a player of the daily who has not begun."""
    rules = random.choice(game.variants)
    room = a_daily(game.name, rules) if waits else live_room(ADA, game.name, rules)
    worlds = racing(TwoWorlds(room, orders_of(game, seed, set(), random)), ADA, BOB)
    viewer = CARL if waits else DORA
    if waits:
        worlds.both(Stage.join, viewer)
    else:
        worlds.both(Stage.watch, viewer)
    run(worlds, viewer, [], ASKS, script)
    for choice in script[:10]:
        worlds.move_alike(ADA, choice)
    assert_no_difference(worlds, viewer)


@every_game
def test_the_worlds_differ_for_whoever_has_seen_more(game: Game) -> None:
    """The other half of the proof: of the same cards, a player who goes on sees different ones."""
    random = Random(1)
    order = shuffle(game.pack, SEEDS[0])
    _, seen = planned(game, order, "standard", [], undo=False)
    if seen >= set(order):
        return  # all cards are face up from the start
    room = live_room(ADA, game.name)
    worlds = racing(TwoWorlds(room, orders_of(game, SEEDS[0], seen, random)), ADA, BOB)
    assert_no_difference(worlds, ADA)
    for _ in range(30):
        for stage in worlds.worlds:
            play = stage.race.seats[ADA.id].play
            assert play is not None
            if not play.over:
                stage.move(ADA, play.legal[-1])
    one, other = worlds.frames(ADA)
    assert one != other
