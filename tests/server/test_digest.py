"""The digest that goes with every diff: that of all the piles, though few of them are read anew."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace
from tests.support.torture import each_kind

from bigben_protocol import Diff, RaceId, Snapshot, digest
from bigben_rules import GAMES, shuffle
from bigben_server.race.events import UNDO
from bigben_server.race.game import Play

BIG_BEN = GAMES["bigben"]


@given(st.binary(min_size=32, max_size=32), st.randoms(use_true_random=False))
def test_whatever_is_played_and_taken_back(seed: bytes, chance: Random) -> None:
    dealt = BIG_BEN.deal(shuffle(BIG_BEN.pack, seed), "standard")
    play = Play(
        RaceId("K7QPXM"), dealt, 0, undo=True, new_reader=lambda: BIG_BEN.reader("standard")
    )
    told: list[Snapshot | Diff] = [play.snapshot()]
    for ms in range(40):
        assert told[-1].digest == digest(play.positions.last.piles())
        assert play.over or play.legal == play.positions.last.reading().legal
        undo = play.now.can_undo and chance.random() < 0.3
        if play.over:
            break
        play.play(UNDO if undo else chance.choice(play.legal), ms)
        told.append(play.now)
    since = chance.randrange(len(told))
    assert list(play.diffs(since)) == told[since + 1 :], "and when they are told again"


@pytest.mark.parametrize("game", each_kind(GAMES.keys()))
@given(st.binary(min_size=32, max_size=32), st.randoms(use_true_random=False))
def test_the_small_answer_is_the_whole_one_without_moves_and_digest(
    game: str, seed: bytes, chance: Random
) -> None:
    """A client that keeps the rules is told how the game stands, and no moves were listed."""
    dealt = GAMES[game].deal(shuffle(GAMES[game].pack, seed), GAMES[game].variants[0])
    whole, small = (Play(RaceId("K7QPXM"), dealt, 0, undo=True) for _ in range(2))
    while not whole.over and whole.n < 250:
        undo = whole.now.can_undo and (not whole.legal or chance.random() < 0.1)
        move = UNDO if undo else chance.choice(whole.legal)
        whole.play(move, whole.n)
        small.play(move, small.n)
        told = replace(whole.now, legal=UNSET, digest=UNSET)
        assert small.diff(small.n, whole=False) == told
        assert small.status == whole.status
        assert whole.legal or whole.now.can_undo or whole.over
