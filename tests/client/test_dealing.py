"""The client deals with its own code, and gets the same cards as the rules."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bigben_client.evidence import dealing
from bigben_client.evidence.table import Table
from bigben_protocol import Deal, Pile, Step
from bigben_rules import GAMES, Game, shuffle
from bigben_server.rooms.descriptions import games

DEALS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "rules" / "deals.json").read_bytes()
)

DEAL = {game.name: game.deal for game in games().games if game.deal}


@pytest.mark.parametrize("pinned", DEALS, ids=lambda pinned: pinned["seed"][-8:])
def test_a_pinned_deal(pinned: dict[str, Any]) -> None:
    seed, order = bytes.fromhex(pinned["seed"]), tuple(pinned["order"].split())
    assert dealing.commitment(seed) == pinned["commitment"]
    pack = dealing.pack(DEAL["bigben"])
    assert dealing.pack_of(order) == pack
    assert dealing.shuffled(pack, seed) == order


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_pack_and_the_table_are_those_of_the_rules(game: Game) -> None:
    assert dealing.pack(DEAL[game.name]) == game.pack
    position = game.deal(shuffle(game.pack, bytes(32)), "standard")
    table, random = Table(DEAL[game.name], shuffle(game.pack, bytes(32))), Random(7)
    for _ in range(150):
        assert table.shows({name: Pile(*cards) for name, cards in position.piles().items()})
        if not (moves := position.legal_moves()):
            return
        position, transfers = position.apply(random.choice(moves))
        assert table.carry_out([Step(*step) for step in transfers]) is None


def test_only_an_exchange_takes_a_card_from_the_middle_of_a_pile() -> None:
    deal = Deal(1, (), ("7", "7", "7"), ("7",))
    swapped = Table(deal, ("AC", "2C", "3C"))
    assert swapped.carry_out([Step("7", "h", "3C")]) is None
    swap = [Step("h", "7", "3C", "down"), Step("7", "h", "AC", "turned")]
    assert swapped.carry_out(swap) is None
    assert swapped.shows({"7": Pile(down=2), "h": Pile(("AC",))})
    # The 3C lies where the AC was, under the 2C.
    two = Step("7", "w", "2C", "turned")
    assert swapped.carry_out([two, Step("7", "w", "3C", "turned")]) is None
    assert Table(deal, ("AC", "2C", "3C")).carry_out([Step("7", "h", "AC")]) is not None


def test_an_invalid_card_comes_last_and_three_copies_of_a_card_are_three_packs() -> None:
    assert dealing.pack_of(("x", "2C", "AC", "2C", "2C")) == ("2C", "2C", "AC", "2C", "x")
