"""Whole games from tests/games, played again move by move."""

from itertools import product

import pytest
from tests.rules import oracle
from tests.rules.exchange import Choice, choices
from tests.rules.recorded import BIG_BEN, GAMES, Recorded

from bigben_rules import GAMES as PATIENCES
from bigben_rules import game_named, seed_from_hex, shuffle
from bigben_rules.bigben import Position, deal, seen
from bigben_rules.bigben.moves import TURN

WON = {name: game for name, game in BIG_BEN.items() if game.ends.startswith("won")}
every_win = pytest.mark.parametrize("game", WON.values(), ids=WON)
every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
of_big_ben = pytest.mark.parametrize("game", BIG_BEN.values(), ids=BIG_BEN)


def start(game: Recorded) -> Position:
    """The deal of a game of Big Ben."""
    return deal(game.order, game.rules)


@pytest.mark.parametrize("name", PATIENCES)
def test_there_are_wins_and_blocked_games_under_several_rules(name: str) -> None:
    rules = ["standard", "book", "open"] if name == "bigben" else game_named(name).variants
    ends = {(g.rules, g.ends.split(",")[0]) for g in GAMES.values() if g.game == name}
    assert ends >= set(product(rules, ["won", "blocked"]))


@every_game
def test_a_recorded_game_ends_as_it_did(game: Recorded) -> None:
    position = game.start()
    for text in game.moves:
        assert not position.won
        assert not position.blocked
        position, _ = position.apply(position.parse(text))
    end = "won" if position.won else "blocked" if position.blocked else "open"
    assert f"{end}, {position.progress} home" == game.ends
    assert position == game_named(game.game).read(game.last)


@every_game
def test_a_recorded_game_has_the_moves_as_in_the_log(game: Recorded) -> None:
    position = game.start()
    for text in game.moves:
        move = position.parse(text)
        assert position.format(move) == text
        assert move in position.legal_moves()
        position, _ = position.apply(move)


@of_big_ben
def test_a_recorded_game_is_legal_by_the_rules_written_a_second_time(game: Recorded) -> None:
    position = start(game)
    for text in game.moves:
        assert text in oracle.legal(position)
        position, _ = position.apply(position.parse(text))
    assert oracle.legal(position) == set()


@every_game
def test_the_order_of_a_recorded_game_is_that_of_its_seed(game: Recorded) -> None:
    assert shuffle(game_named(game.game).pack, seed_from_hex(game.seed)) == tuple(game.order)


@of_big_ben
def test_a_recorded_game_can_be_followed_without_seeing_the_stock(game: Recorded) -> None:
    position = start(game)
    for text in game.moves:
        known = seen(position.piles(), position.rules)
        assert known.parse(text) == position.parse(text)
        assert known.legal_moves() == position.legal_moves()
        position, _ = position.apply(position.parse(text))


def test_cards_are_turned_while_fans_have_gaps_in_a_win_under_the_open_rules() -> None:
    position = start(GAMES["won_open"])
    turned = 0
    for text in GAMES["won_open"].moves:
        move = position.parse(text)
        turned += move == TURN and position.short
        position, _ = position.apply(move)
    assert turned == 7


@every_win
def test_a_win_after_the_other_choice_is_a_win_after_fdn_with_the_two_piles_exchanged(
    game: Recorded,
) -> None:
    position = start(game)
    for played, text in enumerate(game.moves):
        for choice in choices(position):
            if position.parse(text) == choice.other:
                assert wins_exchanged(position, choice, game.moves[played:])
        position, _ = position.apply(position.parse(text))


def test_one_recorded_win_makes_the_other_choice_twice() -> None:
    position, others = start(GAMES["won_standard"]), 0
    for text in GAMES["won_standard"].moves:
        move = position.parse(text)
        others += move in [choice.other for choice in choices(position)]
        position, _ = position.apply(move)
    assert others == 2


def wins_exchanged(position: Position, choice: Choice, moves: list[str]) -> bool:
    """Whether these moves win with the two foundations exchanged until their tops meet."""
    there = here = position
    for text in moves:
        move = there.parse(text)
        met = there == here and there != position
        there, _ = there.apply(move)
        here, _ = here.apply(move if met else choice.exchange(move))
    return here == there and here.won
