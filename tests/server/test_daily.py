"""Which daily is meant, and what it is dealt from."""

from datetime import date

import pytest
from tests.support.times import DAY, MIDNIGHT, NOON

from bigben_rules import GAMES, Game, shuffle
from bigben_rules.bigben.layout import SHUFFLED
from bigben_server.race.daily import (
    Daily,
    all_of,
    daily_named,
    daily_on,
    is_daily,
    is_today,
    opened,
    today,
)
from bigben_server.race.events import Opened, Refusal

SECRET = b"a secret for the tests, and only for them"
TODAY = "2026-11-21"
PINNED = "c9b7d7941878b0a4452b5e73afea3eba31f8511f54a038103f976c715c2ce15d"
FIRST_CARDS = ("8C", "10H", "2D", "4H", "AD", "JD")


def refusal(race: str, now: int = NOON) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        daily_named(race, now)
    return caught.value.code, str(caught.value)


@pytest.mark.parametrize(
    ("text", "race"),
    [
        ("daily", "daily.2026-11-21.bigben.standard"),
        ("daily.book", "daily.2026-11-21.bigben.book"),
        ("daily.survey", "daily.2026-11-21.bigben.book"),
        ("daily.laps-stuck-foundations", "daily.2026-11-21.bigben.laps-stuck-foundations"),
        ("daily.2026-11-21.bigben.open", "daily.2026-11-21.bigben.open"),
        ("daily.2026-11-20.bigben.survey", "daily.2026-11-20.bigben.book"),
        ("daily.20240229.bigben.book", "daily.2024-02-29.bigben.book"),
        ("daily.2026-W47-6.bigben.book", "daily.2026-11-21.bigben.book"),
        ("daily.0001-01-01.bigben.book", "daily.0001-01-01.bigben.book"),
        ("daily..bigben.book", "daily.2026-11-21.bigben.book"),
    ],
)
def test_a_daily_has_one_id_however_it_is_called(text: str, race: str) -> None:
    daily = daily_named(text, NOON)
    assert daily.id == race
    assert daily_named(race, NOON) == daily
    assert is_daily(text)


@pytest.mark.parametrize("text", ["", "K7QPXM", "dailybook", "Daily", " daily", "weekly"])
def test_other_races_are_no_dailies(text: str) -> None:
    assert not is_daily(text)
    assert not is_today(text, NOON)


def test_the_day_changes_at_midnight_utc() -> None:
    assert today(MIDNIGHT - 1) == date(2026, 11, 20)
    assert today(MIDNIGHT) == date(2026, 11, 21)
    assert daily_named("daily", MIDNIGHT - 1).opens_at == MIDNIGHT - DAY
    assert daily_named("daily", MIDNIGHT).opens_at == MIDNIGHT
    assert today(0) == date(1970, 1, 1)
    assert today(-1) == date(1969, 12, 31)


@pytest.mark.parametrize("day", ["2026-11-22", "2027-01-01", "9999-12-31"])
def test_a_day_to_come_is_not_open(day: str) -> None:
    assert refusal(f"daily.{day}.bigben.standard") == (
        "phase",
        f"The daily race of {day} opens at 00:00 UTC of that day.",
    )


@pytest.mark.parametrize("day", ["2026-13-01", "2026-02-30", "0000-01-01", "2026-W99-1", "x", "21"])
def test_a_day_that_does_not_exist_is_refused_with_how_to_write_one(day: str) -> None:
    assert refusal(f"daily.{day}.bigben.book") == (
        "unknown",
        f"There is no day {day!r}; write it like 2026-11-21.",
    )


@pytest.mark.parametrize("rules", ["birthday", "months", "", "isoformat", "STANDARD"])
def test_unknown_rules_are_refused_with_the_possible_ones(rules: str) -> None:
    code, text = refusal(f"daily.{rules}")
    assert code == "unknown"
    assert text.startswith(f"No daily race is called {rules!r}; the rules are standard, book,")
    assert text.endswith(f", and the games {', '.join(GAMES)}.")


def test_an_unknown_game_is_refused_with_the_possible_ones() -> None:
    code, text = refusal(f"daily.{TODAY}.daybreak.book")
    assert (code, text.partition(";")[0]) == ("unknown", "No game is called 'daybreak'")
    assert text.endswith(f" {', '.join(GAMES)}.")
    assert refusal("daily.daybreak.book") == (code, text)


@pytest.mark.parametrize("race", ["daily.a.b.c.d", "daily.2026-11-21.bigben.book.", "daily...."])
def test_any_other_name_is_refused_with_how_dailies_are_called(race: str) -> None:
    code, text = refusal(race)
    assert code == "unknown"
    assert "daily.book" in text


@pytest.mark.parametrize("game", GAMES.values(), ids=[*GAMES])
def test_every_game_has_dailies_with_short_names(game: Game) -> None:
    whole = f"daily.{TODAY}.{game.name}"
    assert daily_named(f"daily.{game.name}", NOON).id == f"{whole}.standard"
    for rules in game.variants:
        assert daily_named(f"daily.{game.name}.{rules}", NOON).id == f"{whole}.{rules}"
        assert daily_named(f"{whole}.{rules}", NOON) in [*all_of(date(2026, 11, 21))]
    assert not {*GAMES} & {*GAMES["bigben"].variants}, "daily.book is never a game"


def test_a_board_is_requested_by_its_parts() -> None:
    assert daily_on("", "bigben", "survey", NOON) == Daily(date(2026, 11, 21), "bigben", "book")


def test_today_is_open_and_no_other_day() -> None:
    race = daily_named("daily.book", NOON).id
    assert is_today(race, MIDNIGHT)
    assert is_today(race, MIDNIGHT + DAY - 1)
    assert not is_today(race, MIDNIGHT + DAY)
    assert not is_today(race, MIDNIGHT - 1), "after a clock was set back it is a day to come"


def test_the_seed_is_pinned() -> None:
    """Anyone with the secret deals the same cards, for ever: openssl gives this digest too.

    printf 'daily.2026-11-21.bigben.standard 0' | openssl dgst -sha256 -hmac SECRET
    """
    first = opened(daily_named("daily", NOON), SECRET)
    assert first == Opened("daily", first.rules, PINNED, MIDNIGHT, closes_at=MIDNIGHT + DAY)
    order = shuffle(SHUFFLED, bytes.fromhex(first.server_seed))
    assert order[:6] == FIRST_CARDS


def test_every_day_rules_and_secret_has_a_seed_of_its_own() -> None:
    dailies = [
        daily_named(f"daily.{day}.bigben.{rules}", NOON)
        for day in ("2026-11-21", "2026-11-20", "2025-11-21")
        for rules in ("standard", "book", "open", "laps-no_gaps-foundations")
    ]
    secrets = (SECRET, SECRET + b"x", b"")
    seeds = {opened(daily, secret).server_seed for daily in dailies for secret in secrets}
    assert len(seeds) == len(dailies) * len(secrets)


def test_every_process_opens_the_same_race() -> None:
    morning = opened(daily_named("daily", MIDNIGHT), SECRET)
    assert opened(daily_named("daily", MIDNIGHT + DAY - 1), SECRET) == morning
    assert (morning.kind, morning.host, morning.rules.undo) == ("daily", "", False)
