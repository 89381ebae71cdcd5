"""Whose progress each follower of a race sees, when the field is small and when it is large."""

from tests.server.stage import ADA, BOB, CARL, Stage, daily
from tests.support.times import NOON

from bigben_protocol import PlayerId
from bigben_server.race.events import Player, SeatStatus
from bigben_server.race.state import Race
from bigben_server.race.visible import BEST, SMALL_FIELD, Visible, visible

PLAYERS = [Player(PlayerId(f"guest:{i:04}"), f"Guest {i}") for i in range(SMALL_FIELD + 50)]
IDS = [player.id for player in PLAYERS]


def crowded() -> Stage:
    """A daily in which each player but the last is a card ahead of the next, or a second."""
    stage = daily(*PLAYERS)
    for place, player in enumerate(IDS[:-1]):
        home, ms = 104 - place // 2, 1_000 * (place % 2)
        stage.race.take_status(player, SeatStatus("playing", 1, home, ms, ms, NOON))
    stage.race.take_moved()
    return stage


def seen_in(race: Race, *moved: PlayerId) -> Visible:
    return visible(moved, race.ranking, len(race.seats))


def test_of_a_small_field_everybody_sees_every_move() -> None:
    stage = daily(ADA, BOB, CARL)
    seen = seen_in(stage.race, BOB.id, CARL.id)
    assert (seen.by_all, seen.by_player) == ((BOB.id, CARL.id), {})


def test_of_a_large_field_everybody_sees_the_best() -> None:
    race = crowded().race
    assert seen_in(race, IDS[0]).by_all == (IDS[0],)
    assert seen_in(race, IDS[BEST - 1]).by_all == (IDS[BEST - 1],)
    assert seen_in(race, IDS[BEST]).by_all == ()


def test_the_others_are_seen_by_the_three_places_above_and_below() -> None:
    seen = seen_in(crowded().race, IDS[60])
    near = [*IDS[57:60], *IDS[61:64]]
    assert seen.by_player == {
        **{one: {IDS[60]: None} for one in near},
        IDS[60]: dict.fromkeys(near),
    }
    assert seen.by_all == ()


def test_two_who_moved_are_seen_by_a_neighbour_of_both() -> None:
    seen = seen_in(crowded().race, IDS[60], IDS[62])
    assert list(seen.by_player[IDS[61]]) == [IDS[60], IDS[62]]
    assert list(seen.by_player[IDS[65]]) == [IDS[62]]
    assert set(seen.by_player[IDS[60]]) == {*IDS[57:60], *IDS[61:64]}


def test_who_moves_beside_the_best_is_not_sent_them_again() -> None:
    seen = seen_in(crowded().race, IDS[BEST])
    below = IDS[BEST + 1 : BEST + 4]
    assert list(seen.by_player[IDS[BEST]]) == below
    assert seen.by_player.keys() == {*IDS[BEST - 3 : BEST + 4]}


def test_a_place_is_that_after_the_move() -> None:
    stage = crowded()
    stage.race.take_status(IDS[60], SeatStatus("playing", 2, 104, 2_000, 2_000, NOON))
    assert seen_in(stage.race, IDS[60]).by_all == (IDS[60],)


def test_at_the_ends_of_the_field_there_are_fewer_neighbours() -> None:
    race = crowded().race
    assert set(seen_in(race, IDS[-2]).by_player[IDS[-2]]) == {*IDS[-5:-2]}
    assert race.ranking.around(IDS[0], 3) == IDS[1:4]


def test_a_seat_without_a_place_is_seen_by_nobody_in_a_large_field() -> None:
    seen = seen_in(crowded().race, IDS[-1])
    assert (seen.moved, seen.by_all, seen.by_player) == ((IDS[-1],), (), {})
