"""The analysis of a closed race as a message, with small curves, and how far it is before that."""

from collections.abc import Iterator
from typing import Final

from bigben_chat.messages import formatting
from bigben_chat.messages.content import Content
from bigben_chat.texts import Say
from bigben_chat.tree import Code, Heading, Listed, Name, Part, Text, lines, text
from bigben_protocol import AnalysedSeat, Analysis
from bigben_protocol.figures import CARD, CERTAIN, cards, curve, percent, signed, signed_cards

_WIDTH: Final = 32
"""The characters of a curve."""


def progress(race: str, done: int, of: int, say: Say) -> Content:
    """How much of the analysis is computed."""
    named = formatting.race_name(race, say)
    bar = formatting.bar(done, max(of, 1))
    return Content(say("analysis.progress", race=named, bar=bar, percent=100 * done // max(of, 1)))


def analysis(told: Analysis, total: int, say: Say) -> Content:
    """The analysis; ``total`` cards home are a win."""
    title = say("analysis.title", race=formatting.race_name(told.race, say))
    par = say("over.par", count=told.par) if told.par else say("analysis.no_par")
    if told.grade:
        par = text(par, " ", say("analysis.grade", grade=say.game_text(f"grade.{told.grade}")))
    seats = tuple(lines(*_seat(seat, total, say)) for seat in told.seats)
    return Content(lines(title, par, *([Listed(seats)] if seats else []), say("analysis.curves")))


def _seat(seat: AnalysedSeat, total: int, say: Say) -> Iterator[Part | Text]:
    point = say.game_text("number.point")
    yield Heading(3, (Name(seat.name),))
    if seat.points:
        first, last = seat.points[0], seat.points[-1]
        chances = curve([one.chance for one in seat.points], CERTAIN, _WIDTH)
        expected = curve([one.expected for one in seat.points], CARD * total, _WIDTH)
        won = f" {percent(first.chance, point)} → {percent(last.chance, point)}"
        yield text(Code(chances), won)
        home = f" {cards(first.expected, point)} → {cards(last.expected, point)}"
        yield text(Code(expected), home)
    yield say(
        "analysis.sums",
        skill=signed(seat.skill, point),
        luck=signed(seat.luck, point),
        skill_cards=signed_cards(seat.skill_cards, point),
        luck_cards=signed_cards(seat.luck_cards, point),
    )
    if not seat.costly:
        yield say("analysis.nothing")
    for one in seat.costly:
        cost = {"chance": percent(one.cost, point), "cards": cards(one.cards, point)}
        yield say("analysis.costly", n=one.n, move=one.move, better=one.better, **cost)
