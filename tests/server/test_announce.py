"""What subscribers are told: what is new to them, once, and no more of it than anybody reads."""

from tests.server.stage import ADA, BOB, CARL, Stage, any_move, daily, live, only, racing
from tests.support.times import DAY, MIDNIGHT, NOON

from bigben_protocol import (
    GetStandings,
    PlayerId,
    Progress,
    Room,
    ServerMessage,
    Snapshot,
    Standings,
)
from bigben_server.race.decisions import Tell
from bigben_server.race.events import Player, SeatStatus
from bigben_server.race.views import MOST_SHOWN, Announcement, Announcements


def told(news: Announcement) -> list[ServerMessage]:
    """The news for everybody."""
    return [message for message in news.messages if not isinstance(message, Tell)]


def progress(news: Announcement) -> list[PlayerId]:
    """Whose progress the news tell."""
    return [seat.player for seat in only(told(news), Progress).seats]


def test_nothing_new_is_not_announced() -> None:
    stage = racing(ADA, BOB)
    assert Announcements(stage.race, stage.now).changes(stage.now).messages == []


def test_a_race_that_is_read_again_unchanged_is_not_announced() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    announcer = Announcements(stage.race, stage.now)
    announcer.reread(stage.read())
    assert announcer.changes(stage.now).messages == []


def test_a_race_that_is_read_again_announces_only_seats_that_have_moved() -> None:
    stage = racing(ADA, BOB, CARL)
    announcer = Announcements(stage.read(), stage.now)
    stage.move(BOB, any_move(stage.heard(BOB, Snapshot)))
    announcer.reread(stage.read())
    news = announcer.changes(stage.now)
    assert progress(news) == [BOB.id]
    announcer.told(news)
    announcer.reread(stage.read())
    assert announcer.changes(stage.now).messages == []


def test_changes_that_were_never_announced_are_announced_when_the_race_is_read_again() -> None:
    stage = racing(ADA, BOB)
    race = stage.read()
    announcer = Announcements(race, stage.now)
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    race.take_status(ADA.id, stage.statuses[ADA.id])
    assert progress(announcer.changes(stage.now)) == [ADA.id]
    announcer.reread(stage.read())
    assert progress(announcer.changes(stage.now)) == [ADA.id]


def test_changes_of_a_room_by_another_process_are_announced() -> None:
    stage = live(ADA)
    announcer = Announcements(stage.read(), stage.now)
    stage.join(BOB)
    announcer.reread(stage.read())
    news = announcer.changes(stage.now)
    assert [seat.player for seat in only(told(news), Room).seats] == [ADA.id, BOB.id]
    assert progress(news) == [BOB.id]


def crowd(count: int) -> list[Player]:
    return [Player(PlayerId(f"guest:{i:04}"), f"Guest {i}") for i in range(count)]


def crowded() -> tuple[Stage, list[Player]]:
    """A daily with more players than a message shows; the later they came, the further they are."""
    players = crowd(MOST_SHOWN + 50)
    stage = daily(*players)
    for i, player in enumerate(players):
        stage.race.take_status(player.id, SeatStatus("blocked", 1, 12 + i // 2, 10, 10, NOON))
    return stage, players


def test_of_a_daily_a_room_shows_the_best_hundred() -> None:
    stage, players = crowded()
    stage.watch(ADA)
    for now in (stage.now, MIDNIGHT + DAY):
        room = only(stage.at(now).watch(ADA), Room)
        assert [seat.player for seat in room.seats[:2]] == [players[-2].id, players[-1].id]
        assert (len(room.seats), room.players) == (MOST_SHOWN, MOST_SHOWN + 50)


def test_the_viewers_seat_is_shown_however_far_behind() -> None:
    stage, players = crowded()
    room = only(stage.join(players[0]), Room)
    assert len(room.seats) == MOST_SHOWN + 1
    assert room.seats[-1] == stage.standing(players[0])


def test_the_end_of_a_crowded_daily_has_the_best_hundred_and_more_on_request() -> None:
    stage, players = crowded()
    stage.at(MIDNIGHT + DAY)
    assert len(stage.final()) == MOST_SHOWN
    ask = GetStandings(stage.race.id, start=MOST_SHOWN)
    rest = only(stage.say(ADA, ask), Standings)
    assert [len(stage.final()), len(rest.rows)] == [MOST_SHOWN, 50]
    assert rest.players == MOST_SHOWN + 50
    assert len({row.player for row in (*stage.final(), *rest.rows)}) == rest.players
    assert [row.place for row in rest.rows[-3:]] == [147, 149, 149]
    only_some = (players[0].id, players[-1].id, "guest:nobody")
    some = only(stage.say(ADA, GetStandings(stage.race.id, only=only_some)), Standings)
    assert [(row.player, row.place) for row in some.rows] == [
        (players[-1].id, 1),
        (players[0].id, 149),
    ]


def test_a_join_of_a_daily_is_progress_and_not_the_whole_room() -> None:
    stage = daily(*crowd(20))
    first, *_ = crowd(1)
    before = len(stage.told[first.id])
    stage.join(ADA)
    (message,) = stage.told[first.id][before:]
    assert isinstance(message, Progress)
    assert [seat.player for seat in message.seats] == [ADA.id]
