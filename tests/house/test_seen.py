"""A house player knows what its view shows, and waits like a person."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.torture import examples
from tests.terminal.support import view_of

from bigben_house.pace import wait_s
from bigben_house.seen import planned, player_of, position_of
from bigben_protocol import STRENGTHS, Rules
from bigben_rules import GAMES, Game, shuffle
from bigben_solver.players import PLAYERS


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
@examples(15)
@given(
    st.binary(min_size=32, max_size=32),
    st.integers(0, 150),
    st.data(),
    st.randoms(use_true_random=False),
)
def test_a_house_player_finds_the_legal_moves_of_what_it_sees(
    game: Game, seed: bytes, moves: int, data: st.DataObject, luck: Random
) -> None:
    rules = data.draw(st.sampled_from(game.variants))
    position = game.deal(shuffle(game.pack, seed), rules)
    for _ in range(moves):
        if legal := position.legal_moves():
            position, _ = position.apply(luck.choice(legal))
    if not position.legal_moves():
        return  # a house player plays while its game goes on
    view = view_of(position)
    found = position_of(view, Rules(game.name, rules)).reading().legal
    # No pile shows how often a waste was turned over.
    assert tuple(move for move in found if move in view.legal or move != "redeal") == view.legal


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_player_for_every_strength(game: str) -> None:
    players = [player_of(strength, game) for strength in STRENGTHS]
    assert set(players) == set(PLAYERS[game])
    assert players == sorted(players, key=lambda one: STRENGTHS.index(one.key))


def test_a_player_of_an_unknown_game_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="'daybreak' is not known"):
        player_of("steady", "daybreak")


@pytest.mark.parametrize("strength", STRENGTHS)
def test_the_same_view_and_chance_give_the_same_moves_whatever_lies_in_the_stock(
    strength: str,
) -> None:
    game, rules = GAMES["bigben"], Rules("bigben", "standard")
    deal = shuffle(game.pack, bytes(32))
    plans = set()
    for seed in range(2):
        hidden = list(deal[36:])
        Random(seed).shuffle(hidden)
        position = game.deal((*deal[:36], *hidden), game.rules("standard"))
        plans.add(planned(strength, view_of(position), rules, "a room 0"))
    assert len(plans) == 1


@given(st.sampled_from(STRENGTHS), st.integers(), st.booleans())
def test_a_wait_is_one_of_a_person(strength: str, chance: int, plans: bool) -> None:
    view = view_of(GAMES["bigben"].deal(shuffle(GAMES["bigben"].pack, bytes(32)), "standard"))
    free, short = Rules(), Rules(limit_ms=90_000)
    wait = wait_s(strength, view, free, "3 fdn", Random(chance), plans=plans)
    assert 0.2 < wait < 15
    assert wait_s(strength, view, short, "3 fdn", Random(chance), plans=plans) < wait
