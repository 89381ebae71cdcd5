"""The digest that goes with every diff: that of all the piles, though few of them are read anew."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from bigben_protocol import Diff, RaceId, Snapshot, digest
from bigben_rules import GAMES, shuffle
from bigben_server.race.events import UNDO
from bigben_server.race.game import Play

BIG_BEN = GAMES["bigben"]


@given(st.binary(min_size=32, max_size=32), st.randoms(use_true_random=False))
def test_whatever_is_played_and_taken_back(seed: bytes, chance: Random) -> None:
    dealt = BIG_BEN.deal(shuffle(BIG_BEN.pack, seed), "standard")
    play = Play(RaceId("K7QPXM"), dealt, 0, undo=True)
    told: list[Snapshot | Diff] = [play.snapshot()]
    for ms in range(40):
        assert told[-1].digest == digest(play.position.piles())
        undo = play.now.can_undo and chance.random() < 0.3
        if play.over:
            break
        told.append(play.play(UNDO if undo else chance.choice(play.legal), ms))
    since = chance.randrange(len(told))
    assert list(play.diffs(since)) == told[since + 1 :], "and when they are told again"
