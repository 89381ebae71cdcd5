"""A club in the fifth week of its season. No tests."""

from datetime import timedelta
from functools import cache
from typing import Final

from playwright.sync_api import Page, expect
from tests.web.hands import moved
from tests.web.rooms import play_on
from tests.web.screens.playing import HOME, give_up
from tests.web.screens.season import ask
from tests.web.still import EVENING, Still

MOVES: Final = {
    "Ada": (42, 70, 60, 58, 56),
    "Bob": (56, 48, 42, 66, 64),
    "Cy": (68, 60, 68, 50, 0),
    "Dora": (36, 36, 52, 42, 48),
    "Linus": (30, 0, 36, 34, 40),
    "Grace": (22, 26, 28, 26, 0),
}
"""How many moves everybody plays, week by week; 0 is a week missed, or not played yet."""
OPENS: Final = EVENING + timedelta(days=6)
"""Five minutes after the first week opens."""


def race_week(still: Still, name: str, place: str, moves: int) -> Page:
    """Play so many moves of the open week, and give up. The page is at the season again."""
    page = still.go(still.page(name), place)
    still.tap(page, "club.play")
    still.tap(page, "button.begin")
    moved(page, 0)
    moved(page, play_on(page, page.url.partition("=")[2], moves, HOME))
    give_up(page)
    return still.go(page, place)


@cache
def club(still: Still) -> str:
    """The place of the season of a club, in which most have played the fifth week."""
    ada, *others = (still.page(name) for name in MOVES)
    groups = ask(ada, "groups", type="create-group", name="Club of six")["groups"]
    (group,) = (one for one in groups if one["name"] == "Club of six")
    still.pass_time(minutes=1)  # who is in a group longest organises it
    for page in others:
        ask(page, "groups", type="join-group", code=group["code"])
    plan = {"name": "Sunday Club, autumn", "first_day": str(OPENS.date())}
    season = ask(ada, "season", type="make-season", group=group["group"], plan=plan)["season"]
    place = f"#season={season}"
    for week in range(5):
        still.set(OPENS + timedelta(weeks=week))
        for name, moves in MOVES.items():
            if moves[week]:
                race_week(still, name, place, moves[week])
    still.pass_time(days=1, hours=16)
    return place


def of_season(still: Still) -> Page:
    """Ada's view of it, with all that is known of the weeks that are closed."""
    page = still.go(still.page("Ada"), club(still))
    expect(page.locator(".pairs .wheel .whole.is-none")).to_have_count(1)
    return page
