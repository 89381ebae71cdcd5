"""Sentences about changes of a race, and how places are shown."""

import doctest
import io
from typing import Any

import msgspec
import pytest
from rich.console import Console
from tests.terminal.support import INFO

from bigben_protocol import PlayerId, RaceId, Room, Rules, Standing
from bigben_protocol.types import State
from bigben_terminal.display import race_text, tables
from bigben_terminal.display.faces import Faces
from bigben_terminal.display.tables import places

ADA, BOB = PlayerId("guest:ada"), PlayerId("guest:bob")


def seat(player: PlayerId, state: State = "joined", home: int = 12, **more: Any) -> Standing:
    return Standing(player, player.removeprefix("guest:").title(), state, home=home, **more)


def room(*seats: Standing, **more: Any) -> Room:
    usual = {"kind": "live", "phase": "open", "host": ADA} | more
    return Room(
        race=RaceId("K7QPXM"),
        rules=Rules(limit_ms=3_600_000),
        commitment="",
        opened_at=0,
        seats=seats,
        **usual,
    )


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (room(seat(ADA)), room(seat(ADA), seat(BOB)), ["Bob has joined."]),
        (room(seat(ADA), seat(BOB)), room(seat(ADA)), ["Bob has left."]),
        (room(seat(BOB)), room(seat(BOB, "ready")), ["Bob is ready."]),
        (room(seat(BOB, "ready")), room(seat(BOB)), ["Bob is not ready."]),
        (room(seat(ADA)), room(seat(ADA, "ready")), []),
        (room(), room(phase="countdown"), ["Get ready! The cards are dealt in three seconds."]),
        (room(), room(phase="cancelled"), ["The race was cancelled."]),
        (
            room(phase="closed"),
            room(phase="closed", void="A card was there twice."),
            ["This race is void: its results count nowhere. A card was there twice."],
        ),
        (
            room(seat(ADA), seat(BOB, "ready")),
            room(seat(BOB, "ready")),
            ["The race has started without you: you were not ready."],
        ),
        (
            room(seat(ADA), seat(BOB, "ready")),
            room(seat(BOB, "ready"), phase="countdown"),
            ["The race has started without you: you were not ready."],
        ),
        (room(seat(ADA, "ready")), room(seat(ADA)), ["You are no longer ready."]),
        (
            room(phase="closed"),
            room(phase="closed", rematch="R2D2XX"),
            ["There is a rematch: type rematch to join R2D2XX."],
        ),
    ],
)
def test_a_changed_room_is_described_in_sentences(
    before: Room, after: Room, told: list[str]
) -> None:
    assert race_text.of_room(before, after, ADA) == told
    assert race_text.of_room(after, after, ADA) == []


@pytest.mark.parametrize(
    ("now", "me", "next_"),
    [
        (room(seat(ADA)), ADA, "Type ready when you are; start begins with the ready players."),
        (room(seat(BOB)), BOB, "Type ready when you are."),
        (
            room(seat(ADA, "ready"), seat(BOB, "ready")),
            ADA,
            "You are ready; the race starts when everybody is.",
        ),
        (
            room(seat(ADA, "ready"), seat(BOB)),
            ADA,
            "You are ready; the race starts when everybody is. Still missing: Bob.",
        ),
        (
            room(seat(BOB, "ready")),
            BOB,
            "You are ready; the race starts when somebody else is here and everybody is ready.",
        ),
        (room(seat(ADA)), BOB, "You are watching."),
        (room(seat(ADA), phase="running", kind="daily"), ADA, "Type ready to see the cards; your "
         "clock starts then."),
        (room(phase="closed"), ADA, "The race is over."),
    ],
)  # fmt: skip
def test_a_player_learns_what_to_do_next(now: Room, me: PlayerId, next_: str) -> None:
    assert race_text.what_next(now, me) == next_


def test_a_player_who_waits_learns_how_others_can_join() -> None:
    invited = room(seat(ADA), invite="K7QPXM-HNJZ5F")
    assert race_text.invitation(room(seat(ADA)), ADA, "") == [
        "Others join with: bigben play K7QPXM"
    ]
    assert race_text.invitation(invited, ADA, " --server ws://a") == [
        "Others join with: bigben play K7QPXM-HNJZ5F --server ws://a"
    ]
    assert race_text.invitation(room(seat(ADA)), BOB, "") == [], "a spectator waits for nobody"
    assert race_text.invitation(room(seat(ADA), phase="running"), ADA, "") == []


def test_finished_rivals_are_separate_from_the_progress_of_others() -> None:
    before = {BOB: seat(BOB, "playing", 20)}
    further = seat(BOB, "playing", 21, ms=61_500)
    told: tuple[list[str], list[str]] = ([], ["Bob: +1 home; 21 of 104 home, 1:01.5."])
    assert race_text.of_progress(before, [further], ADA, 104) == told
    end = seat(BOB, "blocked", 20, ms=62_900, home_ms=61_500)
    assert race_text.of_progress(before, [end], ADA, 104) == (
        ["Bob: 20 of 104 home, no moves left, 1:01.5."],
        [],
    )
    none = seat(BOB, "blocked", 20, ms=62_900)
    assert race_text.of_progress(before, [none], ADA, 104) == (
        ["Bob: 20 of 104 home, no moves left."],
        [],
    )
    assert race_text.of_progress(before, [seat(BOB, "playing", 20, ms=9), seat(ADA)], ADA, 104) == (
        [],
        [],
    )


def test_the_status_begins_with_the_player_and_omits_players_who_have_not_begun() -> None:
    seats = [seat(BOB, "won", 104), seat(ADA, "playing", 30), seat(PlayerId("guest:cy"))]
    assert race_text.status(seats, ADA, Faces()) == "you 30 · Bob 104!"


def test_a_hostile_name_is_harmless_wherever_it_is_shown() -> None:
    name = "\x1b]0;x\x07[red]\n\u202e"
    bad = msgspec.structs.replace(seat(BOB, "playing", 20), name=name)
    out = io.StringIO()
    Console(file=out, width=80).print(places([bad], ADA, INFO["bigben"], Faces()))
    (joined,) = race_text.of_room(room(), room(bad), ADA)
    ((end,), _) = race_text.of_progress({}, [msgspec.structs.replace(bad, state="won")], ADA, 104)
    for shown in (joined, end, race_text.status([bad], ADA, Faces()), out.getvalue()):
        assert "]0;x?[red]" in shown or "]0;x?[red" in shown
        assert not {"\x1b", "\x07", "\u202e"} & set(shown)


@pytest.mark.parametrize("faces", [Faces(), Faces(ascii=True)], ids=["signs", "ascii"])
def test_places_fit_a_terminal(faces: Faces) -> None:
    rows = [
        msgspec.structs.replace(seat(BOB, "timed out", 100, ms=86_399_999, home_ms=86_399_999),
            name="春" * 32, place=10_000, moves=12_345),
        seat(ADA, "won", 104, ms=61_000, home_ms=60_000, place=1),
    ]  # fmt: skip
    out = io.StringIO()
    Console(file=out, width=80).print(places(rows, ADA, INFO["bigben"], faces))
    lines = out.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert "23:59:59" in out.getvalue()
    assert "1:00.0" in out.getvalue(), "a result counts to its last card home"
    assert faces.ascii is False or out.getvalue().replace("春", "").isascii()


@pytest.mark.parametrize("plain", [True, False])
def test_where_nothing_is_decided_places_have_no_times(plain: bool) -> None:
    shown = {}
    for name, timed in (("clock", 0), ("watch", 1)):
        rows = [
            seat(BOB, "won", 52, ms=61_000, home_ms=timed * 61_000, place=1, moves=52),
            seat(ADA, "won", 52, ms=70_000, home_ms=timed * 70_000, place=1, moves=52),
        ]
        out = io.StringIO()
        Console(file=out, width=80).print(places(rows, ADA, INFO[name], Faces(), plain=plain))
        shown[name] = out.getvalue()
    assert "1:01.0" in shown["watch"]
    assert not any(word in shown["clock"] for word in ("1:01.0", "0:00.0", "time"))


def test_the_examples_in_the_docstrings_hold() -> None:
    assert doctest.testmod(tables).attempted
    assert not doctest.testmod(tables).failed
