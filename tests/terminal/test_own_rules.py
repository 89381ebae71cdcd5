"""The terminal finds the legal moves itself, and finds those that the server would send."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.terminal.support import view_of

from bigben_client import Client
from bigben_protocol import Diff
from bigben_rules import GAMES, shuffle
from bigben_rules.bigben.variants import RULES
from bigben_terminal.complaint import Complaint
from bigben_terminal.own_rules import with_legal_moves

BIG_BEN = GAMES["bigben"]


@settings(max_examples=40, deadline=None)
@given(
    st.binary(min_size=32, max_size=32),
    st.sampled_from(sorted(RULES)),
    st.integers(0, 150),
    st.randoms(use_true_random=False),
)
def test_a_view_gets_the_legal_moves_of_its_position(
    seed: bytes, rules: str, moves: int, luck: Random
) -> None:
    position = BIG_BEN.deal(shuffle(BIG_BEN.pack, seed), rules)
    for _ in range(moves):
        if not (legal := position.legal_moves()):
            break
        position, _ = position.apply(luck.choice(legal))
    view = view_of(position)
    assert with_legal_moves(replace(view, legal=()), rules) == view


def test_a_game_that_is_over_has_no_legal_moves() -> None:
    view = view_of(BIG_BEN.deal(BIG_BEN.pack, "standard"))
    over = replace(view, state="resigned", legal=())
    assert with_legal_moves(over, "standard") == over


def test_rules_of_a_newer_server_are_named() -> None:
    view = view_of(BIG_BEN.deal(BIG_BEN.pack, "standard"))
    with pytest.raises(Complaint, match=r"this version can't follow the game: .*moonlight"):
        with_legal_moves(view, "moonlight")


async def test_a_client_with_rules_plays_on_without_the_servers_legal_moves(server: str) -> None:
    async with Client(server, name="Ada", keeps_rules=True) as ada:
        race = (await ada.create(practice=True)).race
        await ada.ready(race)
        digests = 0
        for _ in range(20):
            view = with_legal_moves(ada.views[race], "standard")
            diff: Diff = await ada.move(race, view.legal[-1])
            assert not diff.legal
            digests += isinstance(diff.digest, int)
        assert digests == 2
