"""House players in a room: who gives them a seat, and what becomes of a room with nobody else."""

from tests.server.stage import ADA, BOB, live, only, only_refusal, racing

from bigben_protocol import (
    HOUSE_NAMES,
    HOUSE_PLAYERS,
    STRENGTHS,
    AddHouse,
    Join,
    PlayerId,
    RemoveHouse,
    Room,
    house_player,
)
from bigben_server.race import choosing, deciding, lobby
from bigben_server.race.events import Cancelled, Joined, Player, version_of
from bigben_solver.players.player import NAMES

PIP = Player(house_player("beginner"), "Pip (house)", bot=True)
BEN = Player(house_player("master"), "Ben (house)", bot=True)


def test_the_house_players_are_those_of_the_solver() -> None:
    assert HOUSE_NAMES == NAMES


def test_a_host_adds_a_house_player_who_is_marked_as_a_bot() -> None:
    stage = live(ADA, BOB)
    room, *_ = stage.say(ADA, AddHouse(stage.race.id, "beginner"))
    assert isinstance(room, Room)
    assert [(seat.player, seat.name, seat.bot) for seat in room.seats][2:] == [
        ("bot:beginner", "Pip (house)", True)
    ]
    assert not any(seat.bot for seat in room.seats[:2])


def test_adding_it_once_more_changes_nothing() -> None:
    stage = live(ADA)
    for _ in range(2):
        stage.say(ADA, AddHouse(stage.race.id, "beginner"))
    assert [*stage.race.seats] == [ADA.id, PIP.id]
    assert stage.race.event_count == 3


def test_servers_of_the_version_before_can_read_what_is_stored() -> None:
    assert version_of(Joined(PIP.id, PIP.name, 0, bot=True)) == 1


def test_only_the_host_chooses_and_only_among_the_five() -> None:
    stage = live(ADA, BOB)
    code, text = only_refusal(stage.say(BOB, AddHouse(stage.race.id, "beginner")))
    assert (code, text) == ("seat", "Only the host can choose its house players.")
    code, text = only_refusal(stage.say(ADA, AddHouse(stage.race.id, "genius")))
    assert code == "unknown"
    assert all(strength in text for strength in STRENGTHS)


def test_a_host_can_not_remove_another_bot() -> None:
    stage = live(ADA)
    stage.join(Player(PlayerId("bot:robot"), "Robot", bot=True))
    assert only_refusal(stage.say(ADA, RemoveHouse(stage.race.id, "robot")))[0] == "unknown"
    assert "bot:robot" in stage.race.seats


def test_a_room_that_is_full_takes_none() -> None:
    stage = live(ADA)
    many = (Player(f"guest:{n}", f"Guest {n}") for n in range(deciding.MOST_SEATS - 1))  # type: ignore[arg-type] # ids of a test
    stage.join(*many)
    assert only_refusal(stage.say(ADA, AddHouse(stage.race.id, "steady")))[0] == "limit"


def test_a_house_player_joins_no_room_unasked() -> None:
    stage = live(ADA)
    assert only_refusal(stage.say(PIP, Join(stage.race.id)))[0] == "seat"
    stage.say(ADA, AddHouse(stage.race.id, "beginner"))
    only(stage.say(PIP, Join(stage.race.id)), Room)


def test_the_race_starts_when_a_removed_house_player_was_all_it_waited_for() -> None:
    stage = live(ADA, BOB)
    stage.say(ADA, AddHouse(stage.race.id, "beginner"))
    stage.ready(ADA, BOB)
    assert stage.race.phase(stage.now) == "open"
    stage.say(ADA, RemoveHouse(stage.race.id, "beginner"))
    assert stage.race.phase(stage.now) == "countdown"
    assert PIP.id not in stage.race.seats


def test_the_next_of_the_people_becomes_the_host() -> None:
    stage = live(ADA)
    stage.say(ADA, AddHouse(stage.race.id, "beginner"))
    stage.join(BOB)
    stage.leave(ADA)
    assert stage.race.host == BOB.id


def test_a_room_that_all_people_have_left_is_closed() -> None:
    stage = live(ADA)
    stage.say(ADA, AddHouse(stage.race.id, "beginner"))
    stage.leave(ADA)
    assert isinstance(stage.race.ended, Cancelled)


def test_a_rematch_keeps_them() -> None:
    stage = live(ADA, BOB)
    stage.say(ADA, AddHouse(stage.race.id, "master"))
    stage.ready(ADA, BOB, BEN)
    stage.wait(choosing.COUNTDOWN_MS)
    stage.move(BOB, "resign")
    _, *joined = lobby.rematch(stage.race, BOB, stage.now, lambda n: bytes(n))
    assert joined == [
        Joined(BOB.id, BOB.name, stage.now),
        Joined(BEN.id, BEN.name, stage.now, True),
    ]


def test_it_leaves_no_seat_in_a_race_that_runs() -> None:
    stage = racing(ADA, BOB)
    assert only_refusal(stage.say(ADA, AddHouse(stage.race.id, "steady")))[0] == "phase"
    assert not stage.race.seats.keys() & HOUSE_PLAYERS
