"""The luck of many games of all house players, as the analysis finds it: zero on average.

    python -m research.luck [--games 500] [--playouts 256] [--out build/luck.jsonl]

from the root of the project, installed or with PYTHONPATH=rules; ``make fast`` and
PYTHONPATH=build/fast make it faster. The deals are those of ``named_deals``, and each is played by
one of the house players, who take turns. Fewer playouts make the figures of a game less exact, and
the mean no less true. What is measured stays in the file, so a run that was stopped goes on. It
uses the time that others leave.
"""

import argparse
from collections.abc import Sequence
from math import sqrt
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from typing import Final, NamedTuple

from bigben_rules import GAMES, shuffle
from bigben_solver.analysis import CARD, Answer, Choice, Question, SeatAnalysis, analysed, answered
from bigben_solver.players import PLAYERS
from research import resumed
from research.named_deals import LUCK

GAME: Final = "bigben"
RULES: Final = "standard"
HOUSE: Final = PLAYERS[GAME]


class Game(NamedTuple):
    """The sums of one game, in hundredths of cards, and of its chance in ten-thousandths."""

    deal: int
    player: str
    home: int
    expected: int
    """The cards home that a simple player could expect of the deal."""
    skill: int
    luck: int
    luck_of_chance: int


def played(deal: int, number: int) -> tuple[str, list[str]]:
    """The house player of this number, and the moves of its game."""
    game, player = GAMES[GAME], HOUSE[number % len(HOUSE)]
    position = game.deal(shuffle(game.pack, deal.to_bytes(32, "big")), RULES)
    chance, moves = Random(deal), list[str]()
    while plan := player.plan(game.seen(position.piles(), RULES), chance):
        for move in plan:
            moves.append(position.format(move))
            position, _ = position.apply(move)
    return player.key, moves


def told(deal: int, moves: Sequence[str], playouts: int) -> SeatAnalysis:
    """The analysis of a game, without its costly moves."""
    game, seed = GAMES[GAME], deal.to_bytes(32, "big")
    asking = analysed(game, RULES, shuffle(game.pack, seed), moves, seed=seed)
    try:
        question = next(asking)
        while True:
            question = asking.send(_answer(question, playouts))
    except StopIteration as end:
        made: SeatAnalysis = end.value
        return made


def _answer(question: Question, playouts: int) -> Answer:
    """Only what luck is made of is computed."""
    if question.kind == "play":
        return answered(question._replace(effort=playouts))
    if question.kind == "solve":
        return ()
    legal = GAMES[GAME].read(question.position).reading().legal
    return tuple(Choice(move, 0.0, 0.0) for move in legal)


def measure(deal: int, number: int, playouts: int) -> Game:
    player, moves = played(deal, number)
    made = told(deal, moves, playouts)
    home = made.points[-1].home
    first = made.points[0].expected
    return Game(deal, player, home, first, made.skill_cards, made.luck_cards, made.luck)


def read(file: Path) -> dict[int, Game]:
    """What has been measured."""
    return {game.deal: game for game in resumed.read(file, Game)}


def row(name: str, games: Sequence[Game]) -> str:
    """Means in cards, that of luck with its standard error and in standard errors."""
    luck = [game.luck / CARD for game in games]
    error = stdev(luck) / sqrt(len(luck)) if len(luck) > 1 else 0.0
    means = [
        fmean(game.home for game in games),
        fmean(game.expected / CARD for game in games),
        fmean(game.skill / CARD for game in games),
        fmean(luck),
    ]
    most = max(abs(game.skill) for game in games) / CARD
    figures = "".join(f"{mean:>9.2f}" for mean in means)
    return f"{name:<10}{len(games):>6}{figures} ±{error:.2f}{most:>10.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        prog="python -m research.luck",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--games", type=int, default=len(LUCK), help="(%(default)s)")
    parser.add_argument("--playouts", type=int, default=256, help="of each value (%(default)s)")
    parser.add_argument("--out", type=Path, default=Path("build/luck.jsonl"))
    given = parser.parse_args()
    resumed.be_nice()
    known = read(given.out)
    games = []
    with resumed.added_to(given.out) as add:
        for number, deal in enumerate(LUCK[: given.games]):
            if deal not in known:
                known[deal] = measure(deal, number, given.playouts)
                add(known[deal])
            games.append(known[deal])
            resumed.show("luck", len(games), given.games)
    print(f"{'':<10}{'games':>6}{'home':>9}{'at first':>9}{'skill':>9}{'luck':>9}{'':<6}most skill")
    for player in HOUSE:
        if own := [game for game in games if game.player == player.key]:
            print(row(player.key, own))
    print(row("all", games))


if __name__ == "__main__":
    main()
