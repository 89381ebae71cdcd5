"""The board picture: right, small, quick, and with words for those who cannot see it."""

from dataclasses import replace
from io import BytesIO
from time import thread_time

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageStat
from tests.chat.positions import Seen, after

from bigben_chat import layout
from bigben_chat.cards import SIGNS
from bigben_chat.messages.text_board import LONGEST_ALT, alternative, text_board
from bigben_chat.picture import sprites
from bigben_chat.picture.drawing import DIAL, Look, draw, warm
from bigben_chat.picture.geometry import BERTH, CARD, HEIGHT, WIDTH, Point, foundation_at, spread
from bigben_chat.texts import say_in
from bigben_protocol import Pile

ENGLISH = say_in("en")
USUAL = Look()
MOMENTS = [0, 1, 20, 45, 80, 120, 200]


def image_of(seen: Seen, look: Look = USUAL) -> Image.Image:
    return Image.open(BytesIO(draw(seen.view, seen.last, look, ENGLISH))).convert("RGB")


def difference(image: Image.Image, sprite: Image.Image, at: Point) -> float:
    """How unlike the sprite the picture is where the sprite should lie: 0 for the same."""
    place = round(at.x), round(at.y)
    here = image.crop((*place, place[0] + sprite.width, place[1] + sprite.height))
    expected = here.copy()
    expected.paste(sprite, (0, 0), sprite)
    return sum(ImageStat.Stat(ImageChops.difference(here, expected)).mean) / 3


@pytest.mark.parametrize("moves", MOMENTS)
def test_every_card_is_drawn_where_it_lies(moves: int) -> None:
    seen = Seen(after(moves).view, ())
    image = image_of(seen)
    for hour in layout.HOURS:
        pile = seen.view.piles[layout.fan(hour)].up
        laid = spread(hour, len(pile), max(0, layout.FAN_SIZE - len(pile)))
        for number, (card, spot) in enumerate(zip(pile, laid.cards, strict=True)):
            top = number == len(pile) - 1
            colour = sprites.FOUR_COLOURS[card[-1]]
            sprite = sprites.card(card, colour, top=top, scale=laid.scale)
            strip = sprite if top else sprite.crop((0, 0, 45, 66))
            assert difference(image, strip, spot) < 3, (hour, card)


def test_foundations_show_their_tops() -> None:
    seen = Seen(after(80).view, ())
    image = image_of(seen)
    for hour in layout.HOURS:
        pile = seen.view.piles[layout.foundation(hour)].up
        done = len(pile) >= layout.size(hour)
        sprite = sprites.face(pile[-1], sprites.FOUR_COLOURS[pile[-1][-1]], CARD, done=done)
        x, y = foundation_at(hour)
        at = Point(x - CARD[0] / 2, y - CARD[1] / 2)
        assert difference(image, sprite.crop((0, 0, CARD[0], 76)), at) < 3, hour


@pytest.mark.parametrize("moves", MOMENTS)
@pytest.mark.parametrize("four_colours", [True, False])
def test_a_picture_is_small(moves: int, four_colours: bool) -> None:
    seen = after(moves)
    data = draw(seen.view, seen.last, Look(four_colours=four_colours), ENGLISH)
    assert len(data) < 200_000
    assert Image.open(BytesIO(data)).size == (WIDTH, HEIGHT)


def test_a_picture_is_quick() -> None:
    warm()
    times = []
    for moves in range(0, 120, 8):
        seen = after(moves, seed=7)
        start = thread_time()
        draw(seen.view, seen.last, Look(), ENGLISH)
        times.append(thread_time() - start)
    assert sorted(times)[len(times) // 2] < 0.150


def test_the_last_move_is_marked_and_so_is_where_it_came_from() -> None:
    seen = next(
        seen
        for seen in (after(moves, seed=3) for moves in range(20, 60))
        if seen.last[0].source.isdigit() and seen.last[0].target.startswith("f")
    )
    (step,) = seen.last
    plain, marked = image_of(Seen(seen.view, ())), image_of(seen)
    x, y = foundation_at(int(step.target[1:]))
    frame = round(x), round(y - CARD[1] / 2 - 2)
    numeral = BERTH[int(step.source)].badge
    beside = round(numeral.x), round(numeral.y - 15)
    for point in (frame, beside):
        assert near(marked.getpixel(point), sprites.MARK)
        assert not near(plain.getpixel(point), sprites.MARK)


def near(pixel: object, colour: sprites.Colour) -> bool:
    assert isinstance(pixel, tuple)
    return all(abs(a - b) < 24 for a, b in zip(pixel, colour, strict=True))


def test_a_win_is_a_clock_that_runs() -> None:
    view = after(0).view
    fans = {layout.fan(hour): Pile(()) for hour in layout.HOURS}
    homes = {
        layout.foundation(hour): Pile((layout.FIRST_AND_LAST[hour][1],) * layout.size(hour))
        for hour in layout.HOURS
    }
    empty = {layout.STOCK: Pile(()), layout.WASTE: Pile(())}
    won = replace(view, state="won", home=layout.TOTAL, piles={**fans, **homes, **empty})
    image = image_of(Seen(won, ()))
    assert image.size == (DIAL[2] - DIAL[0], DIAL[3] - DIAL[1])
    for hour in layout.HOURS:
        last = layout.FIRST_AND_LAST[hour][1]
        sprite = sprites.face(last, sprites.FOUR_COLOURS[last[-1]], CARD, done=True)
        x, y = foundation_at(hour)
        at = Point(x - CARD[0] / 2 - DIAL[0], y - CARD[1] / 2 - DIAL[1])
        assert difference(image, sprite.crop((0, 0, CARD[0], 76)), at) < 3, hour
    axle = image.width // 2
    towards_two, towards_ten = (axle + 61, axle - 35), (axle - 41, axle - 29)
    for point in (towards_two, towards_ten):
        assert near(image.getpixel(point), sprites.GOLD)


def test_two_colours_are_two_and_four_are_four() -> None:
    seen = after(45)
    four = image_of(seen).getcolors(WIDTH * HEIGHT) or []
    two = image_of(seen, Look(four_colours=False)).getcolors(WIDTH * HEIGHT) or []
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
        ImageDraw.Draw(image).text((30, 30), sign, 255, sprites.font(40), "mm")
        return image.tobytes()

    shapes = {drawn(sign) for sign in (*SIGNS.values(), "\uffff", " ")}
    assert len(shapes) == 6


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("moves", MOMENTS)
def test_the_alternative_text_describes_the_whole_position(moves: int, language: str) -> None:
    view = after(moves).view
    text = alternative(view, say_in(language))
    assert len(text) <= LONGEST_ALT
    for hour in layout.HOURS:
        for card in view.piles[layout.fan(hour)].up:
            assert card in text
        assert f"{hour}:{view.piles[layout.foundation(hour)].up[-1]}" in text
    assert " ".join(view.piles["w"].up) in text
    assert str(view.piles["s"].down) in text


def test_the_alternative_text_of_the_fullest_table_fits() -> None:
    view = after(0).view
    fuller = {**view.piles, "w": Pile(("10H",) * 56), "s": Pile((), 0)}
    text = alternative(replace(view, piles=fuller), say_in("de"))
    assert len(text) <= LONGEST_ALT
    assert text.endswith("Talon: 0.")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("moves", MOMENTS)
def test_the_text_board_has_every_card_and_fits_a_message(moves: int, language: str) -> None:
    view = after(moves).view
    text = text_board(view, say_in(language))
    assert len(text) < 1500
    lines = text.splitlines()
    assert max(len(line) for line in lines) < 80
    for hour, line in zip(layout.HOURS, lines[2:-2], strict=True):
        assert line.split()[0] == str(hour)
        for card in view.piles[layout.fan(hour)].up:
            assert card[:-1] + SIGNS[card[-1]] in line
        assert line.count("··") == max(0, 3 - len(view.piles[layout.fan(hour)].up))
