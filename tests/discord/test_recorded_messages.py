"""Every kind of message in every language: Discord receives it letter for letter as recorded."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from msgspec import structs
from tests.chat.positions import GAME_NAMES, after
from tests.chat.test_messages import room, seat
from tests.discord.recorded_text import recorded

from bigben_chat.boards import pending
from bigben_chat.evidence import promise, verdict
from bigben_chat.messages import analysis, lobby, seasons
from bigben_chat.messages.board import Board
from bigben_chat.messages.content import Content
from bigben_chat.messages.help_text import commands_help, game_help, welcoming
from bigben_chat.messages.leaderboards import BoardPage, leaderboard, profile, standings
from bigben_chat.messages.lesson import LessonPage
from bigben_chat.messages.public_message import public_message
from bigben_chat.picture.drawing import Look
from bigben_chat.texts import Say, languages, say_in
from bigben_chat.tree import Emphasis
from bigben_client import Finding, Kept
from bigben_discord.interactions.components import files_of, view_of
from bigben_discord.interactions.editable_message import TOKEN_TIME
from bigben_discord.interactions.markdown import markdown
from bigben_protocol import (
    AnalysedSeat,
    Analysis,
    AnalysisPoint,
    CostlyMove,
    HeadToHead,
    Leaderboard,
    Plan,
    PlayerId,
    Profile,
    RaceId,
    Ranked,
    Rules,
    Season,
    SeasonRow,
    SeasonWeek,
    Standings,
    Streak,
    Tally,
)
from bigben_protocol.lesson import LESSON
from bigben_protocol.seasons import WeekResult
from bigben_protocol.sentence import sentence

DAILY = RaceId("daily.2026-11-21.bigben.standard")
AT = 1_795_266_374_000
ADA = seat("*Ada* @here", home=43, moves=57, ms=151_000, home_ms=140_000, place=1)
BOB = seat("Bob_", state="won", home=104, moves=117, ms=754_321, home_ms=754_321, place=2)
CY = seat("שלום", state="joined", away=True, ends_at=AT)
DAN = seat("<#1> [x](https://x.example)", state="resigned", home=12, moves=9, place=3)
PIP = seat("Pip (house)", state="ready", bot=True)
CROWD = [seat(f"{'*' * 30}{n:02}", home=100, moves=10_000, place=n + 1) for n in range(60)]


def written(content: Content) -> dict[str, Any]:
    """What Discord receives of a message (Any: JSON)."""
    told: dict[str, Any] = {
        "text": markdown(content.text),
        "rows": view_of(content).to_components(),
    }
    if content.attachment is not None:
        (file,) = files_of(content)
        told["file"] = [file.filename, file.description]
    if content.plain is not None:
        told["plain"] = written(content.plain)
    return told


def messages(say: Say) -> Iterator[tuple[str, Content]]:
    """Messages of every kind, with names for them."""
    yield from races(say)
    yield from tables(say)
    yield from of_season(say)
    yield from boards(say)
    yield from evidence(say)
    yield "welcome", welcoming(say)
    points = tuple(AnalysisPoint(n, 1000 * n, 900 * n, n) for n in range(10))
    costly = (CostlyMove(7, "12 f12", "11 f11", 1_234, 250),)
    seats = (
        AnalysedSeat(PlayerId("a"), "*Ada*", points, costly, -200, 300, -99, 9),
        AnalysedSeat(PlayerId("b"), "Bob", (), (), 0, 0, 0, 0),
    )
    yield "analysis", analysis.analysis(Analysis(DAILY, 1, 1, seats, 117, "hard"), 104, say)
    yield "analysis of nobody", analysis.analysis(Analysis(DAILY, 1, 1, (), 0, ""), 104, say)
    yield "analysing", analysis.progress("K7QPXM", 30, 100, say)


def races(say: Say) -> Iterator[tuple[str, Content]]:
    game, clock = after(0).game, after(0, game="clock").game
    page = "https://bigben.example"
    waiting = [structs.replace(one, state="joined") for one in (ADA, CY)]
    opened = room("open", *waiting, PIP, host=ADA.player)
    yield "open", public_message(game, opened, None, say, house=True, page=page)
    invited = room("open", *waiting, rules=Rules(undo=True, invite_only=True, winnable=True))
    yield "invited", public_message(game, invited, None, say, invite="K7QPXM-4TZ8QN")
    yield "countdown", public_message(game, room("countdown", ADA, starts_at=AT), None, say)
    running = room("running", ADA, BOB, CY, DAN, closes_at=AT, rematch="AG348E")
    yield "running", public_message(game, running, None, say, page=page)
    hidden = structs.replace(running, rules=Rules(spectate=False, limit_ms=60_000))
    for name, this in (("open", opened), ("running", running)):
        yield f"{name}, with frames", public_message(game, this, None, say, house=True, frames=True)
    yield "hidden", public_message(game, hidden, None, say, page=page)
    final = Standings(running.race, (ADA, BOB, DAN), final=True)
    closed = structs.replace(running, phase="closed", par=99, void="@everyone *saw* it.")
    yield "closed", public_message(game, closed, final, say, page=page)
    yield "cancelled", public_message(game, structs.replace(opened, phase="cancelled"), None, say)
    crowd = room("running", *CROWD, closes_at=AT)
    yield "crowd", public_message(game, crowd, None, say, head=("head",), page=page)
    daily = room("running", ADA, BOB, race=DAILY, kind="daily", closes_at=AT, counter=1)
    yield (
        "daily",
        public_message(game, daily, None, say, here=[ADA.player], head=("a\nb",), remind=True),
    )
    yield "nobody", public_message(game, daily, None, say)
    theirs = RaceId("daily.2026-11-21.clock.standard")
    luck = structs.replace(daily, race=theirs, rules=Rules(game="clock"))
    yield "luck", public_message(clock, luck, None, say, here=[BOB.player])
    own = room("running", ADA, CY, kind="deadline", closes_at=AT)
    yield "deadline", public_message(game, own, None, say)
    yield "ask", lobby.ask(room("open", ADA, CY, *waiting, host=ADA.player), "x", say)
    many = [structs.replace(one, state="joined") for one in CROWD]
    yield "ask about many", lobby.ask(room("open", *many), "x", say)
    yield "alone", lobby.ask(room("open", host=ADA.player), "x", say)
    yield "house", lobby.ask_about_house(opened, "x", say)
    yield "no such race", lobby.instead((Emphasis(("why",)),), None, page, say)
    for phase in ("open", "countdown", "running", "closed", "cancelled"):
        yield f"instead, {phase}", lobby.instead(("why",), room(phase), page, say)
    for state in ("ready", "joined", "gone", "cancelled"):
        at = datetime.fromtimestamp(AT / 1000, UTC) + TOKEN_TIME
        yield f"pending, {state}", pending.message("K7QPXM", state, at, say, ("line",))


def tables(say: Say) -> Iterator[tuple[str, Content]]:
    places = Standings(DAILY, (ADA, BOB, CY, DAN), players=9)
    yield "standings", standings(places, BOB.player, DAILY, say)
    yield "standings of nobody", standings(Standings(DAILY, ()), BOB.player, DAILY, say)
    crowd = Standings(DAILY, tuple(CROWD), players=99)
    yield "standings of many", standings(crowd, CROWD[50].player, DAILY, say)
    page = Leaderboard("daily.2026-11-21@x", 40, rows=(BOB, ADA), mine=DAN)
    yield "leaderboard", leaderboard(page, BoardPage(here=True), say, racing=3)
    ranked = tuple(
        Ranked(PlayerId(f"p{n}"), f"_n{n}", n, points=9 - n, rating=1500 + n, provisional=n == 2)
        for n in range(1, 6)
    )
    for by in ("points", "rating"):
        wanted = BoardPage("weekly", game="watch", by=by)
        told = Leaderboard(
            "weekly", 40, ranked=ranked, my_rank=structs.replace(ranked[0], place=30)
        )
        yield f"by {by}", leaderboard(told, wanted, say)
    yield "empty", leaderboard(Leaderboard("weekly", 0), BoardPage("all-time"), say)
    tally = Tally(
        "bigben", "book", 12, 3, best_ms=754_321, rating=1520, provisional=True,
        days_played=Streak(4, 9), days_won=Streak(1, 2),
    )  # fmt: skip
    theirs = Profile(PlayerId("d:1"), "Ada_", (tally, structs.replace(tally, best_ms=0, rating=0)))
    mine = Profile(PlayerId("d:2"), "Bob", against=HeadToHead(PlayerId("d:1"), "Ada_", 5, 2, 1))
    yield "profile", Content(profile(theirs, mine, say))
    nothing = Profile(PlayerId("d:2"), "Bob")
    yield "empty profile", Content(profile(nothing, nothing, say))


def of_season(say: Say) -> Iterator[tuple[str, Content]]:
    page = "https://bigben.example"
    names = ("*Ada* ```", "Bob", "名前の長い人がここにいます", "עדה")
    results = tuple(
        WeekResult(PlayerId(f"p{n}"), n, 1200 - 133 * n, "won" if n == 1 else "blocked", 90, 9_000)
        for n in range(1, 5)
    )
    week = SeasonWeek(1, AT - 3 * 86_400_000, AT, "open", "week.K7QPXM2A.1", results=results[1:])
    rows = tuple(
        SeasonRow(PlayerId(f"p{n}"), names[n % 4], n, 9000 - n, (1200 - n, -1), (), 1 - n, n == 4)
        for n in range(1, 99)
    )
    later = SeasonWeek(2, AT + 86_400_000, AT + 3 * 86_400_000, "to come")
    plan = Plan("**Autumn** @here", "2026-10-02", counted=6)
    running = Season("K7QPXM2A", "d:1", "", plan, "running", (week, later), rows, plays=True)
    yield "season", seasons.table(running, rows[-1].player, say, page=page)
    yield (
        "season to come",
        seasons.table(
            structs.replace(running, weeks=(later,), rows=(), phase="to come"),
            ADA.player,
            say,
            page="",
        ),
    )
    yield "week opened", Content(seasons.opened(running, week, say))
    closed = structs.replace(week, phase="closed", results=results)
    after_it = structs.replace(running, weeks=(closed, later))
    yield "week closed", seasons.closed(after_it, closed, {"p4": "Left_"}, say)
    over = structs.replace(after_it, weeks=(closed,), phase="over", rows=rows[:1])
    yield "season over", seasons.closed(over, closed, {}, say)
    yield "season that is over", seasons.table(over, ADA.player, say, page=page)
    yield "reminder", seasons.reminder(running, week, say)


def boards(say: Say) -> Iterator[tuple[str, Content]]:
    for game in GAME_NAMES:
        seen = after(9, game=game)
        yield f"help of {game}", game_help(seen.game, say)
        board = Board(seen.game, seen.view, seen.last, Look(text=True, hints=True), say)
        yield f"board of {game}", board.message(notice=("notice",))
    yield "commands", commands_help("bigben", say)
    seen = after(9)
    pictured = Board(seen.game, seen.view, seen.last, Look(), say, ("verdict",), "practice")
    yield "picture", pictured.message()
    yield "sure", pictured.sure()
    source = seen.view.legal[0].split()[0]
    yield "picked", pictured.picked(source)
    framed = Board(seen.game, seen.view, seen.last, Look(text=True), say, frames=True)
    yield "board with frames", framed.message()
    for state in ("won", "blocked", "resigned", "timed out"):
        view = replace(seen.view, state=state, home_ms=754_321, legal=())
        over = Board(
            seen.game, view, (), Look(text=True), say, ("verdict",), "daily", "Big Ben\n□■"
        )
        yield f"board that is {state}", over.message()
    for number in range(1, len(LESSON.steps) + 2):
        page = LessonPage(seen.game, seen.view, seen.last, number, Look(text=True), say)
        yield f"lesson {number}", page.message()


def evidence(say: Say) -> Iterator[tuple[str, Content]]:
    race, player = RaceId("K7QPXM"), PlayerId("d:1")
    kept = Kept(race, player, "live", Rules(), "ab" * 32, in_time=True, nonce="cd" * 32)
    yield "promise", Content(promise(kept, say))
    for name, holds in (("holds", True), ("lies", False), ("unchecked", None)):
        found = (
            Finding("commitment", holds, sentence("fair.commitment")),
            Finding("server seed", holds, sentence("fair.server_seed")),
        )
        yield name, Content(verdict(kept, found, say))
        daily = structs.replace(kept, kind="daily")
        yield (
            f"{name} in part",
            Content(verdict(daily, (*found, Finding("nonce", True, sentence("fair.nonce"))), say)),
        )


@pytest.mark.parametrize("language", languages())
def test_discord_receives_every_kind_of_message_as_recorded(language: str) -> None:
    now = {name: written(content) for name, content in messages(say_in(language))}
    was = recorded(f"messages.{language}", now)
    assert sorted(now) == list(was)
    for name, told in was.items():
        assert now[name] == told, name
