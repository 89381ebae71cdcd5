"""Undo: back to the last stock action and never beyond, and a move like the others."""

import random
from collections import Counter
from operator import is_
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.recorded import GAMES
from tests.server.stage import ADA, SECOND, only, only_refusal, practice, racing
from tests.support.torture import each_kind

from bigben_protocol import Diff, RaceId, Snapshot, View
from bigben_rules import GAMES as PATIENCES
from bigben_rules import Game, Position, shuffle
from bigben_rules import Step as Transfer
from bigben_rules.positions import EVERY
from bigben_server.race.game import Play

WON = GAMES["won_standard"]
BIG_BEN = PATIENCES["bigben"]


def play_of(position: Position, *, undo: bool) -> Play:
    return Play(RaceId("K7QPXM"), position, 0, undo=undo)


def test_a_race_has_no_undo_unless_it_was_opened_so() -> None:
    stage = racing(ADA)
    assert not stage.heard(ADA, Snapshot)[0].can_undo
    assert only_refusal(stage.move(ADA, "undo")) == ("illegal", "This race has no undo.")


def test_a_race_may_be_opened_with_undo() -> None:
    stage = racing(ADA, undo=True)
    move = next((move for move in stage.heard(ADA, Snapshot)[0].legal if " " in move), "")
    assert only(stage.move(ADA, move), Diff).can_undo
    assert only(stage.move(ADA, "undo"), Diff).n == 2


def test_undo_goes_back_to_the_last_card_from_the_stock_and_no_further() -> None:
    stage = practice(seed=WON.seed)
    view = View.of(only(stage.ready(ADA), Snapshot))
    views = [view]
    for move in ("turn", "turn", "7 f7", "refill", "9 7", "9 f5", "9 f5"):
        views.append(views[-1].after(only(stage.move(ADA, move), Diff)))
    for expected in (views[6], views[5], views[4]):
        assert views[-1].can_undo
        diff = only(stage.move(ADA, " Undo"), Diff)
        assert diff.move == "undo"
        assert diff.digest == expected.digest
        assert diff.legal == expected.legal
        assert diff.home == expected.home
        views.append(views[-1].after(diff))
    assert not views[-1].can_undo
    assert only_refusal(stage.move(ADA, "undo")) == (
        "illegal",
        "Nothing to undo since the last card was dealt.",
    )
    assert stage.standing(ADA).moves == 10, "an undo counts"


def test_undo_brings_back_the_time_of_the_last_card_home() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    stage.wait(SECOND).move(ADA, "turn", "turn", "7 f7")
    stage.wait(SECOND).move(ADA, "refill", "9 7")
    stage.wait(SECOND).move(ADA, "9 f5")
    assert (stage.standing(ADA).home_ms, stage.standing(ADA).home) == (3 * SECOND, 14)
    stage.wait(SECOND).move(ADA, "undo")
    standing = stage.standing(ADA)
    assert (standing.home_ms, standing.home, standing.ms) == (SECOND, 13, 4 * SECOND)


def test_nothing_can_be_undone_before_the_first_move() -> None:
    stage = practice()
    assert not only(stage.ready(ADA), Snapshot).can_undo
    assert only_refusal(stage.move(ADA, "undo"))[0] == "illegal"


@pytest.mark.parametrize("game", each_kind(PATIENCES))
def test_no_game_takes_back_a_move_that_showed_a_card(game: Game) -> None:
    for seed in range(10):
        chance = random.Random(seed)
        play = play_of(game.deal(shuffle(game.pack, bytes([seed] * 32)), "standard"), undo=True)
        view = View.of(play.snapshot())
        while not play.over and play.n < 150:
            undo = view.can_undo and (not play.legal or chance.random() < 0.4)
            was_up = face_up(view)
            play.play("undo" if undo else chance.choice(play.legal), 0)
            view = view.after(play.now)
            if undo:
                assert face_up(view) >= was_up, "what was seen is not hidden again"
            elif face_up(view) - was_up:
                assert not view.can_undo


def face_up(view: View) -> Counter[str]:
    return Counter(card for pile in view.piles.values() for card in pile.up)


STUCK = BIG_BEN.read(GAMES["blocked_standard"].last)


def test_a_player_who_is_stuck_but_may_undo_is_still_playing() -> None:
    blocked = GAMES["blocked_standard"]
    stage = practice(seed=blocked.seed)
    stage.ready(ADA)
    diff = only(stage.move(ADA, *blocked.moves), Diff)
    assert blocked.moves[-1] not in ("refill", "turn")
    assert (diff.state, diff.legal, diff.can_undo) == ("playing", (), True)
    diff = only(stage.move(ADA, "undo"), Diff)
    assert diff.legal
    assert blocked.moves[-1] in diff.legal
    stage.move(ADA, blocked.moves[-1])
    assert stage.restart().standing(ADA).state == "playing"
    assert only(stage.move(ADA, "resign"), Diff).state == "resigned"


def test_a_player_who_is_stuck_after_the_last_card_of_the_stock_is_blocked() -> None:
    assert play_of(STUCK, undo=True).now.state == "blocked"
    assert play_of(STUCK, undo=False).now.state == "blocked"


def test_a_win_cannot_be_undone() -> None:
    stage = practice(seed=WON.seed)
    stage.ready(ADA)
    diff = only(stage.move(ADA, *WON.moves), Diff)
    assert (diff.state, diff.can_undo) == ("won", False)


# Looked at again


def wandering(moves: int) -> Play:
    """A long play to and fro, with cards from the stock in between."""
    chance = random.Random(1)
    play = play_of(BIG_BEN.deal(shuffle(BIG_BEN.pack, bytes(32)), "standard"), undo=True)
    while play.n < moves:
        back = play.now.can_undo and (not play.legal or chance.random() < 0.45)
        play.play("undo" if back else chance.choice(play.legal), 1000 * play.n)
    return play


def test_every_move_of_a_long_play_looks_as_it_did_when_it_was_played() -> None:
    play = wandering(300)
    again = play_of(play.positions[0], undo=True)
    told = [again.snapshot()]
    for n, entry in enumerate(play.log, start=1):
        again.play(entry.move, entry.ms)
        assert play.diff(n) == again.now
        told.append(again.snapshot())
    for n in random.Random(2).sample(range(301), 100):
        assert play.piles(n) == told[n].piles
        assert play.diff(n).legal == told[n].legal
        assert (play.diff(n).state, play.diff(n).can_undo) == (told[n].state, told[n].can_undo)
        folded = play_of(play.positions[0], undo=True)
        assert folded.take(play.log[:n])
        assert folded.n == n
        assert folded.snapshot() == told[n]


def test_a_request_for_an_old_move_of_a_long_play_costs_no_more_than_a_few_moves(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    play = wandering(300)
    position = type(play.positions.last)
    apply, done = position.apply, 0

    # Any: whichever game's.
    def counted(self: Any, move: Any) -> tuple[Position, tuple[Transfer, ...]]:
        nonlocal done
        done += 1
        return apply(self, move)

    monkeypatch.setattr(position, "apply", counted)
    for n in range(1, 301):
        before = done
        assert play.same(n, play.log[n - 1].move)
        play.diff(n)
        assert done - before < 2 * EVERY
    done = 0
    assert len(play.all_steps()) == 300
    assert done == 0, "nothing is played again"
    play.play("undo" if play.now.can_undo else play.legal[0], 300_000)
    assert done <= 1


@pytest.mark.parametrize("game", each_kind(PATIENCES.keys()))
@pytest.mark.parametrize("undo", [False, True])
@given(st.randoms(use_true_random=False))
def test_a_position_that_was_not_kept_is_made_again(
    game: str, undo: bool, chance: random.Random
) -> None:
    patience = PATIENCES[game]
    order = shuffle(patience.pack, chance.randbytes(32))
    play = play_of(patience.deal(order, patience.variants[0]), undo=undo)
    seen = [play.positions.last]
    while not play.over and play.n < 100:
        back = play.now.can_undo and (not play.legal or chance.random() < 0.4)
        play.play("undo" if back else chance.choice(play.legal), play.n)
        seen.append(play.positions.last)
    assert [play.positions[n] for n in range(play.n + 1)] == seen


def test_a_long_game_without_undo_keeps_few_positions() -> None:
    play = play_of(BIG_BEN.deal(shuffle(BIG_BEN.pack, bytes(32)), "standard"), undo=False)
    chance = random.Random(1)
    while not play.over and play.n < 200:
        play.play(chance.choice(play.legal), 0)
    assert play.n > 5 * EVERY
    first, again = ([play.positions[n] for n in range(play.n)] for _ in range(2))
    kept = sum(map(is_, first, again))
    assert kept <= play.n / EVERY + 1
