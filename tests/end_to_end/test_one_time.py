"""A result has one time in every front end: when its last card came home, which decides places."""

import io
from dataclasses import replace

import pytest
from rich.console import Console
from tests.chat.positions import after
from tests.terminal.support import INFO

from bigben_chat.messages.board import Board
from bigben_chat.messages.public_message import public_message
from bigben_chat.picture.drawing import Look
from bigben_chat.texts import say_in
from bigben_discord.interactions.markdown import markdown
from bigben_protocol import PlayerId, RaceId, Room, Rules, Standing, Standings, State
from bigben_protocol.share import share_text
from bigben_terminal.display import race_text
from bigben_terminal.display.faces import Faces
from bigben_terminal.display.tables import in_words, places

ADA, BOB = PlayerId("guest:ada"), PlayerId("guest:bob")
BIG_BEN = INFO["bigben"]
ENDS: list[State] = ["blocked", "resigned", "timed out"]


def everywhere(seat: Standing) -> dict[str, str]:
    """What each front end says of this result."""
    closed = Room(RaceId("K7QPXM"), "live", "closed", Rules(), "", opened_at=0, seats=(seat,))
    out = io.StringIO()
    Console(file=out, width=80).print(places([seat], BOB, BIG_BEN, Faces()))
    ((told,), _) = race_text.of_progress({}, [seat], BOB, BIG_BEN.total)
    seen = replace(after(7).view, state=seat.state, ms=seat.ms, home_ms=seat.home_ms, legal=())
    final = Standings(closed.race, (seat,), final=True)
    say = say_in("en")
    return {
        "card": share_text(closed, seat, game=BIG_BEN, players=2),
        "table": out.getvalue(),
        "words": in_words(seat, BIG_BEN),
        "news": told,
        "public message": markdown(public_message(BIG_BEN, closed, final, say).text),
        "own board": markdown(Board(BIG_BEN, seen, (), Look(), say).message().text),
    }


@pytest.mark.parametrize("state", ENDS)
def test_the_time_is_that_of_the_last_card_home(state: State) -> None:
    seat = Standing(ADA, "Ada", state, 70, 40, ms=188_312, home_ms=187_412, place=1)
    for where, text in everywhere(seat).items():
        assert "3:07.4" in text, where
        assert "3:08" not in text, where


@pytest.mark.parametrize("state", ENDS)
def test_a_result_without_a_card_home_has_no_time(state: State) -> None:
    seat = Standing(ADA, "Ada", state, 70, 12, ms=188_312, place=1)
    for where, text in everywhere(seat).items():
        assert "3:08" not in text, where
        assert "0:00" not in text, where
