"""Pictures of results: the race of all players, and the card of one game."""

from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image
from tests.chat.positions import BIG_BEN
from tests.terminal.support import INFO

from bigben_chat.games import foundation_size
from bigben_chat.messages.public_message import described, race_picture, race_rows
from bigben_chat.picture.page import PAGE
from bigben_chat.picture.results import MOST, RacePicture, Racer, ShareCard, wheel
from bigben_chat.texts import say_in
from bigben_protocol import Kind, PlayerId, RaceId, Room, Rules, Standing, Standings, State
from bigben_protocol.types import Phase

GOLD, GREEN = (242, 197, 90), (143, 227, 168)
NAMES = ("Ada", "Lovelace", "Grace", "Linus", "Zoë", "Bob", "Cy", "Dan", "Eve")
WHOLES = (8, 9, 9, 9, 9, 9, 9, 9, 9, 8, 8, 8)
CARD = ShareCard("Big Ben AG348E", "2nd of 4", "Ada · 22:51.7", 61, 104, "of 104")


def race(players: int, **racer: object) -> RacePicture:
    racers = [Racer(name, 60 - 7 * at, "move 57", at + 1) for at, name in enumerate(NAMES)]
    racers = [replace(one, **racer) for one in racers[:players]]  # type: ignore[arg-type]
    return RacePicture("Race AG348E", "Big Ben", 104, racers)


def seen(picture: RacePicture | ShareCard) -> Image.Image:
    return Image.open(BytesIO(picture.png())).convert("RGBA")


def count(image: Image.Image, colour: tuple[int, int, int]) -> int:
    colours = image.convert("RGB").getcolors(1_000_000) or []
    return sum(
        number
        for number, pixel in colours
        if isinstance(pixel, tuple)
        and all(abs(a - b) < 10 for a, b in zip(pixel, colour, strict=True))
    )


@pytest.mark.parametrize("players", range(1, 10))
def test_a_race_is_small_and_clear_at_its_corners_alone(players: int) -> None:
    picture = race(players)
    assert len(picture.png()) < 160_000
    image = seen(picture)
    assert image.size == (1000, 620)
    alpha = image.getchannel("A")
    assert alpha.getpixel((0, 0)) == 0
    assert alpha.crop((28, 0, 972, 620)).getextrema() == (255, 255)


def test_who_is_further_has_a_fuller_wheel() -> None:
    filled = [count(wheel(180, home, 104), GOLD) for home in (0, 1, 26, 52, 103)]
    assert all(a < b for a, b in pairwise(filled))
    assert count(wheel(180, 104, 104), GREEN) > max(filled)


def test_more_players_than_a_picture_has_room_for_are_left_out() -> None:
    assert race(MOST).png() == race(MOST + 1).png()
    assert race(MOST).png() != race(MOST - 1).png()


def test_a_card_shows_the_hours_once_they_are_known() -> None:
    """Gold on the way, green when complete."""
    hours = [(whole, whole) if at < 3 else (2, whole) for at, whole in enumerate(WHOLES)]
    known, unknown = seen(replace(CARD, hours=hours)), seen(CARD)
    assert known.size == unknown.size == (1000, 524)
    left = (18, 18, 506, 506)
    assert count(known.crop(left), GREEN) > 1000
    assert count(unknown.crop(left), GREEN) == 0
    assert len(replace(CARD, hours=hours).png()) < 160_000


def test_every_game_with_hours_has_its_wheel() -> None:
    wholes = [
        [foundation_size(game, slot) for slot in sorted(game.slots, key=lambda one: one.at % 12)
         if slot.kind == "foundation"]
        for game in (BIG_BEN, INFO["grandfathersclock"])
    ]  # fmt: skip
    assert wholes[0] == [*WHOLES]
    wholes.append([4] * 13)  # where ranks are collected, with the kings in the middle
    assert all(" ".join(map(str, whole)) in PAGE.wheels for whole in wholes)


@pytest.mark.parametrize(
    "name", ["", "🎉🎉", "李小龙", "a" * 200, "<b>&amp;</b>", "x\u0301\u202e", "Ωμέγα Дом"]
)
def test_any_name_can_be_drawn(name: str) -> None:
    picture = race(4, name=name)
    assert len(picture.png()) < 160_000
    # It stays in its player's box.
    image, plain = seen(picture), seen(race(4, name=""))
    between = (264, 340, 271, 420)
    assert image.crop(between).tobytes() == plain.crop(between).tobytes()


def test_the_picture_of_a_result_says_who_is_how_far_behind() -> None:
    rows = (
        Standing(PlayerId("guest:a"), "Ada", "won", 120, 104, home_ms=600_000, place=1),
        Standing(PlayerId("guest:b"), "Bob", "won", 130, 104, home_ms=634_000, place=2),
        Standing(PlayerId("guest:c"), "Cy", "blocked", 30, 12, place=3),
    )
    final = Standings(RaceId("K7QPXM"), rows * 3, players=9, final=True)
    room = Room(
        RaceId("K7QPXM"),
        "live",
        "closed",
        Rules(),
        host=PlayerId("guest:a"),
        seats=(),
        commitment="",
        opened_at=0,
    )
    whole = [(whole, whole) for whole in WHOLES]
    hours = {rows[0].player: whole}
    picture = race_picture(BIG_BEN, room, race_rows(room, final), say_in("en"), hours)
    assert picture.title == "Race K7QPXM"
    assert [racer.gap for racer in picture.racers[:3]] == ["of 104", "+0:34", "92 behind"]
    assert [racer.hours for racer in picture.racers[:3]] == [whole, (), ()]
    assert picture.more == "… and 1 more"
    assert described(picture).startswith("1. Ada: 104/104\n2. Bob: 104/104\n3. Cy: 12/104\n")


@pytest.mark.parametrize("kind", ["live", "deadline", "daily"])
@pytest.mark.parametrize("phase", ["open", "countdown", "running", "closed"])
@pytest.mark.parametrize("spectate", [True, False])
def test_a_race_that_runs_has_a_picture_only_where_all_may_watch(
    kind: Kind, phase: Phase, spectate: bool
) -> None:
    state: State = "ready" if phase in ("open", "countdown") else "playing"
    seats = tuple(
        Standing(PlayerId(f"guest:{name}"), name, state, home=home)
        for name, home in (("Ada", 3), ("Bob", 9))
    )
    room = Room(
        RaceId("K7QPXM"), kind, phase, Rules(spectate=spectate), host=PlayerId(""), seats=seats,
        commitment="", opened_at=0,
    )  # fmt: skip
    shown = [row.name for row in race_rows(room, None)]
    there = kind == "live" and phase == "running" and spectate
    assert shown == (["Bob", "Ada"] if there else [])


def test_the_picture_of_a_race_that_runs_says_who_is_away() -> None:
    ada = Standing(PlayerId("guest:a"), "Ada", "playing", 7, 3)
    bob = Standing(PlayerId("guest:b"), "Bob", "playing", 5, 2, away=True)
    room = Room(
        RaceId("K7QPXM"), "live", "running", Rules(), host=PlayerId("guest:a"), seats=(ada, bob),
        commitment="", opened_at=0,
    )  # fmt: skip
    picture = race_picture(BIG_BEN, room, race_rows(room, None), say_in("en"), {})
    assert [racer.below for racer in picture.racers] == ["move 7", "away"]
