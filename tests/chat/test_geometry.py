"""Where cards lie on the board picture: all readable, none over another pile."""

from itertools import combinations

import pytest

from bigben_chat import layout
from bigben_chat.picture.geometry import (
    BADGE,
    BERTH,
    CARD,
    HEIGHT,
    MIDDLE,
    RADIUS,
    STEP,
    WIDTH,
    Point,
    Spread,
    foundation_at,
    spread,
)

Box = tuple[float, float, float, float]


def box_of(laid: Spread) -> Box:
    """What the cards and gaps of a fan cover."""
    spots = laid.cards + laid.gaps
    return (
        min(spot.x for spot in spots),
        min(spot.y for spot in spots),
        max(spot.x for spot in spots) + CARD[0] * laid.scale,
        max(spot.y for spot in spots) + CARD[1] * laid.scale,
    )


def fan(hour: int, cards: int) -> Spread:
    return spread(hour, cards, max(0, layout.FAN_SIZE - cards))


def apart(a: Box, b: Box) -> bool:
    return a[2] <= b[0] or b[2] <= a[0] or a[3] <= b[1] or b[3] <= a[1]


@pytest.mark.parametrize("cards", [0, 1, 2, 3, 4, 6, 9, 12, 16, 24])
def test_fans_stay_on_the_picture_and_off_each_other(cards: int) -> None:
    boxes = [box_of(fan(hour, cards)) for hour in layout.HOURS]
    for box in boxes:
        assert min(box[0], box[1]) >= 10
        assert box[2] <= WIDTH - 10
        assert box[3] <= HEIGHT - 10
    assert all(apart(a, b) for a, b in combinations(boxes, 2))


@pytest.mark.parametrize("cards", [0, 3, 12, 24])
def test_fans_stay_off_the_dial_and_the_numerals(cards: int) -> None:
    for hour in layout.HOURS:
        left, top, right, bottom = box_of(fan(hour, cards))
        for point in [berth.badge for berth in BERTH.values()]:
            around = (point.x - BADGE, point.y - BADGE, point.x + BADGE, point.y + BADGE)
            assert apart((left, top, right, bottom), around), hour
        nearest = (min(max(MIDDLE[0], left), right), min(max(MIDDLE[1], top), bottom))
        away = ((nearest[0] - MIDDLE[0]) ** 2 + (nearest[1] - MIDDLE[1]) ** 2) ** 0.5
        assert away > RADIUS + 72, hour


@pytest.mark.parametrize("cards", range(1, 25))
def test_every_card_shows_its_rank_and_its_suit(cards: int) -> None:
    """A card's strip of ``STEP`` is covered by no card that lies on it."""
    for hour in layout.HOURS:
        laid = fan(hour, cards)
        for below, above in combinations(laid.cards, 2):
            beside = above.x >= below.x + STEP[0] * laid.scale - 0.01
            under = above.y >= below.y + STEP[1] * laid.scale - 0.01
            assert beside or under, (hour, below, above)


def test_ordinary_fans_are_drawn_at_full_size() -> None:
    assert {fan(hour, cards).scale for hour in layout.HOURS for cards in range(13)} <= {1.0, 0.88}
    assert {fan(hour, cards).scale for hour in layout.HOURS for cards in range(9)} == {1.0}


def test_the_hours_stand_where_they_do_on_a_clock() -> None:
    assert foundation_at(12) == Point(MIDDLE[0], MIDDLE[1] - RADIUS)
    assert foundation_at(3) == pytest.approx((MIDDLE[0] + RADIUS, MIDDLE[1]))
    for hour in (1, 2, 3, 4, 5):
        assert BERTH[hour].badge.x > MIDDLE[0] > BERTH[12 - hour].badge.x
    for upper, lower in ((12, 6), (1, 5), (2, 4), (11, 7), (10, 8)):
        assert BERTH[upper].badge.y < MIDDLE[1] < BERTH[lower].badge.y
