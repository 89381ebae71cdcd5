"""The analysis of a seat: it adds up, sees nothing that its player did not, and finds blunders."""

from collections.abc import Callable
from itertools import permutations
from random import Random

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from tests.rules.recorded import BIG_BEN, Recorded
from tests.support.torture import examples

from bigben_rules import Card, Position, game_named, shuffle
from bigben_rules.bigben import deal
from bigben_rules.position import STOCK
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
from bigben_solver.analysis.line import line_of

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
    if question.kind == "play":
        return (Choice(question.first, luck.random() ** 4, luck.uniform(12, 104)),)
    moves = (position.format(move) for move in position.legal_moves())
    return tuple(Choice(move, luck.random() ** 4, luck.uniform(12, 104)) for move in moves)


def check_sum(made: SeatAnalysis) -> None:
    first, last = made.points[0], made.points[-1]
    assert last.chance - first.chance == made.skill + made.luck
    assert last.expected - first.expected == made.skill_cards + made.luck_cards
    assert abs(made.skill) <= CERTAIN
    assert abs(made.skill_cards) <= CARD * (BIGBEN.total - first.home), "no more than is at stake"
    for point in made.points:
        assert 0 <= point.chance <= CERTAIN
        assert 0 <= point.expected <= CARD * BIGBEN.total
    assert len(made.costly) <= 3
    homes = {point.n: point.home for point in made.points}
    for one in made.costly:
        assert 0 <= one.cost <= CERTAIN
        assert 0 <= one.cards <= CARD * (BIGBEN.total - homes[one.n - 1]), "what was at stake then"


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
    seen = [question for question in questions if question.kind != "solve"]
    assert {question.kind for question in seen} == {"judge", "play"}
    assert len(seen) > 40
    for question in seen:
        assert question.position.endswith(("?", " -")), "the stock is not known, or it is empty"
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
        if question.kind != "solve":
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


def better_there(question: Question, there: Position, better: str) -> Answer:
    """One move wins nearly always in one position; everything else seldom."""
    if question.kind == "solve":
        return answered(question)
    position = BIGBEN.read(question.position)
    here = position.piles() == there.piles()
    moves = [question.first] if question.kind == "play" else position.reading().legal
    return tuple(Choice(m, 0.9 if here and m == better else 0.2, 50.0) for m in moves)


def test_a_blunder_before_the_end_is_among_the_costly_moves() -> None:
    n, better = next(
        (n, text)
        for n, move in enumerate(WON.moves, 1)
        for text in deal_of(n).reading().legal
        if move == "refill" and n > 30 and text not in deal_of(n + 1).reading().legal
    )
    made = told(asking(WON), lambda question: better_there(question, deal_of(n), better))
    check_sum(made)
    (found,) = made.costly
    assert (found.n, found.move, found.better) == (n, "refill", better)
    assert found.cost == 7_000


WAITS = "12 1"
"""A build that is there at first in this game, and stays while cards are turned."""


def postponed(question: Question) -> Answer:
    """That build is always much the best, wherever it is there."""
    position = BIGBEN.read(question.position)
    if question.kind == "play":
        return (Choice(question.first, 0.2, 50.0),)
    moves = position.reading().legal
    return tuple(Choice(m, 0.9 if m == WAITS else 0.2, 50.0 + 30 * (m == WAITS)) for m in moves)


@pytest.mark.parametrize(
    ("then", "costs"),
    [
        pytest.param(["resign"], [], id="it was there to the end"),
        pytest.param([WAITS, "resign"], [], id="it was played late"),
        pytest.param(["12 f10", "resign"], [6], id="its card went elsewhere"),
    ],
)
def test_a_build_that_is_postponed_costs_once_and_only_when_it_is_lost(
    then: list[str], costs: list[int]
) -> None:
    order = shuffle(BIGBEN.pack, (1_005_386).to_bytes(32, "big"))
    made = told(
        analysed(BIGBEN, "standard", order, ["turn"] * 5 + then, seed=SEED),
        postponed,
    )
    check_sum(made)
    assert [one.n for one in made.costly] == costs
    assert all(one.better == WAITS for one in made.costly)
    assert made.skill == made.skill_cards == 0, "a simple player would have done no better"


class Values:
    """What an arbitrary player thinks of positions: always the same, and not worth much."""

    def __init__(self, dealt: dict[str, list[Position]]) -> None:
        self._dealt = dealt
        """By what is seen before a deal: the positions that can be dealt."""

    def of(self, position: Position) -> float:
        luck = Random(BIGBEN.seen(position.piles(), "standard").text())
        return luck.uniform(50, 54)

    def answer(self, question: Question) -> Answer:
        position = BIGBEN.read(question.position)
        if question.kind == "solve":
            return ()
        if question.kind == "judge":
            return tuple(Choice(move, 0.0, 0.0) for move in position.reading().legal)
        if question.first and (afters := self._dealt.get(f"{question.position} {question.first}")):
            value = sum(map(self.of, afters)) / len(afters)
        else:
            value = self.of(position) if not question.first else 52.0
        return (Choice(question.first, value / 104, value),)


@examples(3)
@given(st.integers(0, 2**32))
def test_luck_is_zero_on_average_whatever_is_thought_of_positions(luck: int) -> None:
    """Over all orders of the last three cards of the stock; the player plays by chance."""
    random = Random(luck)
    order = shuffle(BIGBEN.pack, random.randbytes(32))
    position, before = BIGBEN.deal(order, "standard"), list[str]()
    while position.piles()[STOCK].down > 3 and (legal := position.legal_moves()):
        choice = random.choice(legal[-2:])
        before.append(position.format(choice))
        position, _ = position.apply(choice)
    left = position.piles()[STOCK].down
    assume(0 < left <= 3 and len(set(order[-left:])) == left)
    worlds = [[*order[: len(order) - left], *last] for last in permutations(order[-left:])]
    games = [(world, before + ending(world, before, luck)) for world in worlds]
    dealt: dict[str, list[Position]] = {}
    for world, moves in games:
        for played in line_of(BIGBEN.deal(world, "standard"), moves)[len(before) :]:
            if played.shows:
                seen = BIGBEN.seen(played.before.piles(), "standard").text()
                dealt.setdefault(f"{seen} {played.text}", []).append(played.after)
    values = Values(dealt)
    lucks = [
        told(analysed(BIGBEN, "standard", world, moves, seed=SEED), values.answer).luck_cards
        for world, moves in games
    ]
    start = told(analysed(BIGBEN, "standard", order, [*before, "resign"], seed=SEED), values.answer)
    assert sum(lucks) / len(lucks) == pytest.approx(start.luck_cards, abs=3), "but for rounding"


def ending(world: list[Card], before: list[str], luck: int) -> list[str]:
    """The rest of a game; what is played depends on what is seen and on chance."""
    position, moves = BIGBEN.deal(world, "standard"), list[str]()
    for text in before:
        position, _ = position.apply(position.parse(text))
    for _ in range(30):
        legal = position.reading().legal
        if not legal or not position.piles()[STOCK].down:
            break
        chance = Random(f"{luck} {BIGBEN.seen(position.piles(), 'standard').text()}")
        moves.append(chance.choice(legal))
        position, _ = position.apply(position.parse(moves[-1]))
    return [*moves, "resign"]


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
