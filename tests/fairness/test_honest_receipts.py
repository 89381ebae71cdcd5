"""The receipts of real races hold, and say what happened in them."""

from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fairness.forging import write
from tests.fairness.races import ADA, BOB, CYD, DAN, RACES, live, recorded_daily, sit_down
from tests.rules.recorded import GAMES
from tests.support.times import NOON
from tests.support.torture import examples

from bigben_server.race import views
from bigben_terminal.receipts.fairness import check
from bigben_terminal.receipts.receipt_form import Receipt, read

every_race = pytest.mark.parametrize("race", RACES)


def places_and_states(receipt: Receipt) -> list[tuple[int, str, str]]:
    return [(seat.place, seat.name, seat.result.state) for seat in receipt.seats]


@every_race
def test_the_receipt_of_a_real_race_holds(race: str) -> None:
    *_, last = check(RACES[race]())
    assert last.startswith("seal: ")


@every_race
def test_a_receipt_written_and_read_is_the_same(race: str) -> None:
    receipt = RACES[race]()
    assert read(write(receipt)) == receipt


def test_each_thing_that_holds_is_named() -> None:
    receipt = RACES["short_live"]()
    race, commitment, seed, deal, ada, bob, cyd, dan, places, seal = check(receipt)
    assert race == 'race: "K7QPXM", bigben standard, all start together'
    assert commitment == f"commitment: {receipt.commitment}"
    assert seed == "seed: the server's, mixed with 2 of 4 racers' nonces"
    assert deal == "deal: 92 cards, in the order that the seed gives"
    assert ada == "Ada: resigned, 13 moves, 20 cards home, the last one at 0:12.254"
    assert bob == "Bob ♣: timed out, 5 moves, 14 cards home, the last one at 0:04.000"
    assert cyd == "Çyd: resigned, 5 moves, 14 cards home, the last one at 0:04.000"
    assert dan == "Dan: timed out, 1 move, 12 cards home"
    assert places == "places: 1 Ada, 2 Bob ♣, 2 Çyd, 4 Dan"
    assert seal == f"seal: {receipt.seal}"


def test_no_time_is_named_where_time_does_not_count() -> None:
    results = {game: [*check(RACES[f"{game}_standard"]())][4] for game in ("clock", "watch")}
    assert ", the last one at 0:" in results["watch"]
    assert results["clock"].endswith(" cards home")


def test_winners_come_first_by_time_and_a_tie_takes_two_places() -> None:
    assert places_and_states(RACES["won_daily"]()) == [
        (1, "Ada", "won"),
        (1, "Bob ♣", "won"),
        (3, "Çyd", "won"),
        (4, "Dan", "resigned"),
        (4, "Eve", "timed out"),
    ]


def test_a_blocked_player_and_one_who_gave_up_there_share_a_place() -> None:
    assert places_and_states(RACES["blocked_daily"]()) == [
        (1, "Ada", "resigned"),
        (1, "Bob ♣", "blocked"),
    ]


def test_the_receipt_of_a_daily_is_the_same_whoever_asks() -> None:
    """The room has the best seats and the viewer's own."""
    racing, moves = recorded_daily("won_open"), GAMES["won_open"].moves
    for player in (ADA, BOB, CYD):
        sit_down(racing, player, NOON)
        racing.play(player, *moves[:6], "resign")
    racing.close()
    seen = views.room(racing.race, racing.now)
    asker = msgspec.structs.replace(seen, seats=(*seen.seats[1:], seen.seats[0]))
    assert racing.receipt(seen) == racing.receipt(asker)


def test_a_player_who_never_saw_the_cards_of_a_daily_is_not_on_its_receipt() -> None:
    assert "Late" not in [seat.name for seat in RACES["won_daily"]().seats]


def test_in_a_deadline_race_each_seat_has_its_own_time() -> None:
    receipt = RACES["short_deadline"]()
    ada, bob, cyd = sorted(receipt.seats, key=lambda seat: seat.name)
    assert [seat.result.state for seat in (ada, bob, cyd)] == ["resigned", *["timed out"] * 2]
    assert bob.result.ms == receipt.limit_ms == 3_600_000
    assert cyd.result.ms == receipt.closes_at - cyd.begun_at == 20_000
    assert (receipt.seed, ada.nonce) == (receipt.server_seed, "")


def test_players_who_are_away_may_end_before_the_time_limit() -> None:
    receipt = RACES["graced_live"]()
    ends = {seat.result.ms for seat in receipt.seats if seat.result.state == "timed out"}
    assert len(ends) == 1
    assert 30_000 < min(ends) < receipt.limit_ms


def test_each_nonce_is_at_the_seat_that_sent_it() -> None:
    assert [seat.nonce[:2] for seat in RACES["short_live"]().seats] == ["01", "", "03", ""]


@given(
    seed=st.integers(0, 2**32),
    racers=st.integers(1, 4),
    limit_ms=st.sampled_from((1_000, 60_000, 3_600_000)),
    undo=st.booleans(),
    nonces=st.booleans(),
)
@examples(10)
def test_the_receipt_of_any_live_race_holds(
    seed: int, racers: int, limit_ms: int, undo: bool, nonces: bool
) -> None:
    random = Random(seed)
    players = (ADA, BOB, CYD, DAN)[:racers]
    racing = live(*players, seed=seed, limit_ms=limit_ms, undo=undo, nonces=nonces)
    for player in players:
        racing.play_at_random(player, random, most=random.randrange(120))
    receipt = racing.close()
    *_, last = check(read(write(receipt)))
    assert last == f"seal: {receipt.seal}"
    assert receipt.opened_at == NOON
