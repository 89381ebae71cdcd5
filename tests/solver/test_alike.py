"""What is read from one attempt, and what two attempts say about each other."""

from math import exp
from typing import Any

import pytest

from bigben_rules import GAMES, shuffle
from bigben_solver.alike import (
    LIMIT,
    Attempt,
    Compared,
    Likeness,
    Reading,
    Step,
    compare,
    compared,
    crowd_of,
    portions,
    read,
    suspicious,
)

HOUR = 3_600_000


def choice(n: int, move: str, **also: Any) -> Step:
    """A step in the same deal with three legal moves, of which the third is unusual."""
    step = Step(n, move, f"position {n}", 60, ("1 2", "3 4", "5 6"), (0.5, 0.4, 0.1))
    return step._replace(**also)


def attempt(begun_at: int, *moves: str, **also: Any) -> Attempt:
    steps = tuple(choice(n, move, **also) for n, move in enumerate(moves, start=1))
    return Attempt(begun_at, [1_000 * n for n in range(1, len(moves) + 1)], steps)


def likeness(earlier: Attempt, later: Attempt) -> Likeness:
    return compared(earlier, later, crowd_of((earlier, later)))


def test_every_legal_move_has_a_likelihood_and_a_forced_one_is_no_choice() -> None:
    game = GAMES["bigben"]
    order = shuffle(game.pack, (1_000_000).to_bytes(32, "big"))
    position, moves = game.deal(order, "standard"), list[str]()
    for _ in range(12):
        moves.append(position.format(position.legal_moves()[0]))
        position, _ = position.apply(position.parse(moves[-1]))
    reading = read(game, "standard", order, moves)
    assert [step.move for step in reading] == moves
    for step in reading:
        assert not step.legal or len(step.legal) == len(step.likely) > 1
        assert all(one > 0 for one in step.likely)
        assert not step.legal or sum(step.likely) == pytest.approx(1)
    with pytest.raises(ValueError, match="move 1"):
        read(game, "standard", order, ["w f1"])


def test_a_game_without_choices_says_nothing() -> None:
    game = GAMES["clock"]
    order, moves = shuffle(game.pack, bytes(32)), list[str]()
    position = game.deal(order, "standard")
    while legal := position.legal_moves():
        moves.append(position.format(legal[0]))
        position, _ = position.apply(legal[0])
    reading: Reading = read(game, "standard", order, moves)
    times = [*range(len(moves))]
    both = Attempt(0, times, reading), Attempt(HOUR, times, reading)
    assert len(reading) == len(moves)
    assert likeness(*both) == Likeness()


def test_a_shared_choice_says_the_more_the_less_likely_it_is() -> None:
    usual = likeness(attempt(0, "1 2"), attempt(HOUR, "1 2"))
    unusual = likeness(attempt(0, "5 6"), attempt(HOUR, "5 6"))
    other = likeness(attempt(0, "5 6"), attempt(HOUR, "1 2"))
    assert other.copying < 0 < usual.copying < unusual.copying
    assert [(one.n, one.move) for one in unusual.copied] == [(1, "5 6")]


@pytest.mark.parametrize("before", ["1 2", "3 4", "5 6"])
@pytest.mark.parametrize("known", [(), ("1 2",), ("3 4", "5 6")])
def test_who_knows_nothing_gains_nothing_on_average(before: str, known: tuple[str, ...]) -> None:
    earlier = attempt(0, before, hidden=20)
    ratios = [0.0, 0.0]
    for move, likely in zip(("1 2", "3 4", "5 6"), (0.5, 0.4, 0.1), strict=True):
        told = likeness(earlier, attempt(HOUR, move, foreknown=known))
        ratios = [ratios[0] + likely * exp(told[0]), ratios[1] + likely * exp(told[1])]
    assert max(ratios) <= 1 + 1e-9


def test_what_every_house_player_would_play_weighs_nothing() -> None:
    both = [attempt(at, "5 6", agreed="5 6", foreknown=("5 6",)) for at in (0, HOUR)]
    assert likeness(*both) == Likeness()


def test_what_others_play_there_too_is_no_longer_unusual() -> None:
    earlier, later, *others = (attempt(at * HOUR, "5 6") for at in range(9))
    alone = likeness(earlier, later).copying
    assert compared(earlier, later, crowd_of((earlier, later, *others))).copying < alone / 2


def test_only_what_was_there_before_can_be_copied_or_known() -> None:
    at_once = attempt(0, "5 6", hidden=20, foreknown=("5 6",))
    assert likeness(attempt(0, "5 6", hidden=20), at_once).copying == 0
    before = attempt(-HOUR, "5 6", hidden=20)
    assert likeness(before, attempt(0, "5 6", hidden=40, foreknown=("5 6",))).foresight > 0
    few = attempt(-HOUR, "5 6", hidden=39)
    assert likeness(few, attempt(0, "5 6", hidden=40, foreknown=("5 6",))).foresight == 0


def test_all_pairs_of_a_deal_are_compared_once() -> None:
    attempts = {f"p{n}": attempt(n * HOUR, "5 6") for n in range(40)}
    found = [one for some in portions(attempts) for one in compare(attempts, some)]
    assert len({frozenset(one[:2]) for one in found}) == len(found) == 780
    assert all(int(one.earlier[1:]) < int(one.later[1:]) for one in found)


def test_players_who_copy_are_told_over_all_weeks() -> None:
    copies, innocent = Likeness(LIMIT / 2 + 1, -3.0), Likeness(-1.0, -1.0)
    weeks = {
        week: [Compared("ann", "bob", copies), Compared("bob", "eve", innocent)] for week in (1, 2)
    }
    (pair,) = suspicious(weeks)
    assert (pair.kind, {*pair.players}, pair.weeks) == ("copied", {"ann", "bob"}, (1, 2))
    assert suspicious({1: weeks[1]}) == []


def test_who_seems_to_know_cards_is_told_once_and_not_with_everybody_before() -> None:
    knows = Likeness(-1.0, LIMIT + 2)
    alone = suspicious({1: [Compared("ann", "bob", knows)]})
    assert [(one.kind, one.players, one.explained_by) for one in alone] == [
        ("foreseen", ("bob", "ann"), 1)
    ]
    (several,) = suspicious({1: [Compared("ann", "bob", knows), Compared("eve", "bob", knows)]})
    assert (several.players, several.explained_by) == (("bob", ""), 2)
