"""Ratings of fields of any size: fair to equals, to better places, and to players who beat more."""

import random
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.support.torture import examples

from bigben_server.race.ranking import Key
from bigben_server.scoring.ratings import Rating, rated

NEW = Rating()
MOST = 300

sizes = st.one_of(st.sampled_from([2, 3, 16, 17, 31, 32, 33, MOST]), st.integers(2, MOST))
strengths = st.builds(
    Rating,
    mu=st.floats(0, 50).map(lambda mu: round(mu, 6)),
    sigma=st.floats(0.8, 8.333333).map(lambda sigma: round(sigma, 6)),
)


@st.composite
def fields(draw: st.DrawFn) -> list[tuple[Key, Rating]]:
    """Fields of a few or of many kinds of players, with ties."""
    kinds = draw(st.lists(strengths, min_size=1, max_size=5))
    chance = random.Random(draw(st.integers(0, 2**32)))
    size, places = draw(sizes), draw(st.sampled_from([1, 3, 20, 10_000]))
    alike = draw(st.booleans())

    def one() -> Rating:
        kind = chance.choice(kinds)
        return kind if alike else kind._replace(mu=round(kind.mu + chance.gauss(0, 3), 6))

    return [(Key(0, chance.randrange(places)), one()) for _ in range(size)]


def level(count: int, before: Rating = NEW) -> list[tuple[Key, Rating]]:
    """Players of equal strength, the best first."""
    return [(Key(0, place), before) for place in range(count)]


def assert_no_worse(one: Rating, other: Rating) -> None:
    assert one.mu >= other.mu
    assert one.shown >= other.shown


@pytest.mark.parametrize("count", [2, 3, 15, 16, 17, 31, 32, 33, 300])
def test_among_equals_each_place_is_worth_more_than_the_next(count: int) -> None:
    after = rated(level(count))
    assert all(one.mu > next_.mu for one, next_ in pairwise(after))
    assert all(one.shown >= next_.shown for one, next_ in pairwise(after))


@pytest.mark.parametrize("before", [NEW, Rating(40, 1.5), Rating(10, 5)])
def test_beating_one_more_equal_is_always_worth_more(before: Rating) -> None:
    winners = [rated(level(count, before))[0] for count in range(2, MOST + 1)]
    assert all(more.mu > fewer.mu for fewer, more in pairwise(winners))
    assert all(more.shown >= fewer.shown for fewer, more in pairwise(winners))


@given(fields())
@examples(12)
def test_players_with_equal_ratings_and_keys_change_alike(
    field: list[tuple[Key, Rating]],
) -> None:
    after = dict(zip(field, rated(field), strict=True))
    assert [after[one] for one in field] == rated(field)


@given(fields(), st.randoms(use_true_random=False))
@examples(12)
def test_the_order_of_input_does_not_matter(
    field: list[tuple[Key, Rating]], chance: random.Random
) -> None:
    order = [*range(len(field))]
    chance.shuffle(order)
    after = rated(field)
    assert rated([field[i] for i in order]) == [after[i] for i in order]


@given(fields(), st.data())
@examples(25)
def test_a_better_place_is_never_worth_less(
    field: list[tuple[Key, Rating]], data: st.DataObject
) -> None:
    i = data.draw(st.integers(0, len(field) - 1))
    key, before = field[i]
    better = Key(0, data.draw(st.integers(0, key.home_ms)))
    now = rated(field)[i]
    field[i] = (better, before)
    assert_no_worse(rated(field)[i], now)


@given(fields(), st.data())
@examples(25)
def test_one_more_player_beaten_is_never_worth_less(
    field: list[tuple[Key, Rating]], data: st.DataObject
) -> None:
    i = data.draw(st.integers(0, len(field) - 1))
    key, before = field[i]
    beaten = (Key(1, 0), data.draw(st.one_of(st.just(before), strengths)))
    few = [one for one in field if key <= one[0]] if data.draw(st.booleans()) else field
    mine = few.index(field[i])
    if len(few) > 1:
        assert_no_worse(rated([*few, beaten])[mine], rated(few)[mine])


@given(st.integers(2, MOST), strengths)
@examples(10)
def test_equals_who_all_draw_keep_their_strength(count: int, before: Rating) -> None:
    for after in rated([(Key(0, 1), before)] * count):
        assert after.mu == before.mu
        assert after.sigma <= round((before.sigma**2 + (25 / 300) ** 2) ** 0.5, 6)


def test_in_a_field_of_strangers_the_first_gain_and_the_last_lose() -> None:
    chance = random.Random(1)
    strangers = [
        (Key(0, place), Rating(round(chance.gauss(25, 1), 6), round(chance.uniform(2, 8), 6)))
        for place in range(2_000)
    ]
    after = rated(strangers)
    gains = [new.mu - old.mu for new, (_, old) in zip(after, strangers, strict=True)]
    assert min(gains[:200]) > 0 > max(gains[-200:])


@pytest.mark.parametrize(
    ("field", "after"),
    [
        (
            [(Key(0, 1), Rating(25, 8)), (Key(0, 2), Rating(31.5, 3.25))],
            [Rating(28.983297, 7.581987, 1), Rating(30.84224, 3.239937, 1)],
        ),
        (
            [(Key(0, 1), Rating(25, 8)), (Key(0, 1), Rating(31.5, 3.25))],
            [Rating(25.922111, 7.581987, 1), Rating(31.347732, 3.239937, 1)],
        ),
        (
            [(Key(0, 1), Rating(35, 8)), (Key(0, 2), Rating(31.5, 3.25))],
            [Rating(37.553506, 7.552025, 1), Rating(31.07834, 3.239162, 1)],
        ),
    ],
)
def test_two_players_change_as_they_did_in_version_0_1_0(
    field: list[tuple[Key, Rating]], after: list[Rating]
) -> None:
    """Computed by openskill 6.2.0, which rated races until then."""
    assert rated(field) == after
