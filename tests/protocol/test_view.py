"""A view equals the server's position after each diff, or raises an error."""

import copy
import dataclasses
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET
from msgspec.structs import replace
from tests.protocol.built import frame
from tests.protocol.played import RACE, Told, as_cards, diffs, games
from tests.support.torture import examples

from bigben_protocol import CODECS, Codec, Diff, Diverged, Gap, Pile, Snapshot, Step, View, digest

BOTH = pytest.mark.parametrize("codec", [*CODECS.values()], ids=[*CODECS])
A_FEW_GAMES = examples(10)


def snapshot_of(codec: Codec, snapshot: Snapshot) -> Snapshot:
    """As it comes out of the wire."""
    received = codec.decode_server(frame(codec, snapshot))
    assert isinstance(received, Snapshot)
    return received


def diff_of(codec: Codec, diff: Diff) -> Diff:
    """As it comes out of the wire."""
    received = codec.decode_server(frame(codec, diff))
    assert isinstance(received, Diff)
    return received


@BOTH
@A_FEW_GAMES
@given(game=games())
def test_the_view_is_the_servers_position_after_every_move(codec: Codec, game: list[Told]) -> None:
    view = View.of(snapshot_of(codec, game[0].snapshot))
    for told in game:
        if told.diff:
            view = view.after(diff_of(codec, told.diff))
        assert as_cards(view.piles) == told.piles
        assert list(view.piles) == list(told.piles)
        assert view == View.of(told.snapshot)
        assert view.digest == digest(told.piles)


@A_FEW_GAMES
@given(game=games(), data=st.data())
def test_a_view_may_start_at_any_snapshot(game: list[Told], data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(game) - 1))
    view = View.of(game[start].snapshot)
    for diff in diffs(game[start + 1 :]):
        view = view.after(diff)
    assert as_cards(view.piles) == game[-1].piles


@A_FEW_GAMES
@given(game=games(), data=st.data())
def test_repeated_diffs_change_nothing(game: list[Told], data: st.DataObject) -> None:
    view = View.of(game[0].snapshot)
    for told in game[1:]:
        assert told.diff
        again = view.after(told.diff)
        for earlier in data.draw(st.lists(st.sampled_from([*diffs(game[: told.diff.n + 1])]))):
            assert again.after(earlier) is again
        view = again
    assert as_cards(view.piles) == game[-1].piles


@A_FEW_GAMES
@given(game=games(), data=st.data())
def test_a_missing_diff_is_a_gap(game: list[Told], data: st.DataObject) -> None:
    here = data.draw(st.integers(0, len(game) - 1))
    view = View.of(game[here].snapshot)
    for later in game[here + 2 :]:
        assert later.diff
        with pytest.raises(Gap, match=f"after move {here} is number {later.diff.n}"):
            view.after(later.diff)


@A_FEW_GAMES
@given(game=games())
def test_a_view_is_immutable(game: list[Told]) -> None:
    view = View.of(game[0].snapshot)
    for diff in diffs(game):
        before = copy.deepcopy(asdict(view))
        after = view.after(diff)
        assert asdict(view) == before
        view = after


def bare(diff: Diff) -> Diff:
    """The same move for a client that keeps the rules."""
    return replace(diff, legal=UNSET, digest=UNSET if diff.n % 10 else diff.digest)


@BOTH
@A_FEW_GAMES
@given(game=games())
def test_a_view_needs_neither_legal_moves_nor_a_digest_in_each_diff(
    codec: Codec, game: list[Told]
) -> None:
    view = View.of(snapshot_of(codec, game[0].snapshot))
    for told in game[1:]:
        assert told.diff
        view = view.after(diff_of(codec, bare(told.diff)))
        assert view == dataclasses.replace(View.of(told.snapshot), legal=())


def test_piles_that_diverged_unnoticed_are_found_with_the_next_digest() -> None:
    other = view(n=9, w=Pile(("7H", "KS")), s=Pile(down=1))
    unnoticed = view(n=8, w=Pile(("7H",)), s=Pile(down=2)).after(
        bare(diff(Step("s", "w", "KD"), n=9, leaves=other))
    )
    there = view(n=10, w=Pile(("7H", "KS", "2C")), s=Pile())
    with pytest.raises(Diverged, match="digest of diff 10"):
        unnoticed.after(bare(diff(Step("s", "w", "2C"), n=10, leaves=there)))


def view(*, n: int = 3, **piles: Pile) -> View:
    """The view after move ``n``."""
    cards = digest({name: (pile.up, pile.down) for name, pile in piles.items()})
    return View.of(Snapshot(RACE, n, "playing", 12, 0, piles, (), cards))


def diff(*steps: Step, n: int = 4, leaves: View) -> Diff:
    """Move 4, after which the server has the piles ``leaves``."""
    return Diff(RACE, n, "turn", steps, "playing", 12, 0, (), leaves.digest)


HERE = view(w=Pile(("7H",)), s=Pile(down=2))


def test_a_card_from_the_stock_is_seen_when_it_is_dealt() -> None:
    there = view(n=4, w=Pile(("7H", "KD")), s=Pile(down=1))
    assert HERE.after(diff(Step("s", "w", "KD"), leaves=there)) == there


def test_a_card_that_lies_elsewhere_has_diverged() -> None:
    with pytest.raises(Diverged, match="KD is not on top of pile w"):
        HERE.after(diff(Step("w", "s", "KD"), leaves=HERE))


def test_a_card_from_an_empty_pile_has_diverged() -> None:
    empty = view(w=Pile(("7H",)), s=Pile())
    with pytest.raises(Diverged, match="pile s is empty"):
        empty.after(diff(Step("s", "w", "KD"), leaves=empty))


@pytest.mark.parametrize("step", [Step("w", "13", "7H"), Step("13", "w", "7H")])
def test_a_pile_that_is_not_there_has_diverged(step: Step) -> None:
    with pytest.raises(Diverged, match="no pile 13"):
        HERE.after(diff(step, leaves=HERE))


def test_piles_that_look_right_but_are_not_the_servers_have_diverged() -> None:
    other = view(w=Pile(("7H", "KS")), s=Pile(down=1))
    with pytest.raises(Diverged, match="digest of diff 4 does not match the piles"):
        HERE.after(diff(Step("s", "w", "KD"), leaves=other))


def test_a_snapshot_that_does_not_agree_with_itself_has_diverged() -> None:
    snapshot = Snapshot(RACE, 3, "playing", 12, 0, {"w": Pile(("7H",))}, (), HERE.digest)
    with pytest.raises(Diverged, match="the snapshot after move 3"):
        View.of(snapshot)
    assert View.of(replace(snapshot, digest=digest({"w": (("7H",), 0)}))).n == 3


def test_a_digest_depends_on_face_down_cards_piles_and_their_order() -> None:
    piles = [
        {"w": (("7H",), 0), "s": ((), 2)},
        {"w": (("7H",), 0), "s": ((), 3)},
        {"w": (("7H",), 2), "s": ((), 0)},
        {"w": ((), 0), "s": (("7H",), 2)},
        {"s": ((), 2), "w": (("7H",), 0)},
        {"w": (("7", "H"), 0), "s": ((), 2)},
    ]
    assert len(set(map(digest, piles))) == len(piles)
