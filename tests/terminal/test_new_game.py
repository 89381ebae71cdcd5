"""A game that nobody has written yet is drawn, explained and typed from its description alone."""

import re
from pathlib import Path

import bigben_terminal
from bigben_protocol import GameInfo, Pile, Slot, Typed, View
from bigben_terminal.display import position_text
from bigben_terminal.display.board import WIDTH, board, listed
from bigben_terminal.display.faces import Faces
from bigben_terminal.display.help_text import help_lines
from bigben_terminal.typed_commands import Send, understand

LETTERS = Faces(ascii=True)
PACKAGE = Path(bigben_terminal.__file__).parent

CANFIELD = GameInfo(
    name="canfield",
    total=52,
    decides=True,
    choices=(),
    presets=("standard",),
    slots=(
        *(Slot(f"f{at}", "foundation", "row", at + 2, label=str(at)) for at in range(1, 5)),
        Slot("s", "stock", "row", 1),
        Slot("w", "waste", "row", 2, label="w"),
        *(Slot(str(at), "tableau", "column", at, fans="down", label=str(at)) for at in range(1, 8)),
        Slot("r", "reserve", "row", 1, row=2, label="K"),
    ),
    moves=(Typed("3 5", "move.build"), Typed("draw", "move.draw", tap="s")),
)
VIEW = View(
    race="K7QPXM",
    n=3,
    state="playing",
    home=1,
    ms=0,
    piles={
        **{f"f{at}": Pile(("AC",) if at == 1 else ()) for at in range(1, 5)},
        "s": Pile((), 23),
        "w": Pile(("2C", "3C", "4C", "5C", "6C", "7C", "8C", "9C", "10C", "JC", "10H")),
        **{str(at): Pile(("QD", "10S"), at - 1) for at in range(1, 8)},
        "r": Pile((), 13),
    },
    legal=("1 2", "draw"),
)


def test_its_piles_lie_beside_each_other() -> None:
    shown = board(CANFIELD, VIEW, LETTERS).plain
    lines = [line.rstrip() for line in shown.split("\n")]
    assert max(map(len, lines)) <= WIDTH
    assert lines[:4] == [
        "1   2   3   4   5   6   7",
        "QD  #1  #2  #3  #4  #5  #6",
        "10S QD  QD  QD  QD  QD  QD",
        "    10S 10S 10S 10S 10S 10S",
    ]
    assert lines[5:] == [
        "stock   waste     1     2       3       4",
        "23      [10H] +10 AC    __      __      __",
        "",
        "r K",
        "#13",
    ]


def test_a_narrow_terminal_gets_it_too() -> None:
    shown = listed(CANFIELD, VIEW, LETTERS).plain
    assert max(map(len, shown.split("\n"))) <= 36
    assert "waste [10H] +10" in shown


def test_it_is_explained_and_typed() -> None:
    assert any(line.startswith("  draw ") for line in help_lines(CANFIELD, 80))
    assert understand("dr", CANFIELD) == Send("draw")
    assert understand("3 5", CANFIELD) == Send("3 5")
    assert position_text.hints(CANFIELD, VIEW.legal, LETTERS) == ["build 1 2 | or draw"]
    told = position_text.position(CANFIELD, VIEW)
    assert "Column 3: 10 of spades on top; under it queen of diamonds, 2 cards face down." in told
    assert "Pile r: 13 cards face down." in told


def test_no_module_imports_a_game() -> None:
    importing = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if set(re.findall(r"from bigben_rules\.(\w+)", file.read_text(encoding="utf-8")))
        - {"cards", "description", "game", "position", "seeds"}
    }
    assert importing == set()
