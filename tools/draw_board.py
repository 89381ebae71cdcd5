"""Draw positions of any game as PNGs, as the Discord bot shows them.

``draw`` is for other scripts; from a shell, a random game is drawn after some of its moves:
``python -m tools.draw_board watch --moves 30 --seed 1 --output watch.png``.
"""

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from random import Random

from bigben_chat.picture import drawing
from bigben_chat.picture.drawing import Look
from bigben_chat.texts import say_in
from bigben_protocol import Pile, Step, View
from bigben_protocol.types import State
from bigben_rules import GAMES, shuffle
from bigben_rules.position import Position
from bigben_rules.position import Step as RulesStep
from bigben_server.rooms.descriptions import games


def draw(
    name: str,
    position: Position,
    last: Sequence[RulesStep] = (),
    *,
    language: str = "en",
    four_colours: bool = True,
) -> bytes:
    """The PNG of a position of the game ``name``; ``last`` are the steps to be marked."""
    game = next(game for game in games().games if game.name == name)
    piles = {str(pile): Pile(*cards) for pile, cards in position.piles().items()}
    state: State = "won" if position.won else "blocked" if position.blocked else "playing"
    legal = position.reading().legal
    view = View("", 0, state, position.progress, 0, piles, legal)
    steps = [Step(*step) for step in last]
    return drawing.draw(game, view, steps, Look(four_colours=four_colours), say_in(language))


def main() -> None:
    """Draw one position of a game that is played at random."""
    parser = ArgumentParser(prog="python -m tools.draw_board", description=main.__doc__)
    parser.add_argument("game", choices=sorted(GAMES))
    parser.add_argument("--rules", default="standard")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moves", type=int, default=0)
    parser.add_argument("--output", type=Path, default=Path("board.png"))
    wanted = parser.parse_args()
    random = Random(wanted.seed)
    game = GAMES[wanted.game]
    position = game.deal(shuffle(game.pack, random.randbytes(32)), game.rules(wanted.rules))
    last: Sequence[RulesStep] = ()
    for _ in range(wanted.moves):
        legal = position.legal_moves()
        if not legal:
            break
        home = [move for move in legal if move.target.startswith("f") and len(move.target) < 4]
        position, last = position.apply(random.choice(home or legal))
    wanted.output.write_bytes(draw(wanted.game, position, last))


if __name__ == "__main__":
    main()
