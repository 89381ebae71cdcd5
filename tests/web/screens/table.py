"""The table of all screens, in the order of an evening: each walk goes on from those before it."""

from collections.abc import Callable
from typing import Final

from playwright.sync_api import Page, expect
from tests.rules.recorded import GAMES as RECORDED
from tests.web.hands import moved
from tests.web.links import link_of
from tests.web.past_days import who_plays
from tests.web.rooms import come_to_exchange, play_moves, room_with
from tests.web.screens import playing
from tests.web.screens.club import of_season
from tests.web.screens.season import season
from tests.web.still import ADDRESS, Still

from bigben_rules import GAMES

Walk = Callable[[Still], Page]

LONG_MS: Final = 600_000
"""An analysis computes for a minute or more."""
BOARD: Final = "rules=standard&game=bigben"
WON: Final = RECORDED["won_standard"]


def shown(page: Page, selector: str) -> Page:
    expect(page.locator(selector).first).to_be_visible()
    return page


def at(where: str, selector: str, name: str = "Ada") -> Walk:
    """The screen at a place, once this is on it."""

    def walk(still: Still) -> Page:
        place = where.format(**season(still))
        return shown(still.go(still.page(name), place), selector)

    return walk


# Start, lesson, rules


def room_form(still: Still) -> Page:
    page = still.stranger()
    page.locator(".open-room summary").click()
    return shown(page, "#undo, [name=undo]")


def own_player(still: Still) -> Page:
    page = still.go(still.page("Dora"), "")
    still.tap(page, "home.device")
    return shown(page, "#link")


def step(count: int) -> Walk:
    """The lesson after so many steps."""

    def walk(still: Still) -> Page:
        page = still.stranger("#learn")
        for _ in range(count):
            page.locator(".coach .go").click()
        return shown(page, ".coach")

    return walk


def lesson_end(still: Still) -> Page:
    page = still.stranger("#learn")
    still.tap(page, "lesson.skip")
    return shown(page, ".ending")


def rules_of(game: str) -> Walk:
    def walk(still: Still) -> Page:
        page = still.stranger()
        tile = page.locator(f'.games button[data-game="{game}"]')
        expect(page.locator(".games button").first).to_be_visible()
        if tile.count():
            tile.click()
        page.locator("header .help").click()
        return shown(page, "dialog, [role=dialog]")

    return walk


def returning(still: Still) -> Page:
    playing.today(still)
    return shown(still.go(still.page("Ada"), ""), ".hero.over .next")


def unfinished(still: Still) -> Page:
    playing.today(still)
    return shown(still.go(still.page("Dora"), ""), ".hero figcaption")


def lost_daily(still: Still) -> Page:
    playing.yesterday(still)
    return shown(still.go(still.page("Ada"), f"#room={playing.YESTERDAY}"), ".places")


def open_daily(still: Still) -> Page:
    playing.today(still)
    page = still.go(still.page("Bob"), f"#room={playing.DAILY}")
    return shown(page, ".result")


# Rooms


def lobby_alone(still: Still) -> Page:
    page = still.stranger()
    playing.open_room(still, page)
    return page


def lobby(still: Still) -> Page:
    playing.waiting(still)
    return still.page("Ada")


def lobby_house(still: Still) -> Page:
    playing.waiting(still)
    page = still.page("Ada")
    page.locator("details.house summary").click()
    return page


def lobby_guest(still: Still) -> Page:
    playing.waiting(still)
    page = still.page("Ada")
    page.locator("details.house[open] summary").click()
    return still.page("Cy")


def countdown(still: Still) -> Page:
    playing.counting(still)
    return still.page("Ada")


def invitation(still: Still) -> Page:
    return shown(still.stranger(f"#room={playing.waiting(still)}"), ".invitation")


def deadline_room(still: Still) -> Page:
    page = still.page("Eve")
    code = room_with(page, deadline_at=int(still.now.timestamp() * 1000) + 3 * 86_400_000)
    return shown(still.go(page, f"#room={code}"), ".share")


# A race


def at_table(stage: Callable[[Still], str], name: str = "Ada", tap: str = "") -> Walk:
    """Somebody's table at a stage of the race, perhaps after a tap on this."""

    def walk(still: Still) -> Page:
        stage(still)
        page = still.page(name)
        page.keyboard.press("Escape")
        expect(page.locator(".controls.sure")).to_have_count(0)
        if tap:
            page.locator(tap).first.click()
        return page

    return walk


def picked(still: Still) -> Page:
    page = at_table(playing.racing)(still)
    playing.tap(page, playing.movable(page))
    return shown(page, "svg.board .is-picked")


def why_not(still: Still) -> Page:
    page = at_table(playing.racing)(still)
    playing.tap(page, playing.stays(page))
    return shown(page, "svg.board .bubble")


def hints(still: Still) -> Page:
    page = at_table(playing.racing, tap=".controls .hints:not(.best)")(still)
    return shown(page, ".legend")


def no_hints(still: Still) -> Page:
    """Bob's table; Ada hides her hints again."""
    at_table(playing.racing, tap=".controls .hints:not(.best)")(still)
    page = at_table(playing.racing, "Bob")(still)
    for answer in page.locator(".cheering button.quiet").all()[:1]:
        answer.click()
    return page


def watcher(still: Still) -> Page:
    return shown(still.go(still.page("Eve"), f"#watch={playing.racing(still)}"), ".watch .bars li")


def started(still: Still) -> Page:
    page = still.page("Eve")
    still.go(page, f"#room={playing.racing(still)}")
    return shown(page, ".obstacle, .gate")


def result(name: str) -> Walk:
    def walk(still: Still) -> Page:
        code = playing.closed(still)
        page = still.go(still.page(name), f"#room={code}")
        return shown(page, ".places")

    return walk


def so_far(still: Still) -> Page:
    playing.ended(still)
    return playing.see_result(still.page("Ada"))


def analysed(still: Still) -> Page:
    page = result("Bob")(still)
    still.tap(page, "analysis.ask")
    expect(page.locator(".analysis [role=img]").first).to_be_visible(timeout=LONG_MS)
    return page


def fairness(still: Still) -> Page:
    page = result("Bob")(still)
    page.locator(".verdict summary").first.click()
    return shown(page, ".verdict li")


def replay(move: int) -> Walk:
    def walk(still: Still) -> Page:
        code = playing.closed(still)
        page = still.page("Ada")
        place = f"#replay={code}&player={who_plays(page)}&move={move}"
        return shown(still.go(page, place), ".side")

    return walk


def closed_room(still: Still) -> Page:
    return shown(
        still.go(still.page("Eve"), f"#room={playing.closed(still)}"), ".obstacle, .result"
    )


# Other games, and practice


def best_move(still: Still) -> Page:
    page = playing.practising(still, "bigben", 30)
    page.keyboard.press("h")
    return shown(page, "svg.board .bubble")


def nearly_won(still: Still, left: int) -> Page:
    page = still.page("Ada")
    race = room_with(page, practice=True, seed=WON.seed)
    n = play_moves(page, race, WON.moves[: len(WON.moves) - left])
    still.go(page, f"#room={race}")
    moved(page, n)
    return page


def win(still: Still) -> Page:
    page = nearly_won(still, 6)
    page.locator(".controls .deal").click()
    return shown(page, "svg.board.won")


def exchange(still: Still) -> Page:
    come_to_exchange(page := still.page("Ada"), ADDRESS)
    return page


def exchange_depth(still: Still) -> Page:
    page = exchange(still)
    page.locator("svg.board .tappable").first.click()
    return page


def dealt(game: str, moves: int) -> Walk:
    return lambda still: playing.practising(still, game, moves)


# Tables


def statistics_of(name: str) -> Walk:
    def walk(still: Still) -> Page:
        season(still)
        player = who_plays(still.page(name)).replace(":", "%3A")
        return shown(still.go(still.page("Ada"), f"#player={player}&{BOARD}"), ".numbers")

    return walk


# What is in the way, and what is told


def linked(still: Still) -> Page:
    page = still.page("Dora")
    return shown(still.go(page, f"#link={link_of(page)}"), ".linked")


def away(still: Still) -> Page:
    page = still.page("Dora")
    page.context.set_offline(True)
    return shown(page, ".toasts .line")


def back(still: Still) -> None:
    still.page("Dora").context.set_offline(False)


SCREENS: Final[dict[str, Walk]] = {
    "start": Still.stranger,
    "start-room-form": room_form,
    "rules": rules_of("bigben"),
    "rules-watch": rules_of("watch"),
    "lesson-clock": step(0),
    "lesson-goal": step(1),
    "lesson-home": step(2),
    "lesson-stock": step(8),
    "lesson-end": lesson_end,
    "wrong-code": lambda still: shown(still.go(still.page("Eve"), "#room=K7QPXN"), ".obstacle"),
    "result-daily-lost": lost_daily,
    "start-returning": returning,
    "start-unfinished": unfinished,
    "start-player": own_player,
    "result-daily-open": open_daily,
    "lobby-alone": lobby_alone,
    "lobby": lobby,
    "lobby-house": lobby_house,
    "lobby-guest": lobby_guest,
    "invitation": invitation,
    "countdown": countdown,
    "room-deadline": deadline_room,
    "race-dealt": at_table(playing.dealt),
    "race": at_table(playing.racing),
    "race-picked": picked,
    "race-why": why_not,
    "race-give-up": at_table(playing.racing, tap=".controls button:has([data-icon=resign])"),
    "race-cheers": at_table(playing.racing, "Bob", tap=".controls .cheers"),
    "race-hints": hints,
    "race-behind": no_hints,
    "watcher": watcher,
    "room-started": started,
    "race-over": at_table(playing.ended),
    "result-so-far": so_far,
    "result-first": result("Ada"),
    "result-second": result("Bob"),
    "result-fair": fairness,
    "result-analysis": analysed,
    "replay": replay(30),
    "room-closed": closed_room,
    "practice-best": best_move,
    "practice-finish": lambda still: nearly_won(still, 6),
    "practice-won": win,
    **{f"{game}-dealt": dealt(game, 0) for game in GAMES if game != "bigben"},
    **{f"{game}-late": dealt(game, 30) for game in GAMES if game != "bigben"},
    "watch-exchange": exchange,
    "watch-exchange-depth": exchange_depth,
    "leaderboard": at(f"#board=daily&{BOARD}", ".leaderboard tbody tr"),
    "leaderboard-past": at(f"#board=daily&date=2026-11-18&{BOARD}", ".leaderboard tbody tr"),
    "leaderboard-month": at(f"#board=monthly&{BOARD}", ".leaderboard tbody tr"),
    "leaderboard-group": at(f"#board=weekly&{BOARD}&group={{group}}", ".leaderboard"),
    "leaderboard-empty": at("#board=daily&rules=standard&game=travellers", ".nobody"),
    "statistics": at(f"#player=&{BOARD}", ".numbers"),
    "statistics-other": statistics_of("Bob"),
    "statistics-none": at("#player=&rules=standard&game=watch", ".none"),
    "calendar": at(f"#archive=2026-11&{BOARD}", ".calendar .wheel"),
    "groups": at("#groups", ".own-groups"),
    "groups-none": lambda still: shown(still.go(still.page("Eve"), "#groups"), ".none"),
    "group-invitation": lambda still: shown(
        still.stranger(f"#group={season(still)['code']}"), ".gate"
    ),
    "player-link": linked,
    "season": of_season,  # weeks later
}
