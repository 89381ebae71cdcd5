"""Hints that are followed come to an end, whatever was played before; and so bring cards home."""

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from research.hints import dealt, followed, played
from research.named_deals import ENDINGS, TUNING
from tests.rules.support import board
from tests.support.torture import examples, often

from bigben_rules import GAMES, Position
from bigben_rules.position import STOCK
from bigben_solver.hints import circles, plans
from bigben_solver.hints.asked import Asked
from bigben_solver.hints.best import DEAD, TAKE_BACK, hint
from bigben_solver.hints.circles import way_out
from bigben_solver.players import PLAYERS

CHOICES = {name: game for name, game in GAMES.items() if game.description.decides}
PRESETS = [
    pytest.param(name, rules, id=f"{name}-{rules}")
    for name, game in CHOICES.items()
    for rules in dict.fromkeys(map(game.rules, [*game.description.presets, *game.variants]))
    if name != "bigben" or rules in map(game.rules, game.description.presets)
]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A quick house player makes the plans: whether hints end must not depend on who does."""
    monkeypatch.setattr(plans, "PLAYERS", {"bigben": PLAYERS["bigben"][:3]})
    plans.planned_for.cache_clear()
    yield
    plans.planned_for.cache_clear()


@pytest.mark.longer
@pytest.mark.parametrize(("game", "rules"), PRESETS)
def test_hints_that_are_followed_end_in_every_preset(game: str, rules: str) -> None:
    """Also if nobody remembers where the last card was shown, which takes much longer to try."""
    for remembers, deals in ((True, often(1, 200)), (False, often(1, 20))):
        for deal in ENDINGS[:deals]:
            end, _ = followed(game, dealt(game, rules, deal), remembers=remembers)
            assert end.won or not end.legal_moves() or is_dead(game, rules, end)


def is_dead(game: str, rules: str, end: Position) -> bool:
    """Whether cards can still move, and none comes home or is dealt any more."""
    return hint(Asked.of(GAMES[game], rules, end)).why == (DEAD,)


@examples(6)
@given(st.sampled_from(["standard", "book", "open"]), st.integers(0, 2**32), st.integers(0, 120))
def test_no_hint_leads_back_whatever_was_played_before(rules: str, luck: int, moves: int) -> None:
    """Nobody remembers where the last card was shown, so each plan is made anew."""
    random = Random(luck)
    position = dealt("bigben", rules, TUNING[luck % len(TUNING)])
    for _ in range(moves):
        legal = position.legal_moves()
        builds = [move for move in legal if STOCK not in move[:2] and move.target[0] != "f"]
        if not legal:
            break
        position, _ = position.apply(random.choice(builds or legal))
    seen = {position}
    while (found := hint(Asked.of(GAMES["bigben"], rules, position))).move:
        position, _ = position.apply(position.parse(found.move))
        assert position not in seen
        seen.add(position)


def test_a_card_that_can_only_go_back_and_forth_has_no_hint() -> None:
    """Under these rules no card may be turned while one can be built, so nothing follows."""
    fans = {
        1: "QS JS 9C 8C",
        2: "QD JD 9C",
        3: "KH JD 4C",
        4: "KC JC 4C",
        5: "KC QC 6H",
        6: "KS QC 6H",
        7: "2S 3S 2D",
        8: "2S 3S 2D",
        9: "2H 4D 9H",
        10: "2H 4D 9H",
        11: "3D 5C KH",
        12: "3D 5C 5D",
    }
    position = board(rules="book", fans=fans)
    assert set(position.reading().legal) == {"1 2"}
    after, _ = position.apply(position.parse("1 2"))
    assert set(after.reading().legal) == {"2 1"}
    for one in (position, after):
        assert hint(Asked.of(GAMES["bigben"], "book", one)) == ("", (DEAD,))
        undone = hint(Asked.of(GAMES["bigben"], "book", one, can_undo=True))
        assert undone == ("", (DEAD, TAKE_BACK))


@pytest.mark.longer
@pytest.mark.parametrize("most", [300, 0], ids=["planned", "nearest"])
def test_a_circle_is_left_from_each_of_its_positions(
    most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A card that lies on one of the next rank can go to another such card, and back."""
    position: Position = GAMES["grandfathersclock"].read(
        "grandfathersclock standard AH,JS,QD,AC,2H,4S,5D,5C,6H,7S,8D,9C QS,8C,2S,AD,KS/"
        "5H,6C,3H,QC,7D/7H/9S,3C,6D,5S/6S,10D,2C/JC,10C,10S,9D,2D,AS/3D,4C,9H,8S/KD,4H,7C,8H,JD"
    )
    circle = [*circles.circle_of(position)]
    assert len(circle) == 54
    monkeypatch.setattr(circles, "MOST", most)
    for start in circle[:: often(27, 1)]:
        here, seen = start, {start}
        while not here.won:
            way = way_out(here, lambda one: plans.plan_of(one).moves, plans.can_win)
            assert way
            here, _ = here.apply(way.move)
            assert here not in seen
            seen.add(here)


@pytest.mark.longer
@pytest.mark.parametrize(
    ("game", "rules"),
    [("grandfathersclock", "standard"), ("watch", "standard"), ("germanclock", "1")],
)
def test_hints_bring_home_no_fewer_cards_than_the_strongest_house_player(
    game: str, rules: str
) -> None:
    for deal in often(TUNING[:3], TUNING[:60]):
        start = dealt(game, rules, deal)
        end, _ = followed(game, start)
        assert end.progress >= played(game, start, None).progress
