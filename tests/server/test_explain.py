"""Explain: a player learns why a card of their own game can't move, and nobody else does."""

import pytest
from tests.server.stage import ADA, BOB, DORA, ROOM, live, only, only_refusal, practice, racing

from bigben_protocol import Explain, Reason, Snapshot, texts
from bigben_protocol.sentence import sentence
from bigben_server.race.deciding import NOT_BEGUN


def test_a_player_asks_why_a_card_stays() -> None:
    stage = practice(seed="07" * 32)
    stage.ready(ADA)
    goes = "9D goes on 8D at 12, or on 10D in a fan of three or more."
    either = sentence("goes.home_or_fan", card="9D", below="8D", hours=("12",), above="10D")
    assert stage.say(ADA, Explain(ROOM, " 8", ref=5)) == [
        Reason(ROOM, "8", goes, ("8D", "10D"), 5, "", (either,))
    ]
    told = only(stage.say(ADA, Explain(ROOM, "8", "5")), Reason)
    assert told.text == f"9D does not go on 2H; fan 5 wants AH. {goes}"
    assert told.target == "5"


def test_it_changes_nothing() -> None:
    stage = racing(ADA, BOB)
    logs = {player: list(log) for player, log in stage.seat_logs.items()}
    told = len(stage.told[BOB.id])
    for pile in only(stage.resume(ADA, 0), Snapshot).piles:
        only(stage.say(ADA, Explain(ROOM, pile)), Reason)
    assert (stage.seat_logs, len(stage.told[BOB.id])) == (logs, told)


def test_only_a_player_in_play_gets_a_reason() -> None:
    why = Explain(ROOM, "3")
    stage = live(ADA, BOB)
    assert only_refusal(stage.say(ADA, why))[0] == "phase"
    stage = racing(ADA, BOB)
    assert only_refusal(stage.say(DORA, why))[0] == "seat"
    stage.move(ADA, "resign")
    assert only_refusal(stage.say(ADA, why)) == ("phase", "Your game is over.")
    stage = practice()
    assert only_refusal(stage.say(ADA, why)) == ("phase", texts.said(NOT_BEGUN))
    stage.ready(ADA)
    stage.restart()
    only(stage.say(ADA, why), Reason)


@pytest.mark.parametrize("pile", ["x", "13", "", "3 fdn"])
def test_a_pile_that_the_game_lacks_is_refused(pile: str) -> None:
    stage = racing(ADA, BOB)
    code, text = only_refusal(stage.say(ADA, Explain(ROOM, pile)))
    assert (code, text) == ("notation", f"This game has no pile {pile!r}.")
