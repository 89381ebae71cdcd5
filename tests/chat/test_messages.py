"""The public message of a race in every phase, and leaderboards and profiles, from their values."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs
from tests.chat.positions import BIG_BEN

from bigben_chat.messages import formatting, lobby
from bigben_chat.messages.content import Button, read_id
from bigben_chat.messages.leaderboards import BoardPage, leaderboard, profile, standing_line
from bigben_chat.messages.public_message import MOST_ROWS, public_message
from bigben_chat.texts import languages, say_in
from bigben_chat.tree import Name, lines
from bigben_discord.interactions.markdown import LONGEST, markdown
from bigben_protocol import (
    HeadToHead,
    Leaderboard,
    PlayerId,
    Profile,
    RaceId,
    Ranked,
    Room,
    Rules,
    Standing,
    Standings,
    Streak,
    Tally,
    texts,
)
from bigben_protocol.sentence import sentence

ENGLISH = say_in("en")
RACE = RaceId("K7QPXM")


def seat(name: str, **more: Any) -> Standing:
    # Any: whatever fields the test is about.
    return Standing(PlayerId(f"discord:{name}"), name, **{"state": "playing", **more})


def room(phase: Any, *seats: Standing, **more: Any) -> Room:
    return Room(
        **{
            "race": RACE,
            "kind": "live",
            "phase": phase,
            "rules": Rules(limit_ms=3_600_000),
            "commitment": "",
            "opened_at": 0,
            "seats": seats,
            **more,
        }
    )


def shown(this: Room, final: Standings | None = None, here: Sequence[str] = ()) -> str:
    return markdown(public_message(BIG_BEN, this, final, ENGLISH, here=here).text)


def verbs(this: Room, *, frames: bool = False) -> list[str]:
    rows = public_message(BIG_BEN, this, None, ENGLISH, frames=frames).rows
    assert all(len(row) <= 5 for row in rows if isinstance(row, list))
    return [read_id(button.id)[0] for row in rows for button in buttons(row)]


def buttons(row: object) -> list[Button]:
    assert isinstance(row, list)
    return row


@pytest.mark.parametrize(
    ("phase", "kind", "expected"),
    [
        ("open", "live", ["join", "ready", "start", "leave"]),
        ("countdown", "live", ["board"]),
        ("running", "live", ["board"]),
        ("running", "daily", ["play"]),
        ("closed", "live", ["rematch", "verify"]),
        ("closed", "daily", ["play", "verify"]),
        ("cancelled", "live", []),
    ],
)
def test_every_phase_has_its_buttons(phase: str, kind: str, expected: list[str]) -> None:
    assert verbs(room(phase, kind=kind)) == expected
    here = ["here"] if phase in ("open", "countdown", "running") else []
    assert verbs(room(phase, kind=kind), frames=True) == expected + here


def test_the_furthest_player_is_first_and_of_equals_the_earlier_one() -> None:
    text = shown(
        room(
            "running",
            seat("slow", home=30, home_ms=9_000),
            seat("ahead", home=40, home_ms=99_000),
            seat("quick", home=30, home_ms=8_000),
        )
    )
    assert text.index("ahead") < text.index("quick") < text.index("slow")


def test_players_whose_clock_has_not_started_are_not_shown() -> None:
    assert "idle" not in shown(room("running", seat("idle", state="joined"), seat("busy")))


def test_the_end_has_places_and_equals_share_them() -> None:
    rows = [
        seat(name, state="won", place=place)
        for name, place in zip("abcd", (1, 2, 2, 4), strict=True)
    ]
    text = shown(room("closed", *rows), Standings(RACE, tuple(rows), final=True))
    assert text.count("🥇") == 1
    assert text.count("🥈") == 2
    assert "4. " in text


def test_of_very_many_only_the_first_are_shown() -> None:
    crowd = [seat(f"racer{number}", home=number) for number in range(40)]
    text = shown(room("running", *crowd))
    assert text.count("racer") == MOST_ROWS
    assert "and 25 more" in text
    assert len(text) < 2000


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize("count", [1, 8, 40, 1000])
def test_the_longest_names_fit_a_message(language: str, count: int) -> None:
    say = say_in(language)
    longest = {"home": 100, "moves": 10_000, "ms": 80_000_000}
    crowd = [seat("*" * 32, place=place + 1, **longest) for place in range(count)]
    podium = lines(*(standing_line(racer, say) for racer in crowd[:3]))
    final = Standings(RACE, tuple(crowd), final=True)
    for phase in ("open", "running", "closed"):
        text = markdown(public_message(BIG_BEN, room(phase, *crowd), final, say, head=podium).text)
        assert len(text) <= 2000
        rows = text.count("\\*") // 32 - min(count, 3)
        if count > rows:
            assert say.label("public.more", count=count - rows) in text
        else:
            assert rows == count


@pytest.mark.parametrize(
    ("home_ms", "shown"), [(61_000, "🥇 **Ada** · 🏆 1:01.0"), (0, "🥇 **Ada** · 🏆")]
)
def test_a_win_has_no_time_where_time_does_not_count(home_ms: int, shown: str) -> None:
    row = seat("Ada", state="won", place=1, ms=61_000, home_ms=home_ms)
    assert markdown(standing_line(row, say_in("en"))) == shown


@pytest.mark.parametrize(
    ("shown_as", "written"),
    [
        (
            "**bold** _it_ ~~no~~ ||so|| `code`",
            r"\*\*bold\*\* \_it\_ \~\~no\~\~ \|\|so\|\| \`code\`",
        ),
        ("<#123456789012345678>", r"\<#123456789012345678>"),
        ("<t:1:R>", r"\<t:1:R>"),
        ("</bigben move:1>", r"\</bigben move:1>"),
        ("<@123456789012345678>", "\\<@\u200b123456789012345678>"),
        ("@everyone", "@\u200beveryone"),
        ("[x](https://evil.example)", "\\[x](https:\u200b//evil.example)"),
        ("# > -", "\\# > -"),
        ("\\", "\\\\"),
        ("שלום", "\u2068שלום\u2069"),
        ("Ada", "Ada"),
    ],
)
def test_a_name_does_nothing_but_name(shown_as: str, written: str) -> None:
    assert markdown((Name(shown_as),)) == written


def test_an_invitation_is_in_the_button_and_not_in_the_text() -> None:
    invite = "K7QPXM-4TZ8QN"
    content = public_message(BIG_BEN, room("open", seat("host")), None, ENGLISH, invite=invite)
    (row,) = content.rows
    assert "4TZ8QN" in buttons(row)[0].id
    assert "4TZ8QN" not in markdown(content.text)


def test_a_board_by_points_has_its_medals_its_pages_and_ones_own_row() -> None:
    rows = tuple(
        Ranked(PlayerId(f"p{place}"), f"name{place}", place, points=100 - place)
        for place in range(1, 11)
    )
    me = Ranked(PlayerId("me"), "myself", 30, points=2)
    page = Leaderboard("weekly", 40, ranked=rows, my_rank=me)
    content = leaderboard(page, BoardPage(period="weekly"), ENGLISH)
    assert "🥇 **name1** · 99 pts" in markdown(content.text)
    assert markdown(content.text).endswith("` 30.` **myself** · 2 pts")
    (row,) = content.rows
    assert [tap.disabled for tap in buttons(row)] == [True, True, False]
    assert BoardPage.read(read_id(buttons(row)[2].id)[1]) == BoardPage(period="weekly", start=10)


def test_a_board_by_rating_marks_what_is_provisional_and_stays_by_rating() -> None:
    rows = (
        Ranked(PlayerId("p1"), "name1", 1, rating=1733),
        Ranked(PlayerId("p2"), "name2", 2, rating=1612, provisional=True),
        Ranked(PlayerId("p3"), "name3", 2, rating=1612, provisional=True),
        Ranked(PlayerId("p4"), "name4", 4, rating=1500),
    )
    me = Ranked(PlayerId("me"), "myself", 30, rating=1201)
    wanted = BoardPage(period="all-time", rules="fans-no_gaps-foundations", here=True, by="rating")
    page = Leaderboard("all-time", 40, ranked=rows, my_rank=me)
    content = leaderboard(page, wanted, ENGLISH)
    _, *lines = markdown(content.text).splitlines()
    assert lines == [
        "🥇 **name1** · rated 1733",
        "🥈 **name2** · rated 1612?",
        "🥈 **name3** · rated 1612?",
        "`  4.` **name4** · rated 1500",
        "…",
        "` 30.` **myself** · rated 1201",
    ]
    (row,) = content.rows
    custom_id = buttons(row)[2].id
    assert len(custom_id) <= 100
    assert BoardPage.read(read_id(custom_id)[1]) == dataclasses.replace(wanted, start=10)


def test_a_profile_has_records_streaks_and_how_two_stand() -> None:
    tally = Tally(
        "bigben", "book", 12, 3, best_ms=754_321, rating=1520, provisional=True,
        days_played=Streak(4, 9), days_won=Streak(1, 2),
    )  # fmt: skip
    theirs = Profile(PlayerId("d:1"), "Ada_", (tally,))
    mine = Profile(PlayerId("d:2"), "Bob", against=HeadToHead(PlayerId("d:1"), "Ada_", 5, 2, 1))
    text = markdown(profile(theirs, mine, ENGLISH))
    for said in ("Ada\\_", "Rules of the book", "12:34", "1520?", "4 (longest 9)", "5 ahead"):
        assert said in text


def test_who_is_away_is_shown_and_when_their_seat_ends() -> None:
    away = seat("Bob", away=True)
    assert "**Bob** · no move yet · 0:00 · 💤 away" in shown(room("running", seat("Ada"), away))
    ending = seat("Bob", away=True, ends_at=1_795_266_374_000)
    assert "💤 away, ends <t:1795266374:R>" in shown(room("running", ending))
    assert "⏳ **Bob** · 💤 away" in shown(room("open", seat("Bob", away=True, state="joined")))
    assert "💤" not in shown(room("running", seat("Bob", away=True, state="blocked")))


def test_an_open_room_says_the_grace_period_beforehand() -> None:
    assert "A player who is away when all others have finished has 2:00" in shown(
        room("open", seat("Ada", state="joined"))
    )
    short = Rules(grace_ms=30_000)
    assert "has 0:30 to come back" in shown(room("open", seat("Ada", state="joined"), rules=short))


def test_a_race_without_spectators_shows_no_progress_before_its_end() -> None:
    hidden = room("running", seat("Ada", home=43, moves=7), rules=Rules(spectate=False))
    assert "**Ada**" in shown(hidden)
    assert "43" not in shown(hidden)
    assert "move" not in shown(hidden)


def test_a_race_with_a_deadline_says_until_when_and_who_has_not_started() -> None:
    this = room(
        "running",
        seat("Ada", home=43),
        seat("Bob", state="joined"),
        kind="deadline",
        closes_at=1_795_266_374_000,
    )
    text = shown(this)
    assert "until <t:1795266374:f> (<t:1795266374:R>)" in text
    assert text.index("**Ada**") < text.index("⏳ **Bob**")
    assert verbs(this) == ["play"]
    over = structs.replace(this, phase="closed")
    assert verbs(over) == ["verify"]


def test_a_rematch_is_named_in_the_message_of_its_race() -> None:
    assert "Rematch: **AG348E**" in shown(room("running", seat("Ada"), rematch="AG348E"))


def test_a_void_race_says_that_it_counts_nowhere_and_why() -> None:
    text = shown(room("closed", seat("ada", place=1), void="@everyone *saw* it"))
    assert "This race is void: its results count nowhere." in text
    assert "\\*saw\\*" in text
    assert "@everyone" not in text


def test_a_restored_server_says_so_in_german() -> None:
    this = room("closed", void=texts.said(sentence("plain.restored")))
    assert "aus einer Sicherung" in markdown(formatting.exceptions(this, say_in("de")))


def test_a_daily_that_was_dealt_again_says_why() -> None:
    assert "were dealt again" in shown(room("running", kind="daily", counter=1))


@pytest.mark.parametrize("language", languages())
def test_the_question_of_the_host_fits_however_many_are_not_ready(language: str) -> None:
    named = [seat(f"{'*' * 30}{number}", state="joined") for number in range(100)]
    content = lobby.ask(room("open", *named, host=named[0].player), "", say_in(language))
    assert len(markdown(content.text)) <= LONGEST
    assert "74" in markdown(content.text), "25 of the 99 others are named"


@pytest.mark.parametrize("language", languages())
def test_a_public_message_names_its_game(language: str) -> None:
    assert "Big Ben" in formatting.limits(room("open"), say_in(language))
