"""The evidence that a player kept reveals a server that contradicts itself at the end."""

from collections.abc import Callable, Sequence
from hashlib import sha256

import msgspec
import pytest
from msgspec.structs import replace
from tests.fairness.races import ADA
from tests.fairness.witnessed import NONCE, Witnessed, daily, live

from bigben_client import Finding, Kept, check, lies, unchecked
from bigben_client.evidence.kept import with_deal, with_diff, with_room, with_snapshot
from bigben_protocol import Chosen, Diff, Grade, Pile, PlayerId, RaceId, Rules, Snapshot, Step
from bigben_rules import GAMES, Card, Game, commitment, counted, shuffle

MOVES = ("turn", "turn", "turn")
OTHER = "11" * 32


def wrong(race: Witnessed) -> set[str]:
    """The checks that do not hold."""
    return {finding.what for finding in lies(check(*race))}


def open_questions(race: Witnessed) -> set[str]:
    """The checks that could not be made."""
    return {finding.what for finding in unchecked(check(*race))}


@pytest.mark.parametrize(
    "race",
    [live(*MOVES), daily(*MOVES), live("4 6", "undo", "1 f3", undo=True), live(nonce="")],
    ids=["live", "daily", "undo", "no nonce"],
)
def test_an_honest_race_holds_in_every_point(race: Witnessed) -> None:
    findings = check(*race)
    assert [finding for finding in findings if finding.holds is not True] == []
    assert len(findings) == 11


def test_a_timeout_at_the_end_does_not_count_as_a_move_that_was_not_kept() -> None:
    race = live(*MOVES)
    moves = (*race.record.moves, (race.room.closes_at - race.room.starts_at, "timeout"))
    timed_out = race._replace(record=replace(race.record, moves=moves))
    assert open_questions(timed_out) == wrong(timed_out) == set()


def server_seed(race: Witnessed) -> Witnessed:
    """Another seed, and everything that follows from it."""
    seed = sha256(bytes.fromhex(OTHER + "".join(race.reveal.nonces))).digest()
    reveal = replace(
        race.reveal,
        server_seed=OTHER,
        commitment=commitment(bytes.fromhex(OTHER)),
        seed=seed.hex(),
    )
    order = shuffle(GAMES["bigben"].pack, seed)
    room = replace(race.room, commitment=reveal.commitment)
    return race._replace(room=room, reveal=reveal, record=replace(race.record, order=order))


def without_the_nonce(race: Witnessed) -> Witnessed:
    """The seed has only the nonces of the others."""
    nonces = tuple("" if nonce == NONCE else nonce for nonce in race.reveal.nonces)
    seed = sha256(bytes.fromhex(race.reveal.server_seed + "".join(nonces))).digest()
    order = shuffle(GAMES["bigben"].pack, seed)
    reveal = replace(race.reveal, nonces=nonces, seed=seed.hex())
    return race._replace(reveal=reveal, record=replace(race.record, order=order))


def nonces_in_another_order(race: Witnessed) -> Witnessed:
    return race._replace(reveal=replace(race.reveal, nonces=race.reveal.nonces[::-1]))


def seat_gone(race: Witnessed) -> Witnessed:
    seats = tuple(seat for seat in race.room.seats if seat.player != race.kept.player)
    return race._replace(room=replace(race.room, seats=seats))


def a_daily_all_of_a_sudden(race: Witnessed) -> Witnessed:
    """A server that claims this in order to drop the nonces."""
    reveal = replace(race.reveal, nonces=(), seed=race.reveal.server_seed)
    return race._replace(room=replace(race.room, kind="daily"), reveal=reveal)


def another_deal(race: Witnessed) -> Witnessed:
    """The easiest of many deals of the seed, with all that follows from it, and the player saw it.

    A server that chooses so plays honestly otherwise.
    """
    seed = counted(bytes.fromhex(race.reveal.seed), 16)
    order = shuffle(GAMES["bigben"].pack, seed)
    kept = replace(race.kept, shown={}, moves=())
    reveal = replace(race.reveal, seed=seed.hex(), chosen=Chosen(16))
    return race._replace(kept=kept, reveal=reveal, record=replace(race.record, order=order))


def a_certificate(race: Witnessed) -> Witnessed:
    chosen = Chosen(certificate=("turn",))
    return race._replace(reveal=replace(race.reveal, chosen=chosen))


def dealt_again(race: Witnessed) -> Witnessed:
    return race._replace(room=replace(race.room, counter=7))


def another_order(race: Witnessed) -> Witnessed:
    first, second, *rest = race.record.order
    return race._replace(record=replace(race.record, order=(second, first, *rest)))


def another_pack(race: Witnessed) -> Witnessed:
    """A card is in the deal three times, and the seed shuffles the cards correctly."""
    _, second, *rest = GAMES["bigben"].pack
    order = shuffle((second, second, *rest), bytes.fromhex(race.reveal.seed))
    return race._replace(record=replace(race.record, order=order))


def another_first_sight(race: Witnessed) -> Witnessed:
    """The player saw other cards than those of the deal."""
    piles = race.kept.shown
    swapped = {**piles, "3": piles["4"], "4": piles["3"]}
    return race._replace(kept=replace(race.kept, shown=swapped))


def another_card_turned(race: Witnessed) -> Witnessed:
    """The stock had another card for this player."""
    first, *rest = race.kept.moves
    card = next(card for card in race.record.order if card != first.steps[0].card)
    turned = replace(first, steps=(Step("s", "w", card),))
    return race._replace(kept=replace(race.kept, moves=(turned, *rest)))


def another_move(race: Witnessed) -> Witnessed:
    (ms, _), *rest = race.record.moves
    return race._replace(record=replace(race.record, moves=((ms, "3 f9"), *rest)))


def a_move_that_plays_with_the_screen(race: Witnessed) -> Witnessed:
    (ms, _), *rest = race.record.moves
    move = "\x1b[2J" + "x" * 10_000
    return race._replace(record=replace(race.record, moves=((ms, move), *rest)))


def a_move_less(race: Witnessed) -> Witnessed:
    return race._replace(record=replace(race.record, moves=race.record.moves[:-1]))


def another_time(race: Witnessed) -> Witnessed:
    (ms, move), *rest = race.record.moves
    return race._replace(record=replace(race.record, moves=((ms + 1, move), *rest)))


def another_begin(race: Witnessed) -> Witnessed:
    record = replace(race.record, begun_at=race.record.begun_at + 1)
    return race._replace(record=record)


def another_start(race: Witnessed) -> Witnessed:
    return race._replace(room=replace(race.room, starts_at=race.room.starts_at - 1))


def other_rules(race: Witnessed) -> Witnessed:
    return race._replace(room=replace(race.room, rules=Rules(limit_ms=1)))


def no_seed_at_all(race: Witnessed) -> Witnessed:
    return race._replace(reveal=replace(race.reveal, server_seed="\x1b[2J", seed="", nonces=("z",)))


@pytest.mark.parametrize(
    ("lie", "caught"),
    [
        (server_seed, {"commitment", "server seed", "cards"}),
        (without_the_nonce, {"nonce", "cards"}),
        (nonces_in_another_order, {"nonce", "seed"}),
        (seat_gone, {"nonce"}),
        (a_daily_all_of_a_sudden, {"nonce", "seed", "deal", "rules"}),
        (another_deal, {"choice"}),
        (a_certificate, {"choice"}),
        (dealt_again, {"choice"}),
        (another_order, {"deal", "cards"}),
        (another_pack, {"deal"}),
        (another_first_sight, {"cards"}),
        (another_card_turned, {"cards"}),
        (another_move, {"moves"}),
        (a_move_that_plays_with_the_screen, {"moves"}),
        (a_move_less, {"moves"}),
        (another_time, {"times"}),
        (another_begin, {"start"}),
        (another_start, {"start"}),
        (other_rules, {"rules"}),
        (no_seed_at_all, {"server seed", "nonce", "seed", "deal"}),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_a_lie_at_the_end_is_found(lie: Callable[[Witnessed], Witnessed], caught: set[str]) -> None:
    told = lie(live(*MOVES))
    assert wrong(told) == caught
    for finding in lies(check(*told)):
        assert finding.text.endswith((".", ")"))
        assert finding.text.isprintable()
        assert len(finding.text) < 200


@pytest.mark.parametrize(
    ("rules", "chosen", "holds"),
    [
        (Rules(winnable=True), Chosen(3, "", ("turn",)), True),
        (Rules(winnable=True), Chosen(), True),
        (Rules(winnable=True, grade="hard"), Chosen(3, "hard", ("turn",)), True),
        (Rules(winnable=True, grade="hard"), Chosen(), True),
        (Rules(winnable=True), Chosen(3), False),
        (Rules(winnable=True), Chosen(3, "easy", ("turn",)), False),
        (Rules(winnable=True, grade="hard"), Chosen(3, "easy", ("turn",)), False),
        (Rules(winnable=True, grade="hard"), Chosen(0, "hard"), False),
        (Rules(), Chosen(0, "hard"), False),
    ],
)
def test_a_deal_is_chosen_only_as_the_rules_ask(
    rules: Rules, chosen: Chosen, *, holds: bool
) -> None:
    race = live(*MOVES)
    told = race._replace(
        kept=replace(race.kept, rules=rules), reveal=replace(race.reveal, chosen=chosen)
    )
    assert ("choice" not in wrong(told)) is holds


@pytest.mark.parametrize(
    ("kept", "chosen", "holds"),
    [
        ("hard", Chosen(3, "hard", ("turn",)), True),
        ("", Chosen(3, "", ("turn",)), True),
        (None, Chosen(3, "hard", ("turn",)), True),
        ("hard", Chosen(3, "easy", ("turn",)), False),
        ("hard", Chosen(3, "hard"), False),
    ],
)
def test_a_daily_has_the_grade_that_was_announced(
    kept: Grade | None, chosen: Chosen, *, holds: bool
) -> None:
    race = daily(*MOVES)
    told = race._replace(
        kept=replace(race.kept, grade=kept), reveal=replace(race.reveal, chosen=chosen)
    )
    assert ("choice" not in wrong(told)) is holds


def test_only_a_daily_that_is_dealt_again_is_another_race() -> None:
    room = live().room
    kept = with_room(None, room, ADA.id)
    assert with_room(kept, replace(room, counter=7, commitment=OTHER), ADA.id) == kept
    today = replace(room, kind="daily")
    kept = with_room(None, today, ADA.id)
    again = with_room(kept, replace(today, counter=7, commitment=OTHER), ADA.id)
    assert again is not None
    assert (again.counter, again.commitment) == (7, OTHER)


def test_a_player_who_joined_late_learns_what_was_not_checked() -> None:
    race = live(*MOVES)
    late = with_room(None, replace(race.room, phase="running"), race.kept.player)
    assert late is not None
    late = with_deal(late, race.kept.deal)
    for move in race.kept.moves[2:]:
        late = replace(late, moves=(*late.moves, move))
    told = race._replace(kept=late)
    assert wrong(told) == set()
    assert open_questions(told) == {"commitment", "nonce", "cards", "moves", "times", "start"}


def test_cards_first_seen_in_the_middle_are_compared_with_the_record() -> None:
    race = live(*MOVES)
    last = race.kept.moves[-1]
    piles = {**race.kept.shown, "s": Pile(down=53), "w": Pile(race.record.order[36:39])}
    seen = replace(race.kept, shown=piles, shown_n=3, moves=(last,))
    assert wrong(race._replace(kept=seen)) == set()
    assert "cards" not in open_questions(race._replace(kept=seen))
    other = replace(seen, shown={**piles, "w": Pile(race.record.order[37:40])})
    assert wrong(race._replace(kept=other)) == {"cards"}


def test_what_was_seen_first_stays() -> None:
    race = live(*MOVES)
    again = with_room(race.kept, replace(race.room, commitment=OTHER), race.kept.player)
    assert again == race.kept
    assert with_diff(race.kept, _diff(race.kept.moves[0].n, "refill")) == race.kept
    assert with_snapshot(race.kept, _snapshot()) == race.kept


def test_a_nonce_is_dropped_when_the_player_is_no_longer_ready() -> None:
    race = live()
    seats = tuple(replace(seat, state="joined") for seat in race.room.seats)
    early = replace(race.kept, nonce_hash="")
    unready = with_room(early, replace(race.room, seats=seats), race.kept.player)
    assert unready is not None
    assert unready.nonce is None


def test_nothing_is_kept_without_a_seat() -> None:
    assert with_room(None, live().room, PlayerId("guest:stranger")) is None


def first_moves(game: Game, order: Sequence[Card]) -> list[str]:
    """The first legal move, nine times."""
    position, moves = game.deal(order, "standard"), []
    for _ in range(9):
        moves.append(position.format(position.legal_moves()[0]))
        position, _ = position.apply(position.legal_moves()[0])
    return moves


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_of_every_game_are_checked(name: str) -> None:
    order = tuple(map(Card, live(game=name).record.order))
    race = live(*first_moves(GAMES[name], order), game=name)
    assert wrong(race) == open_questions(race) == set()
    backwards = race._replace(record=replace(race.record, order=order[::-1]))
    assert wrong(backwards) == {"deal", "cards"}
    first, *rest = race.kept.moves
    card = next(card for card in race.record.order if card != first.steps[-1].card)
    other = replace(first, steps=(*first.steps[:-1], replace(first.steps[-1], card=card)))
    lied = race._replace(kept=replace(race.kept, moves=(other, *rest)))
    assert wrong(lied) == {"cards"}


def test_the_cards_of_a_game_whose_deal_was_not_kept_are_unchecked() -> None:
    race = live(*MOVES)
    told = race._replace(kept=replace(race.kept, deal=None))
    assert wrong(told) == set()
    assert open_questions(told) == {"deal", "cards"}
    assert "deal" in wrong(another_order(told))


def test_evidence_can_be_stored_and_read_back() -> None:
    kept = live(*MOVES).kept
    assert msgspec.json.decode(msgspec.json.encode(kept), type=Kept) == kept


def test_every_finding_is_a_sentence() -> None:
    for finding in (*check(*live(*MOVES)), *check(*daily())):
        assert isinstance(finding, Finding)
        assert finding.text[0].isupper()
        assert finding.text.endswith(".")


def _diff(n: int, move: str) -> Diff:
    return Diff(RaceId("K7QPXM"), n, move, (), "playing", 12, 0, (), 0)


def _snapshot() -> Snapshot:
    return Snapshot(RaceId("K7QPXM"), 0, "playing", 12, 0, {"w": Pile()}, (), 0)
