"""Whose progress each follower of a race sees, when the field is small and when it is large."""

from tests.server.stage import ADA, BOB, CARL, Stage, daily
from tests.support.times import NOON

from bigben_protocol import PlayerId
from bigben_server.race.broadcasts.visible import BEST, SMALL_FIELD, Changes, who_see
from bigben_server.race.events import Player, SeatStatus
from bigben_server.race.state import Race

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


def seen_by(race: Race, viewer: PlayerId, *moved: PlayerId) -> set[PlayerId]:
    """Whom a player of a large field sees of those who moved, and besides."""
    changes = Changes()
    changes.add(viewer)
    before = changes.number
    for player in moved:
        changes.add(player)
    return set(changes.visible(viewer, before, race.ranking))


def all_who_see(race: Race, *moved: PlayerId) -> set[PlayerId] | None:
    return who_see(moved, race.ranking, len(race.seats))


def test_of_a_small_field_everybody_sees_every_move() -> None:
    stage = daily(ADA, BOB, CARL)
    assert all_who_see(stage.race, BOB.id, CARL.id) is None
    changes = Changes()
    for player in (ADA.id, BOB.id, CARL.id, BOB.id):
        changes.add(player)
    assert changes.since(1) == (BOB.id, CARL.id)
    assert changes.since(0) == (BOB.id, CARL.id, ADA.id)


def test_what_was_forgotten_is_not_seen() -> None:
    changes = Changes()
    changes.add(ADA.id)
    changes.forget()
    changes.add(BOB.id)
    assert changes.since(0) == (BOB.id,)


def test_of_a_large_field_everybody_sees_the_best() -> None:
    race = crowded().race
    for best in (IDS[0], IDS[BEST - 1]):
        assert all_who_see(race, best) is None
        assert seen_by(race, IDS[60], best) == {best}
        assert seen_by(race, IDS[-1], best) == {best}
    assert seen_by(race, IDS[60], IDS[BEST]) == set()
    assert all_who_see(race, IDS[BEST]) == {*IDS[BEST - 3 : BEST], *IDS[BEST + 1 : BEST + 4]}


def test_the_others_are_seen_by_the_three_places_above_and_below() -> None:
    race = crowded().race
    near = {*IDS[57:60], *IDS[61:64]}
    assert {one for one in IDS if IDS[60] in seen_by(race, one, IDS[60])} == near
    assert all_who_see(race, IDS[60]) == near
    assert seen_by(race, IDS[60], IDS[60]) == near


def test_two_who_moved_are_seen_by_a_neighbour_of_both() -> None:
    race = crowded().race
    assert seen_by(race, IDS[61], IDS[60], IDS[62]) == {IDS[60], IDS[62]}
    assert seen_by(race, IDS[65], IDS[60], IDS[62]) == {IDS[62]}
    assert seen_by(race, IDS[60], IDS[60], IDS[62]) == {*IDS[57:60], *IDS[61:64]}


def test_who_moves_beside_the_best_is_not_sent_them_again() -> None:
    race = crowded().race
    assert seen_by(race, IDS[BEST], IDS[BEST]) == {*IDS[BEST + 1 : BEST + 4]}
    for above in IDS[BEST - 3 : BEST]:
        assert seen_by(race, above, IDS[BEST]) == {IDS[BEST]}


def test_a_place_is_that_after_the_move() -> None:
    stage = crowded()
    stage.race.take_status(IDS[60], SeatStatus("playing", 2, 104, 2_000, 2_000, NOON))
    assert all_who_see(stage.race, IDS[60]) is None
    assert seen_by(stage.race, IDS[-1], IDS[60]) == {IDS[60]}


def test_at_the_ends_of_the_field_there_are_fewer_neighbours() -> None:
    race = crowded().race
    assert seen_by(race, IDS[-2], IDS[-2]) == {*IDS[-5:-2]}
    assert race.ranking.around(IDS[0], 3) == IDS[1:4]


def test_a_seat_without_a_place_is_seen_by_nobody_in_a_large_field() -> None:
    race = crowded().race
    assert all_who_see(race, IDS[-1]) == set()
    assert not any(seen_by(race, one, IDS[-1]) for one in IDS)
