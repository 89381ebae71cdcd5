"""The client deals with its own code, and gets the same cards as the rules."""

import json
from pathlib import Path
from typing import Any

import pytest

from bigben_client.evidence import dealing
from bigben_rules import GAMES

DEALS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "rules" / "deals.json").read_bytes()
)


@pytest.mark.parametrize("pinned", DEALS, ids=lambda pinned: pinned["seed"][-8:])
def test_a_pinned_deal(pinned: dict[str, Any]) -> None:
    seed, order = bytes.fromhex(pinned["seed"]), tuple(pinned["order"].split())
    assert dealing.commitment(seed) == pinned["commitment"]
    assert dealing.pack_of(order) == dealing.big_ben_pack()
    assert dealing.shuffled(dealing.big_ben_pack(), seed) == order


def test_the_first_piles_are_those_of_the_rules() -> None:
    order = tuple(DEALS[0]["order"].split())
    piles, stock = dealing.big_ben_piles(order)
    dealt = GAMES["bigben"].deal(order, "standard")
    assert {name: (pile.up, pile.down) for name, pile in piles.items()} == dealt.piles()
    assert stock == order[36:]


def test_an_invalid_card_comes_last_and_three_copies_of_a_card_are_three_packs() -> None:
    assert dealing.pack_of(("x", "2C", "AC", "2C", "2C")) == ("2C", "2C", "AC", "2C", "x")
