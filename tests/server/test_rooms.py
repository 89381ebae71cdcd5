"""New rooms: codes that can be read out, and what may be asked for."""

import operator
from functools import partial
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.server.stage import ADA, BOB, DORA, Stage, racing
from tests.support.times import DAY, HOUR, NOON

from bigben_protocol import Create, RaceId
from bigben_rules import GAMES
from bigben_server.race import lobby
from bigben_server.race.events import Joined, Opened, Player, Refusal
from bigben_server.race.lobby import code_named, new_code
from bigben_server.race.state import Race

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def seed_of(count: int) -> bytes:
    return b"\x07" * count


def opened(create: Create) -> Opened:
    first, joined = lobby.created(create, ADA, NOON, seed_of)
    assert joined == Joined(ADA.id, ADA.name, NOON)
    assert isinstance(first, Opened)
    return first


def refusal(create: Create) -> tuple[str, str]:
    with pytest.raises(Refusal) as caught:
        lobby.created(create, ADA, NOON, seed_of)
    return caught.value.code, str(caught.value)


# Codes


@given(st.binary(min_size=16, max_size=16))
def test_a_code_is_six_unmistakable_letters(drawn: bytes) -> None:
    code = new_code(lambda count: drawn[:count])
    assert len(code) == 6
    assert set(code) <= set(LETTERS)
    assert code_named(code) == code


def test_every_letter_of_a_code_may_be_any_of_31() -> None:
    codes = [new_code(lambda count, i=i: i.to_bytes(count, "big")) for i in range(31**2)]  # type: ignore[misc] # bound now
    assert len(set(codes)) == 31**2
    assert {code[0] for code in codes} == {code[1] for code in codes} == set(LETTERS)


@pytest.mark.parametrize("typed", ["K7QPXM", "k7qpxm", "K7Q-PXM", " k7q pxm ", "k-7-q-p-x-m"])
def test_a_code_is_read_as_people_type_it(typed: str) -> None:
    assert code_named(typed) == RaceId("K7QPXM")


@pytest.mark.parametrize(
    "typed",
    ["", "K7QPX", "K7QPXMM", "K7QPX0", "K7QPXO", "K7QPX1", "K7QP.M", "Daily", "k7qpxß", "{}"],
)
def test_an_invalid_code_is_refused_with_the_right_form(typed: str) -> None:
    with pytest.raises(Refusal) as caught:
        code_named(typed)
    assert caught.value.code == "unknown"
    assert "six-letter code" in str(caught.value)


# Rooms


def test_a_room_is_as_requested() -> None:
    first = opened(Create(rules="survey", limit_ms=HOUR, undo=True, invite_only=True))
    assert (first.kind, first.host, first.at) == ("live", ADA.id, NOON)
    assert first.rules.rules == "book"
    assert (first.rules.limit_ms, first.rules.undo, first.rules.invite_only) == (HOUR, True, True)
    assert first.server_seed == "07" * 32


def test_no_limit_is_the_longest_there_is() -> None:
    assert opened(Create(limit_ms=0)).rules.limit_ms == DAY


def test_practice_has_undo_and_no_limit() -> None:
    first = opened(Create(practice=True, limit_ms=HOUR))
    assert (first.kind, first.rules.undo, first.rules.limit_ms) == ("practice", True, 0)


@pytest.mark.parametrize("seed", ["ab" * 32, "AB" * 32])
def test_practice_may_have_any_seed(seed: str) -> None:
    assert opened(Create(practice=True, seed=seed)).server_seed == "ab" * 32


def test_a_race_has_no_chosen_seed() -> None:
    assert refusal(Create(seed="ab" * 32)) == (
        "seed",
        "You can choose the seed only for practice.",
    )


@pytest.mark.parametrize("seed", ["a", "ab" * 31, "xy" * 32, "ab " * 21 + "a", " " * 64, "é" * 64])
def test_an_invalid_seed_is_refused_with_the_right_form(seed: str) -> None:
    code, text = refusal(Create(practice=True, seed=seed))
    assert code == "seed"
    assert text == "A seed is written as 64 hex digits, 0-9 and a-f, without spaces."


@pytest.mark.parametrize("practice", [True, False])
def test_unknown_games_and_rules_are_refused_with_the_possible_ones(practice: bool) -> None:
    assert refusal(Create(game="chess", practice=practice)) == (
        "rules",
        f"No game is called 'chess'; the games are {', '.join(GAMES)}.",
    )
    code, text = refusal(Create(rules="x" * 64, practice=practice))
    assert code == "rules"
    assert text.startswith("No rules are called 'xxx")
    assert len(text) < 150


# Rematches


def test_a_rematch_is_by_the_same_rules_with_another_seed() -> None:
    stage = racing(ADA, BOB, undo=True, limit_ms=HOUR).wait(HOUR)
    first, joined = lobby.rematch(stage.race, BOB, stage.now, seed_of)
    assert isinstance(first, Opened)
    assert (first.rules, first.host) == (stage.race.opened.rules, BOB.id)
    assert first.server_seed != stage.race.opened.server_seed
    assert joined == Joined(BOB.id, "Bob", stage.now)


def call_for_rematch(stage: Stage, player: Player) -> None:
    lobby.check_rematch(stage.race, player, stage.now)
    lobby.rematch(stage.race, player, stage.now, seed_of)


def test_only_racers_can_request_a_rematch_and_only_at_the_end() -> None:
    stage = racing(ADA, limit_ms=HOUR)
    for player, hour in ((ADA, 0), (DORA, 1)):
        with pytest.raises(Refusal):
            call_for_rematch(stage.wait(hour * HOUR), player)


def test_a_rematch_is_called_the_same_by_everybody_and_each_race_has_its_own() -> None:
    races = [
        Race(RaceId("AAAAAA"), lobby.created(Create(), ADA, NOON, partial(operator.mul, of)))
        for of in (b"1", b"1", b"2")
    ]
    names = [list(islice(lobby.rematch_codes(race.opened.server_seed), 50)) for race in races]
    assert names[0] == names[1]
    assert len({*names[0], *names[2]}) == 100
    assert all(code_named(name) == name for name in names[0])
