"""`bigben deal`: prints the deal of a seed, so that anyone can check it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from typing import Final

from bigben_rules import Card, Position, commitment, game_named, seed_from_hex, shuffle
from bigben_rules.bigben.layout import CLOCKWISE
from bigben_rules.bigben.moves import FAN, HOME
from bigben_rules.game import STOCK
from bigben_terminal.complaint import Complaint

VERSION: Final = 1
"""The version of docs/deals.md."""


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = "Show the deal that belongs to a seed, as docs/deals.md describes it."
    parser.add_argument("--seed", required=True, metavar="HEX", help="64 hex digits")
    parser.add_argument("--game", default="bigben", help="which patience (%(default)s)")
    parser.add_argument(
        "--rules",
        default="standard",
        help="standard, book, open, or three values like fans-always-playable (%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def run(arguments: Namespace) -> int:
    try:
        game = game_named(arguments.game)
        rules = game.rules(arguments.rules)
        seed = seed_from_hex(arguments.seed)
    except ValueError as error:
        raise Complaint(str(error)) from None
    order = shuffle(game.pack, seed)
    facts = {
        "version": VERSION,
        "game": game.name,
        "rules": rules,
        "seed": seed.hex(),
        "commitment": commitment(seed),
    }
    if arguments.json:
        print(json.dumps({**facts, "order": order}, separators=(",", ":")))
        return 0
    for name, value in facts.items():
        print(f"{name:<12}{value}")
    print()
    print("\n".join(_clock(game.deal(order, rules), order)))
    return 0


def _clock(position: Position, order: Sequence[Card]) -> list[str]:
    """The clock by hours in the order of dealing, and the stock with 14 cards on a line."""
    piles = position.piles()
    lines = ["hour  foundation  fan"]
    for hour in CLOCKWISE:
        foundation, fan = piles[HOME[hour]].up, piles[FAN[hour]].up
        lines.append(f"{hour:>4}  {' '.join(foundation):<12}{' '.join(fan)}")
    stock = order[-piles[STOCK].down :]
    return [
        *lines,
        "",
        f"stock, {len(stock)} cards, the next one first:",
        *(" ".join(stock[at : at + 14]) for at in range(0, len(stock), 14)),
    ]
