"""Points of a day: how much of the field was left behind."""

from fractions import Fraction
from math import floor

from hypothesis import given
from hypothesis import strategies as st

from bigben_server.race.ranking import Key
from bigben_server.scoring.ratings import points

fields = st.lists(st.builds(Key, st.integers(0, 3), st.integers(0, 3)), min_size=1).map(sorted)


@given(fields)
def test_points_are_the_share_of_the_others_left_behind_with_half_for_equals(
    keys: list[Key],
) -> None:
    def by_hand(i: int) -> int:
        others = keys[:i] + keys[i + 1 :]
        if not others:
            return 50
        behind = sum(Fraction(other > keys[i]) + Fraction(other == keys[i], 2) for other in others)
        return floor(1 + 99 * behind / len(others))

    assert points(keys) == [by_hand(i) for i in range(len(keys))]


@given(fields)
def test_better_keys_have_more_points_and_equal_keys_the_same(keys: list[Key]) -> None:
    given_out = points(keys)
    for one, its in zip(keys, given_out, strict=True):
        for other, theirs in zip(keys, given_out, strict=True):
            if one == other:
                assert its == theirs
            # In a field of more than a hundred, peers may have the same whole number.
            assert (its >= theirs) if one < other else True
    assert all(1 <= earned <= 100 for earned in given_out)


def test_the_first_of_many_has_100_and_the_last_has_1() -> None:
    field = [Key(0, ms) for ms in range(1_000)]
    assert points(field)[0] == 100
    assert points(field)[-1] == 1


def test_nobody_played_and_nobody_has_points() -> None:
    assert points([]) == []
