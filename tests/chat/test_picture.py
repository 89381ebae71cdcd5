"""The board picture of every game: right, small, quick, and with marks of the last move."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat
from tests.chat.positions import BIG_BEN, GAME_NAMES, Seen, after, crowded

from bigben_chat.cards import SIGNS
from bigben_chat.games import foundation_size
from bigben_chat.picture import sprites
from bigben_chat.picture.drawing import Look, draw, shown, warm
from bigben_chat.picture.files import Colour, font
from bigben_chat.picture.page import LEAST, Layout, Point, layout_of, lie
from bigben_chat.texts import say_in
from bigben_protocol import Pile, Slot

ENGLISH = say_in("en")
USUAL = Look()
MOMENTS = [0, 1, 20, 45, 80, 120, 200]
LIKE = 4.5
"""The largest difference that the picture's 128 colours make; other cards differ by 5 or more."""
SEEN = [(game, moves) for game in GAME_NAMES for moves in MOMENTS]


def image_of(seen: Seen, look: Look = USUAL) -> Image.Image:
    data = draw(seen.game, seen.view, seen.last, look, ENGLISH)
    return Image.open(BytesIO(data)).convert("RGBA").convert("RGB")


def place_of(seen: Seen) -> Layout:
    return layout_of(seen.game)


def difference(image: Image.Image, sprite: Image.Image, at: Point) -> float:
    """How unlike the sprite the picture is where the sprite should lie: 0 for the same."""
    place = round(at.x), round(at.y)
    here = image.crop((*place, place[0] + sprite.width, place[1] + sprite.height))
    expected = here.copy()
    expected.paste(sprite, (0, 0), sprite)
    return sum(ImageStat.Stat(ImageChops.difference(here, expected)).mean) / 3


def assert_drawn(seen: Seen, image: Image.Image, slot: Slot) -> None:
    """Every face-up card of the pile shows at least its index, and a back is a back."""
    pile, berth = seen.view.piles[slot.pile], place_of(seen).berths[slot.pile]
    laid = lie(slot, pile, berth)
    width, height = laid.card
    plate = bool(slot.goal) and not berth.lead
    form = "goal" if plate else "row" if berth.along == "y" else "far"
    for number, (up, spot) in enumerate(laid.cards):
        top = number == len(laid.cards) - 1
        if up < 0:
            strip = (0, round(height * 0.36), width, round(height * (0.75 if plate else 0.41)))
            back = sprites.back(laid.card).crop(strip)
            assert difference(image, back, Point(spot.x, spot.y + strip[1])) < LIKE, slot.pile
            continue
        card = pile.up[up]
        sprite = sprites.card(card, sprites.FOUR_COLOURS[card[-1]], laid.card, form)
        strip = (0, 0, width, round(height * 0.75) if slot.goal else height)
        if not top and berth.along == "x":
            strip = (0, 0, round(width * LEAST["x"] - 2), height)
        elif not top:
            strip = (0, 0, width, round(height * (0.21 if berth.lead else LEAST["y"]) - 2))
        assert difference(image, sprite.crop(strip), spot) < LIKE, card


@pytest.mark.parametrize(("game", "moves"), SEEN)
def test_every_card_is_drawn_where_it_lies(game: str, moves: int) -> None:
    seen = after(moves, game=game)._replace(last=())
    image = image_of(seen)
    for slot in shown(seen.game, seen.view):
        assert_drawn(seen, image, slot)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_long_piles_show_every_card(game: str) -> None:
    seen = crowded(game, 12)
    image = image_of(seen)
    for slot in seen.game.slots:
        assert_drawn(seen, image, slot)


@pytest.mark.parametrize(("game", "moves"), SEEN)
@pytest.mark.parametrize("four_colours", [True, False])
def test_a_picture_is_small(game: str, moves: int, four_colours: bool) -> None:
    seen = after(moves, game=game)
    look = Look(four_colours=four_colours)
    data = draw(seen.game, seen.view, seen.last, look, ENGLISH)
    assert len(data) < 160_000
    place = place_of(seen)
    assert Image.open(BytesIO(data)).size == (place.width, place.height)
    assert place.width == 1000
    assert 1000 <= place.height <= 1120


def test_no_card_is_drawn_anew_for_a_picture() -> None:
    warm()
    before = sprites.card.cache_info().misses
    for moves in range(0, 120, 8):
        seen = after(moves, seed=7)
        draw(seen.game, seen.view, seen.last, Look(), ENGLISH)
    assert sprites.card.cache_info().misses == before


def test_the_last_move_is_marked_and_so_is_where_it_came_from() -> None:
    seen = next(
        seen
        for seen in (after(moves, seed=3) for moves in range(20, 60))
        if seen.last[0].source.isdigit() and seen.last[0].target.startswith("f")
    )
    (step,) = seen.last
    plain, marked = image_of(seen._replace(last=())), image_of(seen)
    home = place_of(seen).berths[step.target]
    numeral = next(hour for hour in place_of(seen).numerals if hour.text == step.source)
    bracket = round(home.x + 8), round(home.y - 1)
    beside = round(numeral.x), round(numeral.y - 15)
    for point in (bracket, beside):
        assert near(marked.getpixel(point), sprites.MARK)
        assert not near(plain.getpixel(point), sprites.MARK)


@pytest.mark.parametrize("game", ["clock", "travellers"])
def test_a_tucked_card_and_the_exposed_one_are_marked(game: str) -> None:
    seen = after(2, game=game)
    under, turned = seen.last
    assert (under.how, turned.how) == ("under", "turned")
    marked, place = image_of(seen), place_of(seen)
    slot = next(slot for slot in seen.game.slots if slot.pile == under.target)
    pile = seen.view.piles[slot.pile]
    laid = lie(slot, pile, place.berths[slot.pile])
    assert pile.up[0] == under.card
    # Where the tucked card is seen, it is marked; else the pile that covers it.
    first = next((spot for up, spot in laid.cards if up == 0), laid.cards[-1][1])
    hand = place.berths[turned.target]
    for x, y in ((first.x + 8, first.y - 1), (hand.x + 8, hand.y - 1)):
        assert near(marked.getpixel((round(x), round(y))), sprites.MARK)


def test_a_card_to_point_at_has_a_golden_frame_that_hides_none_of_it() -> None:
    seen = after(30, seed=5)
    data = draw(seen.game, seen.view, (), USUAL, ENGLISH, ("7",))
    image = Image.open(BytesIO(data)).convert("RGBA").convert("RGB")
    slot = next(slot for slot in seen.game.slots if slot.pile == "7")
    laid = lie(slot, seen.view.piles["7"], place_of(seen).berths["7"])
    card, spot = laid.cards[-1]
    assert near(image.getpixel((round(spot.x - 4), round(spot.y + 60))), sprites.GOLD)
    name = seen.view.piles["7"].up[card]
    sprite = sprites.card(name, sprites.FOUR_COLOURS[name[-1]], laid.card, "far")
    assert difference(image, sprite.crop((4, 20, 40, 120)), Point(spot.x + 4, spot.y + 20)) < LIKE


@pytest.mark.parametrize("game", GAME_NAMES)
def test_nothing_shines_through_but_the_corners(game: str) -> None:
    """So it looks the same on Discord's dark and light grey."""
    seen = after(20, game=game)
    data = draw(seen.game, seen.view, seen.last, USUAL, ENGLISH)
    alpha = Image.open(BytesIO(data)).convert("RGBA").getchannel("A")
    width, height = alpha.size
    assert [alpha.getpixel(at) for at in ((0, 0), (width - 1, 0), (0, height - 1))] == [0, 0, 0]
    for box in ((28, 0, width - 28, height), (0, 28, width, height - 28)):
        assert alpha.crop(box).getextrema() == (255, 255)


def test_a_plate_has_a_place_for_each_card() -> None:
    """Filled where a card is; the last one makes it gold."""
    size = (100, 140)
    steps = [sprites.plate("QD", "D" * cards, 8, size) for cards in range(9)]
    gold = [count_of(step, sprites.GOLD) for step in steps[:-1]]
    assert gold == sorted(set(gold)), "each card adds to it"
    assert count_of(steps[-1], (242, 197, 90)) > 2000
    suits = sprites.plate("Q", "DC", 4, size)
    assert suits.tobytes() != sprites.plate("Q", "CD", 4, size).tobytes()


def count_of(image: Image.Image, colour: Colour) -> int:
    colours = image.convert("RGB").getcolors(20_000) or []
    return sum(count for count, pixel in colours if near(pixel, colour))


def near(pixel: object, colour: Colour) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(a - b) < 24 for a, b in zip(pixel, colour, strict=True))


def test_a_win_is_a_clock_that_runs() -> None:
    empty = {slot.pile: Pile(()) for slot in BIG_BEN.slots}
    homes = {
        slot.pile: Pile((slot.goal,) * foundation_size(BIG_BEN, slot))
        for slot in BIG_BEN.slots
        if slot.kind == "foundation"
    }
    view = replace(after(0).view, state="won", home=BIG_BEN.total, piles={**empty, **homes})
    won = Seen(view, ())
    image = image_of(won)
    assert len(shown(won.game, won.view)) == 12
    for slot in shown(won.game, won.view):
        assert_drawn(won, image, slot)
    axle, middle, long = image.width // 2, image.height // 2 + 20, 54
    towards_two = round(axle + long * 0.866), round(middle - long * 0.5)
    towards_ten = round(axle - long * 0.5 * 0.82), round(middle - long * 0.5 * 0.57)
    for point in (towards_two, towards_ten):
        assert near(image.getpixel(point), sprites.GOLD)


def test_two_colours_are_two_and_four_are_four() -> None:
    seen = after(45)
    four = image_of(seen).getcolors(2_000_000) or []
    two = image_of(seen, Look(four_colours=False)).getcolors(2_000_000) or []
    for colour in sprites.FOUR_COLOURS.values():
        assert any(near(pixel, colour) for _, pixel in four)
    red, blue = (sprites.FOUR_COLOURS[suit] for suit in "HD")
    assert not any(near(pixel, blue) for _, pixel in two)
    assert any(near(pixel, red) for _, pixel in two)
    assert set(sprites.TWO_COLOURS.values()) == {sprites.INK, red}


@pytest.mark.parametrize("text", ["Stock 56", "Défausse 20", "Aufgedeckte Karten 20"])
def test_captions_have_room_beside_each_other(text: str) -> None:
    assert sprites.caption(text).width < 2 * 50


def test_the_font_has_all_four_suits() -> None:
    def drawn(sign: str) -> bytes:
        image = Image.new("L", (60, 60))
        ImageDraw.Draw(image).text((30, 30), sign, 255, font(40), "mm")
        return image.tobytes()

    shapes = {drawn(sign) for sign in (*SIGNS.values(), "\uffff", " ")}
    assert len(shapes) == 6
