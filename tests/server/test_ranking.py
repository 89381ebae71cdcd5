"""Places: who is before whom, and who shares."""

from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.ranked import places, ranked

from bigben_protocol import PlayerId, Standing, State
from bigben_server.race.ranking import Key, Ranking

TOTAL = 104


def standing(name: str, home: int, home_ms: int) -> Standing:
    state: State = "won" if home == TOTAL else "blocked"
    return Standing(PlayerId(f"guest:{name}"), name, state, home=home, home_ms=home_ms)


standings = st.lists(st.tuples(st.integers(100, TOTAL), st.integers(0, 3)), max_size=12).map(
    lambda rows: [standing(f"{i:02}", *row) for i, row in enumerate(rows)]
)


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([], []),
        ([(0, 5)], [1]),
        ([(0, 5), (0, 9), (0, 9), (3, 1)], [1, 2, 2, 4]),
        ([(0, 5), (0, 5), (0, 5)], [1, 1, 1]),
        ([(0, 5), (0, 5), (1, 5), (1, 6), (1, 6)], [1, 1, 3, 4, 4]),
    ],
)
def test_equal_keys_share_a_place_and_the_next_one_is_skipped(
    keys: list[tuple[int, int]], expected: list[int]
) -> None:
    assert places([Key(*pair) for pair in keys]) == expected


def test_winners_go_by_time_then_cards_home_then_the_last_card_home() -> None:
    rows = [
        standing("slow winner", 104, 90_000),
        standing("one card short", 103, 10_000),
        standing("winner", 104, 80_000),
        standing("nothing", 12, 0),
        standing("one card short, later", 103, 10_001),
    ]
    assert [(row.name, row.place) for row in ranked(TOTAL, rows)] == [
        ("winner", 1),
        ("slow winner", 2),
        ("one card short", 3),
        ("one card short, later", 4),
        ("nothing", 5),
    ]


def test_how_a_game_ended_and_how_many_moves_it_took_do_not_matter() -> None:
    one = Standing(PlayerId("guest:a"), "A", "timed out", moves=90, home=50, ms=99, home_ms=7)
    other = Standing(PlayerId("guest:b"), "B", "resigned", moves=9, home=50, ms=8, home_ms=7)
    assert [row.place for row in ranked(TOTAL, [other, one])] == [1, 1]


@given(standings)
def test_a_place_is_one_more_than_how_many_are_better(rows: list[Standing]) -> None:
    for row in ranked(TOTAL, rows):
        better = [r for r in rows if (-r.home, r.home_ms) < (-row.home, row.home_ms)]
        assert row.place == 1 + len(better)


@given(standings, st.randoms(use_true_random=False))
def test_the_order_of_asking_does_not_matter(rows: list[Standing], random: Random) -> None:
    shuffled = list(rows)
    random.shuffle(shuffled)
    result = ranked(TOTAL, rows)
    assert ranked(TOTAL, shuffled) == result
    assert sorted(row.player for row in result) == [row.player for row in rows]
    keys = [Key(TOTAL - row.home, row.home_ms) for row in result]
    assert all(a <= b for a, b in pairwise(keys))


changes = st.lists(
    st.dictionaries(
        st.sampled_from([PlayerId(f"guest:{i}") for i in range(9)]),
        st.none() | st.builds(Key, st.integers(0, 3), st.integers(0, 3)),
    ),
    max_size=20,
)


@pytest.mark.parametrize("many", [0, 5, 100])
@given(changes)
def test_a_changed_ranking_equals_a_new_one(
    many: int, changes: list[dict[PlayerId, Key | None]]
) -> None:
    kept, keys = Ranking(many=many), dict[PlayerId, Key | None]()
    for change in changes:
        kept.put(change)
        keys |= change
        here = sorted((key, player) for player, key in keys.items() if key)
        everybody = [player for _, player in here]
        assert len(kept) == len(here)
        assert [*kept.page(0, 3), *kept.page(3, 100)] == everybody
        assert kept.among([*keys, *keys, PlayerId("guest:x")]) == everybody
        better = [sum(other < key for other, _ in here) for key, _ in here]
        assert [kept.place(p) - 1 for p in everybody] == better
