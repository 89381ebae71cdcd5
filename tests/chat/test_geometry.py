"""Where cards lie on the board picture of every game: all readable, none over another pile."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from tests.chat.positions import BIG_BEN, GAME_NAMES, Seen, after, crowded

from bigben_chat.picture.arrangement import Arrangement, arranged
from bigben_chat.picture.dial import HOURS
from bigben_chat.picture.geometry import BADGE, CARD, LEAST, STRIP, Point, spread
from bigben_chat.picture.piles import Lie, lie
from bigben_chat.picture.sprites import CAPTION
from bigben_protocol import Pile, Slot

Box = tuple[float, float, float, float]

DEALT = [(name, moves) for name in GAME_NAMES for moves in (0, 1, 12, 30, 60, 120)]
LONG = [(name, cards) for name in GAME_NAMES for cards in (1, 4, 9, 21)]


def place_of(seen: Seen) -> Arrangement:
    return arranged(seen.game.slots, seen.view.piles)


def laid_in(seen: Seen) -> list[tuple[Slot, Lie]]:
    place = place_of(seen)
    return [
        (slot, lie(slot, seen.view.piles[slot.pile], place.berths[slot.pile]))
        for slot in seen.game.slots
    ]


def box_of(laid: Lie) -> Box:
    """What the cards and gaps of a pile cover."""
    spots = [*(spot for _, spot in laid.cards), *laid.gaps]
    return (
        min(spot.x for spot in spots),
        min(spot.y for spot in spots),
        max(spot.x for spot in spots) + laid.card[0],
        max(spot.y for spot in spots) + laid.card[1],
    )


def labels(place: Arrangement, slots: Sequence[Slot]) -> list[Box]:
    """What the labels and captions of piles cover."""
    boxes = []
    for slot in slots:
        if label := place.berths[slot.pile].label:
            captioned = slot.kind in ("stock", "waste", "hand")
            wide, high = (CAPTION / 2, 16) if captioned else (BADGE, BADGE)
            boxes.append((label.x - wide, label.y - high, label.x + wide, label.y + high))
    return boxes


def apart(a: Box, b: Box) -> bool:
    """Whether they share nothing, but for the fraction of a pixel that is rounded away."""
    return min(a[2], b[2]) - max(a[0], b[0]) < 0.5 or min(a[3], b[3]) - max(a[1], b[1]) < 0.5


def assert_clear(seen: Seen) -> None:
    """No pile covers another or a label, and nothing leaves the picture."""
    place, laid = place_of(seen), laid_in(seen)
    boxes = [box_of(pile) for _, pile in laid]
    for box in (*boxes, *labels(place, seen.game.slots)):
        assert min(box[0], box[1]) >= 4
        assert box[2] <= place.width - 4
        assert box[3] <= place.height - 4
    around = labels(place, seen.game.slots)
    for a, b in combinations([*boxes, *around], 2):
        assert apart(a, b), (a, b)
    x, y = place.home
    number = (x - 80, y - 20, x + 80, y + 20)
    assert all(apart(box, number) for box in boxes)


@pytest.mark.parametrize(("game", "moves"), DEALT)
def test_piles_stay_on_the_picture_and_off_each_other(game: str, moves: int) -> None:
    assert_clear(after(moves, game=game, seed=5))


@pytest.mark.parametrize(("game", "cards"), LONG)
def test_long_piles_do_too(game: str, cards: int) -> None:
    assert_clear(crowded(game, cards))


@pytest.mark.parametrize(("game", "cards"), LONG)
def test_every_card_shows_its_rank_and_its_suit(game: str, cards: int) -> None:
    """The strip of a card with rank and suit is covered by no card that lies on it."""
    seen = crowded(game, cards)
    place = place_of(seen)
    for slot, laid in laid_in(seen):
        column = place.berths[slot.pile].column
        width, height = laid.card
        for (_, below), (_, above) in combinations(laid.cards, 2):
            beside = not column and above.x >= below.x + LEAST * width - 1
            under = above.y >= below.y + STRIP * height - 1
            assert beside or under, (slot.pile, below, above)


@pytest.mark.parametrize(("game", "moves"), DEALT)
def test_cards_are_large_enough_to_read(game: str, moves: int) -> None:
    """A telephone shows a picture about 400 points wide: a card is at least 25 of them."""
    seen = after(moves, game=game, seed=5)
    width = place_of(seen).width
    assert all(pile.card[0] * 400 / width >= 25 for _, pile in laid_in(seen))


def test_fans_stay_off_the_dial() -> None:
    for cards in (0, 3, 9, 21):
        seen = crowded("bigben", cards)
        place = place_of(seen)
        assert place.ring
        x, y = place.ring.middle
        for slot, laid in laid_in(seen):
            if slot.place == "outer":
                left, top, right, bottom = box_of(laid)
                nearest = min(max(x, left), right), min(max(y, top), bottom)
                beside = abs(nearest[0] - x) > place.ring.outline.a
                assert beside or abs(nearest[1] - y) > place.ring.outline.b, slot


def test_ordinary_fans_are_drawn_at_full_size() -> None:
    berths = arranged(BIG_BEN.slots, after(0).view.piles).berths
    for hour in HOURS:
        assert all(spread(berths[str(hour)], cards, 0).card[0] >= 70 for cards in range(13))
        assert {spread(berths[str(hour)], cards, 0).card for cards in range(9)} == {CARD}


@pytest.mark.parametrize("game", ["bigben", "grandfathersclock", "clock", "germanclock"])
def test_the_hours_stand_where_they_do_on_a_clock(game: str) -> None:
    seen = after(0, game=game)
    place = place_of(seen)
    assert place.ring
    middle = place.ring.middle
    outer = {slot.at: slot.pile for slot in seen.game.slots if slot.place == "outer"}
    at = {hour: place.berths[pile].label or Point(0, 0) for hour, pile in outer.items()}
    assert at[12].x == pytest.approx(middle.x) == at[6].x
    assert at[3].y == pytest.approx(middle.y) == at[9].y
    for hour in (1, 2, 3, 4, 5):
        assert at[hour].x > middle.x > at[12 - hour].x
    for upper, lower in ((12, 6), (1, 5), (2, 4), (11, 7), (10, 8)):
        assert at[upper].y < middle.y < at[lower].y


def test_a_dial_does_not_move_while_its_fans_grow() -> None:
    first, later = place_of(after(0)), place_of(crowded("bigben", 9))
    assert (first.ring, first.berths) == (later.ring, later.berths)


def test_unknown_arrangements_of_known_places_fit_too() -> None:
    """An eighth game: stock, waste and foundations in a row, columns, and a reserve at the side."""
    slots = (
        Slot("s", "stock", "row", 1),
        Slot("w", "waste", "row", 2, fans="right"),
        *(Slot(f"f{n}", "foundation", "row", 3 + n, label="", goal="KS") for n in range(1, 5)),
        *(Slot(str(n), "tableau", "column", n, fans="down", label=str(n)) for n in range(1, 11)),
        Slot("r", "reserve", "row", 1, row=2, fans="right", label="r"),
    )
    piles = {slot.pile: Pile(("10H",) * 3, 5) for slot in slots}
    place = arranged(slots, piles)
    boxes = [box_of(lie(slot, piles[slot.pile], place.berths[slot.pile])) for slot in slots]
    assert all(apart(a, b) for a, b in combinations([*boxes, *labels(place, slots)], 2))
    assert all(box[2] <= place.width and box[3] <= place.height for box in boxes)
