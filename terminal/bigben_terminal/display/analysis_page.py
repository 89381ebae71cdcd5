"""The analysis of a race as a page of lines, with small curves."""

from collections.abc import Iterator
from typing import Final

from bigben_protocol.figures import (
    CARD,
    CERTAIN,
    HEIGHTS,
    cards,
    curve,
    percent,
    signed,
    signed_cards,
)
from bigben_solver.analysis import SeatAnalysis
from bigben_terminal.display import headings
from bigben_terminal.display.faces import Faces, safe
from bigben_terminal.language import game_text, say
from bigben_terminal.receipts.receipt_form import Receipt, Seat

_WIDTH: Final = 60
"""The columns of a curve."""
_ASCII_HEIGHTS: Final = "_.-=+*%#"


def head(receipt: Receipt, par: int, faces: Faces) -> list[str]:
    """The race, and the best that is known of its deal; ``par`` is 0 if no win was found."""
    rules = headings.of_rules(receipt.game, receipt.rules)
    shortest = say("over.par", count=par) if par else say("analysis.no_par")
    if receipt.grade:
        grade = game_text(f"grade.{receipt.grade}")
        shortest = f"{shortest} {say('analysis.grade', grade=grade)}"
    return [f"{rules} {faces.dot} {safe(receipt.race, 64)}", shortest]


def seat_lines(seat: Seat, analysis: SeatAnalysis, total: int, faces: Faces) -> Iterator[str]:
    """One seat; ``total`` cards home are a win."""
    result = seat.result
    yield say(
        "analysis.seat",
        name=safe(seat.name),
        state=say(f"state.{result.state}"),
        moves=say("moves", count=result.moves),
        home=result.home,
    )
    points, point = analysis.points, game_text("number.point")
    first, last = points[0], points[-1]
    labels = [say("analysis.chance"), say("analysis.expected"), say("boards.home")]
    ends = [
        (percent(first.chance, point), percent(last.chance, point)),
        (cards(first.expected, point), cards(last.expected, point)),
        (f"{first.home}", f"{last.home}"),
    ]
    curves = [
        ([p.chance for p in points], CERTAIN),
        ([p.expected for p in points], CARD * total),
        ([p.home for p in points], total),
    ]
    heights = _ASCII_HEIGHTS if faces.ascii else HEIGHTS
    wide, left = max(map(len, labels)), max(len(begin) for begin, _ in ends)
    for label, (begin, end), (values, most) in zip(labels, ends, curves, strict=True):
        yield f"  {label:<{wide}}  {begin:>{left}} {curve(values, most, _WIDTH, heights)} {end}"
    yield "  " + say(
        "analysis.skill",
        skill=signed(analysis.skill, point),
        luck=signed(analysis.luck, point),
        skill_cards=signed_cards(analysis.skill_cards, point),
        luck_cards=signed_cards(analysis.luck_cards, point),
    )
    if not analysis.costly:
        yield "  " + say("analysis.nothing")
    for one in analysis.costly:
        cost = {"chance": percent(one.cost, point), "cards": cards(one.cards, point)}
        move, better = safe(one.move), safe(one.better)
        yield "  " + say("analysis.costly", n=one.n, move=move, better=better, **cost)
