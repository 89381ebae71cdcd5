"""The table of Big Ben equals the rules in every position of a random game."""

from dataclasses import replace
from random import Random

from hypothesis import given
from tests.rules.support import choose, deal_from, positions, randoms, seeds, variants
from tests.support.torture import examples

from bigben_rules.bigben import Position
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import UNKNOWN
from bigben_solver.big_ben.table import Table, move_of, number_of

SOME = examples(20)


@SOME
@given(seeds, variants, randoms)
def test_a_table_has_the_moves_and_the_piles_of_the_rules(
    seed: bytes, rules: str, random: Random
) -> None:
    position = deal_from(seed, rules)
    table = Table.of(position)
    for _ in range(200):
        assert [move_of(move) for move in table.legal()] == position.legal_moves()
        same_piles(table, position)
        move = choose(position, random)
        if move is None:
            return
        position, _ = position.apply(move)
        table.play(number_of(move))


@SOME
@given(positions())
def test_a_copy_is_played_alone(position: Position) -> None:
    table = Table.of(position)
    key = table.key()
    for move in table.legal():
        other = table.copy()
        other.play(move)
        assert other.key() != key
        assert (table.key(), table.legal()) == (key, Table.of(position).legal())


@SOME
@given(positions())
def test_moves_are_legal_under_an_unknown_stock_as_under_a_known_one(position: Position) -> None:
    hidden = replace(position, stock=(UNKNOWN,) * len(position.stock))
    assert Table.of(hidden).legal() == Table.of(position).legal()


def test_there_is_a_table_for_all_rules() -> None:
    for rules in RULES:
        assert Table.of(deal_from(bytes(32), rules)).legal()


def same_piles(table: Table, position: Position) -> None:
    other = Table.of(position)
    assert (table.home, table.fans, table.waste) == (other.home, other.fans, other.waste)
    assert table.stock[table.at :] == other.stock
    assert table.cards_home() == position.progress
    assert table.short() == position.short
