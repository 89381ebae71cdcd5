"""Follows hints to the end of many games, beside the strongest house player with the same deals.

    python -m research.hints [--games bigben watch] [--deals 400] [--out build/hints.jsonl]

from the root of the project, installed or with PYTHONPATH=rules; ``make fast`` and
PYTHONPATH=build/fast make it faster. The deals are those of ``named_deals``. The house player gets
the chance by which the hints are made, so that only what they do differently makes a difference;
with ``--own-chance`` it gets another one, and the difference is mostly noise. What is measured
stays in the file, so a run that was stopped goes on. It uses the time that others leave.
"""

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from bigben_rules import Position, game_named, shuffle
from bigben_rules.position import shows
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import hint
from bigben_solver.hints.plans import chance_of
from bigben_solver.players import PLAYERS
from research import resumed
from research.named_deals import HINTS

MEASURED: Final = (
    ("bigben", "standard"),
    ("grandfathersclock", "standard"),
    ("watch", "standard"),
    ("germanclock", "standard"),
    ("germanclock", "1"),
)
Z_95: Final = 1.96
MOST_MOVES: Final = 2_000


class Pair(NamedTuple):
    """A deal, and the cards home at the end."""

    game: str
    rules: str
    deal: int
    own_chance: bool
    hints: int
    moves: int
    """How many hints were followed."""
    house: int


def dealt(game: str, rules: str, deal: int) -> Position:
    return game_named(game).deal(shuffle(game_named(game).pack, deal.to_bytes(32, "big")), rules)


def followed(game: str, position: Position, *, remembers: bool = True) -> tuple[Position, int]:
    """The end of a game whose player follows every hint, and the number of moves.

    ``remembers`` is whether hints are told in which position the last new card was shown. Raises
    AssertionError if the game goes on for too long.
    """
    rules = position.text().split()[1]
    last = position
    for count in range(MOST_MOVES):
        then = last if remembers else None
        best = hint(Asked.of(game_named(game), rules, position, dealt=then))
        if not best.move:
            return position, count
        position, steps = position.apply(position.parse(best.move))
        last = position if shows(steps) else last
    raise AssertionError(f"hints that never end: {position.text()}")


def played(game: str, position: Position, own: Random | None) -> Position:
    """The end of the strongest house player's game."""
    player, rules = PLAYERS[game][-1], position.text().split()[1]
    while position.legal_moves():
        seen = game_named(game).seen(position.piles(), rules)
        plan = player.plan(seen, own or chance_of(seen))
        if not plan:
            break
        for move in plan:
            position, _ = position.apply(move)
    return position


def measure(game: str, rules: str, deal: int, *, own_chance: bool) -> Pair:
    position = dealt(game, rules, deal)
    end, moves = followed(game, position)
    house = played(game, position, Random(deal) if own_chance else None)
    return Pair(game, rules, deal, own_chance, end.progress, moves, house.progress)


def read(file: Path) -> dict[tuple[str, str, int, bool], Pair]:
    """What has been measured."""
    return {pair[:4]: pair for pair in resumed.read(file, Pair)}


def row(pairs: Sequence[Pair]) -> str:
    """The means, and the difference with its 95 % interval."""
    apart = [pair.hints - pair.house for pair in pairs]
    error = stdev(apart) / sqrt(len(apart)) if len(apart) > 1 else 0.0
    means = fmean(pair.hints for pair in pairs), fmean(pair.house for pair in pairs)
    low, high = fmean(apart) - Z_95 * error, fmean(apart) + Z_95 * error
    return (
        f"{len(pairs):>6}{means[0]:>9.2f}{means[1]:>9.2f}{fmean(apart):>9.2f}"
        f"   {low:+.2f} … {high:+.2f}{max(pair.moves for pair in pairs):>8}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.hints",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    games = list(dict.fromkeys(game for game, _ in MEASURED))
    parser.add_argument("--games", nargs="*", choices=games, default=games)
    parser.add_argument("--deals", type=int, default=len(HINTS), help="of each (%(default)s)")
    parser.add_argument("--own-chance", action="store_true", help="another one for the house")
    parser.add_argument("--out", type=Path, default=Path("build/hints.jsonl"))
    given = parser.parse_args()
    resumed.be_nice()
    known = read(given.out)
    print(f"{'':<18}{'rules':<10}{'deals':>6}{'hints':>9}{'house':>9}{'more':>9}   95 %    moves")
    for game, rules in MEASURED:
        if game not in given.games:
            continue
        pairs = []
        with resumed.added_to(given.out) as add:
            for deal in HINTS[: given.deals]:
                key = (game, rules, deal, given.own_chance)
                if key not in known:
                    known[key] = measure(game, rules, deal, own_chance=given.own_chance)
                    add(known[key])
                pairs.append(known[key])
                resumed.show(f"{game} {rules}", len(pairs), given.deals)
        print(f"{game:<18}{rules:<10}{row(pairs)}", flush=True)


if __name__ == "__main__":
    main()
