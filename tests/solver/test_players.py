"""House players of games with one pack: legal moves, games that end, nothing seen face down."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.solver.worlds import reshuffled
from tests.support.torture import examples

from bigben_rules import GAMES, Game, Move, Position, shuffle
from bigben_rules.position import shows
from bigben_solver.players import PLAYERS, STRENGTHS, HousePlayer

EVERY_PLAYER = pytest.mark.parametrize(
    ("game", "player"),
    [
        pytest.param(game, player, id=f"{game.name} {player.key}")
        for game in GAMES.values()
        if game.name != "bigben"
        for player in PLAYERS[game.name]
    ],
)
SEEDS = st.binary(min_size=32, max_size=32)


def planned(
    game: Game, player: HousePlayer, position: Position, rules: str, rng: Random
) -> Position:
    """The position after the player's next plan, which the rules accept. Itself at the end."""
    shown = False
    after = position
    for move in player.plan(game.seen(position.piles(), rules), rng):
        if not (after.won or after.blocked):
            after, steps = after.apply(move)
            shown |= shows(steps)
    assert after == position or shown or after.progress > position.progress
    return after


@EVERY_PLAYER
@examples(2)
@given(SEEDS, st.data())
def test_every_plan_is_legal_and_brings_the_game_nearer_its_end(
    game: Game, player: HousePlayer, seed: bytes, data: st.DataObject
) -> None:
    rules = data.draw(st.sampled_from(game.variants))
    position, rng = game.deal(shuffle(game.pack, seed), rules), Random(1)
    while (after := planned(game, player, position, rules, rng)) != position:
        position = after
    assert not player.plan(game.seen(position.piles(), rules), rng) or position.blocked


@EVERY_PLAYER
@examples(2)
@given(SEEDS)
def test_a_card_that_fits_goes_home_before_a_new_one_is_shown(
    game: Game, player: HousePlayer, seed: bytes
) -> None:
    position, rng = game.deal(shuffle(game.pack, seed), game.variants[0]), Random(1)
    for _ in range(5):
        after = planned(game, player, position, game.variants[0], rng)
        fits = any(follows(position, move) for move in position.legal_moves())
        assert after.progress > position.progress or not fits
        position = after


def follows(position: Position, move: Move) -> bool:
    """Whether the move takes a card home and shows no new one."""
    after, steps = position.apply(move)
    return after.progress > position.progress and not shows(steps)


@EVERY_PLAYER
@examples(2)
@given(SEEDS, st.integers(0, 6), st.randoms(use_true_random=False))
def test_two_worlds_that_look_the_same_get_the_same_plan(
    game: Game, player: HousePlayer, seed: bytes, plans: int, luck: Random
) -> None:
    position, rng = game.deal(shuffle(game.pack, seed), game.variants[0]), Random(1)
    for _ in range(plans):
        position = planned(game, player, position, game.variants[0], rng)
    one, other = reshuffled(position, luck), reshuffled(position, luck)
    assert player.plan(one, Random(1)) == player.plan(other, Random(1))


def test_a_game_has_its_players_weakest_first_and_one_if_there_is_no_choice() -> None:
    assert PLAYERS.keys() == GAMES.keys()
    assert tuple(player.key for player in PLAYERS["bigben"]) == STRENGTHS
    for game, players in PLAYERS.items():
        keys = [player.key for player in players]
        assert keys == sorted(set(keys), key=STRENGTHS.index)
        assert GAMES[game].description.decides or len(keys) == 1
