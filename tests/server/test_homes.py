"""The home of a race: the same for everybody, spread evenly, and moved only where it must be."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bigben_protocol import RaceId
from bigben_server.homes import Homes, home_of
from bigben_server.race.lobby import LETTERS, new_code

CODES = st.text(LETTERS, min_size=6, max_size=6).map(RaceId)
WORKERS = st.sets(st.integers(1, 64), min_size=1)


@given(CODES, WORKERS, st.randoms())
def test_all_who_know_the_same_workers_agree_in_whatever_order(
    race: RaceId, workers: set[int], chance: random.Random
) -> None:
    mixed = sorted(workers)
    chance.shuffle(mixed)
    assert home_of(race, mixed) == home_of(race, workers)
    assert home_of(race, workers) in workers


@given(CODES, WORKERS, st.integers(1, 64))
def test_a_worker_that_ends_or_comes_moves_only_its_own_races(
    race: RaceId, workers: set[int], other: int
) -> None:
    without, beside = workers - {other}, workers | {other}
    if without and home_of(race, without) != home_of(race, beside):
        assert home_of(race, beside) == other


def test_workers_have_about_as_many_races() -> None:
    codes = [new_code(random.Random(n).randbytes) for n in range(3_000)]
    homes = Counter(home_of(code, range(1, 4)) for code in codes)
    assert all(900 < homes[number] < 1_100 for number in (1, 2, 3))


def test_homes_are_the_same_in_every_version() -> None:
    found = [home_of(RaceId(code), (1, 2, 3, 4)) for code in ("AAAAAA", "K7QMPX", "ZZZZZZ")]
    assert found == [3, 3, 4]


@given(CODES, WORKERS)
def test_a_process_that_is_alone_is_the_home_of_every_race(race: RaceId, workers: set[int]) -> None:
    assert Homes().is_here(race)
    assert [n for n in workers if Homes(n, workers).is_here(race)] == [home_of(race, workers)]
