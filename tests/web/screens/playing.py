"""What people do on the evening of the pictures, each time in the same order. No tests."""

import re
from functools import cache
from typing import Final

from playwright.sync_api import Page, expect
from tests.web.hands import home, moved, pile
from tests.web.rooms import play_on, room_with
from tests.web.screens.season import FRIENDS, season
from tests.web.still import EVENING, Still

DAILY: Final = "daily.2026-11-21.bigben.standard"
YESTERDAY: Final = "daily.2026-11-20.bigben.standard"
HOME: Final = r" f\d+$|^(turn|refill)$"
"""Moves that a hasty player likes."""


def give_up(page: Page) -> None:
    """End the own game, unless it is over because nothing can be moved."""
    resign = page.locator(".controls button:has([data-icon=resign])")
    expect(resign.or_(page.locator(".ended")).first).to_be_visible()
    if not resign.count():
        return
    resign.click()
    page.locator(".sure .danger").click()
    expect(page.locator(".ended")).to_be_visible()


def see_result(page: Page) -> Page:
    page.locator(".summary .primary").click()
    expect(page.locator("svg.board")).to_have_count(0)
    return page


def play_daily(still: Still, name: str, moves: int, race: str = DAILY) -> Page:
    """Play so many moves of a daily race, and give up."""
    page = still.go(still.page(name), "")
    page.locator(".hero .start").click()
    moved(page, 0)
    play(still, race, *[(name, moves // 6, 49)] * 6)
    give_up(page)
    return page


def play(still: Still, race: str, *turns: tuple[str, int, float]) -> None:
    """One after the other plays so many moves after so many seconds; all see the last of it."""
    last = {}
    with still.looking_away():
        for name, moves, seconds in turns:
            still.pass_time(seconds=seconds)
            last[name] = play_on(still.page(name), race, moves, HOME)
    for name, n in last.items():
        moved(still.page(name), n)


def see_each_other(still: Still, *names: str) -> None:
    """Wait until each knows how far the others are, which the server tells a little later."""
    for name in names:
        there = home(still.page(name))
        for other in names:
            line = still.page(other).locator(".bars li", has_text=name)
            expect(line.locator(".home")).to_have_text(f"{there}")


@cache
def yesterday(still: Still) -> None:
    """Yesterday's race as four friends played it, closed by now."""
    season(still)
    still.set(EVENING.replace(day=20))
    for name, moves in zip(FRIENDS, (70, 110, 40, 130), strict=True):
        play_daily(still, name, moves, YESTERDAY)
    still.set(EVENING)
    page = still.go(still.page("Ada"), f"#room={YESTERDAY}")
    expect(page.locator(".places li")).to_have_count(4)


@cache
def today(still: Still) -> None:
    """Today's race is played by three friends, and begun by one."""
    season(still)
    for name, moves in zip(FRIENDS[:3], (116, 84, 60), strict=True):
        play_daily(still, name, moves)
    page = still.go(still.page("Dora"), "")
    page.locator(".hero .start").click()
    moved(page, 0)
    play(still, DAILY, ("Dora", 60, 240))


@cache
def waiting(still: Still) -> str:
    """Ada's room, in which only Bob and a house player are ready. Its code."""
    season(still)
    ada = still.go(still.page("Ada"), "")
    code = open_room(still, ada)
    for number, name in enumerate(FRIENDS[1:], 2):
        still.go(still.page(name), f"#room={code}")
        expect(ada.locator(".seats > ul li:not(.free)")).to_have_count(number)
    ready(still.page("Bob"))
    ada.locator("details.house summary").click()
    ada.locator(".house li", has_text="Quartz").locator("button").click()
    expect(ada.locator(".seats li.ready")).to_have_count(2)
    ada.locator("details.house summary").click()
    return code


def open_room(still: Still, page: Page) -> str:
    """Open a room from the start page. Returns its code."""
    page.locator('button[form="open-room"], .open-room > button').first.click()
    expect(page.locator(".seats")).to_be_visible()
    return page.url.partition("=")[2]


def ready(page: Page) -> None:
    page.locator(".ready-do").click()


@cache
def counting(still: Still) -> str:
    """The countdown of that room; the house player was sent away. Its code."""
    code = waiting(still)
    ada = still.page("Ada")
    ada.locator("details.house summary").click()
    ada.locator(".house li", has_text="Quartz").locator("button").click()
    expect(ada.locator(".seats > ul li:not(.free)")).to_have_count(4)
    for name in ("Cy", "Dora", "Ada"):
        ready(still.page(name))
    expect(ada.get_by_role("timer")).to_be_visible()
    return code


@cache
def dealt(still: Still) -> str:
    """The race has begun, and nobody has moved. Its code."""
    code = counting(still)
    still.pass_time(seconds=4)
    for name in FRIENDS:
        moved(still.page(name), 0)
    return code


@cache
def racing(still: Still) -> str:
    """The race is half over. Its code."""
    code = dealt(still)
    turns = zip(FRIENDS, (13, 10, 6, 4), (17, 16, 15, 12), strict=True)
    play(still, code, *[*turns] * 6)
    see_each_other(still, *FRIENDS)
    still.pass_time(seconds=9)  # until news are old
    return code


@cache
def ended(still: Still) -> str:
    """Ada's own game is over, and Bob plays on. The code of the race."""
    code = racing(still)
    for name in ("Cy", "Dora"):
        still.pass_time(seconds=40)
        give_up(still.page(name))
    play(still, code, *[("Ada", 12, 14)] * 5)
    see_each_other(still, "Ada", "Bob")
    still.pass_time(seconds=9)
    give_up(still.page("Ada"))
    return code


@cache
def closed(still: Still) -> str:
    """All games are over. The code of the race."""
    code = ended(still)
    bob = still.page("Bob")
    play(still, code, *[("Bob", 7, 29)] * 4)
    give_up(bob)
    see_result(bob)
    expect(bob.locator(".places li")).to_have_count(4)
    return code


def practising(still: Still, game: str, moves: int = 0, seed: str = "5e" * 32) -> Page:
    """A practice game after some moves."""
    page = still.page("Ada")
    race = room_with(page, practice=True, game=game, seed=seed)
    n = play_on(page, race, moves, HOME)
    still.pass_time(minutes=2, seconds=20)
    still.go(page, f"#room={race}")
    moved(page, n)
    return page


def tap(page: Page, name: str) -> None:
    """Tap the top card of a pile."""
    place = pile(page, name)
    box = (place.locator(".top").or_(place.locator(".reach"))).first.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def movable(page: Page) -> str:
    """The first pile whose top card can move."""
    name = page.locator("svg.board .movable").first.get_attribute("data-pile")
    assert name
    return name


def stays(page: Page) -> str:
    """The first fan whose top card can not move."""
    name = page.locator("svg.board .tableau:not(.movable)").first.get_attribute("data-pile")
    assert name
    assert re.fullmatch(r"\d+", name)
    return name
