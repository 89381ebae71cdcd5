"""A score is the ranking key, whole: it sorts as the key does, and comes back as it was."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.ranked import places, ranked

from bigben_protocol import PlayerId, Standing, State
from bigben_server.race.ranking import HOME_MS_BITS, Key, pack, unpack

LATEST = 2**HOME_MS_BITS - 1
MOST = 2**13 - 1
EDGES = [
    Key(missing, home_ms)
    for missing in (0, 1, 2, 91, 92, 103, 104, 4095, 4096, MOST - 1, MOST)
    for home_ms in (0, 1, 2, 86_400_000, 2**32 - 1, 2**32, LATEST - 1, LATEST)
]
keys = st.builds(Key, st.integers(0, MOST), st.integers(0, LATEST)) | st.sampled_from(EDGES)


def as_redis_holds_it(score: int) -> float:
    """A double, written with seventeen digits and read back."""
    return float(f"{float(score):.17g}")


@given(keys)
def test_a_key_comes_back_as_it_was(key: Key) -> None:
    assert unpack(int(as_redis_holds_it(pack(key)))) == key


@given(keys, keys)
def test_scores_order_as_keys_do(one: Key, other: Key) -> None:
    scores = as_redis_holds_it(pack(one)), as_redis_holds_it(pack(other))
    assert (scores[0] < scores[1]) == (one < other)
    assert (scores[0] == scores[1]) == (one == other)


@given(st.lists(st.builds(Key, st.integers(0, 2), st.integers(0, 2))).map(sorted))
def test_equal_keys_share_a_place(keys: list[Key]) -> None:
    assert places(keys) == [1 + sum(other < key for other in keys) for key in keys]


def test_neighbours_at_the_edges_stay_apart() -> None:
    for one, other in pairwise(sorted(EDGES)):
        assert as_redis_holds_it(pack(one)) < as_redis_holds_it(pack(other))
    for missing in range(MOST):
        last, next_one = Key(missing, LATEST), Key(missing + 1, 0)
        assert as_redis_holds_it(pack(next_one)) - as_redis_holds_it(pack(last)) == 1


@pytest.mark.parametrize("beyond", [Key(-1, 0), Key(0, -1), Key(MOST + 1, 0), Key(0, LATEST + 1)])
def test_a_key_that_does_not_fit_is_never_packed(beyond: Key) -> None:
    with pytest.raises(AssertionError, match="does not fit"):
        pack(beyond)


def test_winners_go_by_time_and_the_others_by_cards_then_by_the_last_card_home() -> None:
    def seat(name: str, home: int, home_ms: int, ms: int) -> Standing:
        state: State = "won" if home == 104 else "blocked"
        return Standing(PlayerId(name), name, state, 1, home, ms, home_ms)

    slow_start = seat("few cards", 60, 500, 9_000)
    many = seat("many cards, late", 61, 8_000, 8_500)
    level = seat("many cards, late, gave up later", 61, 8_000, 20_000)
    quick, slow = seat("won", 104, 7_000, 7_000), seat("won later", 104, 7_001, 7_001)
    rows = ranked(104, [slow_start, level, slow, many, quick])
    assert [(row.name, row.place) for row in rows] == [
        ("won", 1),
        ("won later", 2),
        ("many cards, late", 3),
        ("many cards, late, gave up later", 3),
        ("few cards", 5),
    ]
