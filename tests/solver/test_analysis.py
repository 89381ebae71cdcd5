"""The analysis of a seat: it adds up, sees nothing that its player did not, and finds blunders."""

from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.rules.recorded import BIG_BEN, Recorded
from tests.support.torture import examples

from bigben_rules import Position, game_named
from bigben_rules.bigben import deal
from bigben_rules.game import STOCK
from bigben_solver.analysis import (
    CARD,
    CERTAIN,
    Answer,
    Asking,
    Choice,
    Question,
    SeatAnalysis,
    analysed,
    answered,
    par_of,
    seats,
)

SEED = bytes(range(32))
BIGBEN = game_named("bigben")
WON = BIG_BEN["won_standard"]


def asking(game: Recorded, moves: list[str] | None = None) -> Asking:
    return analysed(BIGBEN, game.rules, game.order, moves or game.moves, seed=SEED)


def told(asking: Asking, answer: Callable[[Question], Answer]) -> SeatAnalysis:
    """The analysis that these answers lead to."""
    try:
        question = next(asking)
        while True:
            assert 0 <= question.done < question.of
            question = asking.send(answer(question))
    except StopIteration as end:
        made: SeatAnalysis = end.value
        return made


def guessed(question: Question, luck: Random) -> Answer:
    """An answer as if by playouts, and quicker."""
    position = BIGBEN.read(question.position)
    if question.kind == "solve":
        return ()
    moves = (position.format(move) for move in position.legal_moves())
    return tuple(Choice(move, luck.random() ** 4, luck.uniform(12, 104)) for move in moves)


def check_sum(made: SeatAnalysis) -> None:
    first, last = made.points[0], made.points[-1]
    assert last.chance - first.chance == made.skill + made.luck
    assert last.expected - first.expected == made.skill_cards + made.luck_cards
    assert made.skill <= 0
    assert made.skill_cards <= 0
    for point in made.points:
        assert 0 <= point.chance <= CERTAIN
        assert 0 <= point.expected <= CARD * BIGBEN.total
    assert len(made.costly) <= 3
    assert -made.skill >= sum(one.cost for one in made.costly)


@examples(40)
@given(st.sampled_from(sorted(BIG_BEN)), st.integers(0, 2**32), st.floats(0, 1))
def test_skill_and_luck_add_up_whatever_the_playouts_say(name: str, luck: int, part: float) -> None:
    game, random = BIG_BEN[name], Random(luck)
    moves = game.moves[: int(part * len(game.moves))]
    made = told(asking(game, [*moves, "resign"]), lambda question: guessed(question, random))
    check_sum(made)
    assert [point.n for point in made.points] == [*range(len(moves) + 1)]


def test_a_question_shows_only_what_the_player_saw() -> None:
    questions: list[Question] = []

    def noted(question: Question) -> Answer:
        questions.append(question)
        return guessed(question, Random(1))

    told(asking(WON), noted)
    judged = [question for question in questions if question.kind == "judge"]
    assert len(judged) > 20
    for question in judged:
        assert question.position.endswith("?"), "the stock is not known"
    # Another world that agrees with all that was seen at first.
    other = [*WON.order[:36], *reversed(WON.order[36:])]
    first = next(analysed(BIGBEN, "standard", other, ["turn"], seed=SEED))
    assert first.position == questions[0].position
    assert answered(first._replace(effort=4)) == answered(questions[0]._replace(effort=4))


def test_a_blunder_that_is_certain_costs_all() -> None:
    known = next(n for n in range(len(WON.moves)) if not deal_of(n + 1).piles()[STOCK].down)
    wrong = known + 3
    lost = {deal_of(n).text() for n in range(wrong + 1, len(WON.moves) + 2)}

    def seen(question: Question) -> Answer:
        """All cards are known, and from this move on no win is found."""
        if question.kind == "judge":
            return tuple(
                one._replace(chance=0.2, home=50.0) for one in guessed(question, Random(2))
            )
        return () if question.position in lost else (Choice("12 1", 1.0, 0.0),)

    made = told(asking(WON, [*WON.moves[: wrong + 3], "resign"]), seen)
    check_sum(made)
    (blunder,) = [one for one in made.costly if one.n == wrong]
    assert (blunder.move, blunder.better) == (WON.moves[wrong - 1], "12 1")
    assert blunder.cost == CERTAIN
    assert [point.chance for point in made.points[-5:]] == [CERTAIN, 0, 0, 0, 0]


def test_a_blunder_before_the_end_is_among_the_costly_moves() -> None:
    blunder = next(n for n, move in enumerate(WON.moves, 1) if move == "refill" and n > 30)
    better = f"{deal_of(blunder).format(deal_of(blunder).legal_moves()[0])}"
    assert better != "refill"

    def fair(question: Question) -> Answer:
        if question.kind == "solve":
            return answered(question)
        position = BIGBEN.read(question.position)
        here = position.piles() == deal_of(blunder).piles()
        moves = map(position.format, position.legal_moves())
        return tuple(Choice(m, 0.9 if here and m == better else 0.2, 50.0) for m in moves)

    made = told(asking(WON), fair)
    check_sum(made)
    (found,) = made.costly
    assert (found.n, found.move, found.better) == (blunder, "refill", better)
    assert found.cost == 7_000


def deal_of(n: int) -> Position:
    """The won game before move ``n``."""
    position: Position = deal(WON.order)
    for text in WON.moves[: n - 1]:
        position, _ = position.apply(position.parse(text))
    return position


def test_the_same_game_gives_the_same_analysis(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seats, "LOOK", 2)
    monkeypatch.setattr(seats, "AGAIN", 4)
    moves = WON.moves[:30]
    made = told(asking(WON, moves), answered)
    check_sum(made)
    assert made == told(asking(WON, moves), answered)


def test_a_move_that_was_taken_back_costs_nothing_and_is_on_no_curve() -> None:
    made = told(
        asking(WON, ["turn", "turn", "7 f7", "undo", "7 f7"]), lambda q: guessed(q, Random(3))
    )
    assert [point.n for point in made.points] == [0, 1, 2, 5]


@pytest.mark.parametrize("moves", [["undo"], ["turn", "undo"], ["12 f1"], ["xyzzy"], ["turn"] * 99])
def test_moves_that_cannot_have_been_played_are_refused(moves: list[str]) -> None:
    with pytest.raises(ValueError, match=r"^move \d+"):
        next(asking(WON, moves))


def test_games_without_a_solver_are_refused() -> None:
    clock = game_named("clock")
    with pytest.raises(ValueError, match="clock is not analysed"):
        next(analysed(clock, "standard", clock.pack, [], seed=SEED))


def test_par_is_the_length_of_a_line_that_wins() -> None:
    line = answered(par_of(BIGBEN, WON.rules, WON.order))
    position: Position = WON.start()
    for choice in line:
        position, _ = position.apply(position.parse(choice.move))
    assert position.won
