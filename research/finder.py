"""Finds winning lines by ``finder.c``, if there is a C compiler."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

from bigben_rules import Move, Position, bigben
from bigben_rules.bigben.layout import FOUNDATION
from bigben_rules.bigben.variants import RULES
from bigben_rules.cards import PACK
from bigben_solver.big_ben.table import move_of

SOURCE: Final = Path(__file__).with_name("finder.c")
_TURNS: Final = ("no_gaps", "stuck", "always")
_MOST: Final = 1_000
"""Moves of a line."""

_FIRST: Final = bytes(PACK.index(cards[0]) for cards in FOUNDATION.values())
_LENGTH: Final = bytes(map(len, FOUNDATION.values()))


@cache
def _library() -> ctypes.CDLL | None:
    """The compiled program; None without a compiler."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "finder.so"
        command = [compiler, "-O2", "-shared", "-fPIC", "-o", str(file), str(SOURCE)]
        subprocess.run(command, check=True)
        return ctypes.CDLL(str(file))


def can_find() -> bool:
    """Whether there is a compiler."""
    return _library() is not None


def find(position: Position, *, nodes: int) -> tuple[Move, ...]:
    """A winning line of Big Ben from a position that was just dealt; empty if none is found.

    Ask ``can_find`` first.
    """
    library = _library()
    assert library is not None
    assert isinstance(position, bigben.Position)
    rules = RULES[position.rules]
    moves = (ctypes.c_int * _MOST)()
    count = library.find(
        bytes(PACK.index(card) for fan in position.fans for card in fan),
        bytes(map(PACK.index, position.stock)),
        _FIRST,
        _LENGTH,
        int(rules.refill == "laps"),
        _TURNS.index(rules.turn),
        int(rules.waste == "playable"),
        ctypes.c_int64(nodes),
        ctypes.c_uint64(0),
        moves,
        _MOST,
    )
    return tuple(map(move_of, moves[:count]))
