"""The board picture of every game: right, small, quick, and with marks of the last move."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat
from tests.chat.positions import BIG_BEN, GAME_NAMES, Seen, after, crowded

from bigben_chat.cards import SIGNS
from bigben_chat.games import foundation_size
from bigben_chat.picture import sprites
from bigben_chat.picture.arrangement import Arrangement, arranged
from bigben_chat.picture.dial import HOURS
from bigben_chat.picture.drawing import Look, draw, shown, warm
from bigben_chat.picture.geometry import LEAST, STRIP, Point
from bigben_chat.picture.piles import lie
from bigben_chat.picture.sheet import Colour, font
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


def place_of(seen: Seen) -> Arrangement:
    return arranged(shown(seen.game, seen.view), seen.view.piles)


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
    for number, (card, spot) in enumerate(laid.cards):
        top = number == len(laid.cards) - 1
        colour = sprites.FOUR_COLOURS[card[-1]] if card else sprites.BACK
        if not card:
            back = sprites.back(laid.card).crop((0, 0, width, round(height * 0.22)))
            assert difference(image, back, spot) < LIKE, slot.pile
        elif slot.fans:
            draw_card = sprites.column_card if berth.column else sprites.card
            sprite = draw_card(card, colour, laid.card)
            strip = (0, 0, round(width * LEAST - 2), height)
            if berth.column:
                strip = (0, 0, width, round(height * STRIP - 2))
            assert difference(image, sprite if top else sprite.crop(strip), spot) < LIKE, card
        else:
            sprite = sprites.face(card, colour, laid.card, home=bool(slot.goal))
            assert difference(image, sprite.crop((0, 0, width, round(height * 0.75))), spot) < LIKE


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
    assert max(place.width, place.height) <= 1400


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
    home, numeral = place_of(seen).berths[step.target], place_of(seen).berths[step.source].label
    assert numeral
    frame = round(home.x), round(home.y - home.height / 2 - 2)
    beside = round(numeral.x), round(numeral.y - 15)
    for point in (frame, beside):
        assert near(marked.getpixel(point), sprites.MARK)
        assert not near(plain.getpixel(point), sprites.MARK)


@pytest.mark.parametrize("game", ["clock", "travellers"])
def test_a_tucked_card_and_the_exposed_one_are_marked(game: str) -> None:
    seen = after(2, game=game)
    under, turned = seen.last
    assert (under.how, turned.how) == ("under", "turned")
    marked, place = image_of(seen), place_of(seen)
    slot = next(slot for slot in seen.game.slots if slot.pile == under.target)
    laid = lie(slot, seen.view.piles[slot.pile], place.berths[slot.pile])
    card, first = laid.cards[0]
    assert card == under.card
    hand = place.berths[turned.target]
    top = hand.y if hand.grows[1] else hand.y - hand.height / 2
    for x, y in ((first.x + 20, first.y - 2), (hand.x, top - 2)):
        assert near(marked.getpixel((round(x), round(y))), sprites.MARK)


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
    image, place = image_of(won), place_of(won)
    assert len(place.berths) == len(HOURS)
    for slot in shown(won.game, won.view):
        assert_drawn(won, image, slot)
    axle, long = image.width // 2, 110
    towards_two = round(axle + long * 0.866), round(axle - long * 0.5)
    towards_ten = round(axle - long * 0.5 * 0.82), round(axle - long * 0.5 * 0.57)
    for point in (towards_two, towards_ten):
        assert near(image.getpixel(point), sprites.GOLD)


def test_two_colours_are_two_and_four_are_four() -> None:
    seen = after(45)
    four = image_of(seen).getcolors(2_000_000) or []
    two = image_of(seen, Look(four_colours=False)).getcolors(2_000_000) or []
    for colour in sprites.FOUR_COLOURS.values():
        assert any(near(pixel, colour) for _, pixel in four)
    assert not any(near(pixel, sprites.BLUE) for _, pixel in two)
    assert any(near(pixel, sprites.RED) for _, pixel in two)
    assert set(sprites.TWO_COLOURS.values()) == {sprites.INK, sprites.RED}


@pytest.mark.parametrize("text", ["Stock 56", "Défausse 20", "Aufgedeckte Karten 20"])
def test_captions_have_room_beside_each_other(text: str) -> None:
    assert sprites.caption(text).width < 2 * 62


def test_the_font_has_all_four_suits() -> None:
    def drawn(sign: str) -> bytes:
        image = Image.new("L", (60, 60))
        ImageDraw.Draw(image).text((30, 30), sign, 255, font(40), "mm")
        return image.tobytes()

    shapes = {drawn(sign) for sign in (*SIGNS.values(), "\uffff", " ")}
    assert len(shapes) == 6
