"""Where cards lie on the board picture of every game: all readable, none over another pile."""

from collections.abc import Sequence
from itertools import combinations

import pytest
from tests.chat.positions import BIG_BEN, GAME_NAMES, Seen, after, crowded

from bigben_chat.picture.page import LEAST, Layout, Lie, layout_of, lie, rows
from bigben_chat.picture.sprites import CAPTION
from bigben_protocol import Pile, Slot

Box = tuple[float, float, float, float]

DEALT = [(name, moves) for name in GAME_NAMES for moves in (0, 1, 12, 30, 60, 120)]
LONG = [(name, cards) for name in GAME_NAMES for cards in (1, 4, 9, 21)]


def place_of(seen: Seen) -> Layout:
    return layout_of(seen.game)


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


def labels(place: Layout, slots: Sequence[Slot]) -> list[Box]:
    """What the labels and captions of piles cover."""
    boxes = []
    for slot in slots:
        berth = place.berths[slot.pile]
        if (label := berth.label) and slot.kind in ("stock", "waste"):
            x, y = label.x, label.y
            boxes.append((x - CAPTION / 2, y - 12, x + CAPTION / 2, y + 34))
        elif label and slot.label and (berth.lead or not slot.goal):
            x, y = label.x, label.y
            boxes.append((x - 14, y - 12, x + 14, y + 12))
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
    assert place.text
    x, y = place.text.x, place.text.y
    number = (x - 44, y - 30, x + 44, y + 44)
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
        berth = place.berths[slot.pile]
        width, height = laid.card
        strip = min(LEAST["y"], berth.step / berth.h) if berth.lead else LEAST["y"]
        for (_, below), (_, above) in combinations(laid.cards, 2):
            beside = berth.along == "x" and above.x >= below.x + LEAST["x"] * width - 1
            under = above.y >= below.y + strip * height - 1
            assert beside or under, (slot.pile, below, above)


@pytest.mark.parametrize(("game", "moves"), DEALT)
def test_cards_are_large_enough_to_read(game: str, moves: int) -> None:
    """A telephone shows a picture about 400 points wide: a card is at least 25 of them."""
    seen = after(moves, game=game, seed=5)
    width = place_of(seen).width
    assert all(pile.card[0] * 400 / width >= 25 for _, pile in laid_in(seen))


def fans(cards: int) -> list[Lie]:
    seen = crowded("bigben", cards)
    return [laid for slot, laid in laid_in(seen) if slot.place == "outer"]


def test_fans_stay_off_the_dial() -> None:
    place = layout_of(BIG_BEN)
    middle, (top, *_) = place.width / 2, place.ticks
    half = max(max(tick[0], tick[2]) for tick in place.ticks) - middle, middle - top[1]
    for cards in (0, 3, 9, 21):
        for slot, laid in laid_in(crowded("bigben", cards)):
            if slot.place == "outer":
                left, upper, right, lower = box_of(laid)
                nearest = min(max(middle, left), right), min(max(middle, upper), lower)
                beside = abs(nearest[0] - middle) > half[0]
                assert beside or abs(nearest[1] - middle) > half[1], slot


def test_fans_of_eight_lie_in_one_row_at_full_size() -> None:
    assert {laid.card for laid in fans(5)} == {(96, 134)}
    for laid in fans(5):
        assert len(laid.cards) == 8
        assert len({spot.y for _, spot in laid.cards}) == 1
    assert all(laid.card[0] >= 70 for cards in range(10) for laid in fans(cards))


@pytest.mark.parametrize("game", ["bigben", "grandfathersclock", "clock", "germanclock"])
def test_the_hours_stand_where_they_do_on_a_clock(game: str) -> None:
    place = place_of(after(0, game=game))
    slots = after(0, game=game).game.slots
    x, y = place.width / 2, place.height / 2
    outer = {slot.at: place.berths[slot.pile] for slot in slots if slot.place == "outer"}
    at = {hour: (it.x + it.width / 2, it.y + it.height / 2) for hour, it in outer.items()}
    numbers = {int(hour.text): (hour.x, hour.y) for hour in place.numerals}
    for found in filter(None, (at, numbers)):
        assert found[12][0] == found[6][0] == pytest.approx(x, abs=0.1)
        assert found[3][1] == found[9][1] == pytest.approx(y, abs=0.1)
        for hour in (1, 2, 3, 4, 5):
            assert found[hour][0] > x > found[12 - hour][0]
        for upper, lower in ((12, 6), (1, 5), (2, 4), (11, 7), (10, 8)):
            assert found[upper][1] < y < found[lower][1]


def test_every_game_has_a_layout_of_the_page() -> None:
    for game in GAME_NAMES:
        seen = after(0, game=game)
        place = layout_of(seen.game)
        assert len(place.ticks) == seen.game.total
        assert place.rim
        assert place.berths.keys() == seen.view.piles.keys()


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
    place = rows(slots)
    boxes = [box_of(lie(slot, piles[slot.pile], place.berths[slot.pile])) for slot in slots]
    assert all(apart(a, b) for a, b in combinations([*boxes, *labels(place, slots)], 2))
    assert all(box[2] <= place.width and box[3] <= place.height for box in boxes)
