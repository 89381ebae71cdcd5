"""What becomes of a decision that breaks: it is ours to mend, and one connection's to lose."""

import logging

import pytest
from tests.server.stage import ADA, live

from bigben_protocol import CODECS, JSON, Join, Refused
from bigben_server.race.transitions import Refusal
from bigben_server.rooms.batch import Request
from bigben_server.rooms.mistakes import contained
from bigben_server.rooms.room import Room
from bigben_server.rooms.session import Session


def read(frame: bytes) -> str:
    return str(CODECS[JSON].decode_server(frame.decode()))


class Deciding:
    """Decides nothing, in different ways."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.said: list[str] = []
        stage = live(ADA)
        self.held = Room(stage.race, stage.now)
        session = Session(
            CODECS[JSON],
            lambda frames: self.said.extend(
                str(CODECS[JSON].decode_server(f.decode())) for f in frames
            ),
            lambda code, reason: self.said.append(f"{code} {reason}"),
        )
        session.player = ADA
        self.decide(self.held, Request(session, Join(stage.race.id, 7)))

    @contained
    def decide(self, held: Room, asked: Request) -> None:
        raise self._error


def test_a_mistake_is_logged_and_the_race_is_read_again(caplog: pytest.LogCaptureFixture) -> None:
    deciding = Deciding(AssertionError("we are wrong"))
    assert deciding.said == ["1011 The server made a mistake; it has been logged."]
    assert deciding.held.stale
    assert "we are wrong" in caplog.text
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


def test_a_refusal_is_no_mistake(caplog: pytest.LogCaptureFixture) -> None:
    deciding = Deciding(Refusal("seat", "No."))
    assert deciding.said == [str(Refused("seat", "No.", deciding.held.race.id, 7))]
    assert not deciding.held.stale
    assert caplog.text == ""
