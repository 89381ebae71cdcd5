"""The home of a race: the same for everybody, spread evenly, and moved only where it must be."""

import random
from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from bigben_client.connection.address import address
from bigben_protocol import RaceId
from bigben_server.homes import Homes, home_of, race_named
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


@given(CODES, st.sampled_from(["ws://x.example", "ws://x.example/big?ben=1"]))
def test_the_server_finds_the_race_in_the_address_that_a_client_makes(
    race: RaceId, url: str
) -> None:
    for typed in (race.lower(), f"{race[:3]}-{race[3:]}", f"{race}234567"):
        target = address(url).naming(typed).removeprefix("ws://x.example")
        assert race_named(target.encode()) == race
    assert race_named(b"/") is None
    for spread in ("daily.book", "week.K7QPXM2A.3"):
        assert address(url).naming(spread) == url


@given(CODES, CODES, st.booleans())
def test_a_connection_is_at_the_best_place_if_it_named_the_race_or_nobody_could_do_better(
    race: RaceId, other: RaceId, others: bool
) -> None:
    alone, among = Homes(), Homes(1, (1, 2), others=others)
    assert alone.is_best(race, None)
    assert among.is_best(race, race)
    assert Homes(others=True).is_best(race, other) == (race == other)
    assert among.is_best(race, None) == (not others and home_of(race, (1, 2)) == 1)
