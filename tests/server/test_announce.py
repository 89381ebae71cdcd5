"""What followers are told: what is new to them, once, and no more of it than anybody reads."""

from tests.server.stage import (
    ADA,
    BOB,
    CARL,
    NOON,
    any_move,
    daily,
    live,
    only,
    racing,
)

from bigben_protocol import PlayerId, Progress, Room, ServerMessage, Snapshot
from bigben_server.announce import MOST_SHOWN, Announcer, News
from bigben_server.effects import Player, Tell
from bigben_server.log import Mark


def told(news: News) -> list[ServerMessage]:
    """The news for everybody."""
    return [message for message in news.messages if not isinstance(message, Tell)]


def progress(news: News) -> list[PlayerId]:
    """Whose progress the news tell."""
    return [seat.player for seat in only(told(news), Progress).seats]


def test_nothing_new_is_nothing_told() -> None:
    stage = racing(ADA, BOB)
    assert Announcer(stage.race, stage.now).news(stage.now).messages == []


def test_a_race_that_is_read_again_unchanged_is_no_news() -> None:
    stage = racing(ADA, BOB)
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    announcer = Announcer(stage.race, stage.now)
    announcer.reread(stage.read())
    assert announcer.news(stage.now).messages == []


def test_of_a_race_that_is_read_again_those_seats_are_news_that_have_moved() -> None:
    stage = racing(ADA, BOB, CARL)
    announcer = Announcer(stage.read(), stage.now)
    stage.move(BOB, any_move(stage.heard(BOB, Snapshot)))
    announcer.reread(stage.read())
    news = announcer.news(stage.now)
    assert progress(news) == [BOB.id]
    announcer.told(news)
    announcer.reread(stage.read())
    assert announcer.news(stage.now).messages == []


def test_news_that_were_never_told_are_still_news_when_the_race_is_read_again() -> None:
    stage = racing(ADA, BOB)
    race = stage.read()
    announcer = Announcer(race, stage.now)
    stage.move(ADA, any_move(stage.heard(ADA, Snapshot)))
    race.heard(ADA.id, stage.marks[ADA.id])
    assert progress(announcer.news(stage.now)) == [ADA.id]
    announcer.reread(stage.read())
    assert progress(announcer.news(stage.now)) == [ADA.id]


def test_what_another_process_did_to_the_room_is_news() -> None:
    stage = live(ADA)
    announcer = Announcer(stage.read(), stage.now)
    stage.join(BOB)
    announcer.reread(stage.read())
    news = announcer.news(stage.now)
    assert [seat.player for seat in only(told(news), Room).seats] == [ADA.id, BOB.id]
    assert progress(news) == [BOB.id]


def crowd(count: int) -> list[Player]:
    return [Player(PlayerId(f"guest:{i:04}"), f"Guest {i}") for i in range(count)]


def test_of_a_daily_that_runs_a_room_shows_the_best_hundred() -> None:
    players = crowd(MOST_SHOWN + 50)
    stage = daily(*players)
    for i, player in enumerate(players):
        seat = stage.race.seats[player.id]
        home = Mark("playing", 1, 12 + i % 75, 10, 10, NOON)
        seat.stands(home)
    room = only(stage.join(players[0]), Room)
    assert (len(room.seats), room.players) == (MOST_SHOWN, MOST_SHOWN + 50)
    assert [seat.home for seat in room.seats] == sorted(
        (seat.home for seat in room.seats), reverse=True
    )


def test_who_joins_a_daily_is_progress_and_not_the_whole_room() -> None:
    stage = daily(*crowd(20))
    first, *_ = crowd(1)
    before = len(stage.told[first.id])
    stage.join(ADA)
    (message,) = stage.told[first.id][before:]
    assert isinstance(message, Progress)
    assert [seat.player for seat in message.seats] == [ADA.id]
