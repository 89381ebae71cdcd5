"""Measures how often house players win Big Ben by the rules of one preset.

    python -m research.house --rules book [--deals 200] [--players casual,steady]

from the root of the project, installed or with PYTHONPATH=rules. Deal number n is dealt from the
seed that is the number n, and the players see what a player sees. The interval holds the share with
95 % confidence (Wilson's). A row is printed as soon as a player has played all deals.
"""

import argparse
from statistics import fmean
from typing import Final

from bigben_rules import GAMES
from research.odds import Share
from research.playing import GAME, HOUSE, played

CARDS: Final = 104


def main() -> None:
    """Print a row for each player."""
    parser = argparse.ArgumentParser(prog="python -m research.house", description=__doc__)
    parser.add_argument("--rules", choices=GAMES[GAME].variants, default="standard")
    parser.add_argument("--deals", type=int, default=200)
    parser.add_argument("--players", default=",".join(HOUSE))
    wanted = parser.parse_args()

    for key in wanted.players.split(","):
        homes = [
            int(played((key, number), wanted.rules).split()[2]) for number in range(wanted.deals)
        ]
        won = sum(home == CARDS for home in homes)
        low, high = Share(won, wanted.deals).interval
        shares = f"{won} | {100 * low:.2f} … {100 * high:.2f} %"
        print(
            f"| {key} | `{wanted.rules}` | {wanted.deals} | {shares} | {fmean(homes):.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
