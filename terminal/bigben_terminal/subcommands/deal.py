"""`bigben deal`: prints the deal of a seed, so that anyone can check it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from typing import Final

from bigben_rules import GAMES, Card, Game, commitment, game_named, seed_from_hex, shuffle
from bigben_rules.position import STOCK
from bigben_terminal.complaint import Complaint

VERSION: Final = 1
"""The version of docs/deals.md."""

_ON_A_LINE: Final = 14


def add_arguments(parser: ArgumentParser) -> None:
    parser.description = "Show the deal that belongs to a seed, as docs/deals.md describes it."
    parser.add_argument("--seed", required=True, metavar="HEX", help="64 hex digits")
    parser.add_argument("--game", default="bigben", help=f"{', '.join(GAMES)} (%(default)s)")
    parser.add_argument(
        "--rules",
        default="standard",
        help="standard, another name, or the value of each field as in fans-always-playable "
        "(%(default)s)",
    )
    parser.add_argument("--json", action="store_true", help="one JSON object, for programs")


def run(arguments: Namespace) -> int:
    try:
        game = game_named(arguments.game.lower())
        rules = game.rules(arguments.rules.lower())
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
    print("\n".join(_table(game, order)))
    return 0


def _table(game: Game, order: Sequence[Card]) -> Iterator[str]:
    """Every pile with its cards, the top last, and then the stock."""
    deal = game.description.deal
    piles = deal.piles(order)
    stock = piles.pop(STOCK, ())
    if piles:
        yield "pile  cards, the top last"
    for pile, cards in piles.items():
        yield f"{pile:>4}  {' '.join(cards)}{', face down' if pile in deal.down else ''}"
    if stock:
        yield f"stock, {len(stock)} cards, the next one first:"
    for at in range(0, len(stock), _ON_A_LINE):
        yield " ".join(stock[at : at + _ON_A_LINE])
