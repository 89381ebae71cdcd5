"""Draws the positions before the worked moves of docs/rules.md, as chat front ends draw a board.

Run it from the root of the project with ``python -m tools.draw_rules``; with ``--check`` it fails
if a picture in docs/images shows something else.
"""

import sys
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageChops
from tools.draw_board import draw

from bigben_rules import GAMES, Position, seed_from_hex, shuffle

IMAGES: Final = Path(__file__).parents[1] / "docs" / "images"
WIDTH: Final = 640
COLOURS: Final = 96

BLOCK: Final = 16
ALIKE: Final = 32
"""How far the mean colours of a block of pixels may differ: other machines draw letters a little
differently, but another card differs more."""


class Example(NamedTuple):
    """A deal, and the first moves."""

    seed: str
    moves: str


def _turns(count: int) -> str:
    return ", ".join(["turn"] * count)


EXAMPLES: Final = {
    "bigben": Example(
        "002f18a8bc8ba700306cf763956ac7136006424d8a4c51fc6b6d8344216215aa",
        "turn, turn, 7 f7, refill",
    ),
    "grandfathersclock": Example(
        "fec6d8cb0e2a0636a3211467b22d83cf7b4ff7c6b8b6be86d68215aebe970a6e",
        "2 f2, 2 f7, 4 f7, 3 5",
    ),
    "clock": Example(
        "c250a959d6e07962c397ceaec29c721e460323763161bb73bd6e2d6ec8a81556", _turns(13)
    ),
    "watch": Example(
        "598ebe30332c4d7d466d9c24d266d79ca1f710f1d68d925a8767ca6c72040e48", _turns(34)
    ),
    "travellers": Example(
        "26a35ea4a6965d9dff8dd126409deaa079fdd2b50c853632296cb41ebb96936d", _turns(14)
    ),
    "hideandseek": Example(
        "307bb416f5aef53e8793028c23bdd19884bfbe39d87c7b9ae8e381123e945a46", _turns(35)
    ),
    "germanclock": Example(
        f"{17:064x}",
        "turn, w f12, turn, turn, turn, turn, turn, w f10, turn, turn",
    ),
}
"""By game: what leads to the worked move."""


def position(game: str) -> Position:
    """The position before the worked move of the game."""
    example = EXAMPLES[game]
    order = shuffle(GAMES[game].pack, seed_from_hex(example.seed))
    position = GAMES[game].deal(order, "standard")
    for move in example.moves.split(", "):
        position, _ = position.apply(position.parse(move))
    return position


def file(game: str) -> Path:
    """The picture on the page."""
    return IMAGES / f"rules-{game}.png"


def picture(game: str, position: Position) -> Image.Image:
    """The board at the size of the page."""
    board = Image.open(BytesIO(draw(game, position))).convert("RGBA")
    size = WIDTH, round(board.height * WIDTH / board.width)
    small = board.resize(size, Image.Resampling.LANCZOS)
    return small.quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)


def is_stale(game: str) -> bool:
    """Whether the file is missing or shows something else than the renderer would draw now."""
    return not file(game).exists() or differ(picture(game, position(game)), Image.open(file(game)))


def differ(one: Image.Image, other: Image.Image) -> bool:
    """Whether the pictures show something else."""
    if one.size != other.size:
        return True
    blocks = [picture.convert("RGBA").convert("RGB").reduce(BLOCK) for picture in (one, other)]
    return max(ImageChops.difference(*blocks).tobytes()) > ALIKE


def main() -> None:
    stale = [game for game in EXAMPLES if is_stale(game)]
    if sys.argv[1:] == ["--check"]:
        sys.exit(f"docs/images shows old {', '.join(stale)}: run make docs" if stale else 0)
    for game in stale:
        picture(game, position(game)).save(file(game), "PNG", optimize=True)


if __name__ == "__main__":
    main()
