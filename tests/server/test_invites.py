"""Rooms by invitation: who is told it, who needs it, and who needs none."""

from tests.server.stage import ADA, BOB, CARL, ROOM, Stage, live, only_refusal

from bigben_protocol import Join, Room, ServerMessage
from bigben_server.race import lobby
from bigben_server.race.lobby import invite_named


def answer(messages: list[ServerMessage]) -> Room:
    """The room that answers; what everybody is told comes after it."""
    return next(message for message in messages if isinstance(message, Room))


def room_of_ada() -> tuple[Stage, str]:
    """A room that only those may join who were told its invitation."""
    stage = live(ADA, invite_only=True)
    return stage, answer(stage.join(ADA)).invite


def test_players_in_the_room_receive_the_invitation() -> None:
    _, invite = room_of_ada()
    code, letters = invite.split("-")
    assert (code, len(letters)) == (ROOM, 6)


def test_with_the_invitation_anybody_joins_however_they_type_it() -> None:
    stage, invite = room_of_ada()
    room = answer(stage.say(BOB, Join(invite.lower().replace("-", " "), 1)))
    assert [seat.name for seat in room.seats] == ["Ada", "Bob"]
    assert room.invite == invite, "they may invite others"


def test_without_it_or_with_another_one_they_are_refused() -> None:
    stage, _ = room_of_ada()
    for race in (ROOM, f"{ROOM}-AAAAAA"):
        code, text = only_refusal(stage.say(BOB, Join(race, 1)))
        assert code == "seat"
        assert "invite only" in text


def test_spectators_and_broadcasts_do_not_receive_the_invitation() -> None:
    stage, invite = room_of_ada()
    stage.watch(CARL)
    stage.say(BOB, Join(invite, 1))
    assert all(message.invite == "" for message in stage.told[CARL.id] if isinstance(message, Room))


def test_a_player_with_a_seat_returns_without_an_invitation() -> None:
    stage, invite = room_of_ada()
    stage.say(BOB, Join(invite, 1))
    assert answer(stage.say(BOB, Join(ROOM, 2))).invite == invite


def test_the_people_of_the_race_before_need_none_for_the_rematch() -> None:
    stage = _closed_race_of_two()
    events = lobby.rematch(stage.race, ADA, stage.now, lambda n: bytes(range(1, n + 1)))
    again = Stage(ROOM, events, stage.now)
    assert len(answer(again.join(BOB)).seats) == 2
    assert only_refusal(again.join(CARL))[0] == "seat"


def test_an_open_room_needs_none_and_has_none() -> None:
    stage = live(ADA)
    assert answer(stage.join(BOB)).invite == ""


def test_a_code_alone_is_not_an_invitation() -> None:
    assert invite_named("k7q-pxm") == ""
    assert invite_named("K7QPXM-4TZ8QN") == "4TZ8QN"


def _closed_race_of_two() -> Stage:
    stage, invite = room_of_ada()
    stage.say(BOB, Join(invite, 1))
    stage.ready(ADA, BOB)
    stage.wait(3_000)
    stage.move(ADA, "resign")
    stage.move(BOB, "resign")
    return stage.at(stage.now)
